"""A server that a command starts and stops itself, in a thread."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from app.cli.common import refuse
from app.main import create_app
from app.settings import Settings

START_S = 60


@contextmanager
def server_at(url: str, settings: Settings) -> Iterator[str]:
    """Yield the given address, or start a server in a thread on a free port and yield its own."""
    if url:
        yield url
        return
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        level = "error" if settings.log_level == "error" else "warning"
        values = {
            "base_url": address,
            "log_level": level,
            "secure_cookies": False,
            "limit_sources": False,  # only our bots come here
        }
        app = create_app(settings.model_copy(update=values))
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, args=([listening],), name="server")
        thread.start()
        try:
            wait_for(server, thread)
            yield address
        finally:
            server.should_exit = True
            thread.join()


def wait_for(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + START_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            refuse("The server did not start; the lines above say why.")
        time.sleep(0.02)
