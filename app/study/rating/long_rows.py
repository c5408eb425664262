"""Long rows of a round, one per item and annotator, for checks and the agreement report."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.rating import judges, ratings, samples
from app.store.rating.rounds import GOLD, MAIN
from app.store.rating.scales import CRITERIA

SCORED = ("value", *CRITERIA)
COPIED = (
    *("item", "item_kind", "kind", "rater", "repeat", "position"),
    *("source", "cluster", "task", "seed", "lexicon", "coverage", "variant_hash"),
    *SCORED,
    *("skip_reason", "flag", "comment", "rule_version", "active_ms", "wall_ms"),
    *(f"first_{name}" for name in (*SCORED, "skip_reason")),
    *(f"adjudicated_{name}" for name in SCORED),
)


def rows_of(db: Connection, row: AnyRow) -> Iterator[dict[str, Any]]:
    """Yield the long rows of a round (a row of `rounds.find`), ordered by item, rater, repeat.

    Every assignment has a row, rated or not. Keys:

    - those of COPIED, as in `ratings.long_rows`
    - `round, round_title, mode, rubric_version, rubric_hash`
    - `sample`: the number of the round's sample, or None
    - `revisions` (0 = not rated), `first_at`, `saved_at`
    - `known_value` and the four known criteria: None unless training or gold
    - `level, stratum, weight`: None unless a main item drawn for the round's sample
    - `judges`: judge label -> {score, inputs, output, structure, generality}, valid scores only
    """
    drawn = {}
    number = None
    if row.sample_id is not None:
        number = samples.by_id(db, row.sample_id).number
        drawn = {one.item_id: one for one in samples.items_of(db, row.sample_id)}
    scored = judge_scores(db, row.study_id)
    of_round = {
        "round": row.number,
        "round_title": row.title,
        "mode": row.mode,
        "rubric_version": row.rubric_version,
        "rubric_hash": row.rubric_hash,
        "sample": number,
    }
    for one in ratings.long_rows(db, row.id):
        known = json.loads(one.known) if one.known else {}
        place = drawn.get(one.item_id)
        in_sample = place is not None and place.place is not None and one.kind == MAIN
        yield {
            **of_round,
            **{name: getattr(one, name) for name in COPIED},
            "revisions": one.revision or 0,
            "first_at": one.first_created_at,
            "saved_at": one.created_at,
            **{f"known_{name}": known.get(name) for name in SCORED},
            "level": place.level if place is not None and in_sample else None,
            "stratum": place.stratum if place is not None and in_sample else None,
            "weight": place.weight if place is not None and in_sample else None,
            "judges": scored.get(one.item_id, {}),
        }


@dataclass(slots=True)
class Checks:
    """One rater's matches with known answers and with their own ratings: pairs [same, of]."""

    training: list[int] = field(default_factory=lambda: [0, 0])
    gold: list[int] = field(default_factory=lambda: [0, 0])
    repeats: list[int] = field(default_factory=lambda: [0, 0])


def checks_of(db: Connection, row: AnyRow) -> dict[str, Checks]:
    """Return rater -> checks of a round: matches with known answers, and between repeats.

    A rating matches if all its scores are equal. Skipped and missing ratings are left out. Only
    first showings are compared with a known answer.
    """
    names = ("value",) if row.mode == "overall" else CRITERIA
    found: dict[str, Checks] = {}
    first: dict[tuple[str, int], tuple[int, ...]] = {}
    for one in ratings.long_rows(db, row.id):  # a repeat comes after its first showing
        checks = found.setdefault(one.rater, Checks())
        scores = tuple(getattr(one, name) for name in names)
        if None in scores:
            continue
        if one.repeat:
            before = first.get((one.rater, one.item_id))
            if before is not None:
                count(checks.repeats, same=scores == before)
            continue
        first[one.rater, one.item_id] = scores
        if one.known:
            known = json.loads(one.known)
            kept = checks.gold if one.kind == GOLD else checks.training
            count(kept, same=scores == tuple(known[name] for name in names))
    return found


def count(pair: list[int], *, same: bool) -> None:
    """Add one comparison to [same, of]."""
    pair[0] += same
    pair[1] += 1


def judge_scores(db: Connection, study_id: int) -> dict[int, dict[str, dict[str, int | None]]]:
    """Return item id -> judge label -> {score, inputs, ...}, without malformed answers."""
    runs = judges.runs(db, study_id)
    labels = judges.labels(runs)
    found: dict[int, dict[str, dict[str, int | None]]] = {}
    for run in runs:
        for one in judges.scores(db, run.id):
            if one.status == "ok":
                numbers = {name: getattr(one, name) for name in ("score", *CRITERIA)}
                found.setdefault(one.item_id, {})[labels[run.id]] = numbers
    return found
