"""The drawing of figures that compare: conditions, lexica, played and stated.

Each shows both sides, so that a study with treatments sees all of them in its first figure.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.scoring.planned import LEXICON
from app.study.report.plots import (
    BARELY,
    Rows,
    around_zero,
    bars,
    first_condition,
    share_axis,
    tasks_below,
    without_total,
)
from app.study.report.styles import STYLES

Series = Sequence[tuple[str, Rows]]
SPREAD = 0.8  # the most that series take of a task's place
DIFFERENCES = 2  # style of the first series of differences: those before are the two sides


def beside(axes: Axes, names: Sequence[str], series: Series, name: str, style: int = 0) -> None:
    """Draw a column of each series, side by side at each task; `style`: that of the first one."""
    step = min(BARELY, SPREAD / len(series))
    for at, (title, own) in enumerate(series):
        middle = (at - (len(series) - 1) / 2) * step
        places = [names.index(row["task"]) + middle for row in own]
        bars(axes, places, [row[name] for row in own], style + at, title)


def conditions(figure: Figure, rows: Rows) -> Series:
    """Return each condition with its rows; only the first, which the figure names, of very many."""
    found = list(dict.fromkeys((row["lexicon"], row["coverage"]) for row in rows))
    if len(found) > len(STYLES):
        return [("", first_condition(figure, rows))]
    return [
        (
            f"{words} words, coverage {coverage}",
            [row for row in rows if (row["lexicon"], row["coverage"]) == (words, coverage)],
        )
        for words, coverage in found
    ]


def success_efficiency(figure: Figure, rows: Rows) -> None:
    """Draw success rate and norm_eff, one series for each condition."""
    series = conditions(figure, without_total(rows))
    names = list(dict.fromkeys(row["task"] for _, own in series for row in own))
    panels = figure.subplots(1, 2, sharey=True)
    labels = ("success rate", "norm_eff of successes")
    for at, (axes, name) in enumerate(zip(panels, ("success_rate", "norm_eff"), strict=True)):
        beside(axes, names, series, name, at if len(series) == 1 else 0)
        tasks_below(axes, names)
        share_axis(axes, labels[at])
    if len(series) > 1:
        known = panels[0].get_legend_handles_labels()
    else:  # a column and a marker for each panel
        drawn = [(axes.get_legend_handles_labels()[0], axes.get_ylabel()) for axes in panels]
        known = [one for one, _ in drawn for one in one], [label for one, label in drawn if one]
    figure.legend(*known, loc="outside upper center", ncols=3)


def both_sides(
    figure: Figure, rows: Rows, sides: Series, values: Sequence[str], label: str
) -> Axes:
    """Draw the two sides above, each with its own column; return the panel below."""
    figure.set_size_inches(7.2, 5.4)
    panels: tuple[Axes, Axes] = figure.subplots(2, 1, sharex=True)
    above, below = panels
    names = list(dict.fromkeys(row["task"] for row in rows))
    for at, ((title, own), value) in enumerate(zip(sides, values, strict=True)):
        places = [names.index(row["task"]) + (at - 0.5) * BARELY for row in own]
        bars(above, places, [row[value] for row in own], at, title)
    share_axis(above, label)
    above.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return below


def format_gap(figure: Figure, rows: Rows) -> None:
    """Draw stated answers and play, and below direct - played."""
    own = first_condition(figure, rows)
    sides = [("direct accuracy", own), ("ECSR, played", own)]
    below = both_sides(figure, own, sides, ("direct", "played"), "accuracy, ECSR")
    around_zero(below, own, "gap", [("gap", own)], "direct accuracy - ECSR", DIFFERENCES)


def lexicon(figure: Figure, rows: Rows) -> None:
    """Draw ECSR with either lexicon, and below semantic - nonce, one series per measure."""
    own = first_condition(figure, [{**row, "lexicon": "both"} for row in rows])
    played, rated = ([r for r in own if r["measure"] == one] for one in ("ECSR", "RV"))
    sides = [("semantic words", played), ("nonce words", played)]
    below = both_sides(figure, own, sides, ("semantic", "nonce"), "ECSR")
    around_zero(below, own, "difference", [("ECSR", played), ("RV", rated)], LEXICON, DIFFERENCES)
