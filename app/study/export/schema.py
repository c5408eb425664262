"""The JSON schema of exports: one definition per table, for the rows of JSON Lines.

`python -m app.study.export.schema FOLDER` writes it to `export-VERSION.json`; docs/schema keeps
one file per format version.
"""

import json
import sys
from pathlib import Path
from typing import Any

from app.study.column_kinds import Column, TableSpec
from app.study.export.columns import FORMAT_VERSION, SPECS

TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "time": {"type": "string", "format": "date-time"},
    "ms": {"type": "integer"},
}


def document() -> dict[str, Any]:
    """Return the schema; `$defs` has a definition for the rows of each table."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Exports of hjstudy, format {FORMAT_VERSION}",
        "description": "Rows of `hjstudy export --format jsonl`, as data/study-SLUG_level-TABLE"
        "_data.jsonl. A missing value is null. Within a major version, columns are only added.",
        "$defs": {name: row(spec) for name, spec in SPECS.items()},
    }


def row(spec: TableSpec) -> dict[str, Any]:
    """Return the definition of a table's row."""
    return {
        "description": spec.row,
        "type": "object",
        "properties": {column.name: value(column) for column in spec.columns},
        "required": [column.name for column in spec.columns],
        "additionalProperties": False,
    }


def value(column: Column) -> dict[str, Any]:
    """Return the definition of a column's values; each can be missing."""
    own = TYPES[column.kind]
    unit = {"x-unit": column.unit} if column.unit else {}
    return {**own, "type": [own["type"], "null"], **unit, "description": column.about}


def as_text() -> str:
    """Return the schema as a file."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    (folder / f"export-{FORMAT_VERSION}.json").write_text(as_text(), "utf-8")
