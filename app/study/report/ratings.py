"""RV of explanations out of the tables of ratings, judges and adjudications; gaps in time."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from app.study.export.rows_rated import COUNTING
from app.study.report.units import Row, Rv, Tables

TOP = 2  # ratings are 0, 1 or 2


def rv_of(tables: Tables) -> dict[str, Rv]:
    """Return explanation id -> RV by judge, by people (mean of the raters) and final.

    judge: the mean of the judges. human: the mean over raters, training and hidden second showings
    left out. final: the newest adjudicated value; without one the mean of the raters.
    """
    human = means(row for row in tables.get("rating", ()) if is_rating(row))
    judge = means(tables.get("judge", ()))
    decided = means(newest(tables.get("adjudication", ())))
    final = {**human, **decided}
    names = {*human, *judge, *final}
    return {name: Rv(judge.get(name), human.get(name), final.get(name)) for name in sorted(names)}


def is_rating(row: Row) -> bool:
    """Tell whether a rating counts: no training, and no hidden second showing."""
    return row.get("role", "main") in COUNTING and not row.get("repeat")


def newest(rows: Iterable[Row]) -> Iterable[Row]:
    """Return each item's decision of the round with the highest number, of those with a value."""
    found: dict[str, Row] = {}
    for row in rows:
        known = found.get(row["item_id"])
        if row["value"] is not None and (
            known is None or row.get("round", 0) >= known.get("round", 0)
        ):
            found[row["item_id"]] = row
    return found.values()


def means(rows: Iterable[Row]) -> Mapping[str, float]:
    """Return item -> mean of its values / 2; items are named by their explanation's id."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row["value"] is not None:
            found[row["item_id"]].append(row["value"])
    return {item: float(Fraction(sum(values), TOP * len(values))) for item, values in found.items()}


def longest_gaps(tables: Tables) -> dict[str, int]:
    """Return episode id -> longest time between two of its actions, milliseconds."""
    return {
        row["episode_id"]: row["longest_gap_ms"]
        for row in tables.get("timing", ())
        if row.get("longest_gap_ms") is not None
    }
