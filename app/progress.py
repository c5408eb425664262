"""Progress reports of long work, without knowing who watches; imports nothing from this package.

A use case that may take seconds has an argument `track: Track = untracked` and iterates through
it: `for episode in track(episodes, "Replaying episodes", total)`. The command line passes a
progress bar (`app/cli/bar.py`), and a job one that stores how far it is (`app/study/jobs.py`).
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Passes things on one by one, in order."""

    def __call__(self, things: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
        """Return the same things.

        Args:
            things: the work; each thing is finished when the next one is requested.
            what: the activity in words, such as "Replaying episodes".
            total: number of things; None = unknown.
        """


def untracked(things: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Pass everything on and show nothing."""
    del what, total
    return things
