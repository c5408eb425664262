"""Open items that went from one annotator to another: the log, and what it takes away."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of
from app.store.rating.rounds import assignment, round_item, round_rater


class Handover(SQLModel, table=True):
    """An assignment that its annotator no longer has, and the one made for another. Never updated.

    Without a second one it was dropped: a repeat of an item that went to someone else.
    """

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", unique=True)
    to_assignment_id: int | None = Field(default=None, foreign_key="assignment.id", unique=True)
    made_by: str = Field(max_length=64, description="account that gave it away")
    created_at: Moment = Field(description="server clock, UTC")


handover = table_of(Handover)
before, after = assignment.alias("before"), assignment.alias("after")
giver, taker = round_rater.alias("giver"), round_rater.alias("taker")


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add to the log. Lock the round first."""
    if rows:
        db.execute(sa.insert(handover), rows)


def still_theirs() -> sa.ColumnElement[bool]:
    """Return the condition that an assignment was not given to someone else."""
    gone = sa.select(handover.c.id).where(handover.c.assignment_id == assignment.c.id)
    return ~sa.exists(gone.correlate(assignment))


def is_gone(db: Connection, assignment_id: int) -> bool:
    """Tell whether an assignment was given to someone else."""
    query = sa.select(handover.c.id).where(handover.c.assignment_id == assignment_id)
    return db.execute(query).first() is not None


def _of(row: sa.FromClause, rater: sa.FromClause) -> sa.ColumnElement[bool]:
    """Return the condition that a rater of a round has an assignment of it."""
    return sa.and_(rater.c.round_id == row.c.round_id, rater.c.account_id == row.c.account_id)


def giver_of() -> sa.ScalarSelect[Any]:
    """Return the pseudonym of an assignment's earlier annotator, as a subquery; empty = none."""
    query = sa.select(giver.c.pseudonym).select_from(handover)
    query = query.join(before, before.c.id == handover.c.assignment_id)
    query = query.join(giver, _of(before, giver))
    query = query.where(handover.c.to_assignment_id == assignment.c.id)
    return query.correlate(assignment).scalar_subquery()


def log(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return who gave how many of whose items to whom: `source, target, items, made_by, at`."""
    query = (
        sa.select(
            giver.c.pseudonym.label("source"),
            taker.c.pseudonym.label("target"),
            sa.func.count().label("items"),
            handover.c.made_by,
            handover.c.created_at.label("at"),
        )
        .select_from(handover)
        .join(before, before.c.id == handover.c.assignment_id)
        .join(giver, _of(before, giver))
        .join(after, after.c.id == handover.c.to_assignment_id)
        .join(taker, _of(after, taker))
        .where(before.c.round_id == round_id)
        .group_by(
            *(giver.c.pseudonym, taker.c.pseudonym),
            *(handover.c.made_by, handover.c.created_at),
        )
    )
    return db.execute(query.order_by(handover.c.created_at, giver.c.pseudonym)).all()


def of_account(db: Connection, round_id: int, account_id: int) -> Sequence[AnyRow]:
    """Return every assignment a rater ever had: `id, round_item_id, repeat, position, kind`, ...

    `gone` tells whether it went to someone else.
    """
    gone = sa.select(handover.c.id).where(handover.c.assignment_id == assignment.c.id)
    query = (
        sa.select(assignment, round_item.c.kind, sa.exists(gone).label("gone"))
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .where(assignment.c.round_id == round_id, assignment.c.account_id == account_id)
    )
    return db.execute(query.order_by(assignment.c.position)).all()


def present(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return who has which item of a round now: `account_id, round_item_id, repeat`, in order."""
    columns = (assignment.c.account_id, assignment.c.round_item_id, assignment.c.repeat)
    query = sa.select(*columns).where(assignment.c.round_id == round_id, still_theirs())
    return db.execute(query.order_by(assignment.c.account_id, assignment.c.position)).all()


def insert_assignment(db: Connection, values: dict[str, Any]) -> int:
    """Add one assignment; returns its id."""
    query = sa.insert(assignment).values(values).returning(assignment.c.id)
    return int(db.execute(query).scalar_one())


def insert_rater(db: Connection, values: dict[str, Any]) -> None:
    """Add an annotator to a round."""
    db.execute(sa.insert(round_rater).values(values))
