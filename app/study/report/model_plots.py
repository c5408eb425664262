"""Figures about models by themselves."""

from matplotlib.figure import Figure

from app.study.report.plots import Rows, first_condition, share_axis
from app.study.report.styles import STYLES


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
