"""One's own account: where one is logged in, and the second factor.

Annotators' pages (web/rating/own_account.py) use the same functions at their own addresses.
"""

from datetime import datetime
from typing import Any

import segno
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.people import logins, second_factor, single_sign_on
from app.study.people.guesses import TooManyGuessesError
from app.study.people.second_factor import SecondFactorError
from app.study.times import moment
from app.web.deps import (
    COOKIE,
    Account,
    Now,
    RawForm,
    Researcher,
    Server,
    ServerParts,
    login_idle,
    own_cookie,
)
from app.web.pages import render, see_other
from app.web.people.login import sign_on_of
from app.web.people.single_sign_on import connect_key
from app.web.researcher import admin_page, rate_page

router = APIRouter(prefix="/admin/account")
HOME, RATERS_HOME = "/admin/account", "/rate/account"


def home_of(account: Account) -> str:
    """Return the address of someone's own account."""
    return HOME if account.role == "researcher" else RATERS_HOME


def account_page(
    request: Request,
    server: Server,
    account: Account,
    now: datetime,
    status: int = 200,
    *,
    secret: str = "",
    error: str = "",
    field: str = "",
    codes: list[str] | None = None,
) -> Response:
    """Render the page; `codes`: new recovery codes, which are shown once."""
    a = account_facts(request, server, account, now, secret)
    a |= {"error": error, "field": field, "codes": codes or []}
    if account.role == "researcher":
        a |= sign_on_facts(server, account)
        page = admin_page(account, "account", "Your account")
        return render(request, "people/account.html", status, page=page, a=a)
    page = rate_page(account, "account", "Your account")
    return render(request, "rating/rater/account.html", status, page=page, a=a)


def account_facts(
    request: Request, server: Server, account: Account, now: datetime, secret: str
) -> dict[str, Any]:
    """Return what every account's page shows. `secret`: the one to set up; '' = a new one."""
    token, idle = own_cookie(request, server, COOKIE), login_idle(server.settings)
    with server.store.read() as db:
        own = logins.listed(db, account.id, token, now, idle)
        is_on, left = second_factor.state(db, account.name)
    secret = secret or second_factor.new_secret()
    uri = second_factor.address(account.name, secret)
    return {
        "action": home_of(account),
        "logins": [
            {
                "mark": one.mark,
                "browser": one.browser,
                "began": moment(one.began),
                "seen": moment(one.seen),
                "ends": moment(one.ends),
                "is_this": one.is_this,
            }
            for one in own
        ],
        "idle_minutes": f"{server.settings.login_idle_minutes:g}",
        "is_on": is_on,
        "codes_left": left,
        "secret": secret,
        "picture": segno.make(uri).svg_data_uri(scale=4, border=2, light="white"),
    }


def sign_on_facts(server: Server, account: Account) -> dict[str, Any]:
    """Return how the account can be connected with single sign-on; only researchers' can."""
    with server.store.read() as db:
        connected = single_sign_on.is_connected(db, account.name)
    sign_on = sign_on_of(server, f"?connect={connect_key(account)}")
    return {"sign_on": sign_on, "is_connected": connected}


@router.get("")
def show_account(request: Request, server: ServerParts, account: Researcher, now: Now) -> Response:
    """Show the account's logins and its second factor."""
    return account_page(request, server, account, now)


@router.post("/logins")
def end_logins(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher
) -> Response:
    """End one login, or all others."""
    return ended(request, raw, server, account)


def ended(request: Request, raw: dict[str, str], server: Server, account: Account) -> Response:
    """End the login that a form names, or all others."""
    if raw.get("mark", ""):
        logins.end(server.store, account.id, raw["mark"])
    else:
        logins.end_others(server.store, account.id, own_cookie(request, server, COOKIE))
    return see_other(home_of(account))


@router.post("/second-factor")
def turn_on(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Turn the second factor on, and show the recovery codes once."""
    return turned_on(request, raw, server, account, now)


def turned_on(
    request: Request, raw: dict[str, str], server: Server, account: Account, now: datetime
) -> Response:
    """Turn the second factor on with what a form sends."""
    secret, typed = raw.get("secret", ""), (raw.get("password", ""), raw.get("code", ""))
    try:
        codes = second_factor.turn_on(server.store, account, typed[0], secret, typed[1], now)
    except SecondFactorError as error:
        kept = secret if second_factor.SECRET.fullmatch(secret) else ""
        at = f"factor-{error.field}" if error.field else ""
        return account_page(
            request, server, account, now, 422, secret=kept, error=error.message, field=at
        )
    except TooManyGuessesError as error:
        return account_page(request, server, account, now, 429, error=error.message)
    return account_page(request, server, account, now, codes=codes)


@router.post("/disconnect")
def disconnect(server: ServerParts, account: Researcher) -> Response:
    """Undo the connection with single sign-on."""
    single_sign_on.disconnect(server.store, account)
    return see_other(HOME)


@router.post("/second-factor/off")
def turn_off(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Turn the second factor off."""
    return turned_off(request, raw, server, account, now)


def turned_off(
    request: Request, raw: dict[str, str], server: Server, account: Account, now: datetime
) -> Response:
    """Turn the second factor off with the password that a form sends."""
    try:
        second_factor.turn_off(server.store, account, raw.get("password", ""), now)
    except SecondFactorError as error:
        at = f"off-{error.field}"
        return account_page(request, server, account, now, 422, error=error.message, field=at)
    except TooManyGuessesError as error:
        return account_page(request, server, account, now, 429, error=error.message)
    return see_other(home_of(account))
