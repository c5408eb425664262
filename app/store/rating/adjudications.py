"""Decisions on items where raters disagreed, kept apart so that ratings never change."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field
from app.store.rating.rounds import round_item
from app.store.rating.scales import CRITERIA, in_scale


class Adjudication(SQLModel, table=True):
    """One decision on one item of a round; the newest revision counts. Never updated."""

    __table_args__ = (
        sa.UniqueConstraint("round_item_id", "revision"),
        *in_scale("value", *CRITERIA),
    )

    id: int | None = Field(default=None, primary_key=True)
    round_item_id: int = Field(foreign_key="round_item.id", index=True)
    revision: int = Field(description="1, 2, ...")
    value: int | None = Field(default=None, description="0, 1 or 2; empty in criteria mode")
    inputs: int | None = Field(default=None)
    output: int | None = Field(default=None)
    structure: int | None = Field(default=None)
    generality: int | None = Field(default=None)
    comment: str = text_field("why", default="")
    made_by: str = Field(max_length=64, description="account that decided")
    created_at: Moment = Field(description="server clock, UTC")


adjudication = table_of(Adjudication)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add a decision; the database refuses a second one with the same revision."""
    db.execute(sa.insert(adjudication).values(values))


def of_round(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return every decision of a round, oldest first."""
    query = sa.select(adjudication).join(
        round_item, round_item.c.id == adjudication.c.round_item_id
    )
    return db.execute(
        query.where(round_item.c.round_id == round_id).order_by(adjudication.c.id)
    ).all()
