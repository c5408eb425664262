"""Answers to questions (background, comprehension, attention) and to the direct format."""

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from app.store.base import Moment, one_of, table_of, text_field

PHASES = ("before", "comprehension", "after")


class Answer(SQLModel, table=True):
    """One answer to one question. Rows are never updated: a new try is a new row."""

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
        default=None, description="against a stated answer, if there is one"
    )
    created_at: Moment = Field(description="server clock, UTC")


class DirectAnswer(SQLModel, table=True):
    """One answer of the direct format: the item, or activity, order and count, stated once."""

    __tablename__ = "direct_answer"

    episode_id: int = Field(foreign_key="episode.id", primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    item: str = text_field("item as typed or chosen, or empty", default="")
    activity: str = Field(default="", max_length=16, description="perform, drink, or empty")
    placed: str = Field(default="", max_length=16, description="before, after, or empty")
    times: int | None = Field(default=None, description="how many times, where asked")
    is_right: bool = Field(description="exactly what the guardian requires")
    created_at: Moment = Field(description="server clock, UTC")


answer = table_of(Answer)
direct_answer = table_of(DirectAnswer)
