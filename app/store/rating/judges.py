"""Judges (programs that score explanations), their runs and their answers."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field
from app.store.rating.items import item
from app.store.rating.scales import CRITERIA, in_scale

KINDS = ("file", "llm")
STATUSES = ("ok", "malformed")


class JudgeRun(SQLModel, table=True):
    """One judge: a model with a version of its prompt. Scores may be added, never changed."""

    __tablename__ = "judge_run"
    __table_args__ = (
        sa.UniqueConstraint("study_id", "number"),
        sa.UniqueConstraint("study_id", "judge", "model", "prompt_version"),
        one_of("kind", KINDS, "kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    number: int = Field(description="1, 2, ... within the study")
    kind: str = Field(max_length=8, description="file: imported; llm: asked by this server")
    judge: str = Field(max_length=128, description="its name in tables and reports")
    model: str = Field(default="", max_length=128)
    prompt_version: str = Field(default="", max_length=64)
    parameters: str = text_field("JSON: temperature and the like", default="{}")
    made_by: str = Field(max_length=64, description="account that imported or started it")
    created_at: Moment = Field(description="server clock, UTC")


class JudgeScore(SQLModel, table=True):
    """A judge's answer on one item. Rows are never updated.

    ok: has `score`, all four criteria, or both. malformed: has only the raw answer.
    """

    __tablename__ = "judge_score"
    __table_args__ = (
        sa.UniqueConstraint("run_id", "item_id"),
        one_of("status", STATUSES, "status"),
        *in_scale("score", *CRITERIA),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="judge_run.id", index=True)
    item_id: int = Field(foreign_key="rating_item.id", index=True)
    status: str = Field(max_length=16, description="ok or malformed")
    score: int | None = Field(default=None, description="0, 1 or 2")
    inputs: int | None = Field(default=None)
    output: int | None = Field(default=None)
    structure: int | None = Field(default=None)
    generality: int | None = Field(default=None)
    raw: str = text_field("the judge's answer, unchanged", default="")
    problem: str = text_field("why it is malformed", default="")
    created_at: Moment = Field(description="server clock, UTC")


judge_run = table_of(JudgeRun)
judge_score = table_of(JudgeScore)


def insert_run(db: Connection, values: dict[str, Any]) -> int:
    """Add a run under the study's next number; returns its id. Lock the study's row first."""
    top = sa.select(sa.func.max(judge_run.c.number))
    number = db.execute(top.where(judge_run.c.study_id == values["study_id"])).scalar()
    query = sa.insert(judge_run).values({**values, "number": int(number or 0) + 1})
    return int(db.execute(query.returning(judge_run.c.id)).scalar_one())


def insert_scores(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add scores; the database refuses a second one for the same run and item."""
    if rows:
        db.execute(sa.insert(judge_score), rows)


def runs(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's judge runs in order, with their numbers of `ok` and `malformed` scores."""

    def number_of(status: str) -> sa.Label[int]:
        same = sa.and_(judge_score.c.run_id == judge_run.c.id, judge_score.c.status == status)
        query = sa.select(sa.func.count()).select_from(judge_score).where(same)
        return query.scalar_subquery().label(status)

    query = sa.select(judge_run, number_of("ok"), number_of("malformed"))
    query = query.where(judge_run.c.study_id == study_id)
    return db.execute(query.order_by(judge_run.c.number)).all()


def state(db: Connection, study_id: int) -> tuple[int | None, ...]:
    """Return what changes whenever a study's runs or scores do: the number and newest of each."""
    query = sa.select(
        sa.func.count(sa.distinct(judge_run.c.id)),
        sa.func.max(judge_run.c.id),
        sa.func.count(judge_score.c.id),
        sa.func.max(judge_score.c.id),
    ).outerjoin(judge_score, judge_score.c.run_id == judge_run.c.id)
    return tuple(db.execute(query.where(judge_run.c.study_id == study_id)).one())


def scores(db: Connection, run_id: int) -> Sequence[AnyRow]:
    """Return a run's scores with `external_id, source, cluster, task` of the item, by item."""
    query = (
        sa.select(judge_score, item.c.external_id, item.c.source, item.c.cluster, item.c.task)
        .join(item, item.c.id == judge_score.c.item_id)
        .where(judge_score.c.run_id == run_id)
    )
    return db.execute(query.order_by(item.c.id)).all()


def erase(db: Connection, participant_id: int) -> None:
    """Blank what judges wrote about a person's items, as it may quote them."""
    mine = sa.select(item.c.id).where(item.c.participant_id == participant_id)
    query = sa.update(judge_score).where(judge_score.c.item_id.in_(mine))
    db.execute(query.values(raw="", problem=""))


def labels(rows: Sequence[AnyRow]) -> dict[int, str]:
    """Return run id -> a name unique within the study: the judge's, with versions where needed.

    Names that would still be equal are followed by the number of the run.
    """
    found: dict[int, str] = {}
    for row in rows:
        parts = [row.judge]
        same = [one for one in rows if one.judge == row.judge]
        if len({one.model for one in same}) > 1:
            parts.append(row.model)
        if len({one.prompt_version for one in same}) > 1:
            parts.append(row.prompt_version)
        found[int(row.id)] = " ".join(part for part in parts if part)
    often = Counter(found.values())  # judge `a b`, and judge `a` with model `b`
    for row in rows:
        if often[found[row.id]] > 1:
            found[row.id] += f" (run {row.number})"
    return found
