"""Every question to a model and every attempt at an answer: cache, log and resume in one."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field
from app.store.rating.items import item

ANSWERED = ("ok", "length", "empty", "reasoning_only", "filtered", "context")
FAULTS = (
    *("rate_limited", "server_error", "timeout", "connection", "not_json", "no_choices"),
    "refused",
)
STATUSES = (*ANSWERED, *FAULTS)


class ModelCall(SQLModel, table=True):
    """One attempt at one question. Rows are never updated or deleted."""

    __tablename__ = "model_call"
    __table_args__ = (
        sa.UniqueConstraint("run_id", "unit", "n", "attempt"),
        sa.CheckConstraint("n >= 1", name="n"),
        sa.CheckConstraint("attempt >= 1", name="attempt"),
        one_of("status", STATUSES, "status"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="model_run.id")
    unit: str = Field(max_length=256, description="episode, playbook, explanation or item")
    n: int = Field(description="number of the question within the unit")
    attempt: int = Field(description="1 = first; higher after transport faults")
    purpose: str = Field(max_length=16, description="action, hypothesis, judgement, ...")
    prompt_hash: str = Field(max_length=64, description="SHA-256 of the prompt")
    request: str = text_field("JSON body of the request")
    status: str = Field(max_length=16, description="class of the answer or of the fault")
    text: str = text_field("what the method received")
    raw: str = text_field("the body of the answer; *** in place of a key")
    problem: str = text_field("the fault in words", default="")
    prompt_tokens: int = Field(description="as the endpoint counts, or estimated")
    completion_tokens: int = Field(description="as the endpoint counts, or estimated")
    ms: int = Field(description="time of this attempt")
    created_at: Moment = Field(description="server clock, UTC")


model_call = table_of(ModelCall)
INSERT = sa.insert(model_call)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Append one attempt."""
    db.execute(INSERT, values)


def of_unit(db: Connection, run_id: int, unit: str) -> Sequence[AnyRow]:
    """Return all attempts of a unit in order."""
    query = sa.select(model_call).where(model_call.c.run_id == run_id, model_call.c.unit == unit)
    return db.execute(query.order_by(model_call.c.n, model_call.c.attempt)).all()


def units_of(db: Connection, run_id: int) -> set[str]:
    """Return the names of the units in which something was asked."""
    query = sa.select(model_call.c.unit).where(model_call.c.run_id == run_id).distinct()
    return set(db.execute(query).scalars())


def totals(db: Connection, run_id: int) -> AnyRow:
    """Return (calls, questions answered, prompt tokens, completion tokens, ms) of a run."""
    own = model_call.c
    query = sa.select(
        sa.func.count().label("calls"),
        sa.func.count().filter(own.status.in_(ANSWERED)).label("answered"),
        sa.func.coalesce(sa.func.sum(own.prompt_tokens), 0).label("prompt_tokens"),
        sa.func.coalesce(sa.func.sum(own.completion_tokens), 0).label("completion_tokens"),
        sa.func.coalesce(sa.func.sum(own.ms), 0).label("ms"),
    )
    return db.execute(query.where(own.run_id == run_id)).one()


def by_status(db: Connection, run_id: int) -> dict[str, int]:
    """Return the number of a run's calls by status."""
    query = sa.select(model_call.c.status, sa.func.count()).where(model_call.c.run_id == run_id)
    rows = db.execute(query.group_by(model_call.c.status).order_by(model_call.c.status))
    return {str(status): int(number) for status, number in rows}


def erase(db: Connection, participant_id: int) -> None:
    """Blank what judges were asked and answered about a person's explanations."""
    mine = sa.select(item.c.id).where(item.c.participant_id == participant_id)
    blank = sa.update(model_call).values(request="", text="", raw="", problem="")
    for item_id in db.execute(mine).scalars():
        db.execute(blank.where(model_call.c.unit.startswith(f"judge/{item_id}/")))
