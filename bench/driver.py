"""A closed-loop load driver: several users, each with one persistent connection."""

import http.client
import threading
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench.serving import HOST


class User(Protocol):
    """A user who does one unit of work after the other; errors are raised."""

    @property
    def client(self) -> "Client": ...

    def step(self) -> None: ...


class Client:
    """A connection with its cookies."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self.cookies: dict[str, str] = {}

    def send(
        self,
        method: str,
        path: str,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Return status, headers and body."""
        sent = dict(headers or {})
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        data = answer.read()
        for line in answer.msg.get_all("Set-Cookie") or []:
            name, _, rest = line.partition("=")
            self.cookies[name.strip()] = rest.partition(";")[0]
        return answer.status, answer.msg, data

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self.connection.close()


@dataclass(frozen=True, slots=True)
class Load:
    """The result of a load: units per second, and milliseconds per unit."""

    rate: float
    p50_ms: float
    p95_ms: float
    longest_ms: float


def run(users: Sequence[User], seconds: float) -> Load:
    """Let all users work this long, each as fast as it gets responses. Raises their errors."""
    took: list[float] = []
    errors: list[Exception] = []
    stop = threading.Event()

    def work(user: User) -> None:
        while not stop.is_set():
            began = time.perf_counter()
            try:
                user.step()
            except Exception as error:  # noqa: BLE001 - raised below, in the caller's thread
                errors.append(error)
                return
            took.append(time.perf_counter() - began)

    for user in users:
        user.client.close()  # servers close connections that are idle for long
    threads = [threading.Thread(target=work, args=(user,)) for user in users]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    stop.wait(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    wall = time.perf_counter() - began
    if errors:
        raise errors[0]
    took.sort()
    p50, p95 = (took[int(share * len(took))] * 1000 for share in (0.5, 0.95))
    return Load(len(took) / wall, p50, p95, took[-1] * 1000)
