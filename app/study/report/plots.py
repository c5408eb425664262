"""The drawing of each figure from a table's rows. Only positions are computed here."""

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.game.model import COVERAGES
from app.game.tiers import FLOORS
from app.study.report.styles import MINUS_MODELS, PEOPLE, STYLES

Rows = list[dict[str, Any]]
LABELS = {"0": 0.0, "1/3": 1 / 3, "2/3": 2 / 3, "1": 1.0, "2": 2.0}
BARELY = 0.18  # distance between series at a task's position
PANELS_A_ROW = 4
FEWEST_BARS = 4  # one or two bars would fill the figure, and lie below its legend


def first_condition(figure: Figure, rows: Rows) -> Rows:
    """Return the rows of the first condition; if there are others, the figure names it."""
    found = list(dict.fromkeys((row["lexicon"], row["coverage"]) for row in rows))
    if len(found) > 1:
        words, coverage = found[0]
        figure.suptitle(f"{words} words, coverage {coverage} (others: table)", fontsize=9)
    return [row for row in rows if (row["lexicon"], row["coverage"]) == found[0]]


def without_total(rows: Rows) -> Rows:
    """Return only the rows of tasks."""
    return [row for row in rows if row["task"] != "Total"]


def bars(axes: Axes, places: Sequence[float], cells: Sequence[Any], style: int, label: str) -> None:
    """Draw values as markers with their intervals, without missing values."""
    color, marker, _ = STYLES[style % len(STYLES)]
    found = [(x, c) for x, c in zip(places, cells, strict=True) if c["value"] is not None]
    if not found:
        return
    x, y = [one for one, _ in found], [cell["value"] for _, cell in found]
    low = [max(0.0, c["value"] - (c["value"] if c["low"] is None else c["low"])) for _, c in found]
    high = [
        max(0.0, (c["value"] if c["high"] is None else c["high"]) - c["value"]) for _, c in found
    ]
    axes.errorbar(
        x, y, yerr=[low, high], fmt=marker, color=color, capsize=3, markersize=5, label=label
    )


def tasks_below(axes: Axes, names: Sequence[str]) -> None:
    """Label the positions of the x axis."""
    axes.set_xticks(range(len(names)), list(names), rotation=30 if len(names) > 4 else 0)  # noqa: PLR2004
    axes.set_xlim(-0.6, len(names) - 0.4)


def share_axis(axes: Axes, label: str) -> None:
    """Set an axis from 0 to 1."""
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel(label)


def floors(figure: Figure, rows: Rows) -> None:
    """Draw participants and bots, one column per task."""
    own = without_total(first_condition(figure, rows))
    axes = figure.subplots()
    bars(axes, range(len(own)), [row["people"] for row in own], 0, PEOPLE)
    shown = [name for name in FLOORS if name != "oracle"]
    for at, name in enumerate(shown, start=1):
        color, marker, _ = STYLES[at % len(STYLES)]
        offset = (at - len(shown) / 2) * 0.07 + 0.12
        points = [(x + offset, row[name]) for x, row in enumerate(own) if row[name] is not None]
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle="none",
            marker=marker,
            color=color,
            markersize=5,
            markerfacecolor="none",
            label=name,
        )
    tasks_below(axes, [row["task"] for row in own])
    share_axis(axes, "ECSR")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def relation(figure: Figure, rows: Rows) -> None:
    """Draw RV against ECSR; several points at one spot are drawn larger."""
    axes, rows = figure.subplots(), first_condition(figure, rows)
    families = list(dict.fromkeys(row["family"] for row in rows))
    for at, family in enumerate(families):
        color, marker, _ = STYLES[at % len(STYLES)]
        spots: dict[tuple[float, float], int] = {}
        for row in rows:
            if row["family"] == family and row["ecsr_first"] is not None:
                spot = row["rv"], row["ecsr_first"]
                spots[spot] = spots.get(spot, 0) + 1
        axes.scatter(
            [x + (at - (len(families) - 1) / 2) * 0.012 for x, _ in spots],
            [y for _, y in spots],
            s=[22 + 14 * (count - 1) for count in spots.values()],
            marker=marker,
            facecolors="none",
            edgecolors=color,
            label=family,
        )
    axes.set_xlim(-0.05, 1.05)
    axes.set_xlabel("RV")
    share_axis(axes, "ECSR, first episodes")
    axes.legend(title="larger: more points", loc="center left", bbox_to_anchor=(1.0, 0.5))


