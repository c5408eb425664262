"""Tickets: a form that is posted twice takes effect once and gets the first answer again."""

import json
import re
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.errors import StudyError
from app.languages.text import phrase
from app.store import tickets

TICKET = re.compile(r"[A-Za-z0-9_-]{16,64}")


class TicketError(StudyError):
    """The form was sent without its ticket, or with someone else's."""

    code = "form/ticket"

    def __init__(self) -> None:
        super().__init__(
            phrase("This form is incomplete. Please reload the page and send it again.")
        )


def new_ticket() -> str:
    """Return a new random ticket for one rendered form."""
    return secrets.token_urlsafe(18)


def once(
    db: Connection, ticket: str, owner: str, now: datetime, do: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Run `do` on the first post of a ticket; return the first result on later ones.

    The caller holds a lock shared by all posts of one owner, so two posts cannot both be first.
    Raises TicketError if the ticket is not ours or was used by someone else.
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
    except IntegrityError as error:  # from another owner's post at the same time
        raise TicketError from error
    return result
