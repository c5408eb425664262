"""Platform ids have a deletion date, and it is kept."""

from datetime import datetime, timedelta

from app.store import hands
from app.store.db import Store
from app.study.library import Library


def sweep(store: Store, library: Library, now: datetime) -> int:
    """Delete platform ids whose date has come; return how many people that concerned.

    The date is the study's `people.identifiers_days` after a person's end; for somebody who never
    ended, after they came.
    """
    forgotten = 0
    with store.write() as db:
        for row in hands.ended_people(db):
            days = library.spec(db, row.design_id).people.identifiers_days
            since = row.finished_at or row.ended_at or row.created_at
            if since + timedelta(days=days) <= now:
                hands.forget(db, row)
                forgotten += 1
    return forgotten
