"""A quick way from a test client to the application: the whole answer in one hop between threads.

Starlette's own transport goes back and forth for every part of an answer, and starts a thread and
an event loop for every request of a client that is not open. Clients of an application that another
client keeps open share its event loop here.
"""

from contextlib import nullcontext
from urllib.parse import unquote

import anyio
import httpx2 as httpx
from starlette.testclient import TestClient

PORTS = {"http": 80, "https": 443}


class Exchange:
    """One request and its answer, as ASGI messages."""

    def __init__(self, body):
        self.body, self.status, self.headers, self.parts = body, None, [], []
        self.asked, self.over = False, anyio.Event()

    async def receive(self):
        if self.asked:
            await self.over.wait()
            return {"type": "http.disconnect"}
        self.asked = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message):
        if message["type"] == "http.response.start":
            assert self.status is None, "an answer began twice"
            self.status, self.headers = message["status"], message.get("headers", [])
        elif message["type"] == "http.response.body":
            assert self.status is not None, "a body came before its status"
            self.parts.append(bytes(message.get("body", b"")))
            if not message.get("more_body", False):
                self.over.set()


class OneHop(httpx.BaseTransport):
    """Calls the application and reads its answer to the end."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def handle_request(self, request):
        exchange = Exchange(request.read())
        scope = self.scope(request)
        with self.browser.event_loop() as portal:
            try:
                portal.call(self.browser.app, scope, exchange.receive, exchange.send)
            except Exception:
                if self.browser.raises or exchange.status is None:
                    raise
        body = b"" if request.method == "HEAD" else b"".join(exchange.parts)
        found = httpx.ByteStream(body)
        headers = [(name.decode(), value.decode()) for name, value in exchange.headers]
        return httpx.Response(exchange.status, headers=headers, stream=found, request=request)

    def scope(self, request):
        """Return what a server would make of a request."""
        url = request.url
        headers = [(k.lower().encode(), v.encode()) for k, v in request.headers.multi_items()]
        return {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.split(b"?", 1)[0],
            "root_path": "",
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": headers,
            "client": self.address,
            "server": [url.host, url.port or PORTS[url.scheme]],
            "state": self.browser.app_state.copy(),
        }


OPEN_PORTALS = {}  # id of an application -> the event loop of the client that keeps it open


class QuickClient(TestClient):
    """Starlette's client with this transport."""

    def __init__(
        self, app, *, client=("testclient", 50_000), raise_server_exceptions=True, **given
    ):
        super().__init__(app, **given)
        self.raises = raise_server_exceptions
        self._transport = OneHop(self, client)

    def event_loop(self):
        """Return a context with the event loop to call the application on."""
        shared = OPEN_PORTALS.get(id(self.app))
        return nullcontext(shared) if shared else self._portal_factory()

    def __enter__(self):
        found = super().__enter__()
        OPEN_PORTALS.setdefault(id(self.app), self.portal)
        return found

    def __exit__(self, *given):
        if OPEN_PORTALS.get(id(self.app)) is self.portal:
            del OPEN_PORTALS[id(self.app)]
        super().__exit__(*given)
