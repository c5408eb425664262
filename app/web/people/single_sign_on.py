"""Single sign-on: leave for the provider, come back, connect an account."""

import hmac
import json
import secrets
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.study.keys import is_signed, signature
from app.study.people import logins, single_sign_on
from app.study.people.accounts import AccountView
from app.web.deps import (
    LoggedIn,
    LoginNeededError,
    Now,
    Server,
    ServerParts,
    login_life,
    own_cookie,
    right_key,
    site_url,
)
from app.web.oidc import Asked, Provider, SingleSignOnError
from app.web.pages import see_other
from app.web.people.login import home_of, safe_next, set_cookie, with_cookie

router = APIRouter(prefix="/admin/oidc")
AWAY = "hjstudy_oidc"  # the cookie between leaving and coming back
KEY = "single_sign_on"
AWAY_LIFE = timedelta(minutes=10)
VERB = "GET /admin/oidc/callback"


def provider_of(server: Server) -> Provider:
    """Return the provider. Raises HTTPException 404 if none is configured."""
    if server.provider is None:
        raise HTTPException(404)
    return server.provider


def connect_key(account: AccountView) -> str:
    """Return the key in the link that connects an account, so that no other site starts it."""
    return hmac.new(account.form_key.encode(), b"connect", sha256).hexdigest()


def callback_url(request: Request, server: Server) -> str:
    """Return the address that the provider sends people back to."""
    return f"{site_url(request, server)}/admin/oidc/callback"


@router.get("")
def leave(request: Request, server: ServerParts, account: LoggedIn, now: Now) -> Response:
    """Send the browser to the provider. `link`: a one-time link; `connect`: an account's key."""
    provider, query = provider_of(server), request.query_params
    asked = Asked(*(secrets.token_urlsafe(32) for _ in range(3)))
    connect = query.get("connect", "")
    if connect and (account is None or not right_key(connect, connect_key(account))):
        raise LoginNeededError
    kept = {
        **asdict(asked),
        "until": (now + AWAY_LIFE).timestamp(),
        "link": query.get("link", ""),
        "account": account.id if account is not None and connect else 0,
        "next": safe_next(query.get("next", "")),
    }
    answer = see_other(provider.leave(asked, callback_url(request, server)))
    text = json.dumps(kept)
    sealed = f"{text.encode().hex()}.{signature(server.keys.signing(KEY), text)}"
    set_cookie(server, answer, AWAY, sealed, int(AWAY_LIFE.total_seconds()))
    return answer


@router.get("/callback")
def come_back(request: Request, server: ServerParts, account: LoggedIn, now: Now) -> Response:
    """Log in, or connect an account, with what the provider confirms."""
    provider, query = provider_of(server), request.query_params
    kept = kept_of(request, server)
    if not right_key(query.get("state", ""), str(kept["state"])) or kept["until"] < now.timestamp():
        raise SingleSignOnError(
            "This login took too long or began in another browser. Start again."
        )
    asked = Asked(kept["state"], kept["nonce"], kept["verifier"])
    subject = provider.subject(asked, query.get("code", ""), callback_url(request, server))
    if kept["account"]:
        if account is None or account.id != kept["account"]:
            raise LoginNeededError
        single_sign_on.connect(server.store, account, subject)
        return see_other("/admin/account")
    browser = logins.browser_of(request.headers.get("user-agent", ""))
    life, store = login_life(server.settings), server.store
    if kept["link"]:
        token = single_sign_on.accept(store, kept["link"], subject, now, life, browser)
    else:
        token = single_sign_on.log_in(store, subject, now, life, browser)
    answer = with_cookie(server, token, home_of(server, token, now, VERB, kept["next"]), "")
    set_cookie(server, answer, AWAY, "", 0)
    return answer


def kept_of(request: Request, server: Server) -> dict[str, Any]:
    """Return what the browser kept, if we signed it. Raises SingleSignOnError."""
    packed, _, sealed = own_cookie(request, server, AWAY).partition(".")
    try:
        text = bytes.fromhex(packed).decode()
    except ValueError:
        text = ""
    if not text or not is_signed(server.keys.signing(KEY), sealed, text):
        raise SingleSignOnError(
            "This login took too long or began in another browser. Start again."
        )
    return dict(json.loads(text))
