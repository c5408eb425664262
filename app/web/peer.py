"""ASGI middleware: what trusted proxies say about a request, and the request's id.

uvicorn's own middleware replaces the proxy's address by the client's, so whether the proxy is
trusted has to be known before.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

REQUEST_ID = b"x-request-id"
WELL_FORMED = re.compile(rb"[A-Za-z0-9][A-Za-z0-9-]{7,63}")
FORWARDED = b"x-forwarded-for"
KEY = "hjstudy.request_id"
PROXY = "hjstudy.proxy"  # none, trusted or ignored: what happened to forwarded headers


class Peer(ProxyHeadersMiddleware):
    """Takes the client's address, the scheme and the request's id from trusted proxies only."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Note the request's id, then do what uvicorn's middleware does."""
        if scope["type"] == "http":
            client = scope.get("client")
            is_trusted = client is not None and client[0] in self.trusted_hosts
            given = [value for name, value in scope["headers"] if name == REQUEST_ID]
            is_ours = is_trusted and len(given) == 1 and WELL_FORMED.fullmatch(given[0])
            scope[KEY] = given[0].decode() if is_ours else secrets.token_hex(8)
            is_forwarded = any(name == FORWARDED for name, _ in scope["headers"])
            scope[PROXY] = ("trusted" if is_trusted else "ignored") if is_forwarded else "none"
        await super().__call__(scope, receive, send)


def request_id(scope: Mapping[str, Any]) -> str:
    """Return the request's id."""
    return str(scope.get(KEY, ""))
