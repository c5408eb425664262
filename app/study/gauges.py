"""Numbers of the whole database for the metrics: people by kind of study and state, and jobs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.errors import StoreError
from app.store import jobs
from app.store.db import Store
from app.store.play import participants
from app.study.jobs import SILENT


@dataclass(frozen=True, slots=True)
class Gauges:
    """What the database holds at a moment; `is_up` = it could be read."""

    is_up: bool = False
    people: Sequence[tuple[str, str, int]] = ()
    jobs: dict[str, int] = field(default_factory=dict)


def read(store: Store, now: datetime) -> Gauges:
    """Count. If the database cannot be read, `is_up` is false."""
    try:
        with store.read() as db:
            people = participants.numbers(db)
            return Gauges(is_up=True, people=people, jobs=jobs.under_way(db, now - SILENT))
    except StoreError:
        return Gauges()
