"""Figures about models by themselves."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.study.report.plots import (
    LABELS,
    Rows,
    around_zero,
    coverage_panels,
    first_condition,
    share_axis,
)
from app.study.report.styles import STYLES

GREY = "#5d5d5d"
PROVED = (("contextual_bias", "x", ":"), ("share_determined", "+", "-"))


def models_relation(figure: Figure, rows: Rows) -> None:
    """Draw RV against ECSR of models, in a colour and shape each."""
    axes, rows = figure.subplots(), first_condition(figure, rows)
    for at, model in enumerate(dict.fromkeys(row["model"] for row in rows)):
        color, marker, _ = STYLES[at % len(STYLES)]
        own = [(row["rv"], row["ecsr"]) for row in rows if row["model"] == model]
        axes.scatter(
            *zip(*own, strict=True), marker=marker, facecolors="none", edgecolors=color, label=model
        )
    axes.set_xlim(-0.05, 1.05)
    axes.set_xlabel("RV")
    share_axis(axes, "ECSR")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def models_format_gap(figure: Figure, rows: Rows) -> None:
    """Draw direct - played, one series per model, without intervals."""
    own = [
        {**row, "gap": {"value": row["gap"], "low": None, "high": None}}
        for row in first_condition(figure, rows)
    ]
    names = list(dict.fromkeys(row["model"] for row in own))
    series = [(name, [row for row in own if row["model"] == name]) for name in names]
    around_zero(figure.subplots(), own, "gap", series, "direct accuracy - ECSR")


def models_coverage(figure: Figure, rows: Rows) -> None:
    """Draw one panel per task: a curve per model, contextual bias, share determined, k* = 1."""
    words = rows[0]["lexicon"]
    if any(row["lexicon"] != words for row in rows):
        figure.suptitle(f"{words} words (others: table)", fontsize=9)
    names = list(dict.fromkeys(row["model"] for row in rows))

    def panel(axes: Axes, own: Rows) -> None:
        for at, model in enumerate(names):
            here = [row for row in own if row["model"] == model]
            curve(axes, here, "ecsr", STYLES[at % len(STYLES)], model)
        for name, marker, line in PROVED:
            curve(axes, known_at(own, name), name, (GREY, marker, line), name.replace("_", " "))

    coverage_panels(figure, [row for row in rows if row["lexicon"] == words], panel)


def known_at(rows: Rows, name: str) -> Rows:
    """Return the first row of each coverage that has a value: models may have played others."""
    found = {row["coverage"]: row for row in reversed(rows) if row[name] is not None}
    return [found[share] for share in LABELS if share in found]


def curve(axes: Axes, rows: Rows, name: str, style: tuple[str, str, str], label: str) -> None:
    """Draw a column by coverage. `style`: colour, marker and line."""
    look: dict[str, Any] = dict(zip(("color", "marker", "linestyle"), style, strict=True))
    axes.plot(
        [LABELS[row["coverage"]] for row in rows],
        [row[name] for row in rows],
        **look,
        markersize=4,
        label=label,
    )
