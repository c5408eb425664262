"""Servers for the benchmarks: one local process each, with the options of `hjstudy serve`."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from app.web.head_clock import with_timeout

OURS, FLOOR, BARE = "app.main:served_app", "bench.floor:create_app", "bench.bare:create_app"
ROOT = Path(__file__).resolve().parents[1]
HOST, START_S, END_S = "127.0.0.1", 120, 20  # a machine may be busy
HEAD_S = 15.0  # for headers to arrive


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


@contextmanager
def server(factory: str, folder: Path, path: str, **environment: str) -> Iterator[int]:
    """Run a server until the block ends; return its port once `path` answers.

    Its log goes to a file in `folder`.
    """
    with process(factory, folder, path, **environment) as (port, _):
        yield port


@contextmanager
def process(factory: str, folder: Path, path: str, **environment: str) -> Iterator[tuple[int, int]]:
    """Do what `server` does; return the port and the process id."""
    port = free_port()
    command = [sys.executable, "-m", "bench.serving", factory, str(port)]
    log = folder / f"server-{port}.log"
    with log.open("wb") as out:
        started = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environment}, stdout=out, stderr=out
        )
    try:
        wait_for(port, path, started, log)
        yield port, started.pid
    finally:
        started.terminate()
        started.wait(END_S)


def wait_for(port: int, path: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server responds. Raises RuntimeError with its log if it does not."""
    end = time.monotonic() + START_S
    while not answers(port, path):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"The server did not start:\n{log.read_text('utf-8')}")
        time.sleep(0.05)


def answers(port: int, path: str) -> bool:
    """Return whether the server responds at this path."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 400
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    uvicorn.run(
        sys.argv[1],
        factory=True,
        host=HOST,
        port=int(sys.argv[2]),
        http=with_timeout(HEAD_S),
        log_config=None,
        access_log=False,
        server_header=False,
    )
