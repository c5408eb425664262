"""Remove erased data from the files of the database too."""

from datetime import datetime, timedelta
from zlib import crc32

from app.store import erasure
from app.store.db import Store

QUIET = timedelta(minutes=10)  # without any participant, so that no one waits for a rewritten file


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
