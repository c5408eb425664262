"""Jobs: long work in a process of its own, with its progress and its result."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field

WAITING, RUNNING, DONE, FAILED, INTERRUPTED = STATES = (
    "waiting",
    "running",
    "done",
    "failed",
    "interrupted",
)


class Job(SQLModel, table=True):
    """One piece of long work on a study."""

    __table_args__ = (one_of("state", STATES, "state"),)

    id: str = Field(primary_key=True, max_length=32, description="random")
    study_id: int = Field(foreign_key="study.id", index=True)
    kind: str = Field(max_length=16, description="report, bundle, verify, check, import or plan")
    params: str = text_field("JSON: the settings of the work")
    state: str = Field(max_length=16, description="stops beating = interrupted, whatever it says")
    what: str = text_field("the present activity in words")
    done: int = Field(default=0, description="things finished in the present activity")
    total: int | None = Field(default=None, description="how many there are; empty = unknown")
    error: str = text_field("why it failed", default="")
    result: str = text_field("JSON: what it led to", default="")
    made_by: str = Field(max_length=64, description="account")
    made_at: Moment = Field(description="server clock, UTC")
    beat_at: Moment = Field(description="last sign of life, UTC")
    ended_at: Moment | None = Field(default=None, description="server clock, UTC")


job = table_of(Job)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add a job."""
    db.execute(sa.insert(job).values(values))


def find(db: Connection, job_id: str) -> AnyRow | None:
    """Return a job, or None."""
    return db.execute(sa.select(job).where(job.c.id == job_id)).first()


def change(db: Connection, job_id: str, states: Sequence[str], values: dict[str, Any]) -> bool:
    """Update a job that is in one of these states; tell whether it was."""
    query = sa.update(job).where(job.c.id == job_id, job.c.state.in_(states))
    return db.execute(query.values(values)).rowcount > 0


def cancel(db: Connection, study_id: int, kinds: Sequence[str], error: str) -> list[str]:
    """Fail a study's jobs of some kinds that are under way or done; drop results, return ids."""
    mine = (job.c.study_id == study_id, job.c.kind.in_(kinds))
    standing = job.c.state.in_((WAITING, RUNNING, DONE))
    values = {"state": FAILED, "result": "", "error": error}
    query = sa.update(job).where(*mine, standing).values(values).returning(job.c.id)
    return list(db.execute(query).scalars())


def with_file(db: Connection, silent: Moment) -> set[str]:
    """Return the jobs that may have a file: those done, and those with a later sign of life."""
    alive = sa.and_(job.c.state.in_((WAITING, RUNNING)), job.c.beat_at >= silent)
    return set(db.execute(sa.select(job.c.id).where(alive | (job.c.state == DONE))).scalars())


def of_study(db: Connection, study_id: int, limit: int) -> Sequence[AnyRow]:
    """Return a study's newest jobs, newest first, without what they led to."""
    light = [column for column in job.columns if column is not job.c.result]
    query = sa.select(*light, sa.literal("").label("result")).where(job.c.study_id == study_id)
    return db.execute(query.order_by(job.c.made_at.desc(), job.c.id).limit(limit)).all()


def newest(db: Connection, study_id: int, kind: str, params: str) -> AnyRow | None:
    """Return the newest finished job of a kind with exactly these settings, or None."""
    mine = (job.c.study_id == study_id, job.c.kind == kind, job.c.params == params)
    query = sa.select(job).where(*mine, job.c.state == DONE)
    return db.execute(query.order_by(job.c.made_at.desc()).limit(1)).first()


def under_way(db: Connection, silent: Moment) -> dict[str, int]:
    """Return how many jobs wait and run, by state; only those with a later sign of life."""
    alive = (job.c.state.in_((WAITING, RUNNING)), job.c.beat_at >= silent)
    query = sa.select(job.c.state, sa.func.count()).where(*alive).group_by(job.c.state)
    found = {state: number for state, number in db.execute(query)}  # noqa: C416 - rows, no pairs
    return {WAITING: 0, RUNNING: 0, **found}
