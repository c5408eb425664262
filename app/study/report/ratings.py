"""RV of explanations, from the tables of ratings, judges and adjudications; and time gaps."""

from app.scoring.rv import Level, Rv, counts, level_of, rv_by_item
from app.study.report.units import Row, Tables

CRITERIA = ("inputs", "output", "structure", "generality")


def rating_of(row: Row) -> Level | None:
    """Return the rating in a row: one score, or the mean of four criteria."""
    return level_of(row["value"], [row.get(name) for name in CRITERIA])


def rv_of(tables: Tables) -> dict[str, Rv]:
    """Return explanation id -> RV; an item is named by its explanation's id."""
    return rv_by_item(
        judged=((row["item_id"], rating_of(row)) for row in tables.get("judge", ())),
        rated=(
            (row["item_id"], rating_of(row))
            for row in tables.get("rating", ())
            if counts(row.get("role", "main"), repeat=bool(row.get("repeat")))
        ),
        decided=(
            (row["item_id"], row.get("round", 0), rating_of(row))
            for row in tables.get("adjudication", ())
        ),
    )


def longest_gaps(tables: Tables) -> dict[str, int]:
    """Return episode id -> longest time between two of its actions, in milliseconds."""
    return {
        row["episode_id"]: row["longest_gap_ms"]
        for row in tables.get("timing", ())
        if row.get("longest_gap_ms") is not None
    }
