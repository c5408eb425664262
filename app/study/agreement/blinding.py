"""The agreement report's part on blinding: who raters think wrote the texts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.scoring import blinding
from app.scoring.alphareport import interval_fields
from app.scoring.blinding import Index, PooledIndex
from app.scoring.bootstrap import Interval, NoInterval
from app.store.base import AnyRow
from app.store.rating.guesses import GUESSES, MODEL, PERSON
from app.store.rating.items import PLAYER
from app.study.agreement.cells import NONE, Table, num, span, table
from app.study.agreement.data import Facts
from app.study.rating import form_check

ARMS = (PERSON, MODEL)
ASKED = {
    "item": "asked after each rating whether a person or a model wrote the text",
    "round": "asked at the end, for each text, whether a person or a model wrote it",
}


def section(facts: Facts, *, replicates: int, seed: int) -> dict[str, Any] | None:
    """Return counts and indices of all raters together and of each; None if it was not asked.

    Training items, gold items and repeats are left out. A row's `counts` are guesses (person,
    model, don't know) by true source (person, model).
    """
    asked = facts.round.ask_source
    if asked == "off":
        return None
    given = [row for row in facts.main if row.guess]
    rows = [pooled_row(given, replicates, seed)]
    rows += [
        rater_row(
            one.pseudonym, [row for row in given if row.rater == one.pseudonym], replicates, seed
        )
        for one in facts.raters
    ]
    return {"asked": asked, "guesses": list(GUESSES), "arms": list(ARMS), "rows": rows}


def form(facts: Facts) -> dict[str, Any] | None:
    """Return how well form alone tells models' texts from people's; None = too few texts."""
    row = facts.round
    found = form_check.check(facts.items, row.presentation, row.seed)
    if found is None:
        return None
    people, models = found.numbers
    figures = {"area": found.area, "low": found.low, "high": found.high}
    return {**figures, "people": people, "models": models, "tells": form_check.is_telling(found)}


def counts_of(rows: Sequence[AnyRow]) -> dict[int, Any]:
    """Return item -> (3, 2) counts of its guesses, in the column of its true source."""
    found: dict[int, Any] = {}
    for row in rows:
        counts = found.setdefault(row.item_id, np.zeros((len(GUESSES), len(ARMS))))
        arm = ARMS.index(PERSON if row.item_kind == PLAYER else MODEL)
        counts[GUESSES.index(row.guess), arm] += 1
    return found


def pooled_row(rows: Sequence[AnyRow], replicates: int, seed: int) -> dict[str, Any]:
    """Return the indices over all raters, drawn over items."""
    by_item = counts_of(rows)
    authors = {row.item_id: row.cluster for row in rows}
    tables = np.array(list(by_item.values())).reshape(-1, len(GUESSES), len(ARMS))
    names = [authors[item] for item in by_item]
    found = blinding.pooled(tables, names, replicates=replicates, seed=seed)
    return {
        "rater": None,
        "counts": whole(tables.sum(0)),
        "james": pooled_fields(found.james),
        "bang": {arm: pooled_fields(one) for arm, one in zip(ARMS, found.bang, strict=True)},
    }


def rater_row(name: str, rows: Sequence[AnyRow], replicates: int, seed: int) -> dict[str, Any]:
    """Return one rater's indices; their guesses are taken as independent."""
    tables = list(counts_of(rows).values())
    counts = sum(tables, np.zeros((len(GUESSES), len(ARMS))))
    found = blinding.indices(counts)
    james, *bang = blinding.alone(counts, replicates=replicates, seed=seed)
    return {
        "rater": name,
        "counts": whole(counts),
        "james": index_fields(found.james, james),
        "bang": {
            arm: index_fields(one, made)
            for arm, one, made in zip(ARMS, found.bang, bang, strict=True)
        },
    }


def whole(counts: Any) -> list[list[int]]:
    """Return counts as whole numbers."""
    return [[int(number) for number in row] for row in counts]


def pooled_fields(found: PooledIndex) -> dict[str, Any]:
    """Return an index with its two intervals as JSON."""
    return {
        "value": found.value,
        "reason": found.reason,
        **interval_fields("interval", found.interval),
        **interval_fields("cluster_interval", found.cluster_interval),
    }


def index_fields(found: Index, made: Interval | NoInterval) -> dict[str, Any]:
    """Return an index with its interval as JSON."""
    return {"value": found.value, "reason": found.reason, **interval_fields("interval", made)}


EXPLAINED = (
    "Bang's index of a source is (right - wrong) / all guesses: 0 is what chance gives, 1 means "
    "that raters always know, below 0 that they guess the opposite. James's index is 1 if "
    "everyone says 'don't know', .5 if everyone guesses at random, and 0 if everyone knows. The "
    "first row draws items; a rater's own row takes guesses as independent of each other."
)


def tables(report: dict[str, Any]) -> list[Table]:
    """Return the indices and the guesses as tables of the page."""
    found = report["blinding"]
    if found is None:
        return []
    head = ["Rater", "James", "95%", "Bang, persons", "95%", "Bang, models", "95%"]
    rows = [
        [one["rater"] or "all raters"]
        + [
            cell
            for index in (one["james"], *one["bang"].values())
            for cell in (num(index["value"]), span(index))
        ]
        for one in found["rows"]
    ]
    words = ("person", "model", "don't know")
    heads = ["Rater", *(f"{arm}s: {word}" for arm in ARMS for word in words)]
    counts = [
        [one["rater"] or "all raters"]
        + [str(one["counts"][guess][arm]) for arm in range(len(ARMS)) for guess in range(3)]
        for one in found["rows"]
    ]
    return [table("Blinding indices", head, rows), table("Guesses by true source", heads, counts)]


def sentence(report: dict[str, Any]) -> str:
    """Return what the methods paragraph says about the question, '' if it was not asked."""
    found = report["blinding"]
    if found is None:
        return ""
    one = found["rows"][0]
    parts = [
        f"{name} {num(index['value'])} ({span(index)})"
        if index["interval"]
        else f"{name} {num(index['value'])}"
        for name, index in (
            ("James's blinding index was", one["james"]),
            ("Bang's index was, for people's texts,", one["bang"][PERSON]),
            ("for models' texts,", one["bang"][MODEL]),
        )
        if index["value"] is not None
    ]
    given = sum(map(sum, one["counts"]))
    text = f" Raters were {ASKED[found['asked']]} ({given} answers)."
    return text if not parts else f"{text} {', '.join(parts).replace(NONE, 'undefined')}."
