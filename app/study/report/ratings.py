"""RV of explanations, from the tables of ratings, judges and adjudications; and time gaps."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from app.study.export.rows_rated import COUNTING
from app.study.report.units import Row, Rv, Tables

TOP = 2  # ratings are 0, 1 or 2


def rv_of(tables: Tables) -> dict[str, Rv]:
    """Return explanation id -> RV by judge, by humans and final.

    judge: mean over judges. human: mean over ratings, without training items and hidden repeats.
    final: the newest adjudicated value, or else human.
    """
    human = means(row for row in tables.get("rating", ()) if is_rating(row))
    judge = means(tables.get("judge", ()))
    decided = means(newest(tables.get("adjudication", ())))
    final = {**human, **decided}
    names = {*human, *judge, *final}
    return {name: Rv(judge.get(name), human.get(name), final.get(name)) for name in sorted(names)}


def is_rating(row: Row) -> bool:
    """Return whether a rating counts: no training item and no hidden repeat."""
    return row.get("role", "main") in COUNTING and not row.get("repeat")


def newest(rows: Iterable[Row]) -> Iterable[Row]:
    """Return each item's decision with a value from the round with the highest number."""
    found: dict[str, Row] = {}
    for row in rows:
        known = found.get(row["item_id"])
        if row["value"] is not None and (
            known is None or row.get("round", 0) >= known.get("round", 0)
        ):
            found[row["item_id"]] = row
    return found.values()


def means(rows: Iterable[Row]) -> Mapping[str, float]:
    """Return item -> mean of its values / 2; items have the ID of their explanation."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row["value"] is not None:
            found[row["item_id"]].append(row["value"])
    return {item: float(Fraction(sum(values), TOP * len(values))) for item, values in found.items()}


def longest_gaps(tables: Tables) -> dict[str, int]:
    """Return episode id -> longest time between two of its actions, in milliseconds."""
    return {
        row["episode_id"]: row["longest_gap_ms"]
        for row in tables.get("timing", ())
        if row.get("longest_gap_ms") is not None
    }
