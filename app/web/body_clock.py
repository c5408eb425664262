"""ASGI middleware: a request's body must arrive in time, and no answer leaves one half read.

A body has a deadline that each received piece moves on, so that a large file over a slow line
arrives, but bytes that trickle in do not hold a connection forever. A late body raises
HTTPException 408, which becomes an error page like any other, and the connection is closed. A form
with files that ends too early raises HTTPException 400.

An answer to a body that was not read (too long, not needed) waits until the body is there, for at
most two seconds: a browser that is still sending would not see it. Then the connection is closed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from app.web.last_boundary import LastBoundary

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOO_LATE, INCOMPLETE = 408, 400
LEAST_BYTES_PER_S = 32 * 1024  # a slower body arrives too, if it is short enough
DRAIN_S = 2.0


class BodyClock:
    """Gives each body `timeout_s` seconds, and one more for every 32 KiB that arrive."""

    def __init__(self, app: App, timeout_s: float) -> None:
        self.app, self.timeout_s = app, timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the app with a clock on its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = Body(Headers(scope=scope), receive, self.timeout_s)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and not await body.is_read():
                message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        await self.app(scope, body.read, answer)


class Body:
    """One request's body."""

    def __init__(self, headers: Headers, receive: Receive, timeout_s: float) -> None:
        self._receive = receive
        self._end = time.monotonic() + timeout_s
        self._boundary = LastBoundary(headers.get("content-type", ""))
        length = headers.get("content-length", "0")
        self._is_over = "transfer-encoding" not in headers and length == "0"
        self._is_wanted = "expect" not in headers  # otherwise reading asks the client to send it
        self._is_late = False

    async def read(self) -> Message:
        """Receive the next piece.

        Raises HTTPException: 408 if it comes too late, 400 if a form ends too early.
        """
        if self._is_over:
            return await self._receive()
        try:
            async with asyncio.timeout(self._end - time.monotonic()):
                message = await self._receive()
        except TimeoutError as error:
            self._is_late = True
            raise HTTPException(TOO_LATE) from error
        self._is_over = not message.get("more_body", False)
        piece: bytes = message.get("body", b"")
        self._end += len(piece) / LEAST_BYTES_PER_S
        self._boundary.add(piece)
        if message["type"] == "http.request" and self._is_over and self._boundary.is_missing():
            raise HTTPException(INCOMPLETE)
        return message

    async def is_read(self) -> bool:
        """Receive what is left, for a short time; tell whether the whole body has arrived."""
        if self._is_late or not (self._is_over or self._is_wanted):
            return False
        try:
            async with asyncio.timeout(DRAIN_S):
                while not self._is_over:
                    await self.read()
        except (TimeoutError, HTTPException):
            return False
        return True
