"""How well judges agree with each other: repeats of one model among them."""

from itertools import combinations
from typing import Any

import numpy as np

from app.scoring.agreement import alpha
from app.scoring.manyvalues import Level
from app.scoring.panel import MISSING, Panel
from app.study.agreement.cells import ROWS, Table, num, table

EXPLAINED = (
    "Each repeat of a model counts as a judge, so this is also how well a model agrees with itself."
)


def section(panel: Panel, kinds: tuple[str, ...], level: Level) -> list[dict[str, Any]]:
    """Return alpha and the share of equal scores of every pair of judges, per row."""
    return [
        {"row": kind, **pair(panel, one, two, level, pool=kind == "pool")}
        for one, two in combinations(range(len(panel.judges)), 2)
        for kind in kinds
    ]


def pair(panel: Panel, one: int, two: int, level: Level, *, pool: bool) -> dict[str, Any]:
    """Return the agreement of two judges over the items that both scored."""
    scores, names = panel.judge[:, [one, two]], (panel.judges[one], panel.judges[two])
    both = (scores != MISSING).all(1)
    weights = panel.weights(both, pool=pool)
    found = alpha(
        panel.ratings(scores, names, weights), level, weighting="scaled" if pool else "none"
    )
    equal = scores[:, 0] == scores[:, 1]
    same = float(np.average(equal, weights=weights)) if both.any() else None
    return {
        "first": names[0],
        "second": names[1],
        "items": int(both.sum()),
        "same": same,
        "alpha": found.alpha,
    }


def tables(report: dict[str, Any]) -> list[Table]:
    """Return the pairs as a table of the page, none with a single judge."""
    head = ["Judges", "Row", "Items", "Equal", "Alpha"]
    rows = [
        [
            f"{one['first']} - {one['second']}",
            *(ROWS[one["row"]], str(one["items"]), num(one["same"], 2), num(one["alpha"])),
        ]
        for kind in ROWS
        for one in report["between_judges"]
        if one["row"] == kind
    ]
    return [table("Judge - judge", head, rows)] if rows else []


def lines(report: dict[str, Any]) -> list[str]:
    """Return the explanation, if there is something to explain."""
    return [EXPLAINED] if report["between_judges"] else []
