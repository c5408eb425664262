"""Single sign-on (OpenID Connect): which account a subject belongs to.

No one gets an account from the provider: an invited person connects theirs with the one-time link,
or on the page of their own account.
"""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts as table
from app.study.people import accounts
from app.study.people.accounts import AccountView, hasher, open_login


class NotConnectedError(StudyError):
    """No account, or another one, is connected to what the provider confirmed."""

    code = "account/not_connected"


def log_in(store: Store, subject: str, now: datetime, life: timedelta, browser: str) -> str:
    """Log in the account of a subject; return the cookie token. Raises NotConnectedError."""
    with store.write() as db:
        row = table.by_subject(db, subject)
        if row is None or not row.active:
            raise NotConnectedError(
                "No account here is connected to this login. Log in with your password and connect "
                "it on your account page, or ask for a one-time link and choose this login there."
            )
        return open_login(db, row.id, now, life, browser)


def accept(
    store: Store, link: str, subject: str, now: datetime, life: timedelta, browser: str
) -> str:
    """Use up a one-time link: connect the account, end older logins, log in; return the token.

    The account's password, if it has one, no longer works. Raises BadLinkError, NotConnectedError.
    """
    with store.write() as db:
        owner = accounts.link_owner(db, link, now, lock=True)
        join(db, owner.id, subject)
        table.set_password(db, owner.id, hasher.hash(secrets.token_bytes(32)))
        table.spend_link(db, accounts.hashed(link), now)
        table.end_logins(db, owner.id)
        return open_login(db, owner.id, now, life, browser)


def connect(store: Store, account: AccountView, subject: str) -> None:
    """Connect an account that is logged in. Raises NotConnectedError."""
    with store.write() as db:
        join(db, account.id, subject)


def join(db: Connection, account_id: int, subject: str) -> None:
    """Store that a subject is an account's. Raises NotConnectedError."""
    other: AnyRow | None = table.by_subject(db, subject)
    if other is not None and other.id != account_id:
        raise NotConnectedError("This login is already connected to another account.")
    table.set_subject(db, account_id, subject)


def disconnect(store: Store, account: AccountView) -> None:
    """Undo the connection of an account."""
    with store.write() as db:
        table.set_subject(db, account.id, None)


def is_connected(db: Connection, name: str) -> bool:
    """Tell whether an account is connected."""
    row = table.by_name(db, name)
    return row is not None and row.oidc_subject is not None
