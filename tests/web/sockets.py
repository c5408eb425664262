"""A real server in a thread, spoken to byte by byte."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


@contextmanager
def serving(app, http) -> Iterator[tuple[str, int]]:
    """Serve with a class of connections; yield the address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_config=None, access_log=False, http=http)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield listening.getsockname()
        server.should_exit = True
        thread.join()


def answer(connection):
    """Read until the server closes the connection."""
    found = b""
    while piece := connection.recv(65536):
        found += piece
    return found.decode()
