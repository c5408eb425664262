"""The agreement report's interval over items and raters: what other raters might find."""

from collections.abc import Sequence
from typing import Any

from app.scoring import over_raters
from app.scoring.agreement import PAIR, Weighting, alpha
from app.scoring.alphareport import interval_fields
from app.scoring.manyvalues import Level
from app.scoring.panel import Panel
from app.study.agreement.cells import ROWS, Table, num, span, table

EXPLAINED = (
    "The intervals above describe other items rated by the same people. Here, raters are drawn as "
    "well as items, so the intervals also describe other raters, if yours are like them."
)


def section(
    panel: Panel, kinds: Sequence[str], level: Level, *, replicates: int, seed: int
) -> dict[str, Any]:
    """Return, per row of the report, alpha between humans with its interval, and the warning."""
    found: dict[str, Any] = {}
    for kind in kinds:
        usable = (panel.human >= 0).sum(1) >= PAIR
        weights = panel.weights(usable, pool=kind == "pool")
        ratings = panel.ratings(panel.human, panel.humans, weights)
        weighting: Weighting = "scaled" if kind == "pool" else "none"
        made = alpha(ratings, level, weighting=weighting)
        drawn = over_raters.interval(ratings, made, weighting, replicates=replicates, seed=seed)
        found[kind] = {
            "alpha": made.alpha,
            "raters": len(panel.humans),
            **interval_fields("interval", drawn.interval),
            "warning": drawn.warning or None,
        }
    return found


def lines(report: dict[str, Any]) -> list[str]:
    """Return the explanation and the warning."""
    warnings = {one["warning"] for one in report["over_raters"].values() if one["warning"]}
    return [EXPLAINED, *sorted(warnings)]


def tables(report: dict[str, Any]) -> list[Table]:
    """Return the intervals as a table of the page."""
    head = ["Row", "Alpha", "95% over items and raters", "Raters"]
    rows = [
        [ROWS[kind], num(one["alpha"]), span(one), str(one["raters"])]
        for kind in ROWS
        if (one := report["over_raters"].get(kind)) is not None
    ]
    return [table("Human - human, other raters", head, rows)]


def sentence(report: dict[str, Any]) -> str:
    """Return what the methods paragraph says, '' without an interval."""
    for kind in ("pool", "balanced"):
        one = report["over_raters"].get(kind)
        if one is None or one["interval"] is None:
            continue
        which = "" if kind == "pool" else " of the unweighted alpha"
        text = f"Drawing raters as well as items, the interval{which} is {span(one)}."
        return f"{text} {one['warning']}" if one["warning"] else text
    return ""
