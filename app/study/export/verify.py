"""Verify the log: replay every stored command and compare the results with what is stored.

Explanations cannot be replayed, so they are compared with their digests.

See checker.py for what is compared and how. A large log is split by variant among processes. Each
reads its own snapshot, which is safe because episodes are independent.
"""

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import repeat
from multiprocessing.pool import AsyncResult
from multiprocessing.sharedctypes import Synchronized
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.progress import Track, untracked
from app.store.db import Store
from app.store.export import proof
from app.store.export.proof import Part
from app.store.play import explanations
from app.store.play.episodes import MAIN
from app.study.design import studies
from app.study.export import anchors, chains, model_runs, records, scope
from app.study.export.checker import Checked, check
from app.study.export.records import Wrong
from app.study.play import digests

MANY = 4000  # number of episodes from which starting more processes pays off
MOST_JOBS = 8
LOOK_S = 0.1  # interval at which progress is read
WHAT = "Replaying episodes"
T = TypeVar("T")
Compare = Callable[[Connection, int | None], tuple[int, list[Wrong]]]

done_together: "Synchronized[int]"  # episodes checked so far, in a process of a pool


@dataclass(frozen=True, slots=True)
class Difference:
    """The first error in one episode.

    `episode`: its ID in exports. `seq`: the turn, or None for the episode's own row. `field`: a
    column of turn or episode, `variant`, or `certificate` (of the variant). The field `digest`
    means that a column unknown to the engine (typed text, time, taps) or the digest itself was
    changed.
    """

    participant: str
    episode: str
    seq: int | None
    field: str
    stored: str | int | None
    expected: str | int | None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `hjstudy verify`."""

    episodes: int
    turns: int
    ok: bool
    first_difference: Difference | None
    episodes_wrong: int
    explanations: int
    explanations_wrong: int
    records: int = 0
    records_wrong: int = 0
    events: int = 0
    events_wrong: int = 0
    anchors: int = 0
    anchors_wrong: int = 0
    models: int = 0
    models_wrong: int = 0
    checked: tuple[str, ...] = scope.CHECKED
    not_checked: tuple[str, ...] = (scope.ONLY_ANCHORED, *scope.NOT_CHECKED)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        lists = {"checked": list(self.checked), "not_checked": list(self.not_checked)}
        return {**asdict(self), **lists}


class Tally(NamedTuple):
    """The result of one process. `first`: the wrong episode with the lowest id, or None."""

    episodes: int
    turns: int
    wrong: int
    first: Checked | None


def verify(
    store: Store,
    slug: str | None = None,
    *,
    jobs: int | None = None,
    track: Track = untracked,
    manifest: dict[str, Any] | None = None,
) -> Report:
    """Check every episode, including practice, of one study or of all.

    Args:
        store: the database.
        slug: the study; None = all.
        jobs: number of processes; None = as many as help.
        track: progress, called with each episode.
        manifest: a manifest whose signature is right, to compare with; None = none.

    Raises: NoStudyError.
    """
    with store.read() as db:
        study_id = None if slug is None else studies.find(db, slug).id
        number = proof.number_of_episodes(db, study_id)
    jobs = jobs or useful_jobs(number)
    if jobs == 1:
        tallies = [tally(store, study_id, (0, 1), track, number)]
    else:
        tallies = tally_apart(store, study_id, jobs, track, number)
    episodes, turns, wrong, found = zip(*tallies, strict=True)
    first = min((one for one in found if one is not None), default=None)
    with store.read() as db:
        difference = None if first is None else named(db, first)
    written, altered = readable(check_explanations, store, study_id)
    number, odd = readable(records.compare, store, study_id)
    links, broken = readable(chains.compare, store, study_id)
    anchored, moved = readable(against(manifest), store, study_id)
    played, unlike = model_runs.replay(store, study_id)
    wrongs = (*altered, *odd, *broken, *moved, *unlike)
    difference = difference or next((as_difference(one) for one in wrongs), None)
    counts = (sum(wrong), written, len(altered), number, len(odd), links, len(broken))
    lists = scope.lists(with_manifest=manifest is not None)
    more = (anchored, len(moved), played, len(unlike), *lists)
    return Report(sum(episodes), sum(turns), difference is None, difference, *counts, *more)


def against(manifest: dict[str, Any] | None) -> Compare:
    """Return the comparison with a manifest, if there is one."""
    if manifest is None:
        return lambda _db, _study_id: (0, [])
    return lambda db, _study_id: anchors.compare(db, manifest)


def as_difference(one: Wrong) -> Difference:
    """Return a contradiction between rows as the report names it."""
    return Difference(one.owner, one.place, None, one.field, one.stored, one.expected)


def readable(compare: Compare, store: Store, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Compare in a read of its own; a value that cannot be read is wrong itself."""
    try:
        with store.read() as db:
            return compare(db, study_id)
    except (DBAPIError, ValueError) as error:
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        return 0, [Wrong("", "a row of the database", "unreadable", reason, "a valid value")]


