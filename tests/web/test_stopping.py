"""A request that outlasts the time a stopping server waits is answered so that it is sent again."""

import asyncio

import pytest

from app.settings import Settings
from app.web.counts import Counts
from app.web.guard import Guard, policy

SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/p/x",
    "query_string": b"",
    "headers": [(b"host", b"127.0.0.1:8000")],
}


def cancelled(slow):
    """Let a request run, cancel it as the server does, and return what was sent."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def main():
        guard = Guard(slow, csp=policy(""), settings=Settings(), counts=Counts())
        task = asyncio.create_task(guard({**SCOPE}, receive, send))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    asyncio.run(main())
    return sent


def test_request_that_is_cut_off_is_answered_as_by_a_proxy_without_a_server():
    async def slow(_scope, _receive, _send):
        await asyncio.sleep(60)

    start, body = cancelled(slow)
    headers = dict(start["headers"])
    assert start["status"] == 503
    assert headers[b"retry-after"] == b"3"
    assert b"x-error" not in headers  # the script takes it for a proxy, and sends it again
    assert headers[b"cache-control"] == b"no-store"
    assert b"counts once" in body["body"]


def test_answer_that_has_begun_is_not_begun_again():
    async def slow(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(60)

    with pytest.raises(asyncio.CancelledError):
        cancelled(slow)
