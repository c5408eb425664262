"""Equal rows in a row of a table, folded into one with their number; none is lost."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

FEW = 3  # a shorter run is easier to read as it is


def folded(rows: Iterable[dict[str, Any]], own: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return rows with runs of equal ones as their first row.

    Args:
        rows: in order.
        own: the values that rows do not share, such as their number and time.

    Returns:
        rows with `each`: the `own` values of every row of the run; [] = the row stands for itself.
    """
    found = list[dict[str, Any]]()
    for _, group in groupby(rows, lambda row: {k: v for k, v in row.items() if k not in own}):
        run = list(group)
        if len(run) < FEW:
            found += [{**row, "each": []} for row in run]
        else:
            each = [{name: row[name] for name in own} for row in run]
            found.append({**run[0], "each": each})
    return found
