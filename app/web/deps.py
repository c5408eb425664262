"""Dependencies of routes: the server's parts, the clock, the posted form, the account."""

import hmac
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Request
from jinja2 import Environment
from starlette.datastructures import FormData

from app.errors import StudyError
from app.settings import Settings
from app.study.database import Store
from app.study.design.library import Library
from app.study.keys import Keys
from app.study.people import accounts, logins
from app.study.people.monitor import Memory
from app.study.people.wiping import Erasures
from app.study.play.commands import Table
from app.study.play.prolific_token import KeySet
from app.study.pulse import Pulse
from app.web.counts import Counts
from app.web.oidc import Provider
from app.web.rates import Rates
from app.web.runner import Runner
from app.web.spoken import Known

COOKIE = "hjstudy_login"
FORM_KEY = "form_key"  # the hidden field of every form behind a login
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})  # change nothing
MAX_FIELDS = 200
MOST_FIELDS = 6000  # of a researcher's form: 500 lines of cells, or 120 questions


class LoginNeededError(StudyError):
    """No one is logged in."""

    code = "account/login_needed"

    def __init__(self) -> None:
        super().__init__("Please log in first.")


class ForbiddenError(StudyError):
    """The logged-in account has the wrong role for this page."""

    code = "account/forbidden"

    def __init__(self) -> None:
        super().__init__(
            "Your account cannot open this page. Researchers start at /admin, annotators at /rate."
        )


class FormKeyError(StudyError):
    """A form behind a login does not carry the key of the account that sends it."""

    code = "form/foreign"

    def __init__(self) -> None:
        super().__init__(
            "This form does not belong to the account that is logged in, so nothing was stored. "
            "Open the page again and send the form from there."
        )


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of one server process, created in create_app."""

    settings: Settings
    store: Store
    table: Table
    env: Environment
    pulse: Pulse
    keys: Keys
    runner: Runner
    prolific: KeySet | None = None
    provider: Provider | None = None
    watching: Memory = field(default_factory=Memory)
    rates: Rates = field(default_factory=Rates)
    counts: Counts = field(default_factory=Counts)
    languages: Known = field(default_factory=Known)
    erasures: Erasures = field(default_factory=Erasures)
    built: list[Callable[[], None]] = field(default_factory=list)  # each forgets built reports

    @property
    def library(self) -> Library:
        """Return the process's cache of variants."""
        return self.table.library


def get_server(request: Request) -> Server:
    """Return the server's parts."""
    server: Server = request.app.state.server
    return server


def get_now() -> datetime:
    """Return the current time (aware, UTC). The server reads its clock only here."""
    return datetime.now(UTC)


# Async, because FastAPI runs plain functions in a thread, which would cost every command twice.
async def give_server(request: Request) -> Server:
    """Give a route the server's parts."""
    return get_server(request)


async def give_now() -> datetime:
    """Give a route the time of the request."""
    return get_now()


def texts_of(form: FormData) -> dict[str, str]:
    """Return a form's fields without its files; a repeated field keeps its last value."""
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}


async def read_form(request: Request) -> dict[str, str]:
    """Return the posted fields as text; a repeated field keeps its last value."""
    form: FormData = await request.form(max_files=0, max_fields=MAX_FIELDS)
    typed = texts_of(form)
    request.state.typed = typed  # an error page shows it again
    return typed


def ticket_of(raw: Mapping[str, str], action: str = "") -> str:
    """Return a form's ticket, bound to what the form says; '' if it has none.

    A form that is sent twice has the same one. If someone goes back and sends something else from
    the same page, that is another form. `action`: tells two buttons of a form apart.
    """
    ticket = raw.get("ticket", "")
    sent = {name: text for name, text in raw.items() if name not in {FORM_KEY, "ticket"}}
    digest = sha256(json.dumps([action, sent], sort_keys=True).encode()).hexdigest()[:16]
    return f"{ticket}-{digest}" if ticket else ""


