"""Invite researchers to a study; create their account if they have none."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts as table
from app.study.design import draft, members
from app.study.design.members import MemberError
from app.study.people import accounts
from app.study.people.accounts import BadNameError
from app.study.tickets import once

RESEARCHER = "researcher"


@dataclass(frozen=True, slots=True)
class Invited:
    """The result of an invitation. `token`: of the one-time link for a new account, else ''."""

    name: str
    token: str


def invite(
    store: Store, slug: str, name: str, role: str, by: str, ticket: str, now: datetime
) -> Invited:
    """Add a researcher to a study, or change their role; create the account if there is none.

    An account that exists already gets no new link, so that owners cannot take it over. If the form
    is sent twice, the second answer has a new link, because no one has seen the first.
    Raises NoStudyError, MemberError, BadNameError, TicketError.
    """
    folded = accounts.fold_name(name)
    members.check_role(role)
    with store.write() as db:
        draft.lock(db, slug)

        def do() -> dict[str, Any]:
            is_new = table.by_name(db, folded) is None
            if is_new:
                accounts.check(folded, RESEARCHER)
                accounts.insert(db, folded, RESEARCHER, now)
            members.put(db, slug, account_of(db, folded), role, by, now)
            return {"is_new": is_new}

        done = once(db, ticket, f"account/{by}", now, do)
        row = account_of(db, folded)
        needs_link = done["is_new"] and row.password_hash is None
        return Invited(folded, accounts.new_link(db, row.id, now) if needs_link else "")


def put(store: Store, slug: str, name: str, role: str, by: str, now: datetime) -> None:
    """Add an account to a study, or change its role. Raises NoStudyError, MemberError."""
    with store.write() as db:
        members.put(db, slug, account_of(db, accounts.fold_name(name)), role, by, now)


def remove(
    store: Store, slug: str, name: str, by: accounts.AccountView, ticket: str, now: datetime
) -> None:
    """Remove a member, once. Raises NoStudyError, MemberError, TicketError."""
    with store.write() as db:

        def do() -> dict[str, Any]:
            members.drop(db, slug, account_of(db, accounts.fold_name(name)).id)
            return {"done": True}

        once(db, ticket, f"account/{by.id}", now, do)


def drop(store: Store, slug: str, name: str) -> None:
    """Remove a member from the command line. Raises NoStudyError, MemberError."""
    with store.write() as db:
        members.drop(db, slug, account_of(db, accounts.fold_name(name)).id)


def account_of(db: Connection, folded: str) -> AnyRow:
    """Return an account by its folded name. Raises MemberError."""
    row = table.by_name(db, folded)
    if row is None:
        raise MemberError(f"There is no account '{folded}'.")
    return row


def set_admin(store: Store, name: str, *, is_admin: bool) -> None:
    """Make a researcher an administrator, or an ordinary researcher again. Raises BadNameError."""
    with store.write() as db:
        row = table.by_name(db, accounts.fold_name(name))
        if row is None or row.role != RESEARCHER:
            raise BadNameError(f"There is no researcher '{accounts.fold_name(name)}'.")
        if not is_admin and table.admins(db) == [row.id]:
            raise BadNameError("A server needs an administrator. Make someone else one first.")
        table.set_admin(db, row.id, is_admin=is_admin)
