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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.store.db import Store
from app.store.export import proof
from app.store.export.proof import Part
from app.store.play import explanations
from app.study.design import studies
from app.study.export.checker import Checked, check
from app.study.play import digests

MANY = 4000  # number of episodes from which starting more processes pays off
MOST_JOBS = 8


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

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return asdict(self)


class Tally(NamedTuple):
    """The result of one process. `first`: the wrong episode with the lowest id, or None."""

    episodes: int
    turns: int
    wrong: int
    first: Checked | None


def verify(store: Store, slug: str | None = None, *, jobs: int | None = None) -> Report:
    """Check every episode, including practice, of one study or of all.

    Args:
        store: the database.
        slug: the study; None = all.
        jobs: number of processes; None = as many as help.

    Raises: NoStudyError.
    """
    with store.read() as db:
        study_id = None if slug is None else studies.find(db, slug).id
        jobs = jobs or useful_jobs(proof.number_of_episodes(db, study_id))
    tallies = [tally(store, study_id, (0, 1))] if jobs == 1 else tally_apart(store, study_id, jobs)
    episodes, turns, wrong, found = zip(*tallies, strict=True)
    first = min((one for one in found if one is not None), default=None)
    with store.read() as db:
        told = None if first is None else named(db, first)
        written, altered = check_explanations(db, study_id)
    told = told or next(iter(altered), None)
    return Report(sum(episodes), sum(turns), told is None, told, sum(wrong), written, len(altered))


def check_explanations(db: Connection, study_id: int | None) -> tuple[int, list[Difference]]:
    """Compare every explanation with its digest; return their number and the wrong ones.

    Rows stored before digests were introduced have none, and pass.
    """
    written, wrong = 0, []
    for row in explanations.all_of(db, study_id):
        written += 1
        expected = digests.explanation_digest(row._asdict())
        if row.digest is not None and row.digest != expected:
            place = f"{row.public_id}, explanation {row.id}"
            wrong.append(Difference(row.public_id, place, None, "digest", row.digest, expected))
    return written, wrong


def useful_jobs(episodes: int) -> int:
    """Return the number of processes: one for a small log, or if this process must not fork."""
    alone = threading.active_count() == 1 and sys.platform == "linux"
    return min(os.cpu_count() or 1, MOST_JOBS) if alone and episodes >= MANY else 1


def tally(store: Store, study_id: int | None, part: Part) -> Tally:
    """Check one part of the episodes."""
    episodes = turns = wrong = 0
    first: Checked | None = None
    with store.read() as db, garbage_kept():
        for one in check(db, study_id, part, certificates=True):
            episodes += 1
            turns += one.turns
            if one.problem is not None:
                wrong += 1
                first = one if first is None else min(first, one)
    return Tally(episodes, turns, wrong, first)


def tally_apart(store: Store, study_id: int | None, jobs: int) -> list[Tally]:
    """Check all parts in parallel, each in its own process."""
    url = store.url.render_as_string(hide_password=False)
    work = [(url, study_id, (number, jobs)) for number in range(jobs)]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.starmap(tally_at, work)


def tally_at(url: str, study_id: int | None, part: Part) -> Tally:
    """Check one part over a new connection: none may be inherited from the parent."""
    store = Store(url, threads=1)
    try:
        return tally(store, study_id, part)
    finally:
        store.dispose()


def named(db: Connection, one: Checked) -> Difference | None:
    """Return the error in an episode, with its ID in exports."""
    if one.problem is None:
        return None
    public_id, *place = proof.episode_place(db, one.id)
    return Difference(public_id, episode_name(public_id, *place), *one.problem)


def wrong_episodes(db: Connection, study_id: int) -> set[int]:
    """Return the row ids of a study's episodes that differ from the engine's results."""
    with garbage_kept():
        return {one.id for one in check(db, study_id) if one.problem is not None}


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
    if kind != "main":
        return f"{public_id}-{kind}"
    return f"{public_id}-w{block_position + 1}-g{position + 1}"
