"""An export's tables as typed rows: read from a bundle (folder or zip), or straight from a study.

Both ways give the same values, so a page and `hjstudy report BUNDLE` make the same document.
"""

import csv
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Self

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.export.dump import Scope
from app.study.design.studies import StudyView
from app.study.export.atomic_output import MANIFEST
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.encode import told
from app.study.export.rows import rows_of
from app.study.export.source import Source
from app.study.report.options import ReportError
from app.study.report.units import Row

LONGEST_CELL = 10 * 1024 * 1024
NEEDED = (
    *("participant", "block", "episode", "explanation", "timing", "variant"),
    *("rating", "judge", "adjudication", "model_result"),
)
PEOPLE = ("participant", "block", "episode", "explanation")  # no report can be without
PLACE = ("task", "seed", "lexicon", "coverage", "format", "variant_hash")
COLUMNS = {  # of a table that is listed; there since the first format
    "participant": ("participant_id", "is_test", "excluded", "state", "consented_at"),
    "block": ("participant_id", "block_id", "block_index", "family", *PLACE),
    "episode": (
        *("participant_id", "block_id", "episode_id", "kind", "episode_index", "variant_episode"),
        *("state", "success", "actions_used", "attempts", "ref_length", "n_tries"),
        *("voided", "mistyped", "duration_ms"),
    ),
    "explanation": ("block_id", "explanation_id", "episode_index"),
    "timing": ("episode_id",),
    "variant": ("variant_hash", "content"),
    **dict.fromkeys(("rating", "judge", "adjudication"), ("item_id", "value")),
    "model_result": (
        *("model", *PLACE, "episode_index", "success", "actions_used"),
        *("ref_length", "n_tries", "rv"),
    ),
}
Tables = dict[str, list[Row]]
Facts = dict[str, Any]


def of_study(db: Connection, study: StudyView) -> tuple[Tables, Facts]:
    """Return the tables of a study as an export of this moment would hold them."""
    scope = Scope(study.id, include_test=False, include_practice=False)
    source = Unproved(db, study, scope)
    tables: Tables = {}
    for name in NEEDED:
        if name in EXPORT_COLUMNS:
            names = [column.name for column in EXPORT_COLUMNS[name]]
            tables[name] = [
                {key: as_read(value) for key, value in zip(names, row, strict=True)}
                for row in rows_of(source, name)
            ]
    facts = {"study": study.slug, "kind": study.kind, "main_rv": study.spec.options.main_rv}
    return tables, facts


class Unproved(Source):
    """A source that replays nothing: no number of a report asks for it (`hjstudy verify` does)."""

    def replays(self, episode_id: int) -> bool:
        """Take every episode for sound."""
        del episode_id
        return True


def as_read(value: Any) -> Any:
    """Return a value as it is after being written and read: times are text, empty is missing."""
    if isinstance(value, datetime):
        return told(value)
    return None if value == "" else value


def of_bundle(path: Path, track: Track = untracked) -> tuple[Tables, Facts]:
    """Read a bundle; the sha256 of every file that is used must be as its manifest says.

    Raises ReportError: no bundle, a file is missing or altered, or its format cannot be read.
    """
    try:
        with opened(path) as bundle:
            manifest = read_manifest(bundle)
            listed = {file["table"]: file for file in manifest["files"] if file.get("table")}
            names = [name for name in NEEDED if name in listed]
            tables = {
                name: whole_table(bundle, listed[name], name, manifest["format"])
                for name in track(names, "Reading the bundle", len(names))
            }
            facts = {
                "study": manifest["study"],
                "kind": manifest["study_kind"],
                "main_rv": manifest.get("main_rv"),
            }
    except (OSError, zipfile.BadZipFile, zlib.error) as error:
        raise ReportError(f"{path} cannot be read: {error}.") from error
    except RuntimeError as error:  # locked by a password, or packed in a way that we do not know
        raise ReportError(f"{path} cannot be unpacked: {error}.") from error
    except (KeyError, TypeError, AttributeError, ValueError, csv.Error) as error:
        raise ReportError(f"{path}: this is no bundle of ours ({error}).") from error
    missing = [name for name in PEOPLE if name not in tables]
    if missing:
        raise ReportError(f"{path}: the manifest lists no table {', '.join(missing)}.")
    return tables, facts


