"""How fast people may enter a study from one address, so that a stranger cannot fill it.

One address may send in `burst` people at once. Each entry is credited back after a fixed interval;
in the time after which an untouched seat is freed, `burst` entries are. So people who never act
hold at most twice the burst from one address. Those who come faster get a turn, and coming again
does not change it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.moments import from_ms, to_ms
from app.store.db import Store
from app.store.play import paces
from app.study.design.bursts import burst_of, interval_ms
from app.study.design.spec import StudySpec

LONGEST_WAIT = timedelta(minutes=30)  # of a turn that is kept
ASK_AGAIN = timedelta(minutes=5)
MS = timedelta(milliseconds=1)
MARK = 32  # length of a row's name
LATE = timedelta(minutes=10)  # how long a turn stays someone's


@dataclass(frozen=True, slots=True)
class Turn:
    """When someone may enter. `is_kept`: the turn is theirs; otherwise they ask again then."""

    due: datetime
    is_kept: bool


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
    who: str = "",
) -> Turn:
    """Take a turn for someone from a source; a turn that is due now means: enter.

    If it is their turn only after the `longest` wait, they get none, and nothing is written.
    `who`: a keyed hash of the person; whoever has a turn that is not over gets the same again, or
    enters now if others could.
    """
    now_ms, mark = to_ms(now), f"{paces.TURN}{who}"[:MARK] if who else ""
    too_late = now_ms + longest // MS
    with store.read() as db:
        due, after = own_turn(db, study_id, spec, (source, mark), now_ms)
    if after is None:
        return Turn(from_ms(due), is_kept=True)
    if due <= too_late:
        with store.write() as db:
            paces.drop_free(db, now_ms)
            paces.ensure(db, study_id, source)
            due, after = own_turn(db, study_id, spec, (source, mark), now_ms, lock=True)
            if after is not None and due <= too_late:
                paces.put(db, study_id, source, after)
                if mark and due > now_ms:
                    paces.ensure(db, study_id, mark)
                    paces.put(db, study_id, mark, due + LATE // MS)
            if after is None or due <= too_late:
                return Turn(from_ms(due), is_kept=True)
    return Turn(now + ASK_AGAIN, is_kept=False)


def own_turn(
    db: Connection,
    study_id: int,
    spec: StudySpec,
    names: tuple[str, str],
    now_ms: int,
    *,
    lock: bool = False,
) -> tuple[int, int | None]:
    """Return when someone may enter, and the source's `free_ms` after that.

    The latter is None if they have a turn already, which counts in the source's row. `names`: the
    source, and the row that holds their turn ('' = none).
    """
    source, mark = names
    free = paces.free_ms(db, study_id, source, lock=lock)
    due, after = turn_of(free, now_ms, burst_of(spec), interval_ms(spec))
    end = paces.free_ms(db, study_id, mark) if mark else 0
    if end <= now_ms:
        return due, after
    kept = end - LATE // MS
    return min(kept, due) if due <= now_ms else kept, None


def waiting(free_ms: int, now_ms: int, spec: StudySpec) -> int:
    """Return how many people from one source wait for their turn. Pure."""
    burst, interval = burst_of(spec), interval_ms(spec)
    return max(0, -(-(free_ms - now_ms) // interval) - burst)
