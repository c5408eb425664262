"""Imported model results: one row per episode, stored with the study they belong to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, one_of, table_of

KEY = (
    *("model", "task", "seed", "lexicon", "coverage", "format", "variant_hash"),
    "episode_index",
)


class ModelResult(SQLModel, table=True):
    """What a model did in one episode (or stated, in the direct format). Rows are never updated.

    `variant_hash` is empty if the model played a variant that is not in this study.
    """

    __tablename__ = "model_result"
    __table_args__ = (
        sa.UniqueConstraint("study_id", *KEY, name="uq_model_result_key"),
        one_of("format", ("episodic", "direct"), "format"),
        sa.CheckConstraint("episode_index >= 1", name="episode_index"),
        sa.CheckConstraint("actions_used >= 1", name="actions_used"),
        sa.CheckConstraint("ref_length >= 1", name="ref_length"),
        sa.CheckConstraint("n_tries >= 2", name="n_tries"),
        sa.CheckConstraint("rv IS NULL OR (rv >= 0 AND rv <= 1)", name="rv"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    model: str = Field(max_length=128, description="as the file names it")
    task: str = Field(max_length=64)
    seed: int = big_int("variant seed")
    lexicon: str = Field(max_length=32)
    coverage: str = Field(max_length=8)
    format: str = Field(max_length=16, description="episodic or direct")
    variant_hash: str = Field(max_length=64, description="empty: not a variant of this study")
    episode_index: int = Field(description="1 = first held-out guardian of the variant")
    success: bool = Field(description="won, or stated the right answer")
    actions_used: int = Field(description="actions of the episode, including mistyped ones")
    ref_length: int = Field(description="actions of the shortest solution")
    n_tries: int = Field(description="attempts of a brute-force player")
    rv: float | None = Field(default=None, description="RV of the variant's explanation, 0 to 1")
    source: str = Field(max_length=16, description="rows (our lines) or reference (the package's)")
    imported_by: str = Field(max_length=64, description="account")
    created_at: Moment = Field(description="server clock, UTC")


model_result = table_of(ModelResult)


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's results, model by model."""
    return db.execute(query(study_id)).all()


def state(db: Connection, study_id: int) -> tuple[int | None, ...]:
    """Return what changes whenever a study's results do: the number and the newest."""
    found = sa.select(sa.func.count(), sa.func.max(model_result.c.id))
    return tuple(db.execute(found.where(model_result.c.study_id == study_id)).one())


def query(study_id: int) -> sa.Select[Any]:
    """Return the query of a study's results, in a fixed order."""
    found = sa.select(model_result).where(model_result.c.study_id == study_id)
    return found.order_by(*(model_result.c[name] for name in KEY))


def find(db: Connection, wanted: Mapping[str, Any]) -> AnyRow | None:
    """Return the result with the study and the KEY of a row, or None."""
    names = ("study_id", *KEY)
    same = (model_result.c[name] == wanted[name] for name in names)
    return db.execute(sa.select(model_result).where(*same)).first()


def insert(db: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Add results; `rows` hold every column but the id."""
    listed = list(rows)
    if listed:
        db.execute(sa.insert(model_result), listed)


def remove(db: Connection, study_id: int, model: str) -> list[int]:
    """Remove all results of a model from a study; returns the ids of the rows."""
    mine = sa.and_(model_result.c.study_id == study_id, model_result.c.model == model)
    query = sa.delete(model_result).where(mine).returning(model_result.c.id)
    return [int(one) for one in db.execute(query).scalars()]


def numbers(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return (model, results, tasks, rated, ours) per model; ours: on this study's variants."""
    own = model_result.c
    found = sa.select(
        own.model,
        sa.func.count().label("results"),
        sa.func.count(sa.distinct(own.task)).label("tasks"),
        sa.func.count(own.rv).label("rated"),
        sa.func.count().filter(own.variant_hash != "").label("ours"),
    ).where(own.study_id == study_id)
    return db.execute(found.group_by(own.model).order_by(own.model)).all()
