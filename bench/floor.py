"""A minimal server on the same stack: the floor for the cost of a command over HTTP.

It handles a session cookie, a form and a token check, runs one SELECT and two INSERTs in one
transaction, and renders a fragment of 400 bytes. It uses FastAPI, `def` routes, a lock around the
write and SQLite with `synchronous=FULL`, but none of our code.
"""

import base64
import hmac
import json
import os
import secrets
import sqlite3
import time
from datetime import UTC, datetime
from threading import Lock
from typing import Annotated, Any

import jinja2
import sqlalchemy as sa
from fastapi import FastAPI, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

FRAGMENT = """<li>> {{ action }} {{ arg }}<br>{{ message }}</li>
<p id="state" hx-swap-oob="true">turn {{ n }}, {{ left }} left</p>
<form hx-post="/act"><input type="hidden" name="csrf" value="{{ csrf }}">
<input type="hidden" name="seq" value="{{ n }}"><input name="command" autofocus></form>"""
MESSAGE = "You bought the lantern at the market."

meta = sa.MetaData()
event = sa.Table(
    "event",
    meta,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("session_id", sa.Integer, index=True),
    sa.Column("seq", sa.Integer),
    sa.Column("action", sa.String),
    sa.Column("arg", sa.String),
    sa.Column("message", sa.String),
    sa.Column("at", sa.DateTime),
)


def make_engine(url: str) -> sa.Engine:
    """Return an engine whose commits survive a power cut."""
    engine = sa.create_engine(url, pool_size=40, max_overflow=0)

    def connected(raw: sqlite3.Connection, _record: object) -> None:
        for setting in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
            raw.execute(f"PRAGMA {setting}").close()

    sa.event.listen(engine, "connect", connected)
    meta.create_all(engine)
    return engine


def identity(request: Request) -> tuple[int, str]:
    """Return the session's user and token; create a session if there is none."""
    session = read_cookie(request.cookies.get("session", ""))
    if session is None:
        return secrets.randbelow(10**9), secrets.token_urlsafe(16)
    return session["sid"], session["csrf"]


def read_cookie(text: str) -> dict[str, Any] | None:
    """Return the content of a signed cookie, or None if it is missing or not ours."""
    content, _, signature = text.rpartition(".")
    if not hmac.compare_digest(sign(content), signature):
        return None
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(content.partition(".")[0]))
    return found


def set_cookie(response: Response, who: int, csrf: str) -> None:
    """Renew the cookie, as session libraries do with every response."""
    content = base64.urlsafe_b64encode(json.dumps({"sid": who, "csrf": csrf}).encode()).decode()
    content = f"{content}.{int(time.time())}"
    response.set_cookie("session", f"{content}.{sign(content)}", httponly=True, samesite="lax")


def sign(content: str) -> str:
    """Sign the content of a cookie."""
    return hmac.new(b"bench-only", content.encode(), "sha1").hexdigest()


def create_app() -> FastAPI:
    """Return the app on the database in BENCH_FLOOR_URL."""
    app, lock = FastAPI(), Lock()
    engine = make_engine(os.environ["BENCH_FLOOR_URL"])
    fragment = jinja2.Environment(autoescape=True).from_string(FRAGMENT)
    insert = sa.insert(event)
    mine = event.c.session_id == sa.bindparam("who")
    last = sa.select(event.c.id, event.c.seq).where(mine).order_by(event.c.id.desc()).limit(1)

    @app.get("/token")
    def get_token(request: Request, response: Response) -> str:
        who, csrf = identity(request)
        set_cookie(response, who, csrf)
        return csrf

    @app.post("/act", response_class=HTMLResponse)
    def act(
        request: Request,
        csrf: Annotated[str, Form()],
        rating: Annotated[int, Form(ge=1, le=5)],
        action: Annotated[str, Form(max_length=80)],
    ) -> HTMLResponse:
        who, wanted = identity(request)
        if not secrets.compare_digest(csrf, wanted):
            raise HTTPException(403)
        row = {"session_id": who, "seq": rating, "action": action, "arg": "", "message": MESSAGE}
        row["at"] = datetime.now(UTC)
        with lock, engine.begin() as db:
            found = db.execute(last, {"who": who}).first()
            db.execute(insert, row)
            db.execute(insert, row)
        number = found.id if found else 0
        values = {"action": action, "arg": "", "message": MESSAGE, "n": number, "left": 9}
        answer = HTMLResponse(fragment.render(values, csrf=wanted))
        set_cookie(answer, who, wanted)
        return answer

    return app
