"""Seats (a person's place in a cell) and the ledger of every claim and release."""

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from app.store.base import Moment, one_of, table_of, text_field

SEAT_STATES = ("held", "done", "released")
EVENTS = ("claimed", "reclaimed", "done", "released", "refused")


class Seat(SQLModel, table=True):
    """One person's place in one cell. held + done never exceeds the cell's or study's quota."""

    __table_args__ = (
        sa.UniqueConstraint("participant_id", "cell"),
        one_of("state", SEAT_STATES, "state"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    cell: str = Field(max_length=128, description="task/seed/lexicon/coverage/format")
    state: str = Field(max_length=8, description="held, done or released")
    claimed_at: Moment = Field(description="server clock, UTC")


class SeatEvent(SQLModel, table=True):
    """One line of the ledger. Rows are never updated."""

    __tablename__ = "seat_event"
    __table_args__ = (one_of("event", EVENTS, "event"),)

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    participant_id: int | None = Field(default=None, foreign_key="participant.id", index=True)
    event: str = Field(max_length=16)
    reason: str = Field(max_length=64, description="stable code, such as consent or expired")
    cells: str = text_field("JSON list of the cells concerned")
    at: Moment = Field(description="server clock, UTC")


seat = table_of(Seat)
seat_event = table_of(SeatEvent)
