"""The live monitor: how cells fill, where people are, who needs help, who left, what they earn.

The page states the rule behind each sign. Test participants are left out. Only `outcomes` reveals
what people scored, and a study may hide it until it is closed.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import monitor
from app.store.play import answers, spots
from app.study.design.library import Library
from app.study.design.spec import StudySpec
from app.study.design.studies import StudyView, hides_outcomes
from app.study.people import filling, overview, treatments
from app.study.people.entries import entries
from app.study.people.folding import folded
from app.study.people.under_way import (
    FAST,
    FAST_TURNS,
    NEWEST_TURNS,
    REFUSED_IN_A_ROW,
    STALE,
    person,
    table_of,
)
from app.study.play import last_page
from app.study.play.earned import stored_metrics
from app.study.play.pay import payment
from app.study.times import moment

QUICK = "finished quickly"
OF_SPEED = (FAST, QUICK)  # no signs of bots, which are fast
FAST_SHARE = 3  # finishing within a third of the expected minutes is quick
WAGE_PEOPLE = 3  # with at least a minute, from whom on there is a median wage
SHOWN_PEOPLE, SHOWN_PROBLEMS, FINISHED = 40, 8, 40
LOOK_S, OLDEST_S, COUNT_S = 3.5, 12.0, 30.0  # maximum ages, in seconds
PORTION, KEEP = 500, 5_000  # ids in one query; finished people and pages in memory


@dataclass(frozen=True, slots=True)
class Earned:
    """A finished person's pay and active time, which never change."""

    cents: int
    minutes: float
    has_bonus: bool


class Memory:
    """What a server process caches for monitors: facts that cannot change, the newest snapshot.

    So ten open monitors cost as much as one. Snapshots are at most `OLDEST_S` old, outcomes
    `COUNT_S`.
    """

    def __init__(self) -> None:
        self.earned: dict[int, Earned] = {}
        self.pages: dict[tuple[int, str], str] = {}
        self.outcomes: dict[int, tuple[datetime, dict[str, int]]] = {}
        self.looks: dict[int, tuple[datetime, str, dict[str, Any]]] = {}
        self.looking = threading.Lock()

    def kept(self, study: StudyView, now: datetime) -> tuple[dict[str, Any], bool] | None:
        """Return the newest snapshot and whether to renew it; None = none is recent enough."""
        at, state, found = self.looks.get(study.id, (now, "", {}))
        if state != study.state or not fresh(at, now, OLDEST_S):
            return None
        return found, not fresh(at, now, LOOK_S)

    def forget(self) -> None:
        """Forget everything, so that nothing of a deleted study is left."""
        for kept in (self.earned, self.pages, self.outcomes, self.looks):
            kept.clear()

    def make_room(self) -> None:
        """Clear the memory when it is too full."""
        if len(self.earned) + len(self.pages) > KEEP:
            self.earned.clear()
            self.pages.clear()


def earned(db: Connection, row: AnyRow, spec: StudySpec) -> Earned:
    """Compute one finished person's pay from the log."""
    metrics = stored_metrics(db, row, spec)
    due = payment(spec.payment, metrics)
    return Earned(due.total_cents, metrics["minutes"], bool(spec.payment.bonus.strip()))


def look(
    db: Connection, library: Library, memory: Memory, study: StudyView, now: datetime
) -> tuple[dict[str, Any], bool]:
    """Return everything the monitor shows, and whether to call `renew`.

    So an open monitor gets the snapshot that its previous request started, and never waits for one.
    """
    if (kept := memory.kept(study, now)) is not None:
        return kept
    with memory.looking:
        if (kept := memory.kept(study, now)) is not None:  # made during the wait
            return kept
        found = facts(db, library, memory, study, now)
        memory.looks[study.id] = (now, study.state, found)
    return found, False


def renew(store: Store, library: Library, memory: Memory, study: StudyView, now: datetime) -> None:
    """Renew the snapshot for the next requests, unless another thread is already doing so."""
    if not memory.looking.acquire(blocking=False):
        return
    try:
        with store.read() as db:
            memory.looks[study.id] = (now, study.state, facts(db, library, memory, study, now))
    finally:
        memory.looking.release()


def fresh(then: datetime, now: datetime, seconds: float) -> bool:
    """Tell whether something from `then` is recent enough to show; never if from the future."""
    return 0 <= (now - then).total_seconds() < seconds


