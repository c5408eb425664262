"""Plots of the agreement report as SVG, drawn in the colour of the surrounding text.

They have no style attributes and no scripts, so they work under a strict policy and as files.
"""

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

WIDTH, ROW, LEFT, RIGHT, TOP = 720, 26, 250, 690, 44
CELL = 84
LONGEST = 33  # longest label, in characters
FONT = 'font-family="system-ui, sans-serif" font-size="13" fill="currentColor"'
FIGURES = ("coefficients", "confusion", "bias")


def figure(report: dict[str, Any], name: str) -> str:
    """Return one plot by name, or '' if there is nothing to draw. Raises KeyError."""
    return {"coefficients": coefficients, "confusion": confusion, "bias": bias}[name](report)


def coefficients(report: dict[str, Any]) -> str:
    """Draw every alpha of both rows with its interval over items; filled = sample, open = pool."""
    lines: list[tuple[str, list[tuple[int, dict[str, Any]]]]] = []
    rows = [(at, report["rows"][name]) for at, name in enumerate(("balanced", "pool"))]
    there = [(at, row) for at, row in rows if row is not None]
    lines.append(("human - human", [(at, as_point(row["human_human"])) for at, row in there]))
    for place, one in enumerate(there[0][1]["human_judge"]):
        both = [(at, row["human_judge"][place]) for at, row in there]
        for human in one["each"]:
            points = [(at, as_point(judge["each"][human])) for at, judge in both]
            lines.append((f"{human} - {one['judge']}", points))
        lines.append((f"mean - {one['judge']}", [(at, judge["mean"]) for at, judge in both]))
        differences = [(at, judge["difference"]) for at, judge in both]
        lines.append((f"difference ({one['judge']})", differences))
    title = "Coefficients with 95% intervals."
    if len(there) > 1:
        title += " Filled: only the items drawn, unweighted. Open: pool estimate (weighted)."
    return forest(title, lines, low=-0.4, high=1.0, step=0.2)


def as_point(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result object as value and interval."""
    return {"value": result["alpha"], "interval": result["interval"]}


def bias(report: dict[str, Any]) -> str:
    """Draw mean(judge) - mean(human) within each level of the first judge."""
    if not report["levels"]:
        return ""
    lines = [
        (f"judge level {one['level']}, {one['human']}", [(0, one["bias"])])
        for one in report["levels"]
        if one["judge"] == report["levels"][0]["judge"]
    ]
    judge = report["levels"][0]["judge"]
    title = f"Bias within each level of {judge}: judge minus human, in points, with 95% intervals."
    return forest(title, lines, low=-1.0, high=1.0, step=0.5)


def forest(
    title: str,
    lines: Iterable[tuple[str, list[tuple[int, dict[str, Any]]]]],
    *,
    low: float,
    high: float,
    step: float,
) -> str:
    """Draw points with intervals, one per line; points outside the axis widen it."""
    listed = list(lines)
    values = [
        number
        for _, points in listed
        for _, one in points
        for number in (one["value"], *ends(one))
        if number is not None
    ]
    while values and min(values) < low:
        low -= step
    while values and max(values) > high:
        high += step

    def x(value: float) -> float:
        return round(LEFT + (value - low) / (high - low) * (RIGHT - LEFT), 1)

    height = TOP + ROW * len(listed) + 30
    parts = [head(title, WIDTH, height), text(8, 18, title)]
    for number in range(round((high - low) / step) + 1):
        at = low + number * step
        dark = 0.5 if abs(at) < step / 10 else 0.15
        parts.append(rule(x(at), TOP - 10, x(at), height - 24, dark))
        parts.append(text(x(at), height - 8, f"{at:.1f}", "middle"))
    for place, (label, points) in enumerate(listed):
        y = TOP + ROW * place + 8
        parts.append(text(LEFT - 12, y + 4, short(label, LONGEST), "end"))
        for at, one in points:
            parts += mark(one, y - 4 + 8 * at if len(points) > 1 else y, x, filled=at == 0)
    return "".join([*parts, "</svg>"])


def short(label: str, longest: int) -> str:
    """Return a label, without its middle if it is longer than that many characters."""
    kept = longest // 2
    return label if len(label) <= longest else f"{label[:kept]}…{label[-kept:]}"


def ends(one: dict[str, Any]) -> tuple[float | None, float | None]:
    """Return the bounds of an interval, if there is one."""
    found = one["interval"]
    return (found["low"], found["high"]) if found else (None, None)


def mark(one: dict[str, Any], y: float, x: Any, *, filled: bool) -> list[str]:
    """Draw one point with its interval, or nothing if it is undefined."""
    if one["value"] is None:
        return [text(LEFT + 4, y + 4, "undefined")]
    low, high = ends(one)
    parts = [] if low is None or high is None else [rule(x(low), y, x(high), y, 1, 1.5)]
    fill = "currentColor" if filled else "none"
    parts.append(
        f'<circle cx="{x(one["value"])}" cy="{y}" r="3.5" fill="{fill}" stroke="currentColor"/>'
    )
    return parts


def confusion(report: dict[str, Any]) -> str:
    """Draw P(human | first judge) of each human; darker cells are larger shares."""
    if not report["confusion"]:
        return ""
    judge = report["confusion"][0]["judge"]
    tables = [one for one in report["confusion"] if one["judge"] == judge]
    scale = report["scale"]
    size = len(scale)
    width = 40 + (size * CELL + 70) * len(tables)
    height = 78 + size * CELL
    title = "Share of each human score within a judge score (columns sum to 1)."
    parts = [head(title, max(width, 520), height), text(8, 18, title)]
    for place, table in enumerate(tables):
        left = 60 + (size * CELL + 70) * place
        judge = short(str(table["judge"]), LONGEST // 2)
        parts.append(text(left, 42, f"{table['human']} (rows) by {judge} (columns)"))
        for i in range(size):
            parts.append(text(left - 10, 60 + CELL * i + CELL / 2, scale[i], "end"))
            parts.append(text(left + CELL * i + CELL / 2, 72 + size * CELL, scale[i], "middle"))
            for j in range(size):
                share = table["human_given_judge"][i][j]["value"]
                parts.append(cell(left + CELL * j, 52 + CELL * i, share, table["counts"][i][j]))
    return "".join([*parts, "</svg>"])


def cell(x: float, y: float, share: float | None, count: int) -> str:
    """Draw one cell with share and count, shaded by the share but light enough to read."""
    shade = 0.0 if share is None else round(0.4 * share, 3)
    words = "none" if share is None else f"{share:.2f}"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL - 3}" height="{CELL - 3}" fill="currentColor" '
        f'fill-opacity="{shade}" stroke="currentColor" stroke-opacity="0.3"/>'
        + text(x + CELL / 2, y + CELL / 2 - 2, words, "middle")
        + text(x + CELL / 2, y + CELL / 2 + 16, f"n {count}", "middle")
    )


def head(title: str, width: int, height: int) -> str:
    """Open an SVG with a label for screen readers."""
    label = quoteattr(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label={label}>'
    )


def text(x: float, y: float, words: object, anchor: str = "start") -> str:
    """Draw text."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {FONT}>{escape(str(words))}</text>'


def rule(x1: float, y1: float, x2: float, y2: float, opacity: float, width: float = 1) -> str:
    """Draw a line."""
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor" '
        f'stroke-opacity="{opacity}" stroke-width="{width}"/>'
    )