def source_of(request: Request, server: Server, now: datetime) -> str:
    """Return today's name for the client's address; '' = unknown, or addresses do not count."""
    if request.client is None or not server.settings.limit_sources:
        return ""
    return server.keys.source(request.client.host, now)


def login_life(settings: Settings) -> timedelta:
    """Return how long a login lasts."""
    return timedelta(hours=settings.login_hours)


def current_account(
    request: Request, server: Annotated[Server, Depends(give_server)]
) -> accounts.AccountView | None:
    """Return the logged-in account, or None."""
    token, now = own_cookie(request, server, COOKIE), get_now()
    if not token:
        return None
    with server.store.read() as db:
        account = accounts.whose(db, token, now, login_idle(server.settings))
    if account is not None:
        request.state.form_key = account.form_key  # render() puts it into the page's forms
        logins.touch(server.store, account, token, now)
    return account


def cookie_name(server: Server, name: str) -> str:
    """Return a cookie's name: behind https, one that only this host can have set, over https."""
    return f"__Host-{name}" if server.settings.secure_cookies else name


def own_cookie(request: Request, server: Server, name: str) -> str:
    """Return the value of one of our cookies, or ''."""
    return request.cookies.get(cookie_name(server, name), "")


def login_idle(settings: Settings) -> timedelta:
    """Return how long a login may stay unused."""
    return timedelta(minutes=settings.login_idle_minutes)


def right_key(sent: object, expected: str) -> bool:
    """Tell whether a form carries the expected key, in constant time."""
    text = sent if isinstance(sent, str) else ""
    return bool(expected) and hmac.compare_digest(text.encode(), expected.encode())


async def own_form(
    request: Request,
    server: Annotated[Server, Depends(give_server)],
    account: Annotated[accounts.AccountView | None, Depends(current_account)],
) -> AsyncIterator[None]:
    """Accept a form only from our own page of the account that sends it.

    Every router behind a login has this as its first dependency, so no body is read before its
    sender is known. The form read here is kept with the request, for the route, and its files are
    closed at the end.

    Raises LoginNeededError, FormKeyError.
    """
    if request.method in SAFE_METHODS:
        yield
        return
    if account is None:
        raise LoginNeededError
    limit = server.settings.upload_limit_bytes
    async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=limit) as form:
        request.state.sent = texts_of(form)  # for the audit log, which takes choices from it
        if not right_key(form.get(FORM_KEY), account.form_key):
            request.state.typed = texts_of(form)
            raise FormKeyError
        yield


async def researcher(
    account: Annotated[accounts.AccountView | None, Depends(current_account)],
) -> accounts.AccountView:
    """Return the logged-in researcher. Raises LoginNeededError, ForbiddenError."""
    if account is None:
        raise LoginNeededError
    if account.role != "researcher":
        raise ForbiddenError
    return account


async def annotator(
    account: Annotated[accounts.AccountView | None, Depends(current_account)],
) -> accounts.AccountView:
    """Return the logged-in annotator. Raises LoginNeededError, ForbiddenError.

    Researchers may not rate, because they can see authors and scores elsewhere.
    """
    if account is None:
        raise LoginNeededError
    if account.role != "annotator":
        raise ForbiddenError
    return account


Account = accounts.AccountView
LoggedIn = Annotated[accounts.AccountView | None, Depends(current_account)]
ServerParts = Annotated[Server, Depends(give_server)]
Now = Annotated[datetime, Depends(give_now)]
RawForm = Annotated[dict[str, str], Depends(read_form)]
Researcher = Annotated[accounts.AccountView, Depends(researcher)]
Annotator = Annotated[accounts.AccountView, Depends(annotator)]


def site_url(request: Request, server: Server) -> str:
    """Return the address of this server as others see it, without a trailing slash."""
    return (server.settings.base_url or str(request.base_url)).rstrip("/")