def facts(
    db: Connection, library: Library, memory: Memory, study: StudyView, now: datetime
) -> dict[str, Any]:
    """Compute everything the monitor shows. Durations are in seconds unless they say minutes."""
    memory.make_room()
    done = answers.phases_done(db, study.id, unfinished=True)
    newest = monitor.newest_turns(db, study.id, NEWEST_TURNS, REFUSED_IN_A_ROW)
    recent = {one.participant_id: one for one in newest}
    rows = monitor.under_way(db, study.id)
    specs = {one: library.spec(db, one) for one in {row.design_id for row in rows}}
    given = treatments.given(db, study.id, specs)
    people = [
        person(row, specs[row.design_id], done, recent.get(row.id), now)
        | {"treatment": given.get(row.id, "")}
        for row in rows
    ]
    hidden = hides_outcomes(study.spec, study.state)
    stale = {one["id"] for one in people if STALE in one["signs"]}
    return {
        "at": f"{now:%H:%M:%S}",
        "cells": filling.cells(db, study.id, study.spec.cells(), now, stale),
        "treatments": filling.treatments(db, study.id, study.spec),
        "entries": entries(db, study.id, study.spec, now),
        "places": filling.places(db, study.id, study.spec),
        "counts": sorted(overview.counts(db, study.id).items()),
        "pages": table_of(one["page"] for one in people),
        "left": left(db, library, memory, study.id, done),
        "people": sorted(people, key=lambda one: (one["order"], -one["away_s"]))[:SHOWN_PEOPLE],
        "more": max(0, len(people) - SHOWN_PEOPLE),
        "problems": folded(problems(db, study.id), ("at",)),
        "problem_count": monitor.problem_count(db, study.id),
        "refused": sum(one.refused for one in newest),
        "seen": sum(one.seen for one in newest),
        "pay": pay_facts(db, library, memory, study, hidden=hidden),
        "outcomes": None if hidden else outcomes(db, memory, study.id, now),
        "rules": rules(study.spec),
    }


def outcomes(db: Connection, memory: Memory, study_id: int, now: datetime) -> dict[str, int]:
    """Return state -> number of ended guardians; the figures are at most COUNT_S old."""
    kept = memory.outcomes.get(study_id)
    if kept is None or not fresh(kept[0], now, COUNT_S):
        kept = memory.outcomes[study_id] = (now, monitor.outcomes(db, study_id))
    return kept[1]


def left(
    db: Connection,
    library: Library,
    memory: Memory,
    study_id: int,
    done: set[tuple[int, str]],
) -> list[tuple[str, int]]:
    """Return (page and state, people) for those who ended without finishing.

    The page where a person's part ended does not change, so it is looked up once.
    """
    rows = monitor.gone(db, study_id)
    new = [row.id for row in rows if (row.id, row.state) not in memory.pages]
    for at in range(0, len(new), PORTION):
        ids = new[at : at + PORTION]
        here = spots.of_ids(db, ids)
        for row in monitor.people(db, ids):
            spec = library.spec(db, row.design_id)
            page = overview.page_text(row, here[row.id], spec, done)
            page = last_page.ERASED if row.erased_at else page
            memory.pages[row.id, row.state] = page
    return table_of(
        f"{memory.pages[row.id, row.state]}: {str(row.state).replace('_', ' ')}" for row in rows
    )


def problems(db: Connection, study_id: int) -> Iterator[dict[str, Any]]:
    """Yield the newest problems that participants reported."""
    for one in monitor.newest_problems(db, study_id, SHOWN_PROBLEMS):
        at = moment(one.created_at)
        yield {"who": one.public_id, "page": one.page, "text": one.text, "at": at}


def pay_facts(
    db: Connection, library: Library, memory: Memory, study: StudyView, *, hidden: bool
) -> dict[str, Any]:
    """Return minutes, hourly wage and quick finishes of the people who finished last.

    `wage`: median of pay per active hour in whole cents, over those who were active for a minute.
    None if they are fewer than `WAGE_PEOPLE`, or if a bonus would reveal hidden outcomes
    (`is_wage_hidden`).
    """
    finished, spec, found = monitor.newest_finished(db, study.id, FINISHED), study.spec, []
    for row in finished:
        if row.id not in memory.earned:
            memory.earned[row.id] = earned(db, row, library.spec(db, row.design_id))
        found.append(memory.earned[row.id])
    hourly = [one.cents / one.minutes * 60 for one in found if one.minutes >= 1]
    took = [int((row.finished_at - row.consented_at).total_seconds()) / 60 for row in finished]
    limit = 0.0 if spec.is_of_bots else spec.texts.minutes / FAST_SHARE
    quick = [row.public_id for row, one in zip(finished, took, strict=True) if one < limit]
    is_hidden = hidden and any(one.has_bonus for one in found)
    return {
        "number": len(finished),
        "active_minutes": round(median(one.minutes for one in found), 1) if found else None,
        "wage": round(median(hourly)) if len(hourly) >= WAGE_PEOPLE and not is_hidden else None,
        "wage_people": WAGE_PEOPLE,
        "is_wage_hidden": is_hidden,
        "currency": spec.payment.currency,
        "quick": quick,
    }


def rules(spec: StudySpec) -> list[tuple[str, str]]:
    """Return each sign with its rule; those of speed only where people play."""
    quick, limits = spec.texts.minutes / FAST_SHARE, spec.clocks
    stale = f"nothing sent for {limits.seat_minutes} minutes ({limits.untouched_minutes} at first)"
    found = [
        ("stuck", f"the last {REFUSED_IN_A_ROW} commands were refused or had no effect"),
        (FAST, f"median pause below 1 s over the last {FAST_TURNS} to {NEWEST_TURNS} commands"),
        ("idle", f"nothing sent for {spec.clocks.idle_minutes} minutes"),
        (STALE, stale),
        (QUICK, f"within {quick:.0f} minutes, a third of the expected time"),
    ]
    return [one for one in found if not (spec.is_of_bots and one[0] in OF_SPEED)]
