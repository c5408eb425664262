"""The structure of a report: tables of named columns, and figures drawn from them.

A cell is text, a number, a truth value, None, or a value with its interval (kind `figure`):
`{"value", "low", "high", "reason", "players", "units"}`. JSON, CSV, LaTeX and pages are all made
from this structure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app.scoring.players import Figure

DECIMALS = 10  # decimals of every number in a document; beyond, machines may differ
Cell = str | int | float | bool | None | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `kind`: text, int, number, bool or figure (a number with its interval)."""

    name: str
    label: str
    kind: str = "text"


@dataclass(slots=True)
class Table:
    """One table of a report. `note`: an explanation of the numbers."""

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: list[list[Cell]] = field(default_factory=list)

    def add(self, *cells: Any) -> None:
        """Add a row with one cell per column."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{self.name}: {len(cells)} cells for {len(self.columns)} columns")
        self.rows.append([plain(cell) for cell in cells])

    def as_dict(self) -> dict[str, Any]:
        """Return the table as JSON data."""
        return {
            "name": self.name,
            "title": self.title,
            "note": self.note,
            "columns": [asdict(column) for column in self.columns],
            "rows": self.rows,
        }


def columns(*lines: str) -> tuple[Column, ...]:
    """Parse `name:kind:Label` or `name:kind`; the default label is the name in words."""
    made = []
    for one in lines:
        name, _, rest = one.partition(":")
        kind, _, label = rest.partition(":")
        made.append(Column(name, label or name.replace("_", " "), kind or "text"))
    return tuple(made)


def plain(cell: Any) -> Cell:
    """Return a cell as JSON data, with numbers rounded so that all machines print the same."""
    if isinstance(cell, Figure):
        return {key: plain(value) for key, value in asdict(cell).items()}
    if isinstance(cell, float):
        rounded = round(cell, DECIMALS)
        return 0.0 if rounded == 0 else rounded  # never -0.0
    if cell is None or isinstance(cell, str | int):
        return cell
    raise TypeError(f"not a cell of a report: {cell!r}")


def shown(cell: Any, kind: str) -> str:
    """Return a cell for display: three decimals, and the interval if there is one."""
    if isinstance(cell, dict):
        value, low, high = (shown(cell[part], "number") for part in ("value", "low", "high"))
        return value if cell["low"] is None else f"{value} [{low}, {high}]"
    if cell is None:
        return "–" if kind != "text" else ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return str(cell)


def records(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a table's rows as name -> cell."""
    names = [column["name"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


def table_named(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return one table of a document. Raises KeyError (no such table)."""
    for table in document["tables"]:
        if table["name"] == name:
            return dict(table)
    raise KeyError(name)


def ordered(found: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return names in a known order, followed by unknown ones in alphabetical order."""
    names = set(found)
    return [one for one in known if one in names] + sorted(names - set(known))
