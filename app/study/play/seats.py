"""Seats: who has a place in which cell and for how long, with a ledger of claims and releases.

held + done never exceeds a quota. Anything that increases this sum (claim, reclaim) locks the
study's row; anything that changes a person's seats locks that person's row. Code that holds the
study's lock never waits for a person's row: a locked person is active, so their seats are not due
for release. This rules out deadlocks.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.play import clocks as times
from app.store.play import participants
from app.store.play import seats as table
from app.study import second_look
from app.study.design.spec import StudySpec, parse_spec
from app.study.design.spec_people import Clocks
from app.study.play import clocks
from app.study.play.clocks import Times

STUDY_FULL, CELLS_FULL, SEAT_LOST, EXPIRED = "study_full", "cells_full", "seat_lost", "expired"


class TimedOutError(StudyError):
    """A clock has run out or the person's seats have gone to others; `reason` says which.

    Raised before anything is stored; `settle` then ends the person's part in its own transaction.
    """

    code = "player/timed_out"

    def __init__(self, reason: str) -> None:
        super().__init__(clocks.OVER)
        self.reason = reason


class NoRoomError(StudyError):
    """Seats were claimed that are not free; the caller did not check the room."""

    code = "seats/no_room"


@dataclass(frozen=True, slots=True)
class Room:
    """What is free in a study; valid while the study's row is locked.

    Attributes:
        study_id: the study.
        people: how many more people it takes; None = no limit.
        full: keys of the cells without a free seat.
        taken: cell key -> seats held and done.
    """

    study_id: int
    people: int | None
    full: frozenset[str]
    taken: dict[str, int]

    @property
    def is_full(self) -> bool:
        """Tell whether the study takes no one else."""
        return self.people is not None and self.people <= 0

    def takes(self, cells: Collection[str]) -> bool:
        """Tell whether the study and each of these cells have room for one more person."""
        return not self.is_full and not self.full & set(cells)


def room(db: Connection, study_id: int, spec: StudySpec, older: StudySpec | None = None) -> Room:
    """Return what is free under the quotas of `spec`, the study's newest design.

    `older`: a design whose quotas apply to cells that the newest design no longer has.
    """
    found = table.counts(db, study_id)
    taken = {cell: sum(by.get(state, 0) for state in table.TAKEN) for cell, by in found.items()}
    cells = [*(older.cells() if older else ()), *spec.cells()]
    limits = {cell.key: cell.quota for cell in cells}
    full = {key for key, most in limits.items() if most is not None and taken.get(key, 0) >= most}
    most = spec.people.quota
    people = None if most is None else most - table.people(db, study_id)
    return Room(study_id, people, frozenset(full), taken)


def claim(db: Connection, free: Room, participant_id: int, cells: list[str], now: datetime) -> None:
    """Give a new person their seats. Raises NoRoomError, which aborts the transaction."""
    if not free.takes(cells):
        raise NoRoomError("These seats are not free.")
    table.add(db, free.study_id, participant_id, cells, now)
    participants.change(db, participant_id, {"seat": "held"})
    table.log(db, free.study_id, participant_id, "claimed", "consent", cells, now)


def refuse(
    db: Connection, study_id: int, participant_id: int, reason: str, cells: list[str], now: datetime
) -> None:
    """Record in the ledger that a person got no seat, and why."""
    table.log(db, study_id, participant_id, "refused", reason, cells, now)


def reclaim(db: Connection, row: AnyRow, now: datetime) -> bool:
    """Give a returning person their released seats back, if all of them are free."""
    studies.lock(db, row.study_id)
    newest = studies.by_slug(db, row.slug)
    if newest is None:
        return False
    free = room(db, row.study_id, parse_spec(newest.spec), parse_spec(row.spec))
    if not free.takes(table.cells_of(db, row.id)):
        return False
    set_seat(db, row.study_id, row.id, "held", "reclaimed", "returned", now)
    return True


def done(db: Connection, participant_id: int, now: datetime) -> None:
    """Keep a finished person's seats for good, in the finish transaction.

    Raises TimedOutError if the seats were released, which calling `touch` first prevents.
    """
    row = times.person(db, participant_id)
    if row.seat == "released":
        raise TimedOutError(SEAT_LOST)
    if row.seat == "held":
        set_seat(db, row.study_id, participant_id, "done", "done", "finished", now)


def end(db: Connection, participant_id: int, state: str, reason: str, now: datetime) -> None:
    """End a person's part without finishing; their seats are free at once.

    Args:
        db: the caller's transaction.
        participant_id: the person.
        state: screened_out, failed_check, withdrawn, timed_out or technical.
        reason: stable code, stored with the state and in the ledger.
        now: the current time.
    """
    row = times.person(db, participant_id)
    values = {"state": state, "ended_at": now, "end_reason": reason}
    participants.change(db, participant_id, values)
    release(db, row, reason, now)


def release(db: Connection, row: AnyRow, reason: str, now: datetime) -> bool:
    """Release a person's seats, held or done; tell whether there were any."""
    if row.seat not in table.TAKEN:
        return False
    set_seat(db, row.study_id, row.id, "released", "released", reason, now)
    return True


