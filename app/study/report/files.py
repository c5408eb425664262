"""A report as files: report.json; each table as CSV and LaTeX; each figure as SVG, PDF and CSV.

Each table and figure has a JSON file of the same name with its description and settings.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.progress import Track, untracked
from app.study.csv_text import csv_of
from app.study.export.zipping import zipped
from app.study.report import draw
from app.study.report.document import canonical, fingerprint
from app.study.report.latex import table_latex
from app.study.report.options import ReportError
from app.study.report.shape import table_named

JSON_NAME = "report.json"
TABLE_SUFFIXES = ("csv", "tex", "json")
FIGURE_SUFFIXES = (*draw.SUFFIXES, "csv", "json")
NO_TIME = datetime(1980, 1, 1, tzinfo=UTC)  # fixed time of ZIP entries, for reproducible bytes
PARTS = ("value", "low", "high", "reason")


def table_csv(table: Mapping[str, Any], *, raw: bool) -> bytes:
    """Return a table as CSV; a figure has four columns: name, name_low, name_high, name_reason."""
    heads = list[str]()
    for column in table["columns"]:
        name = column["name"]
        heads.append(name)
        if column["kind"] == "figure":
            heads += [f"{name}_{part}" for part in PARTS[1:]]
    rows = list[list[Any]]([heads])
    for row in table["rows"]:
        cells = list[Any]()
        for cell in row:
            cells += [cell[part] for part in PARTS] if isinstance(cell, dict) else [bare(cell)]
        rows.append(cells)
    return csv_of(rows, raw=raw).encode()


def bare(cell: Any) -> Any:
    """Return a plain cell as in CSV."""
    return {True: "true", False: "false"}[cell] if isinstance(cell, bool) else cell


def beside(document: Mapping[str, Any], **what: Any) -> bytes:
    """Return the JSON next to a report's file: description, settings, and who is included."""
    keys = ("report_version", "code_version", "study", "settings", "counts")
    facts = {**what, **{key: document[key] for key in keys}}
    return canonical({**facts, "report_sha256": fingerprint(document)}).encode()


def table_file(document: Mapping[str, Any], name: str, suffix: str, *, raw: bool) -> bytes:
    """Return a table as `csv`, `tex` or `json`. Raises KeyError (no such table or suffix)."""
    table = table_named(dict(document), name)
    makers = {
        "csv": lambda: table_csv(table, raw=raw),
        "tex": lambda: table_latex(table, document["settings"]),
        "json": lambda: beside(
            document, table={key: table[key] for key in ("name", "title", "note", "columns")}
        ),
    }
    return makers[suffix]()


def figure_file(document: Mapping[str, Any], name: str, suffix: str, *, raw: bool) -> bytes:
    """Return a figure as `svg` or `pdf`, its data as `csv`, or its `json`. Raises KeyError."""
    if suffix in draw.SUFFIXES:
        return draw.drawn(document, name, suffix)
    picture = draw.picture_of(document, name)
    if suffix == "json":
        facts = {"name": name, "title": picture.title, "alt": picture.alt, "table": picture.table}
        return beside(document, figure=facts)
    return {"csv": table_csv}[suffix](table_named(dict(document), picture.table), raw=raw)


def part(
    document: Mapping[str, Any], folder: str, name: str, suffix: str, *, raw: bool = False
) -> bytes:
    """Return one file of `tables` or `figures`. Raises KeyError (no such file).

    `raw`: a CSV file with texts exactly as they are, even those that a spreadsheet runs.
    """
    return {"tables": table_file, "figures": figure_file}[folder](document, name, suffix, raw=raw)


def all_files(
    document: Mapping[str, Any], *, figures: bool = True, raw: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of every file of a report. Drawing figures is slow."""
    yield JSON_NAME, canonical(document).encode()
    tables = [table["name"] for table in document["tables"]]
    folders: dict[str, tuple[list[str], tuple[str, ...]]] = {"tables": (tables, TABLE_SUFFIXES)}
    if figures:
        folders["figures"] = (draw.present(document), FIGURE_SUFFIXES)
    for folder, (names, suffixes) in folders.items():
        for name in names:
            for suffix in suffixes:
                yield f"{folder}/{name}.{suffix}", part(document, folder, name, suffix, raw=raw)


def number_of_files(document: Mapping[str, Any], *, figures: bool = True) -> int:
    """Return how many files `all_files` yields."""
    drawn = len(draw.present(document)) if figures else 0
    return 1 + len(document["tables"]) * len(TABLE_SUFFIXES) + drawn * len(FIGURE_SUFFIXES)


def stream_zip(document: Mapping[str, Any], root: str, *, raw: bool = False) -> Iterator[bytes]:
    """Yield a ZIP file with all files of a report in one folder."""
    parts = ((f"{root}/{name}", [data]) for name, data in all_files(document, raw=raw))
    return zipped(parts, NO_TIME)


def write_all(
    document: Mapping[str, Any],
    out: Path,
    track: Track = untracked,
    *,
    figures: bool = True,
    raw: bool = False,
) -> list[str]:
    """Write everything to a folder; return the names of the files. Raises ReportError.

    Without `figures`, draw none. Remove figures of an earlier report that this one does not have.
    """
    written: list[str] = []
    try:
        for folder in (out, out / "tables", out / "figures"):
            folder.mkdir(parents=True, exist_ok=True)
        here = draw.present(document) if figures else []
        for absent in set(draw.pictures()) - set(here):
            for suffix in FIGURE_SUFFIXES:
                (out / "figures" / f"{absent}.{suffix}").unlink(missing_ok=True)
        total = number_of_files(document, figures=figures)
        files = all_files(document, figures=figures, raw=raw)
        for name, data in track(files, "Writing files", total):
            (out / name).write_bytes(data)
            written.append(name)
    except OSError as error:
        raise ReportError(f"out: cannot write to {out}: {error.strerror}.") from error
    return written
