"""A report as files: report.json, a CSV and a LaTeX table each, an SVG and a PDF of each figure."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.study.report.document import canonical
from app.study.report.options import ReportError
from app.study.report.shape import table_named

JSON_NAME = "report.json"
PARTS = ("value", "low", "high", "reason")
SPECIAL = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def table_csv(table: Mapping[str, Any]) -> bytes:
    """Return a table as CSV; a figure is four columns: name, name_low, name_high, name_reason."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    heads = list[str]()
    for column in table["columns"]:
        name = column["name"]
        heads.append(name)
        if column["kind"] == "figure":
            heads += [f"{name}_{part}" for part in PARTS[1:]]
    writer.writerow(heads)
    for row in table["rows"]:
        cells = list[Any]()
        for cell in row:
            cells += [cell[part] for part in PARTS] if isinstance(cell, dict) else [bare(cell)]
        writer.writerow(cells)
    return text.getvalue().encode()


def bare(cell: Any) -> Any:
    """Return a plain cell as CSV has it."""
    return {True: "true", False: "false"}[cell] if isinstance(cell, bool) else cell


def shown(cell: Any, kind: str) -> str:
    """Return a cell as people read it: three decimals, a figure with its interval."""
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
    """Return a table for LaTeX (booktabs), note and settings as comments above it."""
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
    """Return text as LaTeX prints it."""
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("–", "--")


def table_file(document: Mapping[str, Any], name: str, suffix: str) -> bytes:
    """Return a table as `csv` or `tex`. Raises KeyError: no such table or suffix."""
    table = table_named(dict(document), name)
    makers = {
        "csv": lambda: table_csv(table),
        "tex": lambda: table_latex(table, document["settings"]),
    }
    return makers[suffix]()


def write_all(document: Mapping[str, Any], out: Path) -> list[str]:
    """Write everything into a folder; returns the names of the files. Raises ReportError."""
    from app.study.report import draw  # noqa: PLC0415 - Matplotlib is heavy; only figures need it

    def told() -> Iterable[tuple[str, bytes]]:
        yield JSON_NAME, canonical(document).encode()
        for table in document["tables"]:
            for suffix in ("csv", "tex"):
                name = f"tables/{table['name']}.{suffix}"
                yield name, table_file(document, table["name"], suffix)
        for figure in draw.present(document):
            for suffix in draw.SUFFIXES:
                yield f"figures/{figure}.{suffix}", draw.drawn(document, figure, suffix)

    written = []
    try:
        for folder in (out, out / "tables", out / "figures"):
            folder.mkdir(parents=True, exist_ok=True)
        for name, data in told():
            (out / name).write_bytes(data)
            written.append(name)
    except OSError as error:
        raise ReportError(f"out: {out} cannot be written to: {error.strerror}.") from error
    return written
