"""Runs: a model that played a study's variants, or judged its explanations, by this program."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field

PLAY, JUDGE = KINDS = ("play", "judge")
OPEN, FINISHED, STOPPED = STATES = ("open", "finished", "stopped")


class ModelRun(SQLModel, table=True):
    """One run. Only its state, the problem that stopped it and its end ever change."""

    __tablename__ = "model_run"
    __table_args__ = (
        sa.UniqueConstraint("study_id", "number"),
        sa.UniqueConstraint("study_id", "label"),
        one_of("kind", KINDS, "kind"),
        one_of("state", STATES, "state"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    number: int = Field(description="1, 2, ... within the study")
    kind: str = Field(max_length=8, description="play, or judge explanations")
    label: str = Field(max_length=128, description="its name in tables and reports")
    model: str = Field(max_length=128)
    base_url: str = text_field("address of the endpoint, without key, user or query")
    method: str = Field(max_length=16, description="plain, ..., or the judge's rubric")
    preset: str = Field(max_length=16, description="paper or package")
    parameters: str = text_field("JSON: what is sent with every request")
    settings: str = text_field("JSON: cells, options, prices per million tokens")
    prompts: str = text_field("JSON: SHA-256 of every prompt")
    prompt_version: str = Field(max_length=16)
    design_version: int = Field(description="version of the study's design")
    engine_version: str = Field(max_length=16)
    code_version: str = Field(max_length=64)
    state: str = Field(default=OPEN, max_length=8, description="open, finished or stopped")
    problem: str = text_field("why it stopped, or what was left", default="")
    made_by: str = Field(max_length=64, description="who started it")
    created_at: Moment = Field(description="server clock, UTC")
    finished_at: Moment | None = Field(default=None, description="server clock, UTC")


model_run = table_of(ModelRun)


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add a run under the study's next number; returns that. Lock the study's row first."""
    top = sa.select(sa.func.max(model_run.c.number))
    last = db.execute(top.where(model_run.c.study_id == values["study_id"])).scalar()
    number = int(last or 0) + 1
    db.execute(sa.insert(model_run).values({**values, "number": number}))
    return number


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's runs in order."""
    query = sa.select(model_run).where(model_run.c.study_id == study_id)
    return db.execute(query.order_by(model_run.c.number)).all()


def every(db: Connection, study_id: int | None) -> Sequence[AnyRow]:
    """Return the runs of a study, or of all studies, in order."""
    query = sa.select(model_run)
    if study_id is not None:
        query = query.where(model_run.c.study_id == study_id)
    return db.execute(query.order_by(model_run.c.study_id, model_run.c.number)).all()


def find(db: Connection, study_id: int, number: int) -> AnyRow | None:
    """Return one run, or None."""
    query = sa.select(model_run).where(
        model_run.c.study_id == study_id, model_run.c.number == number
    )
    return db.execute(query).first()


def labels(db: Connection, study_id: int) -> set[str]:
    """Return the labels in use."""
    query = sa.select(model_run.c.label).where(model_run.c.study_id == study_id)
    return set(db.execute(query).scalars())


def lock(db: Connection, run_id: int) -> None:
    """Lock a run until the end of the transaction, so that requests for it take turns."""
    db.execute(sa.select(model_run.c.id).where(model_run.c.id == run_id).with_for_update())


def end(db: Connection, run_id: int, values: dict[str, Any]) -> None:
    """Record how a run ended."""
    db.execute(sa.update(model_run).where(model_run.c.id == run_id).values(values))


def number_open(db: Connection) -> int:
    """Return how many runs on this server are not finished and ask a model."""
    asks = model_run.c.base_url != ""  # agents, who play through the API, have none
    query = sa.select(sa.func.count()).where(model_run.c.state == OPEN, asks)
    return int(db.execute(query).scalar_one())
