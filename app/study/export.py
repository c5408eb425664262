"""Exports for researchers: tables as files, from one snapshot, streamed, with a manifest.

Ids are random public ones only; tokens, completion codes and platform ids are in none of these
tables. Test people and the practice are left out unless they are asked for.
"""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app import __version__
from app.errors import StudyError
from app.store import dump
from app.store.db import Store
from app.store.dump import Scope
from app.study import studies
from app.study.columns import EXPORT_COLUMNS, FORMAT_VERSION, TABLES
from app.study.columns_kinds import Column
from app.study.rows import Source

CHUNK_BYTES = 64 * 1024
RISKY = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes such a cell for a formula
BOM = "\ufeff"
SUFFIX = {"csv": ".csv", "excel": "_excel.csv", "jsonl": ".jsonl"}
FORMATS = tuple(SUFFIX)
MANIFEST = "manifest.json"


class ExportError(StudyError):
    """The export cannot be made as it was asked for, or did not hold what the database holds."""

    code = "export/failed"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One file of an export."""

    table: str
    name: str
    rows: int
    bytes: int
    sha256: str


def stream_csv(
    store: Store,
    slug: str,
    table: str,
    flavour: str,
    *,
    include_test: bool = False,
    include_practice: bool = False,
) -> Iterator[bytes]:
    """Stream one table as a file in one of FORMATS. Raises NoStudyError when it is begun."""
    with store.read() as db:
        study = studies.find(db, slug)
        scope = Scope(study.id, include_test=include_test, include_practice=include_practice)
        yield from encoded(Source(db, study, scope).rows(table), table, flavour)


def export(
    store: Store,
    slug: str,
    out: Path,
    now: datetime,
    *,
    flavour: str = "csv",
    include_test: bool = False,
    include_practice: bool = False,
) -> dict[str, Any]:
    """Write all tables and then the manifest into `out`; returns the manifest.

    Files of an earlier export are replaced. Raises NoStudyError, ExportError.
    """
    if flavour not in FORMATS:
        raise ExportError(f"format: '{flavour}' is none of {', '.join(FORMATS)}.")
    with store.read() as db, naming_folder(out):
        study = studies.find(db, slug)
        prepare(out)
        scope = Scope(study.id, include_test=include_test, include_practice=include_practice)
        source = Source(db, study, scope)
        files = [write(out, source, table, flavour) for table in TABLES]
        check_counts(source, files)
        manifest = {
            "format_version": FORMAT_VERSION,
            "code_version": __version__,
            "schema_revision": dump.schema_revision(db),
            "study": slug,
            "study_kind": study.kind,
            "format": flavour,
            "include_test": include_test,
            "include_practice": include_practice,
            "exported_at": told(now),
            "files": [asdict(file) for file in files],
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (out / MANIFEST).write_text(text, "utf-8")
    return manifest


@contextmanager
def naming_folder(out: Path) -> Iterator[None]:
    """Turn the system's errors about files into ours."""
    try:
        yield
    except OSError as error:
        raise ExportError(f"out: {out} cannot be written to: {error.strerror}.") from error


def prepare(out: Path) -> None:
    """Make the folder; an older manifest goes first, so that a torn export has none."""
    out.mkdir(parents=True, exist_ok=True)
    (out / MANIFEST).unlink(missing_ok=True)


def file_name(slug: str, table: str, flavour: str) -> str:
    """Return a table's file name, as Psych-DS wants it."""
    return f"study-{slug}_level-{table}_data{SUFFIX[flavour]}"


def write(out: Path, source: Source, table: str, flavour: str) -> ExportedFile:
    """Write one table."""
    name = file_name(source.study.slug, table, flavour)
    rows, size, sha = Counted(source.rows(table)), 0, hashlib.sha256()
    with (out / name).open("wb") as file:
        for chunk in encoded(rows, table, flavour):
            file.write(chunk)
            sha.update(chunk)
            size += len(chunk)
    return ExportedFile(table, name, rows.count, size, sha.hexdigest())


class Counted:
    """Rows that are counted as they pass."""

    def __init__(self, rows: Iterable[list[Any]]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[list[Any]]:
        for row in self._rows:
            self.count += 1
            yield row


def check_counts(source: Source, files: Sequence[ExportedFile]) -> None:
    """Compare the rows written with what the database counts. Raises ExportError."""
    for file in files:
        counted = source.count(file.table)
        if counted is not None and counted != file.rows:
            raise ExportError(
                f"{file.name} has {file.rows} rows, but the database counts {counted}. "
                "No manifest was written; please report this."
            )


def encoded(rows: Iterable[list[Any]], table: str, flavour: str) -> Iterator[bytes]:
    """Turn rows into a file's bytes, in pieces."""
    text = io.StringIO(newline="")
    put = WRITERS[flavour](text, EXPORT_COLUMNS[table])
    for row in rows:
        put(row)
        if text.tell() >= CHUNK_BYTES:
            yield drain(text)
    yield drain(text)


def drain(text: io.StringIO) -> bytes:
    """Return what was written and begin anew."""
    piece = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return piece


Put = Callable[[list[Any]], object]
BOOLEANS = {None: None, True: "true", False: "false"}


def csv_rows(text: io.StringIO, columns: Sequence[Column], *, harmless: bool = False) -> Put:
    """Write RFC 4180 rows (CRLF) with a heading; missing is empty, text stays as it was typed."""
    writer = csv.writer(text)
    writer.writerow(column.name for column in columns)
    booleans, times = places(columns, "bool"), places(columns, "time")
    texts = places(columns, "text") if harmless else ()

    def put(row: list[Any]) -> None:
        for place in booleans:
            row[place] = BOOLEANS[row[place]]
        for place in times:
            row[place] = told(row[place])
        for place in texts:
            row[place] = harmless_cell(row[place])
        writer.writerow(row)

    return put


def excel_rows(text: io.StringIO, columns: Sequence[Column]) -> Put:
    """Write rows for a spreadsheet: BOM, and no text that it would take for a formula."""
    text.write(BOM)
    return csv_rows(text, columns, harmless=True)


def json_rows(text: io.StringIO, columns: Sequence[Column]) -> Put:
    """Write one JSON object a line; missing is null."""
    names, times = [column.name for column in columns], places(columns, "time")

    def put(row: list[Any]) -> None:
        for place in times:
            row[place] = told(row[place])
        line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)
        text.write(line + "\n")

    return put


def places(columns: Sequence[Column], kind: str) -> tuple[int, ...]:
    """Return where the columns of one kind stand."""
    return tuple(place for place, column in enumerate(columns) if column.kind == kind)


WRITERS: Mapping[str, Callable[[io.StringIO, Sequence[Column]], Put]] = {
    "csv": csv_rows,
    "excel": excel_rows,
    "jsonl": json_rows,
}


def harmless_cell(text: str | None) -> str | None:
    """Return text that no spreadsheet computes: a ' goes before risky beginnings."""
    return f"'{text}" if text and text.startswith(RISKY) else text


def told(value: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC with milliseconds and Z."""
    if value is None:
        return None
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


__all__ = ["EXPORT_COLUMNS", "FORMATS", "TABLES", "ExportError", "export", "stream_csv"]
