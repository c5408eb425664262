"""CSV for downloads that open in a spreadsheet: no cell is run as a formula, unless asked for.

Bundles have formats of their own (export/encode.py), which use the same `harmless_cell`.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# A spreadsheet runs a cell that begins so. It may also split a cell: by semicolons or tabs, where
# these separate columns, and by line breaks.
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
RISKY = re.compile(rf"\A(?=[{SIGNS}\t\r\n])|(?<=[;\t\r\n])(?=[{SIGNS}])")


def harmless_cell(text: str | None) -> str | None:
    """Return text that no spreadsheet runs: an apostrophe precedes a risky sign."""
    return RISKY.sub("'", text) if text else text


def csv_of(rows: Iterable[Sequence[Any]], *, raw: bool = False) -> str:
    """Return rows as CSV (RFC 4180, no byte order mark). `raw`: with texts exactly as typed."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for row in rows:
        writer.writerow(row if raw else [harmless(cell) for cell in row])
    return text.getvalue()


def harmless(cell: Any) -> Any:
    """Return a cell; only texts can be formulas."""
    return harmless_cell(cell) if isinstance(cell, str) else cell


def csv_table(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, raw: bool = False
) -> str:
    """Return rows with the values of the columns as CSV with a header; no value = empty."""
    made = ([row.get(name, "") for name in columns] for row in rows)
    return csv_of([columns, *made], raw=raw)
