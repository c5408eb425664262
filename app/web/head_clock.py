"""The server's connections: a request's headers must arrive in time.

uvicorn closes a connection that is silent between two requests, but waits forever for headers
that trickle in, or for the first ones. A body has its own deadline (`body_clock.py`).
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HeadClock(HttpToolsProtocol):
    """Closes a connection whose headers are not complete `timeout_s` seconds after their start.

    The first ones start with the connection, later ones with their first byte.
    """

    timeout_s: float
    _ends_head: asyncio.TimerHandle | None = None
    _is_in_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock of the first headers."""
        super().connection_made(transport)
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Start the clock with the first byte after a request, even if it is only a line's end."""
        if not self._is_in_body:
            self._start_clock()
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Start the clock of headers that came together with the request before them."""
        self._start_clock()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop the clock."""
        self._stop_clock()
        self._is_in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that headers come next."""
        self._is_in_body = False
        super().on_message_complete()

    def _start_clock(self) -> None:
        if self._ends_head is None:
            self._ends_head = self.loop.call_later(self.timeout_s, self._time_is_up)

    def _stop_clock(self) -> None:
        if self._ends_head is not None:
            self._ends_head.cancel()
            self._ends_head = None

    def _time_is_up(self) -> None:
        self._ends_head = None
        if self.cycle is not None and not self.cycle.response_complete:
            self._start_clock()  # an answer is on its way; it is not cut off
        else:
            self.transport.close()


def with_timeout(timeout_s: float) -> type[HeadClock]:
    """Return the class of connections for uvicorn, which makes one without asking for settings."""
    return type("TimedHeadClock", (HeadClock,), {"timeout_s": timeout_s})