def set_seat(
    db: Connection,
    study_id: int,
    participant_id: int,
    state: str,
    event: str,
    reason: str,
    now: datetime,
) -> None:
    """Change all seats of one person and add a line to the ledger."""
    table.set_state(db, participant_id, state)
    participants.change(db, participant_id, {"seat": state})
    cells = table.cells_of(db, participant_id)
    table.log(db, study_id, participant_id, event, reason, cells, now)


def times_of(row: AnyRow) -> Times:
    """Return the times in a row of `times.person`."""
    consented = row.consented_at or row.created_at
    last = clocks.last_action(consented, row.seen_at, row.last_turn_ms)
    return Times(consented, last, row.extended_until)


def touch(db: Connection, participant_id: int, now: datetime) -> None:
    """Record an action other than a command; call it first in every such post.

    Takes back released seats if they are free. Does nothing for people whose part has ended.
    Raises TimedOutError if a clock has run out or the seats are gone.
    """
    row = times.person(db, participant_id)
    if row.state != "active":
        return
    spec = parse_spec(row.spec)
    check(db, row, spec.clocks, now)
    away = clocks.away_s(times_of(row), spec.clocks, now)
    participants.change(db, row.id, {"seen_at": now, **gap_values(row, away)})


def check(db: Connection, row: AnyRow, limits: Clocks, now: datetime) -> None:
    """Take back an active person's released seats. Raises TimedOutError."""
    if reason := clocks.run_out(times_of(row), limits, now):
        raise TimedOutError(reason)
    if row.seat == "released" and not reclaim(db, row, now):
        raise TimedOutError(SEAT_LOST)


def gap_values(row: AnyRow, away: int | None) -> dict[str, Any]:
    """Return the columns to change when a person returns after `away` seconds (None: none)."""
    if away is None:
        return {}
    return {"resume_count": row.resume_count + 1, "longest_gap_s": max(row.longest_gap_s, away)}


def before_command(
    db: Connection, row: AnyRow, limits: Clocks, turn_ms: int | None, now: datetime
) -> None:
    """Check clocks and seat before a command; runs no SQL unless the person was away.

    Args:
        db: the command's transaction.
        row: a row of `progress.to_play`.
        limits: the clocks of the person's design.
        turn_ms: time of the last command; None = look it up.
        now: the current time.

    Raises:
        TimedOutError: nothing is stored yet; `settle` checks again with the right locks.
    """
    if row.seat == "released":
        raise TimedOutError(SEAT_LOST)
    if turn_ms is None:
        turn_ms = times.last_turn_ms(db, row.participant_id)
    last = clocks.last_action(row.consented_at, row.seen_at, turn_ms)
    here = Times(row.consented_at, last, row.extended_until)
    reason = clocks.run_out(here, limits, now)
    if reason:
        raise TimedOutError(reason)
    away = clocks.away_s(here, limits, now)
    if away is not None:
        person = times.person(db, row.participant_id)
        participants.change(db, person.id, gap_values(person, away))


def settle(store: Store, token: str, now: datetime) -> None:
    """Do what is due for one person: take back their seats, or end their part as timed out."""
    with store.write() as db:
        participant_id = times.id_of(db, token)
        row = None if participant_id is None else times.person(db, participant_id)
        if row is None or row.state != "active":
            return
        try:
            check(db, row, parse_spec(row.spec).clocks, now)
        except TimedOutError as error:
            if second_look.trusts(db):
                end(db, row.id, "timed_out", error.reason, now)


def sweep_study(db: Connection, study_id: int, now: datetime) -> Counter[str]:
    """Time out people whose clocks have run out and release stale seats. Needs the study's lock.

    Returns: how many people were `timed_out` and how many had their seats `released`.
    """
    counted: Counter[str] = Counter(timed_out=0, released=0)
    for seen in times.active(db, study_id) if second_look.trusts(db) else ():
        if due(seen, now):
            row = times.person_if_free(db, seen.id)
            if row is not None and row.state == "active":
                counted.update(carry_out(db, row, due(row, now), now))
    return counted


def due(row: AnyRow, now: datetime) -> str:
    """Return why a person's part ends (a clock's code), or that their seats are stale, or ''."""
    limits = parse_spec(row.spec).clocks
    reason = clocks.run_out(times_of(row), limits, now)
    if reason:
        return reason
    stale = row.seat == "held" and clocks.is_stale(times_of(row), limits, now)
    return EXPIRED if stale else ""


def carry_out(db: Connection, row: AnyRow, reason: str, now: datetime) -> list[str]:
    """Carry out what `due` returned; return what was done."""
    if reason == EXPIRED:
        release(db, row, EXPIRED, now)
        return ["released"]
    if reason:
        end(db, row.id, "timed_out", reason, now)
        return ["timed_out", "released"] if row.seat in table.TAKEN else ["timed_out"]
    return []


def sweep(store: Store, now: datetime, track: Track = untracked) -> dict[str, int]:
    """Time out people and release seats in every study, one transaction per study."""
    counted: Counter[str] = Counter(timed_out=0, released=0)
    with store.read() as db:
        ids = studies.all_ids(db)
    for study_id in track(ids, "Sweeping studies", len(ids)):
        with store.write() as db:
            studies.lock(db, study_id)
            counted.update(sweep_study(db, study_id, now))
    return {"studies": len(ids), **counted}
