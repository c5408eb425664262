"""Validation samples: drawn once from a frozen frame, with strata and weights; never changed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, one_of, table_of, text_field
from app.store.rating.items import item

ALLOCATIONS = ("proportional", "balanced")


class Sample(SQLModel, table=True):
    """One draw from all items that one judge scored. Rows are never updated."""

    __table_args__ = (
        sa.UniqueConstraint("study_id", "number"),
        one_of("allocation", ALLOCATIONS, "allocation"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    number: int = Field(description="1, 2, ... within the study")
    run_id: int = Field(foreign_key="judge_run.id", description="the judge whose level stratifies")
    level_of: str = Field(max_length=16, description="score, one criterion, or mean of the four")
    which: str = Field(max_length=8, description="players' last, first or all explanations")
    per_level: int = Field(description="number of items wanted per judge level")
    allocation: str = Field(max_length=16, description="proportional, or balanced over sources")
    seed: int = big_int("of the draw")
    frame_size: int = Field(description="items in the frame")
    frame_hash: str = Field(max_length=64, description="sha256 of the frame, as drawn from")
    strata: str = text_field("JSON list: stratum, level, size (N), drawn (n), weight")
    shortfalls: str = text_field("JSON list of sentences: levels with fewer items than wanted")
    merged: str = text_field("JSON list of sentences: cells without an item, or joined")
    made_by: str = Field(max_length=64)
    created_at: Moment = Field(description="server clock, UTC")


class SampleItem(SQLModel, table=True):
    """One item of a sample's frozen frame, drawn or not."""

    __tablename__ = "sample_item"

    sample_id: int = Field(foreign_key="sample.id", primary_key=True)
    item_id: int = Field(foreign_key="rating_item.id", primary_key=True)
    level: int = Field(description="the judge's level then")
    stratum: str = text_field("selection cell it was drawn from; empty = not drawn")
    place: int | None = Field(default=None, description="order of the draw; empty = not drawn")
    weight: float | None = Field(default=None, description="N / n of its stratum, if drawn")


sample = table_of(Sample)
sample_item = table_of(SampleItem)


def insert(db: Connection, values: dict[str, Any], rows: list[dict[str, Any]]) -> int:
    """Add a sample with its frame under the study's next number; returns that number.

    Lock the study's row first.
    """
    top = sa.select(sa.func.max(sample.c.number))
    number = int(db.execute(top.where(sample.c.study_id == values["study_id"])).scalar() or 0) + 1
    query = sa.insert(sample).values({**values, "number": number}).returning(sample.c.id)
    sample_id = int(db.execute(query).scalar_one())
    db.execute(sa.insert(sample_item), [{**row, "sample_id": sample_id} for row in rows])
    return number


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's samples, newest first."""
    query = sa.select(sample).where(sample.c.study_id == study_id)
    return db.execute(query.order_by(sample.c.number.desc())).all()


def find(db: Connection, study_id: int, number: int) -> AnyRow | None:
    """Return one sample of a study, or None."""
    query = sa.select(sample).where(sample.c.study_id == study_id, sample.c.number == number)
    return db.execute(query).first()


def by_id(db: Connection, sample_id: int) -> AnyRow:
    """Return a sample."""
    return db.execute(sa.select(sample).where(sample.c.id == sample_id)).one()


def items_of(db: Connection, sample_id: int) -> Sequence[AnyRow]:
    """Return the whole frame, by item.

    Columns: `item_id, level, stratum, place, weight`, and the item's `external_id, source,
    cluster, task`.
    """
    query = (
        sa.select(sample_item, item.c.external_id, item.c.source, item.c.cluster, item.c.task)
        .join(item, item.c.id == sample_item.c.item_id)
        .where(sample_item.c.sample_id == sample_id)
    )
    return db.execute(query.order_by(sample_item.c.item_id)).all()
