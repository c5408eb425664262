"""How fast people enter a study, for the monitor: so that a crowd of strangers is noticed."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.moments import to_ms
from app.store.people import monitor
from app.store.play import paces
from app.study.design.spec import StudySpec
from app.study.play import pace

RECENT = timedelta(minutes=10)
BEFORE = timedelta(hours=2)  # what is usual
FEWEST, TIMES = 10, 3  # that many entries, and that many times as many as usual, are fast


def entries(db: Connection, study_id: int, spec: StudySpec, now: datetime) -> dict[str, Any]:
    """Return how many people have entered and wait.

    `recent`: in the last 10 minutes; `untouched`: those of them who have done nothing since;
    `usual`: mean per 10 minutes in the two hours before; `is_fast`: unusually many; `waiting`:
    people who wait for their turn, from `networks` addresses.
    """
    now_ms = to_ms(now)
    begin = now - RECENT
    recent, untouched = monitor.entered(db, study_id, begin)
    before, _ = monitor.entered(db, study_id, begin - BEFORE)
    usual = (before - recent) / (BEFORE / RECENT)
    queues = [
        number
        for row in paces.busy(db, study_id, now_ms)
        if (number := pace.waiting(row.free_ms, now_ms, spec))
    ]
    return {
        "recent": recent,
        "untouched": untouched,
        "usual": round(usual, 1),
        "is_fast": recent >= FEWEST and recent > TIMES * usual and not spec.is_of_bots,
        "waiting": sum(queues),
        "networks": len(queues),
    }