class opened:  # noqa: N801 - used as a function
    """A bundle's files by their path within it; a folder or a zip file."""

    def __init__(self, path: Path) -> None:
        self._zip = None if path.is_dir() else zipfile.ZipFile(path)
        self._path = path
        self._root = PurePosixPath()
        if self._zip is not None:
            found = [PurePosixPath(name) for name in self._zip.namelist()]
            manifests = [name for name in found if name.name == MANIFEST]
            if not manifests:
                raise ReportError(f"{path} has no {MANIFEST}.")
            self._root = min(manifests, key=lambda name: len(name.parts)).parent

    def read(self, name: str) -> bytes:
        """Return a file. Raises OSError or KeyError: it is not there."""
        if self._zip is not None:
            return self._zip.read(str(self._root / name))
        return (self._path / name).read_bytes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._zip is not None:
            self._zip.close()


def read_manifest(bundle: opened) -> dict[str, Any]:
    """Return the manifest. Raises ReportError: there is none, or it is of another major version."""
    try:
        manifest = json.loads(bundle.read(MANIFEST))
    except (OSError, KeyError) as error:
        raise ReportError(
            f"There is no {MANIFEST}: give the folder or the zip file that `hjstudy export` wrote."
        ) from error
    if not isinstance(manifest, dict) or not str(manifest.get("format_version")).startswith("1."):
        raise ReportError("The bundle is of another format version than 1.")
    if manifest.get("format") == "excel":
        raise ReportError("The Excel flavour alters text: export as csv or jsonl for a report.")
    return manifest


def whole_table(bundle: opened, file: Mapping[str, Any], table: str, flavour: str) -> list[Row]:
    """Read one table. Raises ReportError: it has other rows or columns than it must have."""
    rows = list(read_table(bundle, file, table, flavour))
    if len(rows) != file["rows"]:
        raise ReportError(
            f"{file['name']} has {len(rows)} rows, but the manifest says {file['rows']}."
        )
    for row in rows:
        missing = [name for name in COLUMNS[table] if name not in row]
        if missing:
            raise ReportError(
                f"{file['name']} has no column {', '.join(missing)}: it was not written by "
                "`hjstudy export`, or was saved anew by another program. Export again."
            )
    return rows


def read_table(bundle: opened, file: Mapping[str, Any], table: str, flavour: str) -> Iterator[Row]:
    """Read one table, values typed by the columns of the export."""
    data = bundle.read(file["name"])
    if hashlib.sha256(data).hexdigest() != file["sha256"]:
        raise ReportError(f"{file['name']} is not what the manifest says: it was changed.")
    kinds = {column.name: column.kind for column in EXPORT_COLUMNS[table]}
    text = data.decode("utf-8")
    if flavour == "jsonl":
        for line in text.split("\n"):
            if line:
                yield {key: as_read(value) for key, value in json.loads(line).items()}
        return
    csv.field_size_limit(LONGEST_CELL)
    lines = csv.reader(io.StringIO(text, newline=""))
    names = next(lines)
    readers = [READERS.get(kinds.get(name, "text"), as_text) for name in names]
    for cells in lines:
        yield {
            name: read(cell) if cell else None
            for name, read, cell in zip(names, readers, cells, strict=True)
        }


def as_text(cell: str) -> str:
    """Return text as it stands."""
    return cell


READERS: Mapping[str, Callable[[str], Any]] = {
    "int": int,
    "ms": int,
    "number": float,
    "bool": lambda cell: {"true": True, "false": False}[cell],
}
