"""Figures of a report, drawn from its tables as SVG and PDF with reproducible bytes.

Each file contains the settings of its report as its description (SVG) or subject (PDF). Matplotlib
is imported when the first figure is drawn, not when the server starts.
"""

import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any

from app.scoring.planned import FORMAT, LEXICON
from app.study.report.repeats import records_without_repeats
from app.study.report.shape import table_named
from app.study.report.styles import OF_PEOPLE, SETTINGS
from app.study.report.wording import is_of_bots, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = ("svg", "pdf")
ONE_AT_A_TIME = Lock()  # Matplotlib's settings are global


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure: its table, a sentence on what it shows, and the function that draws it."""

    table: str
    title: str
    alt: str
    draw: Callable[["Figure", list[dict[str, Any]]], None]


def pictures() -> Mapping[str, Picture]:
    """Return every figure by name."""
    from app.study.report import comparison_plots, model_plots, plots  # noqa: PLC0415 - see above

    return {
        "success_efficiency": Picture(
            "baseline_first",
            "Success and efficiency",
            "Success rate and norm_eff of first episodes, by task and condition, with intervals.",
            comparison_plots.success_efficiency,
        ),
        "floors": Picture(
            "floors_first",
            "ECSR compared with floors",
            "Participants' ECSR of first episodes by task, with its interval, and the expected "
            "ECSR of bots.",
            plots.floors,
        ),
        "relation": Picture(
            "relation_points",
            "RV against ECSR",
            "Scatter plot of RV and ECSR of first episodes, one point per player and task.",
            plots.relation,
        ),
        "time": Picture(
            "time",
            "Time per episode",
            "Median seconds per episode by task, with quartiles, for first and all episodes.",
            plots.times,
        ),
        "learning": Picture(
            "learning",
            "Learning",
            "ECSR by the position of a world in the study, and of an episode in its world.",
            plots.learning,
        ),
        "dropouts": Picture(
            "dropouts",
            "Dropouts by page",
            "People who reached each page, and those who ended there.",
            plots.dropouts,
        ),
        "format_gap": Picture(
            "format_gap",
            f"Format gap ({FORMAT})",
            "Direct accuracy and ECSR by task and family, with intervals; below, their difference, "
            "around 0.",
            comparison_plots.format_gap,
        ),
        "lexicon": Picture(
            "lexicon",
            f"Lexicon ({LEXICON})",
            "ECSR with plain and with made-up words by task and family, with intervals; below, "
            "the difference in ECSR and RV, around 0.",
            comparison_plots.lexicon,
        ),
        "coverage": Picture(
            "coverage",
            "Coverage curve",
            "ECSR, contextual bias and the share of determined cells by coverage, one panel per "
            "task, for each lexicon, with a line at coverage 1.",
            plots.coverage,
        ),
        "against_paper": Picture(
            "against_paper",
            "Participants compared with the paper",
            "ECSR, and RV if rated, of this study's participants by task, with intervals, "
            "compared with the paper's models and human participants.",
            plots.against_paper,
        ),
        "models": Picture(
            "models",
            "Participants compared with imported models",
            "Participants' ECSR minus each model's by task, with intervals, around 0.",
            plots.models,
        ),
        "models_relation": Picture(
            "models_points",
            "RV against ECSR of models",
            "Scatter plot of RV and ECSR, one point per model and task.",
            model_plots.models_relation,
        ),
        "models_coverage": Picture(
            "models_coverage",
            "Coverage curve of models",
            "ECSR of each model, contextual bias and the share of determined cells by coverage, "
            "one panel per task, with a line at coverage 1.",
            model_plots.models_coverage,
        ),
        "models_format_gap": Picture(
            "models_format_gap",
            "Format gap of models",
            "Direct accuracy minus ECSR of each model by task and family, around 0.",
            model_plots.models_format_gap,
        ),
    }


def picture_of(document: Mapping[str, Any], name: str) -> Picture:
    """Return a figure whose title and description name the players of a report. Raises KeyError."""
    found, bots = pictures()[name], is_of_bots(document)
    title, alt = (worded(text, bots=bots) for text in (found.title, found.alt))
    return replace(found, title=title, alt=alt)


def present(document: Mapping[str, Any]) -> list[str]:
    """Return the names of the figures that have data."""
    return [
        name
        for name, picture in pictures().items()
        if table_named(dict(document), picture.table)["rows"]
    ]


def drawn(document: Mapping[str, Any], name: str, suffix: str) -> bytes:
    """Return a figure as `svg` or `pdf`. Raises KeyError (no such figure or suffix)."""
    from matplotlib import rc_context  # noqa: PLC0415 - see above
    from matplotlib.backends.backend_pdf import FigureCanvasPdf  # noqa: PLC0415
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.text import Text  # noqa: PLC0415

    picture = picture_of(document, name)
    settings = f"{picture.alt} Settings: {json.dumps(document['settings'], sort_keys=True)}"
    canvas, more = {
        "svg": (FigureCanvasSVG, {"Date": None, "Description": settings}),
        "pdf": (FigureCanvasPdf, {"CreationDate": None, "Subject": settings}),
    }[suffix]
    rows = records_without_repeats(table_named(dict(document), picture.table))
    with ONE_AT_A_TIME, rc_context(SETTINGS):
        figure = Figure(figsize=(7.2, 3.6), layout="constrained")
        picture.draw(figure, rows)
        for label in figure.findobj(Text):
            if label.get_text() in OF_PEOPLE:
                label.set_text(worded(label.get_text(), bots=is_of_bots(document)))
        data = io.BytesIO()
        metadata = {"Title": picture.title, "Creator": "hjstudy", **more}
        canvas(figure).print_figure(data, format=suffix, metadata=metadata)
    if suffix == "svg":
        return named(data.getvalue().decode(), picture).encode()
    return data.getvalue()


def named(svg: str, picture: Picture) -> str:
    """Return a drawing with the title and the description that viewers and screen readers use."""
    words = f"<title>{escape(picture.title)}</title>\n <desc>{escape(picture.alt)}</desc>"
    return re.sub(r"<svg [^>]*>", lambda start: f"{start[0]}\n {words}", svg, count=1)
