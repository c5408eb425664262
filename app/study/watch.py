"""The live monitor: how the cells fill, who is where, who needs help, who left, what is earned.

Rules are stated beside the figures they make. Test people are left out. Nothing here tells what
anybody scored, but `outcomes`, which a study may hide until it is closed.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any

from sqlalchemy import Connection

from app.store import answers, dump_people, watch
from app.store.base import AnyRow
from app.study import clocks, filling, monitor
from app.study.library import Library
from app.study.money import metrics_of
from app.study.pay import payment
from app.study.seats import times_of
from app.study.spec import StudySpec
from app.study.story import moment
from app.study.studies import StudyView

NEWEST_TURNS = 10  # of each person, that the rules look at
REFUSED_IN_A_ROW = 5
FAST_GAP_MS, FAST_TURNS = 1000, 6
FAST_SHARE = 3  # somebody who finishes within a third of the stated minutes
SHOWN_PEOPLE, SHOWN_PROBLEMS, FINISHED = 40, 8, 40
MINUTE_MS = 60_000
KEEP = 5_000


@dataclass(frozen=True, slots=True)
class Earned:
    """What a finished person gets and how long they were active; such a row never changes."""

    cents: int
    minutes: float
    currency: str


class Wages:
    """Pay and active minutes of finished people, worked out once each and kept."""

    def __init__(self) -> None:
        self._kept: dict[int, Earned] = {}

    def of(self, db: Connection, row: AnyRow, spec: StudySpec) -> Earned:
        """Return what one finished person earned."""
        found = self._kept.get(row.id)
        if found is None:
            if len(self._kept) >= KEEP:
                self._kept.clear()
            found = self._kept[row.id] = earned(db, row, spec)
        return found


def earned(db: Connection, row: AnyRow, spec: StudySpec) -> Earned:
    """Work out one finished person's pay from the log."""
    metrics = metrics_of(
        row,
        dump_people.main_episodes(db, row.id),
        dump_people.moments(db, row.id),
        dump_people.explanation_count(db, row.id),
        spec.clocks.idle_minutes,
    )
    due = payment(spec.payment, metrics)
    return Earned(due.total_cents, metrics["minutes"], spec.payment.currency)


def facts(
    db: Connection, library: Library, wages: Wages, study: StudyView, now: datetime
) -> dict[str, Any]:
    """Return everything the monitor shows. Durations are whole seconds unless they say minutes."""
    rows = watch.under_way_or_gone(db, study.id)
    done = answers.phases_done(db, study.id, unfinished=True) if rows else set()
    specs = {row.design_id: library.spec(db, row.design_id) for row in rows}
    pages = {row.id: page_of(row, specs[row.design_id], done) for row in rows}
    active = [row for row in rows if row.state == "active"]
    gone = [row for row in rows if row.state != "active"]
    recent = by_person(watch.newest_turns(db, study.id, NEWEST_TURNS)) if active else {}
    people = [person(row, pages[row.id], specs[row.design_id], recent, now) for row in active]
    hidden = study.spec.options.hide_outcomes and study.state != "closed"
    finished = watch.newest_finished(db, study.id, FINISHED)
    return {
        "at": f"{now:%H:%M:%S}",
        "cells": filling.cells(db, study.id, study.spec.cells(), now),
        "places": filling.places(db, study.id, study.spec),
        "counts": sorted(monitor.counts(db, study.id).items()),
        "pages": table_of(pages[row.id] for row in active),
        "left": table_of(f"{pages[row.id]}: {told_end(row)}" for row in gone),
        "people": sorted(people, key=lambda one: (one["order"], -one["away_s"]))[:SHOWN_PEOPLE],
        "more": max(0, len(people) - SHOWN_PEOPLE),
        "problems": [
            {"who": one.public_id, "page": one.page, "text": one.text, "at": moment(one.created_at)}
            for one in watch.newest_problems(db, study.id, SHOWN_PROBLEMS)
        ],
        "problem_count": watch.problem_count(db, study.id),
        "refused": sum(not turn.ok for turns in recent.values() for turn in turns),
        "seen": sum(len(turns) for turns in recent.values()),
        "pay": pay_facts(db, library, wages, finished, study.spec, hidden=hidden),
        "outcomes": None if hidden else watch.outcomes(db, study.id),
        "rules": rules(study.spec),
    }


