"""Seats of people who agreed and did nothing since: they give way to people with an ID.

Anyone can agree without an ID, so strangers could hold all seats of a study until these are freed.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.play import clocks as times
from app.study.play import clocks, seats

GAVE_WAY = "gave_way"


def nameless(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return people without an ID who did nothing since they agreed to take part, oldest first."""
    return [
        row
        for row in times.active(db, study_id)
        if row.seat == "held" and not row.has_id and may_give_way(row)
    ]


def may_give_way(row: AnyRow) -> bool:
    """Tell whether someone has done nothing, and was given no more time for it."""
    found = seats.times_of(row)
    return clocks.is_untouched(found) and not found.extended


def give_way(db: Connection, row: AnyRow, now: datetime) -> bool:
    """Release the seats of one of `nameless`; they get them back if they act while some are free.

    Needs the study's lock. Does nothing if the person is acting at this moment.
    """
    found = times.person_if_free(db, row.id)
    if found is None or found.state != "active" or not may_give_way(found):
        return False
    return seats.release(db, found, GAVE_WAY, now)