def check_explanations(db: Connection, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Compare every explanation with its digest; return their number and the wrong ones.

    Rows stored before digests were introduced have none, and pass.
    """
    written, wrong = 0, []
    for row in explanations.all_of(db, study_id):
        written += 1
        expected = digests.explanation_digest(row._asdict())
        if row.digest is not None and row.digest != expected:
            place = f"{row.public_id}, explanation {row.id}"
            wrong.append(Wrong(row.public_id, place, "digest", row.digest, expected))
    return written, wrong


def useful_jobs(episodes: int) -> int:
    """Return the number of processes: one for a small log, or if this process must not fork."""
    alone = threading.active_count() == 1 and sys.platform == "linux"
    return min(os.cpu_count() or 1, MOST_JOBS) if alone and episodes >= MANY else 1


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


def tally_apart(
    store: Store, study_id: int | None, jobs: int, track: Track, number: int
) -> list[Tally]:
    """Check all parts in parallel, each in its own process."""
    url = store.url.render_as_string(hide_password=False)
    work = [(url, study_id, (part, jobs)) for part in range(jobs)]
    context = multiprocessing.get_context("fork")
    done = context.Value("q", 0)
    with context.Pool(jobs, share, (done,)) as pool:
        working = pool.starmap_async(tally_at, work)
        for _ in track(checked_together(working, done), WHAT, number):
            pass
        return working.get()


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


def tally_at(url: str, study_id: int | None, part: Part) -> Tally:
    """Check one part over a new connection: none may be inherited from the parent."""
    store = Store(url, threads=1)
    try:
        return tally(store, study_id, part, count_together)
    finally:
        store.dispose()


def count_together(things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Count for all processes what is checked in this one: their `Track`."""
    del what, total
    for thing in things:
        yield thing
        with done_together.get_lock():
            done_together.value += 1


def named(db: Connection, one: Checked) -> Difference | None:
    """Return the error in an episode, with its ID in exports."""
    if one.problem is None:
        return None
    public_id, *place = proof.episode_place(db, one.id)
    return Difference(public_id, episode_name(public_id, *place), *one.problem)


def wrong_episodes(db: Connection, study_id: int, track: Track = untracked) -> set[int]:
    """Return the row ids of a study's episodes that are not what the engine says."""
    number = proof.number_of_episodes(db, study_id)
    with garbage_kept():
        checked = track(check(db, study_id), WHAT, number)
        return {one.id for one in checked if one.problem is not None}


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


def episode_name(public_id: str, kind: str, block_position: int, position: int) -> str:
    """Return the ID of an episode in exports, such as `p_0a1b2c3d4e5f-w1-g2`."""
    if kind != MAIN:
        return f"{public_id}-{kind}"
    return f"{public_id}-w{block_position + 1}-g{position + 1}"
