"""Request limits: a number per minute for each key, fewer for requests without a valid one."""

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from threading import Lock

from app.errors import StudyError

MINUTE_S = 60.0
KEPT = 10_000
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
    """Token buckets by name, in the memory of one server process. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, as of

    def take(self, name: str, per_minute: int) -> None:
        """Count a request. Raises RateError."""
        with self._lock:
            now = self._clock()
            left, seen = self._buckets.pop(name, (float(per_minute), now))
            left = min(float(per_minute), left + (now - seen) * per_minute / MINUTE_S)
            is_over = left < 1
            self._buckets[name] = left if is_over else left - 1, now
            if len(self._buckets) > KEPT:
                self._buckets.popitem(last=False)
        if is_over:
            raise RateError(ceil((1 - left) * MINUTE_S / per_minute), per_minute)
