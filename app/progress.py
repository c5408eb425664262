"""How long work tells how far it has come, without knowing who watches; imports nothing of ours.

A use case that may take seconds has an argument `track: Track = untracked` and goes through its
things by way of it: `for episode in track(episodes, "Replaying episodes", total)`. The command line
hands in a progress bar (`app/cli/bar.py`); nobody else needs to.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Hands on what it is given, one by one and in order."""

    def __call__(self, things: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
        """Return the same things.

        Args:
            things: what is worked on; each is finished when the next one is asked for.
            what: what is being done, for people, such as "Replaying episodes".
            total: how many things there are; None = nobody knows.
        """


def untracked(things: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Hand everything on and show nothing."""
    del what, total
    return things
