"""Annotator accounts: created with a one-time link, deactivated, never deleted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.store.db import Store
from app.store.people import accounts as table
from app.store.rating import rounds
from app.study.people import accounts
from app.study.people.accounts import AccountView, BadNameError
from app.study.tickets import once


@dataclass(frozen=True, slots=True)
class Annotator:
    """One annotator in the list."""

    id: int
    name: str
    active: bool
    has_password: bool
    rounds: int


def listed(store: Store) -> list[Annotator]:
    """Return all annotators, sorted by name."""
    with store.read() as db:
        return [
            Annotator(
                id=row.id,
                name=row.name,
                active=row.active,
                has_password=row.password_hash is not None,
                rounds=len(rounds.of_rater(db, row.id)),
            )
            for row in table.of_role(db, "annotator")
        ]


def invite(store: Store, name: str, now: datetime) -> str:
    """Create an annotator, or a new link for one; return the one-time link's token.

    Raises BadNameError: the name is empty, or belongs to a researcher or a deactivated annotator.
    """
    folded = accounts.fold_name(name)
    with store.read() as db:
        row = table.by_name(db, folded)
    if row is not None and not row.active:
        raise BadNameError("This annotator is deactivated. Activate the account first.")
    return accounts.add(store, name, "annotator", now)


def set_active(
    store: Store, name: str, by: AccountView, ticket: str, now: datetime, *, active: bool
) -> None:
    """Deactivate an annotator (logs them out, deletes nothing) or activate them again.

    Raises BadNameError (there is no such annotator), TicketError.
    """
    with store.write() as db:

        def do() -> dict[str, Any]:
            row = table.by_name(db, accounts.fold_name(name))
            if row is None or row.role != "annotator":
                raise BadNameError("There is no annotator with this name.")
            table.set_active(db, row.id, active=active)
            if not active:
                table.end_logins(db, row.id)
                table.drop_links(db, row.id)
            return {"done": True}

        once(db, ticket, f"account/{by.id}", now, do)
