"""Many people who think between their requests, in one thread that needs little processor time.

Requests are bytes, made before the clock starts. Of a response only the status, the length and one
header are read. Connections are shared, like those of a reverse proxy, because a server closes a
connection that is idle for five seconds.
"""

import asyncio
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import cast
from urllib.parse import urlencode

import uvloop

from bench.serving import HOST

IDLE_S = 4.0  # servers close a connection after 5 idle seconds
PATIENCE_S = 30.0
FORM = "application/x-www-form-urlencoded"
LAST_CHUNK = b"\r\n0\r\n\r\n"
CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked\r", re.IGNORECASE)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """A request, and what its response must have: a status and a header line (b'' = any)."""

    data: bytes
    status: int
    header: bytes = b""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is timed as one, such as a form and the page after it."""

    kind: str
    requests: tuple[Request, ...]


Work = deque[Unit]


def get(path: str) -> Request:
    """Return a request for a page."""
    return Request(f"GET {path} HTTP/1.1\r\nhost: {HOST}\r\n\r\n".encode(), 200)


def post(
    path: str,
    fields: Mapping[str, str],
    status: int,
    *,
    header: bytes = b"",
    sent: Mapping[str, str] | None = None,
) -> Request:
    """Return a request with a form. `sent`: more headers."""
    body = urlencode(fields)
    own = {"host": HOST, "content-type": FORM, "content-length": str(len(body)), **(sent or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in own.items())
    return Request(f"POST {path} HTTP/1.1\r\n{head}\r\n{body}".encode(), status, header)


@dataclass(slots=True)
class Tally:
    """What happened: milliseconds of what succeeded, by kind, and problems by their text."""

    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    problems: Counter[str] = field(default_factory=Counter)
    wall_s: float = 0

    def number(self, *kinds: str) -> int:
        """Return how many units of these kinds (none = all) succeeded."""
        return sum(len(self.took_ms[kind]) for kind in kinds or tuple(self.took_ms))

    def percentiles(self, *kinds: str) -> tuple[float, float, float]:
        """Return p50, p95 and p99 of these kinds, in milliseconds; zeros if there is none."""
        took = sorted(ms for kind in kinds for ms in self.took_ms[kind])
        p50, p95, p99 = (took[int(share * len(took))] if took else 0 for share in (0.5, 0.95, 0.99))
        return p50, p95, p99


class Line(asyncio.Protocol):
    """One connection, with one request at a time."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.got = bytearray()
        self.head = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = cast("asyncio.Transport", transport)

    def ask(self, data: bytes) -> "asyncio.Future[bytes]":
        """Send a request; return the future head of the response."""
        self.got.clear()
        self.head = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return self.head

    def data_received(self, data: bytes) -> None:
        """Pass the head on once the whole response is there."""
        self.got += data
        end = self.got.find(b"\r\n\r\n") + 4
        if end < 4:
            return
        length, chunked = LENGTH.search(self.got, 0, end), CHUNKED.search(self.got, 0, end)
        whole = len(self.got) >= end + int(length[1] if length else 0)
        if (self.got.endswith(LAST_CHUNK) if chunked else whole) and not self.head.done():
            self.head.set_result(bytes(self.got[:end]))

    def connection_lost(self, exc: Exception | None) -> None:
        """Report a response that did not arrive."""
        if not self.head.done():
            self.head.set_exception(exc or ConnectionResetError())


class Pool:
    """The connections to one server."""

    def __init__(self, port: int) -> None:
        self.port, self.idle = port, list[tuple[float, Line]]()

    async def ask(self, one: Request) -> str:
        """Send a request; return what is wrong with the response, '' if nothing is."""
        line = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                line = await self.line()
                head = await line.ask(one.data)
        except OSError as error:  # also TimeoutError
            if line is not None:
                line.transport.close()
            return type(error).__name__
        self.idle.append((time.monotonic(), line))
        status = int(head[9:12])
        if status != one.status:
            return f"status {status} instead of {one.status}"
        return "" if one.header in head else f"no header {one.header.decode().strip()}"

    async def line(self) -> Line:
        """Return the connection that was used last, or a new one."""
        while self.idle:
            used, line = self.idle.pop()
            if time.monotonic() - used < IDLE_S and not line.transport.is_closing():
                return line
            line.transport.close()
        return (await asyncio.get_running_loop().create_connection(Line, HOST, self.port))[1]

    def close(self) -> None:
        """Close all connections."""
        for _, line in self.idle:
            line.transport.close()


async def busy(
    work: Work, pools: Sequence[Pool], tally: Tally, pause: Callable[[], float], end: float
) -> None:
    """Let one person work until the time is up or nothing is left.

    What went wrong is sent again after the next pause, as people do.
    """
    rng = Random(id(work))
    while work:
        wait = pause()
        if time.perf_counter() + wait >= end:
            return  # not after the pause, which would count as time of the run
        await asyncio.sleep(wait)
        began = time.perf_counter()
        problem = ""
        for one in work[0].requests:
            problem = problem or await pools[int(rng.random() * len(pools))].ask(one)
        if problem:
            tally.problems[problem] += 1
        else:
            tally.took_ms[work.popleft().kind].append((time.perf_counter() - began) * 1000)


def run(crowd: Sequence[Work], ports: Sequence[int], seconds: float, think_s: float) -> Tally:
    """Let all people work on these servers for some seconds.

    Args:
        crowd: each person's work; what is done is taken out of it.
        ports: of servers on one database; each request goes to a random one.
        seconds: how long.
        think_s: the mean pause before each unit (exponential); 0 = no pauses.
    """
    rng, tally = Random(1), Tally()

    def pause() -> float:
        return rng.expovariate(1 / think_s) if think_s else 0

    async def together() -> None:
        pools = [Pool(port) for port in ports]
        began = time.perf_counter()
        end = began + seconds
        await asyncio.gather(*(busy(work, pools, tally, pause, end) for work in crowd))
        took_s = time.perf_counter() - began
        tally.wall_s = max(took_s, seconds) if any(crowd) else took_s
        for pool in pools:
            pool.close()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(together())
    return tally
