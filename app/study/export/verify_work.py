"""The work of `verify`, in this process or shared among several.

A large log is split by variant. Each process reads its own snapshot, which is safe because episodes
are independent, and rows that are compared with each other are read in one snapshot.
"""

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from multiprocessing.pool import AsyncResult
from multiprocessing.sharedctypes import Synchronized
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.progress import Track
from app.store.db import Store
from app.store.export.proof import WHOLE, Part
from app.study.export.checker import Checked, check
from app.study.export.records import Wrong

MANY = 4000  # number of episodes from which starting more processes pays off
MOST_JOBS = 8
PARTS = 4  # for each process, so that all of them finish at about the same time
LOOK_S = 0.1  # interval at which progress is read
WHAT = "Replaying episodes"
T = TypeVar("T")
Compared = tuple[int, list[Wrong]]  # the number of rows, and what is wrong
Compare = Callable[[Connection, int | None], Compared]

done_together: "Synchronized[int]"  # episodes checked so far, in a process of a pool


class Job(NamedTuple):
    """What to check. `study_id`: None = all; `episodes`: how many there are."""

    store: Store
    study_id: int | None
    episodes: int
    processes: int


class Tally(NamedTuple):
    """The result of one part. `first`: the wrong episode with the lowest id, or None."""

    episodes: int
    turns: int
    wrong: int
    first: Checked | None


Results = tuple[list[Tally], list[Compared]]


def useful_jobs(episodes: int) -> int:
    """Return the number of processes: one for a small log, or if this process must not fork."""
    may_fork = threading.active_count() == 1 and sys.platform == "linux"
    return min(os.cpu_count() or 1, MOST_JOBS) if may_fork and episodes >= MANY else 1


def alone(job: Job, comparisons: Sequence[Compare], track: Track) -> Results:
    """Replay all episodes and compare other rows in this process."""
    tallies = [tally(job.store, job.study_id, WHOLE, track, job.episodes)]
    return tallies, [readable(one, job.store, job.study_id) for one in comparisons]


def together(job: Job, comparisons: Sequence[Compare], track: Track) -> Results:
    """Do what `alone` does in several processes: comparisons first, since they cannot be split."""
    url = job.store.url.render_as_string(hide_password=False)
    parts = PARTS * job.processes
    work = [(url, job.study_id, (part, parts)) for part in range(parts)]
    context = multiprocessing.get_context("fork")
    done = context.Value("q", 0)
    with context.Pool(job.processes, share, (done,)) as pool:
        others = [(one, url, job.study_id) for one in comparisons]
        comparing = pool.starmap_async(compare_at, others, chunksize=1)
        working = pool.starmap_async(tally_at, work, chunksize=1)
        for _ in track(checked_together(working, done), WHAT, job.episodes):
            pass
        return working.get(), comparing.get()


def tally(
    store: Store, study_id: int | None, part: Part, track: Track, number: int | None = None
) -> Tally:
    """Check one part of the episodes. `number`: how many there are, for `track`."""
    episodes = turns = wrong = 0
    first: Checked | None = None
    with store.read() as db, garbage_kept():
        for one in track(check(db, study_id, part, certificates=True), WHAT, number):
            episodes += 1
            turns += one.turns
            if one.problem is not None:
                wrong += 1
                first = one if first is None else min(first, one)
    return Tally(episodes, turns, wrong, first)


def readable(compare: Compare, store: Store, study_id: int | None) -> Compared:
    """Compare in a read of its own; a value that cannot be read is wrong itself."""
    try:
        with store.read() as db:
            return compare(db, study_id)
    except (DBAPIError, ValueError) as error:
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        return 0, [Wrong("", "a row of the database", "unreadable", reason, "a valid value")]


def share(done: "Synchronized[int]") -> None:
    """Give a new process of the pool the shared counter."""
    global done_together  # noqa: PLW0603 - a pool hands shared memory to its processes in no other way
    done_together = done


def checked_together(
    working: "AsyncResult[list[Tally]]", done: "Synchronized[int]"
) -> Iterator[None]:
    """Yield once for each episode that some process has checked, until all processes are done."""
    seen = 0
    while not working.ready():
        working.wait(LOOK_S)
        now = done.value
        yield from repeat(None, now - seen)
        seen = now


@contextmanager
def connected(url: str) -> Iterator[Store]:
    """Open the database anew: a process may not inherit its parent's connections."""
    store = Store(url, threads=1)
    try:
        yield store
    finally:
        store.dispose()


def tally_at(url: str, study_id: int | None, part: Part) -> Tally:
    """Check one part in a process of the pool."""
    with connected(url) as store:
        return tally(store, study_id, part, count_together)


def compare_at(compare: Compare, url: str, study_id: int | None) -> Compared:
    """Compare rows in a process of the pool."""
    with connected(url) as store, garbage_kept():
        return readable(compare, store, study_id)


def count_together(things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Count for all processes what is checked in this one: their `Track`."""
    del what, total
    for thing in things:
        yield thing
        with done_together.get_lock():
            done_together.value += 1


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Pause the garbage collector, which would scan every row and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
