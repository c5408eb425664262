"""ASGI middleware: security headers, same-site check, body limit, request id.

Plain ASGI, since BaseHTTPMiddleware would cost every command an extra task and queue.
"""

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app import logs
from app.web.errors import message_page

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
RawHeaders = list[tuple[bytes, bytes]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CACHE = b"cache-control"
UPLOADS = re.compile(r"/admin/studies/[^/]+/rating/(models|judges)(/store)?")
TOO_LONG = 413
MOST_DIGITS = 15  # of Content-Length; longer values are truncated to one that is still too long
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
FOREIGN = (
    "This request came from another website, so it was refused. "
    "Please open the page itself and try again."
)
UNREADABLE = "This address contains characters that our addresses never contain."


def headers_for(csp: str, *, secure: bool) -> RawHeaders:
    """Return the headers of every response, as ASGI sends them."""
    found = [
        ("content-security-policy", csp),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"),
    ]
    if secure:
        found.append(("strict-transport-security", "max-age=31536000"))
    return [(name.encode(), value.encode()) for name, value in found]


# A browser starts a new process for a page with this header, which delays the player's first page
# by a tenth of a second on a slow machine. So only pages behind a login get it.
ALONE = (b"cross-origin-opener-policy", b"same-origin")
LOGGED_IN = ("/admin", "/rate")
TRYING = re.compile(r"/admin/studies/[^/]+/try")  # frames the pages of test links
TEST_PAGES = re.compile(r"/p/test-.*")
NO_FRAMES, OWN_FRAMES = "frame-ancestors 'none'", "frame-ancestors 'self'"


def is_test_page(scope: Scope) -> bool:
    """Tell whether a page is a test participant's, which our own page may frame."""
    path, query = scope["path"], scope.get("query_string", b"")
    return bool(TEST_PAGES.fullmatch(path)) or (path.startswith("/s/") and b"test=" in query)


def policy(script_source: str) -> str:
    """Return the content security policy: nothing inline, nothing external except htmx."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self'{script_source}",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            NO_FRAMES,
        ]
    )


def is_foreign(method: str, headers: Headers) -> bool:
    """Tell whether a state-changing request comes from another site.

    `Sec-Fetch-Site` decides if the browser sends it, otherwise `Origin` compared with `Host`. A
    request with neither header (a script, an old browser) passes only without cookies.
    """
    if method in SAFE_METHODS:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc != headers.get("host", "")
    return "cookie" in headers


class Guard:
    """The outermost middleware."""

    def __init__(
        self, app: App, csp: str, body_limit: int, upload_limit: int, *, secure: bool
    ) -> None:
        self.app, self.body_limit, self.upload_limit = app, body_limit, upload_limit
        self.headers = headers_for(csp, secure=secure)
        self.framed = headers_for(csp.replace(NO_FRAMES, OWN_FRAMES), secure=secure)
        self.framing = headers_for(f"{csp}; frame-src 'self'", secure=secure)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it to the app, add the headers, log one line."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        began, status = time.perf_counter(), 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self.completed(scope, message["headers"])
            await send(message)

        logs.bind_request(secrets.token_hex(4))
        try:
            refusal = self.refusal(scope, headers)
            # Link checkers send HEAD: answer it like GET, which changes nothing.
            asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await (refusal or self.app)(asked, self.limited(scope, headers, receive), answer)
        finally:
            took = round((time.perf_counter() - began) * 1000, 1)
            logs.request_done(scope, status, took)

    def completed(self, scope: Scope, given: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
        """Add our headers to a response; browsers may cache only what allows it explicitly."""
        path = scope["path"]
        framing = self.framing if TRYING.fullmatch(path) else self.headers
        headers = [*given, *(self.framed if is_test_page(scope) else framing)]
        if path.startswith(LOGGED_IN):
            headers.append(ALONE)
        if not path.startswith("/static/") and not any(name == CACHE for name, _ in headers):
            headers.append((CACHE, b"no-store"))
        return headers

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return a refusal of a request that must not reach the app, or None."""
        if not scope["path"].isprintable():  # PostgreSQL rejects NUL
            return message_page(Request(scope), 404, UNREADABLE)
        if is_foreign(scope["method"], headers):
            return message_page(Request(scope), 403, FOREIGN)
        return None

    def limited(self, scope: Scope, headers: Headers, receive: Receive) -> Receive:
        """Return `receive` with a limit on the length of the body.

        Reading more raises HTTPException 413, which becomes an error page like any other.
        """
        limit = self.upload_limit if UPLOADS.fullmatch(scope["path"]) else self.body_limit
        told, seen = headers.get("content-length", "0"), 0
        too_long = told.isdecimal() and int(told[:MOST_DIGITS]) > limit

        async def read() -> Message:
            nonlocal seen
            if too_long:
                raise HTTPException(TOO_LONG)
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(TOO_LONG)
            return message

        return read
