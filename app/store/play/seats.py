"""Seats (a person's place in a cell) and the ledger of every claim and release."""

import json
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import Moment, note_change, one_of, table_of, text_field
from app.store.play.participants import participant

SEAT_STATES = ("held", "done", "released")
EVENTS = ("claimed", "reclaimed", "done", "released", "refused")


class Seat(SQLModel, table=True):
    """One person's place in a cell. held + done never exceeds the cell's or study's quota."""

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

TAKEN = ("held", "done")  # what counts against a quota


def counts(db: Connection, study_id: int) -> dict[str, dict[str, int]]:
    """Return cell key -> seat state -> number of seats."""
    query = (
        sa.select(seat.c.cell, seat.c.state, sa.func.count())
        .where(seat.c.study_id == study_id)
        .group_by(seat.c.cell, seat.c.state)
    )
    found: dict[str, dict[str, int]] = {}
    for cell, state, number in db.execute(query).all():
        found.setdefault(str(cell), {})[str(state)] = int(number)
    return found


def people(db: Connection, study_id: int) -> int:
    """Return how many people hold seats or have finished with them."""
    query = sa.select(sa.func.count()).where(
        participant.c.study_id == study_id, participant.c.seat.in_(TAKEN)
    )
    return int(db.execute(query).scalar_one())


def people_in(db: Connection, study_id: int, cells: Sequence[str]) -> dict[str, int]:
    """Return seat state -> number of people with such a seat in one of these cells."""
    query = (
        sa.select(seat.c.state, sa.func.count(seat.c.participant_id.distinct()))
        .where(seat.c.study_id == study_id, seat.c.cell.in_(cells))
        .group_by(seat.c.state)
    )
    return {str(state): int(number) for state, number in db.execute(query).all()}


def cells_of(db: Connection, participant_id: int) -> list[str]:
    """Return the cells of a person's seats, whatever their state."""
    query = sa.select(seat.c.cell).where(seat.c.participant_id == participant_id)
    return [str(cell) for cell in db.execute(query.order_by(seat.c.id)).scalars()]


def held(db: Connection, study_id: int) -> list[tuple[int, str]]:
    """Return (participant id, cell) of every held seat."""
    query = sa.select(seat.c.participant_id, seat.c.cell)
    query = query.where(seat.c.study_id == study_id, seat.c.state == "held")
    return [(int(person), str(cell)) for person, cell in db.execute(query).all()]


def add(db: Connection, study_id: int, participant_id: int, cells: list[str], now: Moment) -> None:
    """Add a person's seats, held."""
    common = {"study_id": study_id, "participant_id": participant_id}
    rows = [{**common, "cell": cell, "state": "held", "claimed_at": now} for cell in cells]
    db.execute(sa.insert(seat), rows)


def set_state(db: Connection, participant_id: int, state: str) -> None:
    """Set the state of all of a person's seats; the caller also updates `participant.seat`."""
    db.execute(sa.update(seat).where(seat.c.participant_id == participant_id).values(state=state))
    note_change(db, participant_id)


def log(
    db: Connection,
    study_id: int,
    participant_id: int | None,
    event: str,
    reason: str,
    cells: list[str],
    now: Moment,
) -> None:
    """Write one line of the ledger."""
    line = {"study_id": study_id, "participant_id": participant_id, "at": now}
    what = {"event": event, "reason": reason, "cells": json.dumps(cells)}
    db.execute(sa.insert(seat_event).values({**line, **what}))
    note_change(db, participant_id)


def claims(db: Connection, study_id: int) -> int:
    """Return how many people have ever had seats."""
    query = sa.select(sa.func.count()).where(
        seat_event.c.study_id == study_id, seat_event.c.event == "claimed"
    )
    return int(db.execute(query).scalar_one())
