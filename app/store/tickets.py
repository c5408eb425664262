"""Form tokens: sending the same ticket again returns the first result, so nothing is doubled."""

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field


class Ticket(SQLModel, table=True):
    """One accepted form post. Rows are never updated."""

    ticket: str = Field(primary_key=True, max_length=64, description="random, made by the page")
    owner: str = Field(max_length=64, description="who posted: participant, account or study")
    result: str = text_field("what the first post led to, JSON")
    created_at: Moment = Field(description="server clock, UTC")


ticket = table_of(Ticket)


def find(db: Connection, value: str) -> AnyRow | None:
    """Return the stored ticket (owner, result), or None if it is new."""
    return db.execute(sa.select(ticket).where(ticket.c.ticket == value)).first()


def spend(db: Connection, value: str, owner: str, result: str, now: Moment) -> None:
    """Store a ticket with its result; the database refuses the same ticket twice."""
    values = {"ticket": value, "owner": owner, "result": result, "created_at": now}
    db.execute(sa.insert(ticket).values(values))
