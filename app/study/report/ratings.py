"""RV of explanations out of the tables of ratings, judges and adjudications; gaps in time."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from app.study.report.units import Rv, Tables

TOP = 2  # ratings are 0, 1 or 2


def rv_of(tables: Tables) -> dict[str, Rv]:
    """Return explanation id -> RV by judge, by people (mean of the raters) and final.

    final: the adjudicated value; without one the mean of the raters.
    """
    human = means(tables, "rating")
    judge = means(tables, "judge")
    decided = means(tables, "adjudication")
    final = {**human, **decided}
    names = {*human, *judge, *final}
    return {name: Rv(judge.get(name), human.get(name), final.get(name)) for name in sorted(names)}


def means(tables: Tables, table: str) -> Mapping[str, float]:
    """Return item -> mean of its values / 2; items are named by their explanation's id."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in tables.get(table, ()):
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