def times(figure: Figure, rows: Rows) -> None:
    """Draw medians with quartiles."""
    axes, rows = figure.subplots(), first_condition(figure, rows)
    names = list(dict.fromkeys(row["task"] for row in rows))
    for at, which in enumerate(dict.fromkeys(row["episodes"] for row in rows)):
        own = [row for row in rows if row["episodes"] == which]
        cells = [{"value": row["median_s"], "low": row["q1_s"], "high": row["q3_s"]} for row in own]
        places = [names.index(row["task"]) + (at - 0.5) * BARELY for row in own]
        bars(axes, places, cells, at, which)
    tasks_below(axes, names)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("seconds: median, quartiles")
    axes.legend()


def learning(figure: Figure, rows: Rows) -> None:
    """Draw ECSR by position of the world and of the episode."""
    panels, rows = figure.subplots(1, 2, sharey=True), first_condition(figure, rows)
    for at, (axes, over) in enumerate(zip(panels, ("worlds", "episodes"), strict=True)):
        own = [row for row in rows if row["over"] == over and row["ecsr"]["value"] is not None]
        color, _, line = STYLES[at]
        places = [row["place"] for row in own]
        axes.plot(places, [row["ecsr"]["value"] for row in own], color=color, linestyle=line)
        bars(axes, places, [row["ecsr"] for row in own], at, over)
        axes.set_xticks(places)
        axes.set_xlabel("world in the study" if over == "worlds" else "episode in its world")
        share_axis(axes, "ECSR")


def dropouts(figure: Figure, rows: Rows) -> None:
    """Draw the people who reached each page and, hatched, those who ended there."""
    axes = figure.subplots()
    places = range(len(rows))
    axes.barh(
        places, [r["reached"] for r in rows], color="#dddddd", edgecolor="black", label="reached"
    )
    axes.barh(
        places,
        [r["ended_here"] for r in rows],
        color="#d55e00",
        edgecolor="black",
        hatch="//",
        label="ended here",
    )
    axes.set_yticks(places, [row["page"] for row in rows])
    axes.invert_yaxis()
    axes.set_ylim(bottom=max(axes.get_ylim()[0], FEWEST_BARS - 0.5))
    axes.set_xlabel(PEOPLE)
    axes.legend(loc="lower right")


def around_zero(
    axes: Axes,
    rows: Rows,
    name: str,
    series: Sequence[tuple[str, Rows]],
    label: str,
    style: int = 0,
) -> None:
    """Draw differences with their intervals around 0; `style`: that of the first series."""
    names = list(dict.fromkeys(row["task"] for row in rows))
    for at, (title, own) in enumerate(series):
        middle = (at - (len(series) - 1) / 2) * BARELY
        places = [names.index(row["task"]) + middle for row in own]
        bars(axes, places, [row[name] for row in own], style + at, title)
    axes.axhline(0, color="black", linewidth=0.8)
    tasks_below(axes, names)
    axes.set_ylabel(label)
    if len(series) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def models(figure: Figure, rows: Rows) -> None:
    """Draw participants - model, one series per model."""
    own = [r for r in rows if (r["measure"], r["episodes"]) == ("ECSR", "first")]
    own = first_condition(figure, own) if own else []
    names = dict.fromkeys(row["model"] for row in own)
    series = [(name, [r for r in own if r["model"] == name]) for name in names]
    around_zero(figure.subplots(), own, "difference", series, MINUS_MODELS)


