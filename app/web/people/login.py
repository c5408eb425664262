"""Logging in and out, and the one-time link that sets a password."""

from datetime import datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.people import accounts
from app.study.people.accounts import (
    MIN_PASSWORD,
    BadPasswordError,
    LoginRefusedError,
    TooManyGuessesError,
)
from app.study.tickets import new_ticket
from app.web.deps import COOKIE, Now, RawForm, Server, ServerParts, login_life, source_of
from app.web.pages import Page, render, see_other

router = APIRouter(prefix="/admin")
KNOWN = "hjstudy_known"  # the cookie of a browser in which someone has logged in before
KNOWN_LIFE = timedelta(days=365)


def safe_next(text: str) -> str:
    """Return the path to open after login; /admin if it is not one of ours."""
    inside = text.startswith(("/admin", "/rate")) and not text.startswith("/admin/log")
    return text if inside and text.isascii() and text.isprintable() else "/admin"


def home_of(server: Server, token: str, now: datetime, after: str = "") -> str:
    """Return the address to open after login, which depends on the role."""
    with server.store.read() as db:
        account = accounts.whose(db, token, now)
    own = "/admin" if account is None or account.role == "researcher" else "/rate"
    path = safe_next(after)
    return path if path == own or path.startswith((f"{own}/", f"{own}?")) else own


def login_page(
    request: Request, status: int = 200, typed: str = "", error: str = "", after: str = ""
) -> Response:
    """Render the login form."""
    a = {
        "action": "/admin/login",
        "typed_name": typed,
        "error": error,
        "ticket": new_ticket(),
        "next": safe_next(after),
    }
    return render(request, "people/login.html", status, page=Page("login", "Log in"), a=a)


def with_cookie(server: Server, token: str, url: str, name: str) -> Response:
    """Redirect with the login cookie (HttpOnly, SameSite), and mark the browser as known."""
    answer = see_other(url)
    answer.set_cookie(
        COOKIE,
        token,
        max_age=int(login_life(server.settings).total_seconds()),
        path="/",
        httponly=True,
        secure=server.settings.secure_cookies,
        samesite="lax",
    )
    answer.set_cookie(
        KNOWN,
        accounts.mark_of(server.keys.signing(accounts.KNOWN_KEY), name),
        max_age=int(KNOWN_LIFE.total_seconds()),
        path="/admin/login",
        httponly=True,
        secure=server.settings.secure_cookies,
        samesite="lax",
    )
    return answer


def guesser(request: Request, server: Server, name: str, now: datetime) -> str:
    """Return the source that a login counts for: the known browser, or else the address."""
    key = server.keys.signing(accounts.KNOWN_KEY)
    known = accounts.known_source(key, name, request.cookies.get(KNOWN, ""))
    return known or source_of(request, server, now)


@router.get("/login")
def show_login(request: Request) -> Response:
    """Show the login form."""
    return login_page(request, after=request.query_params.get("next", ""))


@router.post("/login")
def log_in(request: Request, raw: RawForm, server: ServerParts, now: Now) -> Response:
    """Log in with name and password."""
    name, after = raw.get("name", ""), raw.get("next", "")
    life = login_life(server.settings)
    try:
        source = guesser(request, server, name, now)
        token = accounts.log_in(server.store, name, raw.get("password", ""), now, life, source)
    except LoginRefusedError as error:
        return login_page(request, 422, name, error.message, after)
    except TooManyGuessesError as error:
        return login_page(request, 429, name, error.message, after)
    return with_cookie(server, token, home_of(server, token, now, after), name)


@router.post("/logout")
def log_out(request: Request, server: ServerParts) -> Response:
    """End the login."""
    accounts.log_out(server.store, request.cookies.get(COOKIE, ""))
    answer = see_other("/admin/login")
    answer.delete_cookie(COOKIE, path="/")
    return answer


def welcome_page(
    request: Request, token: str, name: str, status: int = 200, error: str = ""
) -> Response:
    """Render the form that sets a password."""
    a = {
        "action": f"/admin/welcome/{token}",
        "name": name,
        "error": error,
        "ticket": new_ticket(),
        "min_length": MIN_PASSWORD,
    }
    return render(request, "people/welcome.html", status, page=Page("welcome", "Welcome"), a=a)


@router.get("/welcome/{token}")
def show_welcome(request: Request, token: str, server: ServerParts, now: Now) -> Response:
    """Show the form of a one-time link; opening it does not use the link up."""
    with server.store.read() as db:
        owner = accounts.link_owner(db, token, now)
    return welcome_page(request, token, owner.name)


@router.post("/welcome/{token}")
def set_password(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Set the password, use up the link, log in."""
    with server.store.read() as db:
        owner = accounts.link_owner(db, token, now)
    try:
        life = login_life(server.settings)
        cookie = accounts.set_password(server.store, token, raw.get("password", ""), now, life)
    except BadPasswordError as error:
        return welcome_page(request, token, owner.name, 422, error.message)
    return with_cookie(server, cookie, home_of(server, cookie, now), owner.name)
