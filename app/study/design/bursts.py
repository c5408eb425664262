"""How many people a study takes, and how fast they may enter from one address."""

from datetime import datetime

from sqlalchemy import Connection

from app.moments import to_ms
from app.store.play import paces
from app.study.design import arms
from app.study.design.spec import StudySpec

SHARE, LEAST, MOST = 4, 1, 30  # the usual burst: a quarter of the places, within bounds


def burst_of(spec: StudySpec) -> int:
    """Return how many people may enter at once from one address."""
    if spec.people.burst is not None:
        return spec.people.burst
    places = places_of(spec)
    return MOST if places is None else min(MOST, max(LEAST, places // SHARE))


def places_of(spec: StudySpec) -> int | None:
    """Return how many people a study takes at most, or None for no limit."""
    cells = arms.places(spec.cells(), spec.between, spec.per_player)
    found = [most for most in (spec.people.quota, cells) if most is not None]
    return min(found) if found else None


def interval_ms(spec: StudySpec) -> int:
    """Return the time after which one entry is credited back, milliseconds."""
    return max(1, spec.clocks.untouched_minutes * 60_000 // burst_of(spec))


def carry_over(
    db: Connection, study_id: int, old: StudySpec, new: StudySpec, now: datetime
) -> None:
    """Let as many entries as before count under a changed design, at its speed.

    So a larger burst lets people in at once, and a smaller one does not forget who came.
    """
    before, after = interval_ms(old), interval_ms(new)
    if before == after:
        return
    now_ms = to_ms(now)
    for row in paces.busy(db, study_id, now_ms, lock=True):
        left = (row.free_ms - now_ms) * after // before
        paces.put(db, study_id, row.source, now_ms + left)
