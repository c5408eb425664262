"""Encode the rows of a table as canonical CSV, CSV for Excel or JSON Lines, as a stream."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.study.column_kinds import Column
from app.study.csv_text import harmless_cell
from app.study.export.columns import EXPORT_COLUMNS

CHUNK_BYTES = 64 * 1024
BOM = "\ufeff"
SUFFIX = {"csv": ".csv", "excel": "_excel.csv", "jsonl": ".jsonl"}
FORMATS = tuple(SUFFIX)


def encoded(rows: Iterable[list[Any]], table: str, flavour: str) -> Iterator[bytes]:
    """Encode rows as a file's bytes, in chunks."""
    text = io.StringIO(newline="")
    put = WRITERS[flavour](text, EXPORT_COLUMNS[table])
    for row in rows:
        put(row)
        if text.tell() >= CHUNK_BYTES:
            yield drain(text)
    yield drain(text)


def drain(text: io.StringIO) -> bytes:
    """Return what was written, and start again."""
    piece = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return piece


Put = Callable[[list[Any]], object]
BOOLEANS = {None: None, True: "true", False: "false"}


def csv_rows(text: io.StringIO, columns: Sequence[Column], *, harmless: bool = False) -> Put:
    """Write RFC 4180 rows (CRLF) with a header; missing values are empty, text is unchanged."""
    writer = csv.writer(text)
    writer.writerow(column.name for column in columns)
    booleans, times = places(columns, "bool"), places(columns, "time")
    texts = places(columns, "text") if harmless else ()

    def put(row: list[Any]) -> None:
        for place in booleans:
            row[place] = BOOLEANS[row[place]]
        for place in times:
            row[place] = time_text(row[place])
        for place in texts:
            row[place] = harmless_cell(row[place])
        writer.writerow(row)

    return put


def excel_rows(text: io.StringIO, columns: Sequence[Column]) -> Put:
    """Write rows for a spreadsheet: with a BOM, and without text that it would run as a formula."""
    text.write(BOM)
    return csv_rows(text, columns, harmless=True)


def json_rows(text: io.StringIO, columns: Sequence[Column]) -> Put:
    """Write one JSON object per line; missing values are null."""
    names, times = [column.name for column in columns], places(columns, "time")

    def put(row: list[Any]) -> None:
        for place in times:
            row[place] = time_text(row[place])
        line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)
        text.write(line + "\n")

    return put


def places(columns: Sequence[Column], kind: str) -> tuple[int, ...]:
    """Return the positions of the columns of one kind."""
    return tuple(place for place, column in enumerate(columns) if column.kind == kind)


WRITERS: Mapping[str, Callable[[io.StringIO, Sequence[Column]], Put]] = {
    "csv": csv_rows,
    "excel": excel_rows,
    "jsonl": json_rows,
}


def time_text(value: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC with milliseconds and Z."""
    if value is None:
        return None
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
