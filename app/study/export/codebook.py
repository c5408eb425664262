"""The codebook: every column of every export, generated from the column definitions.

`python -m app.study.export.codebook FILE.md` regenerates the page in the docs.
"""

import sys
from pathlib import Path
from typing import Any

from app.study.column_kinds import KINDS, Column, TableSpec
from app.study.csv_text import csv_table
from app.study.export.columns import FORMAT_VERSION, SPECS
from app.study.people.columns import APART

FIELDS = ("table", "position", "column", "type", "unit", "description")
HEAD = f"""# Codebook

This page describes the contents of `hjstudy export` and of the downloads, in format
{FORMAT_VERSION}. It is generated from `app/study/export/columns*.py`, from which the files are made
too. Each bundle contains it as `codebook.csv` and `codebook.json`. See [exports.md](exports.md) for
how to make and read bundles.

- Names are in snake case. The order of columns is fixed within a major format version; new columns
  go last. Missing values are empty.
- Booleans are `true` and `false`; times are ISO 8601 UTC with `Z`; milliseconds are whole numbers.
- CSV is UTF-8 without a byte order mark, RFC 4180, with text exactly as typed. The *Excel* format
  adds a byte order mark, and an apostrophe before text that starts with `=`, `+`, `-`, `@`, tab or
  CR. Do not use it for analysis.
- Test participants and practice episodes are left out unless you include them. Excluded
  participants are marked, not deleted. For erased participants, only a tombstone remains.
- IDs are random. hjstudy writes no tokens, completion codes or platform IDs into a table of the
  bundle, but someone may have typed one: see the de-identification report of a shareable bundle.
"""
HEAD_APART = """
# Tables with platform IDs

Download these on the study's page *Recruitment and pay*. They are never part of a bundle.
"""


def rows() -> list[dict[str, Any]]:
    """Return one row per column, in the order of tables and columns (see FIELDS)."""
    return [
        {
            "table": name,
            "position": place,
            "column": column.name,
            "type": KINDS[column.kind],
            "unit": column.unit,
            "description": column.about,
        }
        for name, spec in SPECS.items()
        for place, column in enumerate(spec.columns, start=1)
    ]


def document() -> dict[str, Any]:
    """Return the codebook as one JSON document: tables in order, with row and columns."""
    described: dict[str, Any] = {
        name: {"row": spec.row, "columns": []} for name, spec in SPECS.items()
    }
    for row in rows():
        own = {key: value for key, value in row.items() if key not in ("table", "position")}
        described[row["table"]]["columns"].append(own)
    return {"format_version": FORMAT_VERSION, "tables": described}


def as_csv() -> str:
    """Return the codebook as CSV (RFC 4180)."""
    return csv_table(FIELDS, rows())


def markdown() -> str:
    """Return the page for the docs."""
    parts = [HEAD, *(section(name, spec) for name, spec in SPECS.items()), HEAD_APART]
    return "\n".join([*parts, *(section(name, spec) for name, spec in APART.items())])


def section(name: str, spec: TableSpec) -> str:
    """Return a table's part of the page."""
    lines = [f"## {name}", "", f"One row: {spec.row}.", ""]
    lines += ["| column | type | meaning |", "|---|---|---|"]
    return "\n".join([*lines, *(line(column) for column in spec.columns), ""])


def line(column: Column) -> str:
    """Return a column's line of the page."""
    about = column.about.replace("|", "\\|")
    return f"| `{column.name}` | {KINDS[column.kind]} | {about} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(markdown(), "utf-8")
