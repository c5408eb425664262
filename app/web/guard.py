"""ASGI middleware: security headers, host names, same-site check, body limit, request id.

Plain ASGI, since BaseHTTPMiddleware would cost every command an extra task and queue.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app import logs
from app.settings import OWN_NAMES, Settings
from app.web.counts import Counts
from app.web.deps import SAFE_METHODS
from app.web.errors import message_page
from app.web.peer import request_id
from app.web.problems import API, problem
from app.web.telemetry import Spans

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
RawHeaders = list[tuple[bytes, bytes]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Hosts = frozenset[str] | None  # None: any

CACHE = b"cache-control"
UPLOADS = re.compile(
    r"/admin/studies/[^/]+/((rating/(models|judges)|report/models|recruit/import)(/store)?"
    r"|recruit/(links/given|bonus/sent))"
)
TOO_LONG = 413
MOST_DIGITS = 15  # of Content-Length; longer values are truncated to one that is still too long
FOREIGN = (
    "This request came from another website, so it was refused. Please open the page itself and "
    "try again. If you run this server behind a proxy, set HJSTUDY_BASE_URL to its address."
)
NOT_OURS = (
    "This server does not answer under the name in the address. Open the link that you were given, "
    "or ask the person who runs the server to add the name to HJSTUDY_ALLOWED_HOSTS."
)
# As a proxy without a server would say it: the page's script and programs then send it again.
LATE = PlainTextResponse(
    "The server is restarting. Please send this again in a moment; it counts once.",
    503,
    {"Retry-After": "3", "Connection": "close"},
)
METRICS = "/metrics"  # asked of each process by its own address; needs a token, shows no links
UNREADABLE = "This address contains characters that our addresses never contain."


def headers_for(csp: str, *, secure: bool) -> RawHeaders:
    """Return the headers of every response, as ASGI sends them."""
    found = [
        ("content-security-policy", csp),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
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


def host_name(netloc: str) -> str:
    """Return the name in `HOST:PORT`, or '' if it cannot be read."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def is_foreign(method: str, headers: Headers, hosts: Hosts) -> bool:
    """Tell whether a browser says that another site sent a request which changes something.

    A second check only: forms are recognised by what they contain (the login's form key, a player's
    address). Browsers send no `Sec-Fetch-Site` over plain http, and `Origin: null` from pages
    that hide where they are. `Origin` must name one of `hosts`; if no address is configured, the
    host of the request itself. If that is this machine, a proxy may have put it there, so
    `Origin` says nothing (browsers on this machine send `Sec-Fetch-Site`).
    """
    if method in SAFE_METHODS:
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin", "null")
    host = host_name(headers.get("host", ""))
    if origin == "null" or (hosts is None and host in OWN_NAMES):
        return False
    return host_name(origin.partition("://")[2]) not in (hosts or {host})


def refused(scope: Scope, status: int, text: str) -> Response:
    """Return a refusal: a page, or a problem for programs."""
    if scope["path"].startswith(API):
        return problem(status, f"http/{status}", text)
    return message_page(Request(scope), status, text)


def without_slash(scope: Scope) -> Response | None:
    """Return the redirect from an address that ends with a slash, or None.

    Ours, because the router's own would repeat the `Host` that was sent and the scheme behind a
    proxy. An address with `//` in it is not one of ours.
    """
    path = scope["path"]
    if scope["method"] not in SAFE_METHODS or path == "/" or not path.endswith("/") or "//" in path:
        return None
    query = scope["query_string"].decode("latin-1")
    return RedirectResponse(path[:-1] + (f"?{query}" if query else ""), 307)


class Guard:
    """The outermost middleware."""

    def __init__(
        self, app: App, csp: str, settings: Settings, counts: Counts, spans: Spans | None = None
    ) -> None:
        self.app, self.hosts, self.counts, self.spans = app, settings.host_names(), counts, spans
        self.body_limit, self.upload_limit = settings.body_limit_bytes, settings.upload_limit_bytes
        self.headers = headers_for(csp, secure=settings.secure_cookies)
        secure = settings.secure_cookies
        self.framed = headers_for(csp.replace(NO_FRAMES, OWN_FRAMES), secure=secure)
        self.framing = headers_for(f"{csp}; frame-src 'self'", secure=secure)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it to the app, add the headers, log one line."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        began, status, is_begun = time.perf_counter(), 500, False

        async def answer(message: Message) -> None:
            nonlocal status, is_begun
            if message["type"] == "http.response.start":
                status, is_begun = message["status"], True
                own = (b"x-request-id", request_id(scope).encode())
                message["headers"] = [*self.completed(scope, message["headers"]), own]
            await send(message)

        logs.bind_request(request_id(scope))
        try:
            refusal = self.refusal(scope, headers)
            # Link checkers send HEAD: answer it like GET, which changes nothing.
            asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await (refusal or self.app)(asked, self.limited(scope, headers, receive), answer)
        except asyncio.CancelledError:  # the server stops, and this took longer than it waits
            if is_begun:
                raise
            await LATE(scope, receive, answer)
        finally:
            took_s = time.perf_counter() - began
            self.counts.add(scope, status, took_s)
            if self.spans is not None:
                self.spans.add(scope, status, took_s)
            logs.request_done(scope, status, round(took_s * 1000, 1))

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
            return refused(scope, 404, UNREADABLE)
        names_count = self.hosts is not None and scope["path"] != METRICS
        if names_count and host_name(headers.get("host", "")) not in (self.hosts or ()):
            return refused(scope, 421, NOT_OURS)
        if is_foreign(scope["method"], headers, self.hosts):
            return refused(scope, 403, FOREIGN)
        return without_slash(scope)

    def limited(self, scope: Scope, headers: Headers, receive: Receive) -> Receive:
        """Return `receive` with a limit on the length of the body.

        Reading more raises HTTPException 413, which becomes an error page like any other.
        """
        limit = self.upload_limit if UPLOADS.fullmatch(scope["path"]) else self.body_limit
        declared, seen = headers.get("content-length", "0"), 0
        too_long = declared.isdecimal() and int(declared[:MOST_DIGITS]) > limit

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
