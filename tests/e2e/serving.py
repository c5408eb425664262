"""A real server process on a port of its own, and where Chromium is."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# Features that make each new window load the browser's own pages, which no test needs.
OWN_PAGES = (
    *("PreloadTopChromeWebUI", "WebUIOmniboxPopup"),
    *("WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
)
LAN_HOST = "study.lan"
LAN_ADDRESS = "192.0.2.80"
LAN = ", ".join(f"MAP {name} 127.0.0.1" for name in (LAN_HOST, LAN_ADDRESS))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing leaves this machine; these are the server as a laboratory's network knows it.
    f"--host-resolver-rules={LAN}, MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    f"--disable-features={','.join(OWN_PAGES)}",
]
START_S, END_S = 90, 20  # a machine may be busy with other tests


def find_chromium():
    """Return the path of a Chromium, or None."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class ServerProcess:
    """`hjstudy serve` on a database; can be killed and started again at the same address."""

    def __init__(self, folder: Path, database_url: str, htmx_source: str = "local"):
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.log = folder / f"server-{self.port}.log"
        self.environment = {
            **os.environ,
            "HJSTUDY_DATABASE_URL": database_url,
            "HJSTUDY_HTMX_SOURCE": htmx_source,
            "HJSTUDY_LOG_LEVEL": "error",
        }

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [str(Path(sys.executable).parent / "hjstudy"), "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + START_S
        while not self.answers():
            if not self.runs() or time.monotonic() > end:
                self.end(signal.SIGKILL)
                raise AssertionError(f"The server did not start:\n{self.log.read_text()}")
            time.sleep(0.05)
        return self

    def answers(self):
        try:
            return bool(httpx.get(f"{self.url}/healthz", timeout=2).is_success)
        except httpx.TransportError:
            return False

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def end(self, how=signal.SIGTERM):
        """Send a signal to the server, if it runs, and wait until it has ended."""
        if self.process is not None and self.runs():
            self.process.send_signal(how)
            self.process.wait(END_S)