def by_person(turns: Sequence[AnyRow]) -> Mapping[int, list[AnyRow]]:
    """Group turns by participant id, in order."""
    found: dict[int, list[AnyRow]] = defaultdict(list)
    for turn in turns:
        found[turn.participant_id].append(turn)
    return found


def page_of(row: AnyRow, spec: StudySpec, done: set[tuple[int, str]]) -> str:
    """Return the page somebody stands before, or stood before when they left."""
    spot = None if row.spot is None else divmod(row.spot, watch.WORLD)
    return monitor.page_text(row, spot, spec, done)


def told_end(row: AnyRow) -> str:
    """Return how somebody's part ended, in words."""
    return str(row.state).replace("_", " ")


def table_of(names: Any) -> list[tuple[str, int]]:
    """Return (name, how many), the most first, then by name."""
    return sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))


def person(
    row: AnyRow, page: str, spec: StudySpec, recent: Mapping[int, list[AnyRow]], now: datetime
) -> dict[str, Any]:
    """Return one line of the list of people under way; `order` 0 = needs a look."""
    last = clocks.last_action(row.consented_at, row.seen_at, row.last_turn_ms)
    away = max(0, int((now - last).total_seconds()))
    signs = signs_of(recent.get(row.id, [])[-NEWEST_TURNS:])
    if away >= spec.clocks.idle_minutes * 60:
        signs.append("idle")
    if clocks.is_stale(times_of(row), spec.clocks, now):
        signs.append("place no longer kept")
    return {
        "public_id": row.public_id,
        "page": page,
        "away_s": away,
        "away": spell(away),
        "signs": signs,
        "order": 0 if signs else 1,
        "minutes": int((now - row.consented_at).total_seconds()) // 60,
    }


def signs_of(turns: Sequence[AnyRow]) -> list[str]:
    """Return why somebody needs a look: `stuck`, `fast`, both or none. Pure."""
    signs = []
    row_of = turns[-REFUSED_IN_A_ROW:]
    if len(row_of) == REFUSED_IN_A_ROW and not any(turn.ok for turn in row_of):
        signs.append("stuck")
    gaps = [after.received_ms - before.received_ms for before, after in pairwise(turns)]
    if len(turns) >= FAST_TURNS and median(gaps) < FAST_GAP_MS:
        signs.append("fast")
    return signs


def spell(seconds: int) -> str:
    """Return a length of time for people to read."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def pay_facts(
    db: Connection,
    library: Library,
    wages: Wages,
    finished: Sequence[AnyRow],
    spec: StudySpec,
    *,
    hidden: bool,
) -> dict[str, Any]:
    """Return minutes, wage per hour and quick finishes of those who finished last.

    `wage`: median of pay per active hour, in whole cents; None without anybody active for a
    minute, or where a bonus would tell of outcomes that are hidden.
    """
    found = [wages.of(db, row, library.spec(db, row.design_id)) for row in finished]
    hourly = [one.cents / one.minutes * 60 for one in found if one.minutes >= 1]
    took = [int((row.finished_at - row.consented_at).total_seconds()) / 60 for row in finished]
    limit = spec.texts.minutes / FAST_SHARE
    quick = [row.public_id for row, one in zip(finished, took, strict=True) if one < limit]
    is_told = bool(hourly) and not (hidden and spec.payment.bonus.strip())
    return {
        "number": len(finished),
        "active_minutes": round(median(one.minutes for one in found), 1) if found else None,
        "wall_minutes": round(median(took), 1) if took else None,
        "wage": round(median(hourly)) if is_told else None,
        "currency": spec.payment.currency,
        "quick": quick,
    }


def rules(spec: StudySpec) -> list[tuple[str, str]]:
    """Return each sign with the rule that makes it."""
    quick = spec.texts.minutes / FAST_SHARE
    return [
        ("stuck", f"the last {REFUSED_IN_A_ROW} commands were refused or had no effect"),
        ("fast", f"median pause below 1 s over the last {FAST_TURNS} to {NEWEST_TURNS} commands"),
        ("idle", f"nothing sent for {spec.clocks.idle_minutes} minutes"),
        ("place no longer kept", f"nothing sent for {spec.clocks.seat_minutes} minutes"),
        ("finished quickly", f"within {quick:.0f} minutes, a third of the time stated"),
    ]
