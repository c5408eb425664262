"""An account's logins: where it is logged in, and how to end them."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.errors import StoreError
from app.store.db import Store
from app.store.people import accounts, logins
from app.study.people.accounts import AccountView, hashed

MARK = 16  # digits of a login's hash that name it on the page
TOUCH = timedelta(minutes=1)  # a login's last use is stored this exactly
BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")  # first match counts
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
NAMES = {"Edg": "Edge", "OPR": "Opera", "Mac OS": "macOS"}


@dataclass(frozen=True, slots=True)
class LoginView:
    """One login. `mark` names it in forms; it is no secret."""

    mark: str
    browser: str
    began: datetime
    seen: datetime
    ends: datetime
    is_this: bool


def browser_of(agent: str) -> str:
    """Return browser and system in words, from what the browser says of itself."""
    found = [
        next((NAMES.get(one, one) for one in names if re.search(rf"\b{one}", agent)), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return " on ".join(one for one in found if one) or "unknown browser"


def listed(
    db: Connection, account_id: int, token: str, now: datetime, idle: timedelta
) -> list[LoginView]:
    """Return an account's logins that still work, newest first."""
    own = hashed(token)
    return [
        LoginView(
            mark=row.token_hash[:MARK],
            browser=row.browser or "unknown browser",
            began=row.created_at,
            seen=row.seen_at or row.created_at,
            ends=row.expires_at,
            is_this=row.token_hash == own,
        )
        for row in logins.of_account(db, account_id, now)
        if (row.seen_at or row.created_at) + idle > now
    ]


def end(store: Store, account_id: int, mark: str) -> None:
    """End one of an account's logins; no effect if it has ended."""
    if not re.fullmatch(rf"[0-9a-f]{{{MARK}}}", mark):
        return
    with store.write() as db:
        logins.end_by_mark(db, account_id, mark)


def end_others(store: Store, account_id: int, token: str) -> None:
    """End every login of an account except the one with this token."""
    with store.write() as db:
        logins.end_others(db, account_id, hashed(token))


def touch(store: Store, account: AccountView, token: str, now: datetime) -> None:
    """Note that a login is in use, at most once a minute. A full disk does not log anyone out."""
    if account.seen_at is None or now - account.seen_at < TOUCH:
        return
    try:
        with store.write() as db:
            logins.touch(db, hashed(token), now)
    except StoreError:
        return


def log_out(store: Store, token: str) -> None:
    """End a login."""
    with store.write() as db:
        accounts.end_login(db, hashed(token))
