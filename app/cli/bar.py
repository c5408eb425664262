"""The progress bar of long commands: for people at a terminal, never in output for programs."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from app.progress import Track, untracked

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
PAUSE_S = 0.1  # between two updates of the bar


@contextmanager
def progress(*, json: bool) -> Iterator[Track]:
    """Show on stderr how far a command is; show nothing with `--json` or without a terminal."""
    if json or not sys.stderr.isatty():
        yield untracked
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.clear()


@contextmanager
def step(what: str, *, json: bool = False) -> Iterator[None]:
    """Show that a piece of work is under way, without saying how far it is."""
    with progress(json=json) as track:
        for _ in track(range(1), what, 1):
            yield


class Bar:
    """A `Track` that draws a line for each piece of work and removes it at the end.

    The drawing thread ends with the lines: `verify` splits its work among processes only when no
    other thread is running.
    """

    def __init__(self) -> None:
        self._drawn = drawn()
        self._lines = 0

    def __call__(self, things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
        """Yield the things and draw how many are done."""
        line, shown = self._drawn.add_task(what, total=total), 0.0
        self._lines += 1
        self._drawn.start()
        try:
            for done, thing in enumerate(things):
                now = time.monotonic()
                if now - shown >= PAUSE_S:
                    self._drawn.update(line, completed=done)
                    shown = now
                yield thing
        finally:
            self._drawn.remove_task(line)
            self._lines -= 1
            if not self._lines:
                self._drawn.stop()

    def clear(self) -> None:
        """Remove all lines, even if the work was interrupted."""
        self._drawn.stop()


def drawn() -> "Progress":
    """Return the bar: the task, its progress, time elapsed and time left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    )
