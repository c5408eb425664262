"""How many writes wait for their turn, and how long they waited: numbers for the metrics."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock


class Waiting:
    """The queue of one process's writes. Thread-safe."""

    def __init__(self) -> None:
        self.now, self.begun, self.waited_s = 0, 0, 0.0
        self._lock = Lock()

    @contextmanager
    def joined(self) -> Iterator[Callable[[], None]]:
        """Join the queue; call what is yielded when the write begins. A failure leaves it too."""
        began, waits = time.monotonic(), True
        with self._lock:
            self.now += 1

        def come() -> None:
            nonlocal waits
            waits = False
            with self._lock:
                self.now -= 1
                self.begun += 1
                self.waited_s += time.monotonic() - began

        try:
            yield come
        finally:
            if waits:
                with self._lock:
                    self.now -= 1
