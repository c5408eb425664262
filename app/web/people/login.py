"""Logging in and out, and the one-time link that sets a password."""

from datetime import datetime, timedelta

from fastapi import APIRouter, Request
from starlette.background import BackgroundTask
from starlette.responses import Response

from app.study.people import accounts, known_browsers, logins, second_factor
from app.study.people.accounts import (
    MIN_PASSWORD,
    BadPasswordError,
    LoginRefusedError,
)
from app.study.people.guesses import TooManyGuessesError
from app.study.tickets import new_ticket
from app.web import audit
from app.web.deps import (
    COOKIE,
    FORM_KEY,
    FormKeyError,
    LoggedIn,
    Now,
    RawForm,
    Server,
    ServerParts,
    cookie_name,
    get_server,
    login_life,
    own_cookie,
    right_key,
    source_of,
)
from app.web.pages import Page, render, see_other

router = APIRouter(prefix="/admin")
LOGIN_FORM = "hjstudy_login_form"  # the cookie that repeats the login form's key
NO_COOKIE = (
    "Your browser did not send the cookie of this page. Allow cookies for this site, then log in "
    "again."
)
LOG_IN, LOG_OUT, SET_PASSWORD = (  # verbs of the audit log
    *("POST /admin/login", "POST /admin/logout"),
    "POST /admin/welcome/{token}",
)
WRONG = 422  # the status of a page that says what to correct
KNOWN = "hjstudy_known"  # the cookie of a browser in which someone has logged in before
KNOWN_LIFE = timedelta(days=365)


def safe_next(text: str) -> str:
    """Return the path to open after login; /admin if it is not one of ours."""
    inside = text.startswith(("/admin", "/rate")) and not text.startswith("/admin/log")
    return text if inside and text.isascii() and text.isprintable() else "/admin"


def home_of(server: Server, token: str, now: datetime, verb: str, after: str = "") -> str:
    """Record a login; return the address to open after it, which depends on the role."""
    with server.store.read() as db:
        account = accounts.whose(db, token, now)
    if account is not None and account.role == "researcher":
        audit.record_login(server, account, verb)
    own = "/admin" if account is None or account.role == "researcher" else "/rate"
    path = safe_next(after)
    return path if path == own or path.startswith((f"{own}/", f"{own}?")) else own


def login_page(
    request: Request, status: int = 200, typed: str = "", error: str = "", after: str = ""
) -> Response:
    """Render the login form, with a key that a cookie repeats."""
    key = own_cookie(request, get_server(request), LOGIN_FORM) or new_ticket()
    request.state.form_key = key
    a = {
        "action": "/admin/login",
        "typed_name": typed,
        "error": error,
        "field": "name" if status == WRONG else "",
        "ticket": new_ticket(),
        "next": safe_next(after),
        "sign_on": sign_on_of(get_server(request), f"?next={safe_next(after)}"),
    }
    answer = render(request, "people/login.html", status, page=Page("login", "Log in"), a=a)
    set_cookie(get_server(request), answer, LOGIN_FORM, key)
    return answer


def sign_on_of(server: Server, query: str) -> tuple[str, str]:
    """Return address and name of single sign-on; both empty if there is none."""
    if server.provider is None:
        return "", ""
    return f"/admin/oidc{query}", server.settings.oidc_name


def set_cookie(
    server: Server,
    answer: Response,
    name: str,
    value: str,
    life_s: int | None = None,
    path: str = "/",
) -> None:
    """Add a cookie that only this site's pages send and no script reads."""
    secure = server.settings.secure_cookies  # then `__Host-`, which needs the path /
    answer.set_cookie(
        cookie_name(server, name),
        value,
        max_age=life_s,
        path="/" if secure else path,
        httponly=True,
        secure=secure,
        samesite="lax",
    )


