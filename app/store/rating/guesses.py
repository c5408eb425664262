"""Raters' guesses whether a person or a model wrote a text, kept apart from their ratings."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import Moment, one_of, table_of
from app.store.rating.rounds import assignment

PERSON, MODEL, _ = GUESSES = ("person", "model", "unknown")


class SourceGuess(SQLModel, table=True):
    """One guess; the newest revision of an assignment is the current one. Never updated."""

    __tablename__ = "source_guess"
    __table_args__ = (
        sa.UniqueConstraint("assignment_id", "revision"),
        one_of("guess", GUESSES, "guess"),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", index=True)
    revision: int = Field(description="1 = as first given; the newest is the current one")
    guess: str = Field(max_length=8, description="person, model, or unknown = don't know")
    created_at: Moment = Field(description="server clock, UTC")


source_guess = table_of(SourceGuess)


def add(db: Connection, assignment_id: int, guess: str, now: datetime) -> None:
    """Add a guess. Lock the assignment first."""
    query = sa.select(sa.func.max(source_guess.c.revision))
    before = db.execute(query.where(source_guess.c.assignment_id == assignment_id)).scalar() or 0
    values = {"assignment_id": assignment_id, "revision": before + 1, "guess": guess}
    db.execute(sa.insert(source_guess).values(**values, created_at=now))


def current(column: str = "guess", *, first: bool = False) -> sa.ScalarSelect[Any]:
    """Return a column of an assignment's newest or first guess, as a subquery; empty = none."""
    query = sa.select(source_guess.c[column]).where(source_guess.c.assignment_id == assignment.c.id)
    order = source_guess.c.revision if first else source_guess.c.revision.desc()
    return query.order_by(order).limit(1).correlate(assignment).scalar_subquery()
