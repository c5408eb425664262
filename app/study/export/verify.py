"""Verify the log: replay every stored command and compare the results with what is stored.

Explanations cannot be replayed, so they are compared with their digests.

See checker.py for what is compared and how, and verify_work.py for how processes share a large log.
"""

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.db import Store
from app.store.export import proof
from app.store.play import explanations
from app.store.play.episodes import MAIN
from app.study.design import studies
from app.study.export import anchors, chains, logged_deletions, model_runs, records, scope
from app.study.export.checker import Checked, check
from app.study.export.records import Wrong
from app.study.export.verify_work import (
    WHAT,
    Compare,
    Job,
    alone,
    garbage_kept,
    readable,
    together,
    useful_jobs,
)
from app.study.play import digests


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
    deleted: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        names = ("checked", "not_checked", "deleted")
        return {**asdict(self), **{name: list(getattr(self, name)) for name in names}}


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
    work = together if (jobs := jobs or useful_jobs(number)) > 1 else alone
    tallies, compared = work(Job(store, study_id, number, jobs), COMPARISONS, track)
    episodes, turns, wrong, found = zip(*tallies, strict=True)
    first = min((one for one in found if one is not None), default=None)
    with store.read() as db:
        difference = None if first is None else named(db, first)
        deleted = () if manifest is None else tuple(logged_deletions.in_words(db, manifest))
    (written, altered), (people, odd), (links, broken) = compared
    anchored, moved = readable(against(manifest), store, study_id)
    played, unlike = model_runs.replay(store, study_id)
    wrongs = (*altered, *odd, *broken, *moved, *unlike)
    difference = difference or next((as_difference(one) for one in wrongs), None)
    counts = (sum(wrong), written, len(altered), people, len(odd), links, len(broken))
    earlier = manifest is not None and anchors.is_earlier(manifest)
    lists = scope.lists(with_manifest=manifest is not None, is_earlier=earlier)
    more = (anchored, len(moved), played, len(unlike), *lists, deleted)
    return Report(sum(episodes), sum(turns), difference is None, difference, *counts, *more)


def against(manifest: dict[str, Any] | None) -> Compare:
    """Return the comparison with a manifest, if there is one."""
    if manifest is None:
        return lambda _db, _study_id: (0, [])
    return lambda db, _study_id: anchors.compare(db, manifest)


def as_difference(one: Wrong) -> Difference:
    """Return a contradiction between rows as the report names it."""
    return Difference(one.owner, one.place, None, one.field, one.stored, one.expected)


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


COMPARISONS = (check_explanations, records.compare, chains.compare)


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


def episode_name(public_id: str, kind: str, block_position: int, position: int) -> str:
    """Return the ID of an episode in exports, such as `p_0a1b2c3d4e5f-w1-g2`."""
    if kind != MAIN:
        return f"{public_id}-{kind}"
    return f"{public_id}-w{block_position + 1}-g{position + 1}"
