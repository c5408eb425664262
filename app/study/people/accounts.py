"""Accounts: one-time links, passwords (argon2id), server-side logins, limited guessing."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts
from app.study import taken
from app.study.design.members import Who
from app.study.people.form_keys import form_key_of
from app.study.people.guesses import NO_SOURCE, limit_guesses
from app.study.people.leaked import is_leaked

MIN_PASSWORD = 10
MAX_PASSWORD = 1000
MAX_NAME = 64
LINK_LIFE = timedelta(days=7)

Factor = Callable[[Connection, AnyRow], bool]
hasher = PasswordHasher()
# Verified against if there is no such account, so that both cases take the same time. A constant
# (16 and 32 zero bytes) instead of a computed hash, so that importing this module is fast.
NOBODY = (
    f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    f"${'A' * 22}${'A' * 43}"
)


class LoginRefusedError(StudyError):
    """Wrong name, password or code; the message never says which."""

    code = "account/refused"

    def __init__(self) -> None:
        super().__init__(
            "Wrong name or password. If you use an authenticator app, the code may be wrong too."
        )


class BadLinkError(StudyError):
    """The one-time link is unknown, used, expired or replaced by a newer one."""

    code = "account/bad_link"

    def __init__(self) -> None:
        super().__init__(
            "This one-time link no longer works: it was used, it expired, or a newer link has "
            "replaced it. Use the newest link you have. If you have none, ask for one: "
            "`hjstudy user add NAME` prints it."
        )


class BadPasswordError(StudyError):
    """The new password is too short or too long."""

    code = "account/bad_password"

    def __init__(self) -> None:
        super().__init__(f"Please choose a password of {MIN_PASSWORD} characters or more.")


class LeakedPasswordError(BadPasswordError):
    """The new password is one that attackers try first."""

    code = "account/leaked_password"

    def __init__(self) -> None:
        super(BadPasswordError, self).__init__(
            "This password is on a list of leaked ones, which attackers try first. Please choose "
            "another, such as a few words in a row."
        )


class BadNameError(StudyError):
    """An account's name or role cannot be used."""

    code = "account/bad_name"


@dataclass(frozen=True, slots=True)
class AccountView:
    """A logged-in account; `form_key` is in every form of its pages, and empty before login."""

    id: int
    name: str
    role: str
    form_key: str = ""
    is_admin: bool = False
    seen_at: datetime | None = field(default=None, compare=False)

    @property
    def who(self) -> Who:
        """Return what rights depend on."""
        return Who(self.id, self.is_admin)


