"""Cells and tables of the agreement page: numbers with three decimals, or the reason for none."""

from collections.abc import Iterable
from typing import Any

Table = dict[str, Any]
NONE = "none"
ROWS = {  # in the order of the page
    "pool": "Pool estimate (weighted)",
    "balanced": "Unweighted: only the items drawn",
}


def section(
    name: str, title: str, lines: list[str], tables: list[Table], figure: str = ""
) -> dict[str, Any]:
    """Return a section of the page."""
    return {"id": name, "title": title, "lines": lines, "tables": tables, "figure": figure}


def table(caption: str, head: list[str], rows: Iterable[list[str]]) -> Table:
    """Return a table; a row's first cell is its name; `links`: name of a row -> URL."""
    return {"caption": caption, "head": head, "rows": list(rows), "links": {}}


def num(value: float | None, places: int = 3) -> str:
    """Return a number, or 'none'."""
    return NONE if value is None else f"{value:.{places}f}"


def span(found: dict[str, Any], name: str = "interval") -> str:
    """Return an interval, or the reason for none."""
    one = found[name]
    if one is None:
        return str(found[f"{name}_reason"]["reason"])
    return f"{one['low']:.3f} to {one['high']:.3f}"


def share(found: dict[str, Any]) -> str:
    """Return a share with its interval, if it has one."""
    if found["value"] is None:
        return NONE
    bounds = "" if found["low"] is None else f" ({found['low']:.2f} to {found['high']:.2f})"
    return f"{found['value']:.2f}{bounds}"


def there(report: dict[str, Any]) -> list[str]:
    """Return the names of the rows that exist."""
    return [name for name in ROWS if report["rows"][name] is not None]
