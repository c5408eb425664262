"""Annotators paused because of their gold items, and allowed to continue: a log, never changed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of
from app.store.rating.ratings import rating
from app.store.rating.rounds import GOLD, assignment, round_item
from app.store.rating.scales import CRITERIA

PAUSE, GO_ON = KINDS = ("pause", "go_on")


class RaterPause(SQLModel, table=True):
    """An annotator of a round was paused, or allowed to continue; the newest row says which."""

    __tablename__ = "rater_pause"
    __table_args__ = (one_of("kind", KINDS, "kind"),)

    id: int | None = Field(default=None, primary_key=True)
    round_id: int = Field(foreign_key="rating_round.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    kind: str = Field(max_length=8, description="pause or go_on")
    right: int = Field(description="gold items rated as known, when it was made")
    rated: int = Field(description="gold items rated or skipped")
    made_by: str = Field(default="", max_length=64, description="account; '' = the threshold")
    created_at: Moment = Field(description="server clock, UTC")


rater_pause = table_of(RaterPause)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add to the log. Lock the round first."""
    db.execute(sa.insert(rater_pause).values(values))


def of_round(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return the log of a round, oldest first."""
    query = sa.select(rater_pause).where(rater_pause.c.round_id == round_id)
    return db.execute(query.order_by(rater_pause.c.id)).all()


def gold_answers(db: Connection, round_id: int, account_id: int) -> Sequence[AnyRow]:
    """Return what an annotator first saved for gold items, skipped or not; `known` is JSON."""
    scored = ("value", *CRITERIA)
    query = (
        sa.select(round_item.c.known, *(rating.c[name] for name in scored), rating.c.created_at)
        .join(assignment, assignment.c.round_item_id == round_item.c.id)
        .join(rating, rating.c.assignment_id == assignment.c.id)
        .where(
            assignment.c.round_id == round_id,
            assignment.c.account_id == account_id,
            assignment.c.repeat == 0,
            round_item.c.kind == GOLD,
            rating.c.revision == 1,
        )
    )
    return db.execute(query.order_by(rating.c.id)).all()
