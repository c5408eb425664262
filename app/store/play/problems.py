"""Players' problem reports."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field


class Problem(SQLModel, table=True):
    """A player's 'Report a problem'."""

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int | None = Field(default=None, foreign_key="participant.id", index=True)
    page: str = Field(max_length=128, description="the step the report came from")
    text: str = text_field("as typed")
    created_at: Moment = Field(description="server clock, UTC")


problem = table_of(Problem)


def add(db: Connection, values: dict[str, Any]) -> None:
    """Store a problem report."""
    db.execute(sa.insert(problem).values(values))


def of_person(db: Connection, participant_id: int) -> list[AnyRow]:
    """Return a participant's problem reports, oldest first."""
    query = sa.select(problem).where(problem.c.participant_id == participant_id)
    return list(db.execute(query.order_by(problem.c.id)).all())
