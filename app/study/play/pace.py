"""How fast people may enter a study from one address, so that a stranger cannot fill it.

One address may send in `burst` people at once. Each entry is credited back after a fixed interval;
in the time after which an untouched seat is freed, `burst` entries are. So people who never act
hold at most twice the burst from one address. Those who come faster get a turn.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.moments import from_ms, to_ms
from app.store.db import Store
from app.store.play import paces
from app.study.design.spec import StudySpec

LONGEST_WAIT = timedelta(minutes=30)  # of a turn that is kept
ASK_AGAIN = timedelta(minutes=5)
SHARE, LEAST, MOST = 4, 1, 30  # the usual burst: a quarter of the places, within bounds


@dataclass(frozen=True, slots=True)
class Turn:
    """When someone may enter. `is_kept`: the turn is theirs; otherwise they ask again then."""

    due: datetime
    is_kept: bool


def burst_of(spec: StudySpec) -> int:
    """Return how many people may enter at once from one address."""
    if spec.people.burst is not None:
        return spec.people.burst
    places = places_of(spec)
    return MOST if places is None else min(MOST, max(LEAST, places // SHARE))


def places_of(spec: StudySpec) -> int | None:
    """Return how many people a study takes at most, or None for no limit."""
    quotas = [cell.quota for cell in spec.cells()]
    by_cell = [quota for quota in quotas if quota is not None]
    cells = sum(by_cell) // spec.per_player if len(by_cell) == len(quotas) else None
    found = [most for most in (spec.people.quota, cells) if most is not None]
    return min(found) if found else None


def interval_ms(spec: StudySpec) -> int:
    """Return the time after which one entry is credited back, milliseconds."""
    return max(1, spec.clocks.untouched_minutes * 60_000 // burst_of(spec))


def turn_of(free_ms: int, now_ms: int, burst: int, interval: int) -> tuple[int, int]:
    """Return when the next person from a source may enter, and `free_ms` after that. Pure."""
    begin = max(free_ms, now_ms)
    return max(now_ms, begin - (burst - 1) * interval), begin + interval


def next_due(
    db: Connection, study_id: int, spec: StudySpec, source: str, now: datetime
) -> datetime:
    """Return when the next person from a source may enter; no turn is taken."""
    now_ms = to_ms(now)
    free = paces.free_ms(db, study_id, source)
    return from_ms(turn_of(free, now_ms, burst_of(spec), interval_ms(spec))[0])


def take(
    store: Store,
    study_id: int,
    spec: StudySpec,
    source: str,
    now: datetime,
    longest: timedelta = LONGEST_WAIT,
) -> Turn:
    """Take a turn for someone from a source; a turn that is due now means: enter.

    If it is their turn only after the `longest` wait, they get none, and nothing is written.
    """
    now_ms = to_ms(now)
    burst, interval = burst_of(spec), interval_ms(spec)
    too_late = now_ms + longest // timedelta(milliseconds=1)
    with store.read() as db:
        due, _ = turn_of(paces.free_ms(db, study_id, source), now_ms, burst, interval)
    if due <= too_late:
        with store.write() as db:
            paces.drop_free(db, now_ms)
            paces.ensure(db, study_id, source)
            free = paces.free_ms(db, study_id, source, lock=True)
            due, after = turn_of(free, now_ms, burst, interval)
            if due <= too_late:
                paces.put(db, study_id, source, after)
                return Turn(from_ms(due), is_kept=True)
    return Turn(now + ASK_AGAIN, is_kept=False)


def waiting(free_ms: int, now_ms: int, spec: StudySpec) -> int:
    """Return how many people from one source wait for their turn. Pure."""
    burst, interval = burst_of(spec), interval_ms(spec)
    return max(0, -(-(free_ms - now_ms) // interval) - burst)
