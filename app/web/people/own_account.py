"""A researcher's own account: where they are logged in, and the second factor."""

import segno
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.people import logins, second_factor, single_sign_on
from app.study.people.accounts import TooManyGuessesError
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
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/account")
HOME = "/admin/account"


def account_page(
    request: Request,
    server: Server,
    account: Account,
    now: Now,
    status: int = 200,
    *,
    secret: str = "",
    error: str = "",
    codes: list[str] | None = None,
) -> Response:
    """Render the page; `codes`: new recovery codes, which are shown once."""
    token, idle = own_cookie(request, server, COOKIE), login_idle(server.settings)
    with server.store.read() as db:
        own = logins.listed(db, account.id, token, now, idle)
        connected = single_sign_on.is_connected(db, account.name)
        is_on, left = second_factor.state(db, account.name)
    secret = secret or second_factor.new_secret()
    uri = second_factor.address(account.name, secret)
    a = {
        "action": HOME,
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
        "sign_on": sign_on_of(server, f"?connect={connect_key(account)}"),
        "is_connected": connected,
        "secret": secret,
        "picture": segno.make(uri).svg_data_uri(scale=4, border=2, light="white"),
        "error": error,
        "codes": codes or [],
    }
    page = admin_page(account, "account", "Your account")
    return render(request, "people/account.html", status, page=page, a=a)


@router.get("")
def show_account(request: Request, server: ServerParts, account: Researcher, now: Now) -> Response:
    """Show the account's logins and its second factor."""
    return account_page(request, server, account, now)


@router.post("/logins")
def end_logins(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher
) -> Response:
    """End one login, or all others."""
    if raw.get("mark", ""):
        logins.end(server.store, account.id, raw["mark"])
    else:
        logins.end_others(server.store, account.id, own_cookie(request, server, COOKIE))
    return see_other(HOME)


@router.post("/second-factor")
def turn_on(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Turn the second factor on, and show the recovery codes once."""
    secret, typed = raw.get("secret", ""), (raw.get("password", ""), raw.get("code", ""))
    try:
        codes = second_factor.turn_on(server.store, account, typed[0], secret, typed[1], now)
    except SecondFactorError as error:
        kept = secret if second_factor.SECRET.fullmatch(secret) else ""
        return account_page(request, server, account, now, 422, secret=kept, error=error.message)
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
    try:
        second_factor.turn_off(server.store, account, raw.get("password", ""), now)
    except SecondFactorError as error:
        return account_page(request, server, account, now, 422, error=error.message)
    except TooManyGuessesError as error:
        return account_page(request, server, account, now, 429, error=error.message)
    return see_other(HOME)
