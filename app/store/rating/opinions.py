"""What each of several adjudicators thinks of an item, before there is a decision."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field
from app.store.rating.rounds import round_item
from app.store.rating.scales import CRITERIA, in_scale


class AdjudicationOpinion(SQLModel, table=True):
    """One person's opinion on one item; their newest revision counts. Never updated."""

    __tablename__ = "adjudication_opinion"
    __table_args__ = (
        sa.UniqueConstraint("round_item_id", "made_by", "revision"),
        *in_scale("value", *CRITERIA),
    )

    id: int | None = Field(default=None, primary_key=True)
    round_item_id: int = Field(foreign_key="round_item.id", index=True)
    revision: int = Field(description="1, 2, ... of one person")
    value: int | None = Field(default=None, description="0, 1 or 2; empty in criteria mode")
    inputs: int | None = Field(default=None)
    output: int | None = Field(default=None)
    structure: int | None = Field(default=None)
    generality: int | None = Field(default=None)
    comment: str = text_field("why", default="")
    made_by: str = Field(max_length=64, description="account that gave it")
    created_at: Moment = Field(description="server clock, UTC")


opinion = table_of(AdjudicationOpinion)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add an opinion. Lock the round first."""
    db.execute(sa.insert(opinion).values(values))


def of_round(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return every opinion of a round, oldest first."""
    query = sa.select(opinion).join(round_item, round_item.c.id == opinion.c.round_item_id)
    return db.execute(query.where(round_item.c.round_id == round_id).order_by(opinion.c.id)).all()
