"""Check that the database takes a write, at most once a second however often it is asked."""

import time
from datetime import datetime
from threading import Lock

from app.store import health
from app.store.db import Store

LEAST_S = 1.0  # anyone may ask, and each write waits for the disk


class Pulse:
    """The health of one process's store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._written_s = float("-inf")

    def check(self, now: datetime) -> bool:
        """Write a row; return whether it was time to.

        Raises BusyError, UnavailableError: the database takes no write.
        """
        with self._lock:
            if time.monotonic() - self._written_s < LEAST_S:
                return False
            with self._store.write() as db:
                health.put(db, now)
            self._written_s = time.monotonic()
        return True
