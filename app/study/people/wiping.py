"""What is erased goes from the files of the database, and from the memory of every process too."""

from datetime import datetime, timedelta
from threading import Lock
from typing import NamedTuple
from zlib import crc32

from sqlalchemy import Connection

from app.store import erasure
from app.store.db import Store

QUIET = timedelta(minutes=10)  # without any participant, so that no one waits for a rewritten file


class News(NamedTuple):
    """What happened in the database since a process last asked."""

    erased: bool
    deleted: bool


class Erasures:
    """Tells one process whether any process has erased a person's data or deleted a study."""

    def __init__(self) -> None:
        self._seen: tuple[int, ...] | None = None
        self._lock = Lock()

    def news(self, db: Connection) -> News:
        """Return what happened since the last call; the first one only begins."""
        found = erasure.counts(db)
        with self._lock:
            before, self._seen = self._seen or found, found
        people, studies = (one != two for one, two in zip(before, found, strict=True))
        return News(people, studies)


def sweep(store: Store, now: datetime, *, again: bool) -> bool:
    """Compact the files of a SQLite database if data were erased since; tell whether it was done.

    `again`: platform IDs were deleted just now, which no count shows later.
    """
    with store.read() as db:
        gone, seen = erasure.counts(db), erasure.last_moment(db)
    if not again and not any(gone):
        return False
    is_quiet = seen is None or now - seen > QUIET
    return store.compact(crc32(repr(gone).encode()) >> 1, again=again, is_quiet=is_quiet)