def with_cookie(server: Server, token: str, url: str, name: str) -> Response:
    """Redirect with the login cookie, and mark the browser as known."""
    answer = see_other(url)
    set_cookie(server, answer, COOKIE, token, int(login_life(server.settings).total_seconds()))
    mark = known_browsers.mark_of(server.keys.signing(known_browsers.KNOWN_KEY), name)
    set_cookie(server, answer, KNOWN, mark, int(KNOWN_LIFE.total_seconds()), "/admin/login")
    return answer


def from_our_page(request: Request, raw: dict[str, str]) -> bool:
    """Tell whether a login comes from our own form, so that no one is logged in without noticing.

    Browsers send `Origin` with every form; a request without it comes from a script, whose owner
    no other site can trick.
    """
    if "origin" not in request.headers:
        return True
    return right_key(raw.get(FORM_KEY), own_cookie(request, get_server(request), LOGIN_FORM))


def guesser(request: Request, server: Server, name: str, now: datetime) -> str:
    """Return the source that a login counts for: the known browser, or else the address."""
    key = server.keys.signing(known_browsers.KNOWN_KEY)
    known = known_browsers.known_source(key, name, own_cookie(request, server, KNOWN))
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
    if not from_our_page(request, raw):
        return login_page(request, 403, name, NO_COOKIE, after)
    try:
        source = guesser(request, server, name, now)
        token = accounts.log_in(
            *(server.store, name, raw.get("password", ""), now, life, source),
            browser=logins.browser_of(request.headers.get("user-agent", "")),
            factor=lambda db, row: second_factor.passes(db, row, raw.get("code", ""), now),
        )
    except LoginRefusedError as error:
        answer = login_page(request, WRONG, name, error.message, after)
        answer.background = BackgroundTask(audit.record_failed_login, server, name, LOG_IN)
        return answer
    except TooManyGuessesError as error:
        return login_page(request, 429, name, error.message, after)
    return with_cookie(server, token, home_of(server, token, now, LOG_IN, after), name)


@router.post("/logout")
def log_out(request: Request, raw: RawForm, server: ServerParts, account: LoggedIn) -> Response:
    """End the login. Raises FormKeyError."""
    if account is not None and not right_key(raw.get(FORM_KEY), account.form_key):
        raise FormKeyError
    if account is not None and account.role == "researcher":
        audit.record_login(server, account, LOG_OUT)
    logins.log_out(server.store, own_cookie(request, server, COOKIE))
    answer = see_other("/admin/login")
    secure = server.settings.secure_cookies
    answer.delete_cookie(cookie_name(server, COOKIE), path="/", secure=secure, httponly=True)
    return answer


def welcome_page(
    request: Request, token: str, owner: accounts.AccountView, status: int = 200, error: str = ""
) -> Response:
    """Render the form that sets a password."""
    a = {
        "action": f"/admin/welcome/{token}",
        "name": owner.name,
        "is_annotator": owner.role == "annotator",
        "error": error,
        "ticket": new_ticket(),
        "min_length": MIN_PASSWORD,
        "sign_on": sign_on_of(get_server(request), f"?link={token}"),
    }
    return render(request, "people/welcome.html", status, page=Page("welcome", "Welcome"), a=a)


@router.get("/welcome/{token}")
def show_welcome(request: Request, token: str, server: ServerParts, now: Now) -> Response:
    """Show the form of a one-time link; opening it does not use the link up."""
    with server.store.read() as db:
        owner = accounts.link_owner(db, token, now)
    return welcome_page(request, token, owner)


@router.post("/welcome/{token}")
def set_password(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Set the password, use up the link, log in."""
    with server.store.read() as db:
        owner = accounts.link_owner(db, token, now)
    try:
        life, password = login_life(server.settings), raw.get("password", "")
        browser = logins.browser_of(request.headers.get("user-agent", ""))
        cookie = accounts.set_password(server.store, token, password, now, life, browser)
    except BadPasswordError as error:
        return welcome_page(request, token, owner, 422, error.message)
    return with_cookie(server, cookie, home_of(server, cookie, now, SET_PASSWORD), owner.name)