def coverage(figure: Figure, rows: Rows) -> None:
    """Draw one panel per task: ECSR by lexicon, contextual bias, share determined, k* = 1."""
    lexica = list(dict.fromkeys(row["lexicon"] for row in rows))

    def panel(axes: Axes, own: Rows) -> None:
        for at, words in enumerate(lexica):
            here = [row for row in own if row["lexicon"] == words]
            coverage_curve(axes, here, 3 * at, words if len(lexica) > 1 else "")

    coverage_panels(figure, rows, panel)


def coverage_panels(figure: Figure, rows: Rows, panel: Callable[[Axes, Rows], None]) -> None:
    """Draw one panel per task by coverage; `panel` draws the rows of its task."""
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    across = min(len(tasks), PANELS_A_ROW)
    down = -(-len(tasks) // across)
    figure.set_size_inches(7.2, 0.9 + 2.1 * down)
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes in panels.flat[len(tasks) :]:
        axes.set_axis_off()
    known: dict[str, Any] = {}  # a task may lack a curve, so the legend covers all panels
    for axes, task in zip(panels.flat, tasks, strict=False):
        axes.axvline(1, color="#5d5d5d", linewidth=0.8, linestyle=":")
        panel(axes, [row for row in rows if row["task"] == task])
        axes.set_title(task, fontsize=9)
        axes.set_xticks([LABELS[one] for one in COVERAGES], ["0", "⅓", "⅔", "1", "2"])
        axes.set_ylim(-0.03, 1.03)
        handles, labels = axes.get_legend_handles_labels()
        known |= dict(zip(labels, handles, strict=True))
    figure.legend(known.values(), known.keys(), loc="outside upper center", ncols=3)
    figure.supxlabel("coverage k/k*", fontsize=9)
    figure.supylabel("ECSR, contextual bias, share determined", fontsize=9)


def coverage_curve(axes: Axes, rows: Rows, style: int, words: str) -> None:
    """Draw one task's curves for one lexicon. `words`: '' = there is only one lexicon."""
    x, after = [LABELS[row["coverage"]] for row in rows], f", {words}" if words else ""
    color, _, line = STYLES[style % len(STYLES)]
    axes.plot(x, [row["ecsr"]["value"] for row in rows], color=color, linestyle=line)
    bars(axes, x, [row["ecsr"] for row in rows], style, f"ECSR{after}")
    for at, name in ((1, "contextual_bias"), (2, "share_determined")):
        color, marker, line = STYLES[(style + at) % len(STYLES)]
        y = [float("nan") if row[name] is None else row[name] for row in rows]
        look: dict[str, Any] = {"color": color, "marker": marker, "linestyle": line}
        axes.plot(x, y, **look, markersize=4, label=name.replace("_", " ") + after)


def against_paper(figure: Figure, rows: Rows) -> None:
    """Draw this study's participants and every published mean: ECSR, and RV if rated."""
    measures = [
        one
        for one in ("ECSR", "RV")
        if any(r["measure"] == one and r["people"]["value"] is not None for r in rows)
    ]
    figure.set_size_inches(7.2, 0.6 + 3.0 * max(1, len(measures)))
    panels = figure.subplots(max(1, len(measures)), 1, squeeze=False)
    for axes, measure in zip(panels.flat, measures, strict=False):
        beside_published(axes, [row for row in rows if row["measure"] == measure])
        share_axis(axes, measure)
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=8)


def beside_published(axes: Axes, own: Rows) -> None:
    """Draw one measure of this study's participants and of the paper, one column per task."""
    tasks = list(dict.fromkeys(row["task"] for row in own))
    names = list(dict.fromkeys(row["name"] for row in own))
    mine = [next(row["people"] for row in own if row["task"] == task) for task in tasks]
    bars(axes, range(len(tasks)), mine, 0, "this study")
    for at, name in enumerate(names, start=1):
        color, marker, _ = STYLES[at % len(STYLES)]
        offset = (at - len(names) / 2) * 0.07 + 0.12
        axes.plot(
            [tasks.index(r["task"]) + offset for r in own if r["name"] == name],
            [r["published"] for r in own if r["name"] == name],
            linestyle="none",
            marker=marker,
            color=color,
            markersize=5,
            markerfacecolor="none",
            label=f"{name} (paper)",
        )
    tasks_below(axes, tasks)
