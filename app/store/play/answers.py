"""Answers to questions (background, comprehension, attention) and to the direct format."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, note_change, one_of, table_of, text_field
from app.store.play.participants import participant

PHASES = ("before", "comprehension", "after")


class Answer(SQLModel, table=True):
    """One answer to one question. Rows are never updated: a new attempt is a new row."""

    __table_args__ = (
        sa.UniqueConstraint("participant_id", "phase", "attempt", "question"),
        one_of("phase", PHASES, "phase"),
    )

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    phase: str = Field(max_length=16, description="before, comprehension or after")
    attempt: int = Field(description="1 = first try")
    question: str = Field(max_length=64, description="the question's key in the design")
    value: str = text_field("the answer as given")
    is_right: bool | None = Field(
        default=None, description="compared with the design's answer, if there is one"
    )
    created_at: Moment = Field(description="server clock, UTC")


class DirectAnswer(SQLModel, table=True):
    """One answer of the direct format: the item, or activity, order and count, stated once."""

    __tablename__ = "direct_answer"

    episode_id: int = Field(foreign_key="episode.id", primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    item: str = text_field("item as entered or chosen, or empty", default="")
    activity: str = Field(default="", max_length=16, description="perform, drink, or empty")
    placed: str = Field(default="", max_length=16, description="before, after, or empty")
    times: int | None = Field(default=None, description="how many times, where asked")
    is_right: bool = Field(description="exactly what the guardian requires")
    created_at: Moment = Field(description="server clock, UTC")


answer = table_of(Answer)
direct_answer = table_of(DirectAnswer)


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add answers; the database refuses a second one of the same person, try and question."""
    db.execute(sa.insert(answer), rows)
    for one in {row["participant_id"] for row in rows}:
        note_change(db, one)


def of_participant(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's answers in the order they were given."""
    query = sa.select(answer).where(answer.c.participant_id == participant_id)
    return db.execute(query.order_by(answer.c.id)).all()


def last_of(db: Connection, participant_id: int, phase: str) -> Sequence[AnyRow]:
    """Return the answers of the last try of one phase, in the order of the page."""
    own = sa.and_(answer.c.participant_id == participant_id, answer.c.phase == phase)
    last = sa.select(sa.func.max(answer.c.attempt)).where(own).scalar_subquery()
    query = sa.select(answer).where(own, answer.c.attempt == last)
    return db.execute(query.order_by(answer.c.id)).all()


TRIES = (
    sa.select(
        answer.c.phase,
        answer.c.attempt,
        sa.func.sum(sa.case((answer.c.is_right.is_(False), 1), else_=0)),
    )
    .where(answer.c.participant_id == sa.bindparam("who"))
    .group_by(answer.c.phase, answer.c.attempt)
    .order_by(answer.c.attempt)
)


def tries(db: Connection, participant_id: int) -> dict[str, tuple[int, bool]]:
    """Return phase -> (number of tries, whether the last one had no wrong answer)."""
    rows = db.execute(TRIES, {"who": participant_id}).all()
    return {row[0]: (int(row[1]), not row[2]) for row in rows}


def phases_done(db: Connection, study_id: int, *, unfinished: bool = False) -> set[tuple[int, str]]:
    """Return (participant id, phase) of a study where the last try had no wrong answer.

    Background questions count as done with any answer: their checks are only recorded.
    `unfinished`: only people who have not finished.
    """
    wrong = sa.case((answer.c.is_right.is_(False), 1), else_=0)
    query = (
        sa.select(answer.c.participant_id, answer.c.phase)
        .join(participant, participant.c.id == answer.c.participant_id)
        .where(participant.c.study_id == study_id)
        .group_by(answer.c.participant_id, answer.c.phase, answer.c.attempt)
        .having(sa.or_(answer.c.phase != "comprehension", sa.func.sum(wrong) == 0))
    )
    if unfinished:
        query = query.where(participant.c.state != "finished")
    return {(row[0], row[1]) for row in db.execute(query).all()}


def insert_direct(db: Connection, values: dict[str, Any]) -> None:
    """Add the answer to one episode of the direct format; there is at most one."""
    db.execute(sa.insert(direct_answer).values(values))
    note_change(db, values["participant_id"])


def direct_of(db: Connection, participant_id: int) -> dict[int, AnyRow]:
    """Return episode id -> a participant's answer in the direct format."""
    query = sa.select(direct_answer).where(direct_answer.c.participant_id == participant_id)
    return {row.episode_id: row for row in db.execute(query).all()}
