"""A report as files: report.json; each table as CSV and LaTeX; each figure as SVG, PDF and CSV.

Each table and figure has a JSON file of the same name with its description and settings.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.progress import Track, untracked
from app.study.csv_text import csv_of
from app.study.export.zipping import zipped
from app.study.report import draw
from app.study.report.document import canonical, fingerprint
from app.study.report.options import ReportError
from app.study.report.shape import table_named

JSON_NAME = "report.json"
TABLE_SUFFIXES = ("csv", "tex", "json")
FIGURE_SUFFIXES = (*draw.SUFFIXES, "csv", "json")
NO_TIME = datetime(1980, 1, 1, tzinfo=UTC)  # fixed time of ZIP entries, for reproducible bytes
PARTS = ("value", "low", "high", "reason")
SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


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


def shown(cell: Any, kind: str) -> str:
    """Return a cell for display: three decimals, and the interval if there is one."""
    if isinstance(cell, dict):
        value, low, high = (shown(cell[part], "number") for part in PARTS[:3])
        return value if cell["low"] is None else f"{value} [{low}, {high}]"
    if cell is None:
        return "–" if kind != "text" else ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return str(cell)


def table_latex(table: Mapping[str, Any], settings: Mapping[str, Any]) -> bytes:
    """Return a table for LaTeX (booktabs), with note and settings as comments above it."""
    align = "".join("l" if column["kind"] == "text" else "r" for column in table["columns"])
    heads = " & ".join(escaped(column["label"]) for column in table["columns"])
    lines = [
        f"% {table['title']}: {table['note']}",
        f"% settings: {json.dumps(settings, sort_keys=True)}",
        f"\\begin{{tabular}}{{{align}}}",
        r"\toprule",
        f"{heads} \\\\",
        r"\midrule",
    ]
    kinds = [column["kind"] for column in table["columns"]]
    for row in table["rows"]:
        cells = (escaped(shown(cell, kind)) for cell, kind in zip(row, kinds, strict=True))
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    return ("\n".join(lines) + "\n").encode()


def escaped(text: str) -> str:
    """Return text escaped for LaTeX."""
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("–", "--")


def beside(document: Mapping[str, Any], **what: Any) -> bytes:
    """Return the JSON next to a report's file: description, settings, and who is included."""
    told = ("report_version", "code_version", "study", "settings", "counts")
    facts = {**what, **{key: document[key] for key in told}}
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
    picture = draw.pictures()[name]
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


def all_files(document: Mapping[str, Any], *, raw: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of every file of a report."""
    yield JSON_NAME, canonical(document).encode()
    tables = [table["name"] for table in document["tables"]]
    folders = {
        "tables": (tables, TABLE_SUFFIXES),
        "figures": (draw.present(document), FIGURE_SUFFIXES),
    }
    for folder, (names, suffixes) in folders.items():
        for name in names:
            for suffix in suffixes:
                yield f"{folder}/{name}.{suffix}", part(document, folder, name, suffix, raw=raw)


def number_of_files(document: Mapping[str, Any]) -> int:
    """Return how many files `all_files` yields."""
    tables, figures = len(document["tables"]), len(draw.present(document))
    return 1 + tables * len(TABLE_SUFFIXES) + figures * len(FIGURE_SUFFIXES)


def stream_zip(document: Mapping[str, Any], root: str, *, raw: bool = False) -> Iterator[bytes]:
    """Yield a ZIP file with all files of a report in one folder."""
    parts = ((f"{root}/{name}", [data]) for name, data in all_files(document, raw=raw))
    return zipped(parts, NO_TIME)


def write_all(
    document: Mapping[str, Any], out: Path, track: Track = untracked, *, raw: bool = False
) -> list[str]:
    """Write everything to a folder; return the names of the files. Raises ReportError.

    Remove figures of an earlier report that this one does not have.
    """
    written: list[str] = []
    try:
        for folder in (out, out / "tables", out / "figures"):
            folder.mkdir(parents=True, exist_ok=True)
        for absent in set(draw.pictures()) - set(draw.present(document)):
            for suffix in FIGURE_SUFFIXES:
                (out / "figures" / f"{absent}.{suffix}").unlink(missing_ok=True)
        parts = all_files(document, raw=raw)
        for name, data in track(parts, "Writing files", number_of_files(document)):
            (out / name).write_bytes(data)
            written.append(name)
    except OSError as error:
        raise ReportError(f"out: cannot write to {out}: {error.strerror}.") from error
    return written
