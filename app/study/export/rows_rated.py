"""Rows of rating: item, sample, rating, adjudication, judge; and RV, which is made of them."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from app.store.base import AnyRow
from app.store.export import dump, dump_rated
from app.study.export.row_keys import of_item
from app.study.export.source import Facts, Source

TOP = 2  # ratings are 0, 1 or 2
COUNTING = ("main", "gold")  # roles whose ratings make RV; training does not
PARTS = ("text", "inputs", "output", "how", "found_how")


@dataclass(frozen=True, slots=True)
class Rv:
    """RV of one explanation by source, each in [0, 1]; None = not rated so."""

    judge: float | None = None
    human: float | None = None
    final: float | None = None


UNRATED = Rv()


def common(source: "Source", row: AnyRow) -> dict[str, Any]:
    """Return all of a row, and the columns that say which item it is and where it was written."""
    who = {"study": source.study.slug, "participant_id": row.public_id}
    return {**row._asdict(), **who, **of_item(row)}


def items(source: "Source") -> Iterator["Facts"]:
    """Yield the items. A player's text is shared as its explanation is, a model's always."""
    for row in dump.rows(source.db, dump_rated.items(source.scope)):
        facts = common(source, row)
        if row.item_kind == "player" and not row.is_erased:
            own = {name: getattr(row, f"own_{name}") for name in PARTS}
            passed = source.gate.passes("explanation", own, row)
            kept_back = {"text": ""} if passed["text_reason"] else {}
            told = {name: passed[name] for name in ("release", "text_reason")}
            yield {**facts, **told, **kept_back}
        else:
            yield {**facts, "release": "", "text_reason": ""}


def results(source: "Source") -> Iterator["Facts"]:
    """Yield what models did, as it was imported."""
    for row in dump.rows(source.db, dump_rated.results(source.scope)):
        yield {**row._asdict(), "study": source.study.slug}


def plain(query: Callable[..., Any]) -> Callable[["Source"], Iterator["Facts"]]:
    """Return the rows of a query as they are."""

    def made(source: "Source") -> Iterator["Facts"]:
        for row in dump.rows(source.db, query(source.scope)):
            yield common(source, row)

    return made


def with_words(query: Callable[..., Any], *words: str) -> Callable[["Source"], Iterator["Facts"]]:
    """Return the rows of a query; what raters, judges or researchers wrote passes the gate."""

    def made(source: "Source") -> Iterator["Facts"]:
        for row in dump.rows(source.db, query(source.scope)):
            facts = {name: value or "" for name, value in row._asdict().items() if name in words}
            yield {**common(source, row), **facts, **source.gate.own(facts, *words)}

    return made


def ratings(source: "Source") -> Iterator["Facts"]:
    """Yield every item before every rater."""
    for facts in with_words(dump_rated.ratings, "comment")(source):
        known = json.loads(facts["known"]) if facts["known"] else {}
        answers = {f"known_{name}": known.get(name) for name in dump_rated.SCORED}
        yield {**facts, **answers, "revisions": facts["revision"] or 0}


def rv_of_items(source: "Source") -> Mapping[str, Rv]:
    """Return item id -> RV of everything that is rated: a number or three an item.

    judge: mean score of the judges / 2. human: mean over raters / 2, hidden repeats and training
    left out. final: the adjudicated value / 2 (newest round); without one, human.
    """
    db, scope = source.db, source.scope
    judged: dict[str, list[int]] = defaultdict(list)
    for item_id, value in dump_rated.scores(db, dump_rated.judged(scope), "item_id", "value"):
        judged[item_id].append(value)
    rated: dict[str, list[int]] = defaultdict(list)
    wanted = ("item_id", "value", "role", "repeat")
    for item_id, value, role, repeat in dump_rated.scores(db, dump_rated.ratings(scope), *wanted):
        if role in COUNTING and not repeat:
            rated[item_id].append(value)
    decided: dict[str, tuple[int, int]] = {}
    for item_id, number, value in dump_rated.scores(
        db, dump_rated.adjudications(scope), "item_id", "round", "value"
    ):
        if value is not None:
            decided[item_id] = max(decided.get(item_id, (0, 0)), (number, value))
    found = {}
    for item_id in {*judged, *rated, *decided}:
        human = mean(rated[item_id])
        ruled = decided.get(item_id)
        final = human if ruled is None else ruled[1] / TOP
        found[item_id] = Rv(mean(judged[item_id]), human, final)
    return found


def mean(values: list[int]) -> float | None:
    """Return the mean of some ratings / 2, missing ones left out; None without any."""
    kept = [value for value in values if value is not None]
    return float(Fraction(sum(kept), TOP * len(kept))) if kept else None
