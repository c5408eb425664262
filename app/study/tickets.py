"""Tickets: a form that is posted twice has its effect once and gets the first answer again."""

import json
import re
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.errors import StudyError
from app.store import tickets

TICKET = re.compile(r"[A-Za-z0-9_-]{16,64}")


class TicketError(StudyError):
    """The form came without its ticket, or with somebody else's."""

    code = "form/ticket"

    def __init__(self) -> None:
        super().__init__("This form is incomplete. Please reload the page and send it again.")


def new_ticket() -> str:
    """Return a fresh random ticket for one rendered form."""
    return secrets.token_urlsafe(18)


def once(
    db: Connection, ticket: str, owner: str, now: datetime, do: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Do it on the first post of a ticket; return the first result on every later one.

    The caller holds a lock that posts of one owner share, so two cannot both be first.
    Raises TicketError: not a ticket of ours, or one that somebody else has used.
    """
    if not TICKET.fullmatch(ticket):
        raise TicketError
    found = tickets.find(db, ticket)
    if found is not None:
        if found.owner != owner:
            raise TicketError
        return dict(json.loads(found.result))
    result = do()
    try:
        tickets.spend(db, ticket, owner, json.dumps(result), now)
    except IntegrityError as error:  # of another owner's post at the same moment
        raise TicketError from error
    return result
