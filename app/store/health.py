"""The row that the health check writes: proof that the database takes a write right now."""

from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import Moment, table_of

ONLY = 1


class Health(SQLModel, table=True):
    """The newest health check. There is one row, and each check replaces it."""

    id: int = Field(default=ONLY, primary_key=True)
    checked_at: Moment = Field(description="server clock, UTC")


health = table_of(Health)


def put(db: Connection, now: Moment) -> None:
    """Replace the row; two processes may do so at once."""
    text = """INSERT INTO health (id, checked_at) VALUES (:id, :now)
        ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at"""
    moment = sa.bindparam("now", type_=health.c.checked_at.type)
    db.execute(sa.text(text).bindparams(moment), {"id": ONLY, "now": now})


def clock(db: Connection) -> datetime:
    """Return the time by the database's clock: aware, UTC."""
    found: datetime = db.execute(sa.select(sa.func.now())).scalar_one()
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
