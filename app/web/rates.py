"""Request limits of the API: a number per minute for each key, fewer without a valid one.

The library `limits` counts them: on PostgreSQL in the database, where server processes share the
limit, and with SQLite in the memory of each process.
"""

import time
from math import floor
from threading import Lock

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, RateLimiter

from app.errors import StudyError
from app.study.database import Store
from app.study.models.request_counts import MS, RequestCounts

KEPT = 10_000  # names; above it, those of the past are forgotten, or all if half of them are recent
STRANGERS = 60  # requests a minute without a valid key, from one address


class RateError(StudyError):
    """Too many requests; `wait_s`: seconds until the next one is accepted."""

    code = "api/rate"

    def __init__(self, wait_s: int, per_minute: int) -> None:
        super().__init__(
            f"More than {per_minute} requests a minute. Wait as long as Retry-After says."
        )
        self.wait_s = wait_s


class Rates:
    """Requests of a minute by name: of the last one, or on PostgreSQL of one after the other.

    Thread-safe. `store`: None counts in memory.
    """

    def __init__(self, store: Store | None = None) -> None:
        self._shared = None if store is None or store.is_sqlite else store
        self._lock, self._seen_s = Lock(), 0.0
        self._storage: MemoryStorage | None = None  # it starts a thread, so only when it is needed

    def take(self, name: str, per_minute: int) -> None:
        """Count a request. Raises RateError, StoreError."""
        if self._shared is not None:
            now = time.time()
            counts = RequestCounts(self._shared, round(now * MS))
            hit(FixedWindowRateLimiter(counts), name, per_minute, now)
            return
        with self._lock:
            now = time.time()  # here, so that it never runs backwards from one request to the next
            hit(MovingWindowRateLimiter(self._ready(now)), name, per_minute, now)

    def _ready(self, now: float) -> MemoryStorage:
        """Return the storage: a new one if the clock was set back, or if it holds many names.

        The library keeps the name of everyone who ever asked, and lets those who asked before the
        clock was set back wait until it is that time again.
        """
        old, is_back = self._storage, now < self._seen_s
        self._seen_s = now
        if old is not None and not is_back and len(old.events) <= KEPT:
            return old
        self._storage = found = MemoryStorage()
        if old is not None and not is_back:
            held = list(old.events.items())
            recent = {name: newest for name, newest in held if newest and newest[0].expiry > now}
            found.events.update(recent if len(recent) <= KEPT // 2 else {})
        return found


def hit(limiter: RateLimiter, name: str, per_minute: int, now: float) -> None:
    """Count a request at a time in seconds since 1970. Raises RateError."""
    limit = RateLimitItemPerMinute(per_minute)
    if not limiter.hit(limit, name):
        wait_s = limiter.get_window_stats(limit, name).reset_time - now
        raise RateError(max(1, floor(wait_s) + 1), per_minute)