def hashed(token: str) -> str:
    """Return the hash under which a secret token is stored."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def fold_name(name: str) -> str:
    """Return a name in the form used to look up accounts."""
    return name.strip().casefold()


def add(store: Store, name: str, role: str, now: datetime) -> str:
    """Create an account, or a new link for an existing one; return the link's token.

    Raises BadNameError.
    """
    folded = fold_name(name)
    check(folded, role)
    with store.write() as db:
        row = accounts.by_name(db, folded)
        if row is not None and row.role != role:
            raise taken_name(db, folded, row.role)
        account_id = row.id if row is not None else insert(db, folded, role, now)
        return new_link(db, account_id, now)


def taken_name(db: Connection, folded: str, role: str) -> BadNameError:
    """Return the error for a name that an account of another role has."""
    by = f"an account with the role {role}"
    return BadNameError(taken.words("name", folded, accounts.names(db), MAX_NAME, by))


def check(folded: str, role: str) -> None:
    """Raise BadNameError if an account cannot have this name or role."""
    if not folded or len(folded) > MAX_NAME or not folded.isprintable():
        raise BadNameError("Use 1 to 64 visible characters for an account's name.")
    if "/" in folded or folded in {".", ".."}:  # names are parts of addresses of pages
        raise BadNameError("An account's name cannot contain a slash, or be only dots.")
    if role not in accounts.ROLES:
        raise BadNameError(f"The role must be one of: {', '.join(accounts.ROLES)}.")


def new_link(db: Connection, account_id: int, now: datetime) -> str:
    """Give an account a new one-time link, which replaces older ones; return its token."""
    token = secrets.token_urlsafe(24)
    accounts.drop_links(db, account_id)
    accounts.add_link(db, hashed(token), account_id, now + LINK_LIFE)
    return token


def insert(db: Connection, folded: str, role: str, now: datetime) -> int:
    """Add an account; return its id. The first researcher of a server is an administrator."""
    is_first = role == "researcher" and not accounts.of_role(db, role)
    account_id = accounts.insert(db, folded, role, now)
    if is_first:
        accounts.set_admin(db, account_id, is_admin=True)
    return account_id


def link_owner(db: Connection, token: str, now: datetime, *, lock: bool = False) -> AccountView:
    """Return the account of a one-time link; `lock` it to use it up. Raises BadLinkError."""
    row = accounts.by_link(db, hashed(token), lock=lock)
    if row is None or row.used_at is not None or row.expires_at <= now or not row.active:
        raise BadLinkError
    return AccountView(row.id, row.name, row.role)


def set_password(
    store: Store, token: str, password: str, now: datetime, life: timedelta, browser: str = ""
) -> str:
    """Use up a one-time link: set the password, end older logins, log in. Return the cookie token.

    Raises BadLinkError, BadPasswordError.
    """
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise BadPasswordError
    if is_leaked(password):
        raise LeakedPasswordError
    secret = hasher.hash(password.encode("utf-8", "surrogatepass"))
    with store.write() as db:
        owner = link_owner(db, token, now, lock=True)
        accounts.set_password(db, owner.id, secret)
        accounts.spend_link(db, hashed(token), now)
        accounts.end_logins(db, owner.id)
        return open_login(db, owner.id, now, life, browser)


def open_login(
    db: Connection, account_id: int, now: datetime, life: timedelta, browser: str = ""
) -> str:
    """Start a login; return the token for the cookie."""
    token = secrets.token_urlsafe(24)
    accounts.drop_old_logins(db, now)
    accounts.add_login(db, hashed(token), account_id, now, now + life, browser)
    return token


def log_in(
    store: Store,
    name: str,
    password: str,
    now: datetime,
    life: timedelta,
    source: str = "",
    *,
    browser: str = "",
    factor: Factor | None = None,
) -> str:
    """Check name and password, and the second factor if there is one; return the cookie token.

    `source`: where the attempt comes from (`Keys.source`, `known_source`); '' = not known, as
    behind a Unix socket. Then wrong passwords are not limited, or a stranger would lock everyone
    out; wrong second factors are.
    `factor`: tells whether the account's second factor is right, and uses it up.
    Raises LoginRefusedError, TooManyGuessesError.
    """
    folded = fold_name(name)[:MAX_NAME]
    if not folded.isprintable():
        raise LoginRefusedError
    if source:
        limit_guesses(store, folded, source, now)
    with store.read() as db:
        row = accounts.by_name(db, folded)
    right = fits(None if row is None else row.password_hash, password)
    if row is not None and right:
        if not source and row.totp_secret is not None:
            source = NO_SOURCE
            limit_guesses(store, folded, source, now)
        with store.write() as db:
            present = accounts.by_name(db, folded, lock=True)
            if present is not None and may_enter(db, row, present, factor):
                accounts.forget_guesses(db, folded, source)
                return open_login(db, row.id, now, life, browser)
    raise LoginRefusedError


def may_enter(db: Connection, checked: AnyRow, present: AnyRow, factor: Factor | None) -> bool:
    """Tell whether the password that was checked is still right, and the second factor too.

    Checking takes so long that the account may have been changed meanwhile.
    """
    if not present.active or present.password_hash != checked.password_hash:
        return False
    return present.totp_secret is None or (factor is not None and factor(db, present))


def fits(stored: str | None, password: str) -> bool:
    """Tell whether a password matches a stored hash; takes the same time if there is none."""
    try:
        hasher.verify(stored or NOBODY, password[:MAX_PASSWORD].encode("utf-8", "surrogatepass"))
    except Argon2Error:
        return False
    return stored is not None


def whose(
    db: Connection, token: str, now: datetime, idle: timedelta | None = None
) -> AccountView | None:
    """Return the account logged in with a cookie's token, or None. `idle`: longest time unused."""
    row = accounts.by_login(db, hashed(token))
    if row is None or row.expires_at <= now or not row.active:
        return None
    seen = row.seen_at or row.created_at
    if idle is not None and seen + idle <= now:
        return None
    key = form_key_of(row.password_hash)
    return AccountView(row.id, row.name, row.role, key, row.is_admin, seen)


def anybody(store: Store) -> bool:
    """Tell whether any researcher has set a password."""
    with store.read() as db:
        return accounts.has_password(db, "researcher")
