"""Rows of rating: item, sample, rating, adjudication, judge; and RV, computed from them."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.scoring.rv import Rv, counts, level_of, rv_by_item
from app.store.base import AnyRow
from app.store.export import dump, dump_rated
from app.store.rating.items import PLAYER
from app.study.export.row_keys import of_item
from app.study.export.source import Facts, Source

PARTS = ("text", "inputs", "output", "how", "found_how")


def common(source: "Source", row: AnyRow) -> dict[str, Any]:
    """Return a row with the columns that identify the item and where it was written."""
    who = {"study": source.study.slug, "participant_id": row.public_id}
    return {**row._asdict(), **who, **of_item(row)}


def items(source: "Source") -> Iterator["Facts"]:
    """Yield the items. A player's text is released like its explanation; no one reads models'."""
    for row in dump.rows(source.db, dump_rated.items(source.scope)):
        facts = common(source, row)
        if row.item_kind == PLAYER and not row.is_erased:
            own = {name: getattr(row, f"own_{name}") for name in PARTS}
            passed = source.gate.passes("explanation", own, row)
            kept_back = {"text": ""} if passed["text_reason"] else {}
            release = {name: passed[name] for name in ("release", "text_reason")}
            yield {**facts, **release, **kept_back}
        else:
            reason = source.gate.held(row.text)
            kept_back = {"text": ""} if reason else {}
            yield {**facts, "release": "", "text_reason": reason, **kept_back}


def results(source: "Source") -> Iterator["Facts"]:
    """Yield models' results as imported."""
    for row in dump.rows(source.db, dump_rated.results(source.scope)):
        yield {**row._asdict(), "study": source.study.slug}


def plain(query: Callable[..., Any]) -> Callable[["Source"], Iterator["Facts"]]:
    """Return the rows of a query unchanged."""

    def made(source: "Source") -> Iterator["Facts"]:
        for row in dump.rows(source.db, query(source.scope)):
            yield common(source, row)

    return made


def with_words(query: Callable[..., Any], *words: str) -> Callable[["Source"], Iterator["Facts"]]:
    """Return the rows of a query; texts of annotators, judges and researchers pass the gate."""

    def made(source: "Source") -> Iterator["Facts"]:
        for row in dump.rows(source.db, query(source.scope)):
            facts = {name: value or "" for name, value in row._asdict().items() if name in words}
            yield {**common(source, row), **facts, **source.gate.own(facts, *words)}

    return made


def ratings(source: "Source") -> Iterator["Facts"]:
    """Yield every item of every annotator."""
    for facts in with_words(dump_rated.ratings, "comment")(source):
        known = json.loads(facts["known"]) if facts["known"] else {}
        answers = {f"known_{name}": known.get(name) for name in dump_rated.SCORED}
        yield {**facts, **answers, "revisions": facts["revision"] or 0}


def decisions(source: "Source") -> Iterator["Facts"]:
    """Yield the decisions, each with the opinions that came before it."""
    opinions: dict[int, dict[str, str]] = {}
    for one in dump.rows(source.db, dump_rated.opinions(source.scope)):
        scores = [getattr(one, name) for name in dump_rated.SCORED]
        words = " ".join(str(score) for score in scores if score is not None)
        opinions.setdefault(one.round_item_id, {})[one.made_by] = words
    for facts in with_words(dump_rated.adjudications, "comment")(source):
        given = opinions.get(facts["round_item_id"], {})
        yield {**facts, "opinions": "; ".join(given.values())}


def rv_of_items(source: "Source") -> Mapping[str, Rv]:
    """Return item id -> RV of everything that is rated: a number or three an item."""

    def found(query: Callable[..., Any], *names: str) -> Iterator[AnyRow]:
        wanted = ("item_id", *names, *dump_rated.SCORED)
        yield from dump_rated.scores(source.db, query(source.scope), *wanted)

    return rv_by_item(
        judged=(
            (item_id, level_of(value, criteria))
            for item_id, value, *criteria in found(dump_rated.judged)
        ),
        rated=(
            (item_id, level_of(value, criteria))
            for item_id, role, repeat, value, *criteria in found(
                dump_rated.ratings, "role", "repeat"
            )
            if counts(role, repeat=repeat)
        ),
        decided=(
            (item_id, number, level_of(value, criteria))
            for item_id, number, value, *criteria in found(dump_rated.adjudications, "round")
        ),
    )
