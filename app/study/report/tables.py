"""An export's tables as typed rows, read from a bundle (folder or ZIP) or directly from a study.

Both give the same values, so the page and `hjstudy report BUNDLE` make the same document.
"""

import csv
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Self

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.export.dump import Scope
from app.study.design.studies import StudyView
from app.study.export.bundle import MANIFEST
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.encode import time_text
from app.study.export.rows import rows_of
from app.study.export.source import Source
from app.study.report.options import ReportError
from app.study.report.units import Row

LONGEST_CELL = 10 * 1024 * 1024
NEEDED = (
    *("participant", "block", "episode", "explanation", "timing", "variant"),
    *("rating", "judge", "adjudication", "model_result"),
    *("item", "model_run", "model_episode", "sign"),
)
PEOPLE = ("participant", "block", "episode", "explanation")  # required for every report
PLACE = ("task", "seed", "lexicon", "coverage", "format", "variant_hash")
COLUMNS = {  # columns of a listed table that exist since the first format
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
    "sign": ("participant_id",),
    "model_result": (
        *("model", *PLACE, "episode_index", "success", "actions_used"),
        *("ref_length", "n_tries", "rv"),
    ),
    "item": ("item_id", "item_kind", "source", "variant_hash"),
    "model_run": ("run", "label", "kind", "model", "method", "preset", "design_version"),
    "model_episode": ("label", "variant_hash", "variant_episode", "format", "words_hash"),
}
Tables = dict[str, list[Row]]
Facts = dict[str, Any]


def of_study(
    db: Connection, study: StudyView, wanted: Sequence[str] = NEEDED
) -> tuple[Tables, Facts]:
    """Return tables of a study as an export would contain them now."""
    scope = Scope(study.id, include_test=False, include_practice=False)
    source = Unproved(db, study, scope)
    tables: Tables = {}
    for name in wanted:
        if name in EXPORT_COLUMNS:
            names = [column.name for column in EXPORT_COLUMNS[name]]
            tables[name] = [
                {key: as_read(value) for key, value in zip(names, row, strict=True)}
                for row in rows_of(source, name)
            ]
    facts = {"study": study.slug, "kind": study.kind, "main_rv": study.spec.options.main_rv}
    return tables, facts


class Unproved(Source):
    """A source that replays nothing, because no number of a report depends on it."""

    def replays(self, episode_id: int) -> bool:
        """Treat every episode as correct."""
        del episode_id
        return True


def as_read(value: Any) -> Any:
    """Return a value as after writing and reading it: times are text, empty is missing."""
    if isinstance(value, datetime):
        return time_text(value)
    return None if value == "" else value


def of_bundle(path: Path, track: Track = untracked) -> tuple[Tables, Facts]:
    """Read a bundle, and check the sha256 of every file used against its manifest.

    Raises ReportError: not a bundle, a file is missing or changed, or its format is unknown.
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
        raise ReportError(f"cannot read {path}: {error}.") from error
    except RuntimeError as error:  # encrypted, or compressed in an unknown way
        raise ReportError(f"cannot unpack {path}: {error}.") from error
    except (KeyError, TypeError, AttributeError, ValueError, csv.Error) as error:
        raise ReportError(f"{path} is not a bundle of hjstudy ({error}).") from error
    missing = [name for name in PEOPLE if name not in tables]
    if missing:
        raise ReportError(f"{path}: the manifest does not list the table {', '.join(missing)}.")
    return tables, facts


class opened:  # noqa: N801 - used as a function
    """A bundle's files by their path in it; the bundle is a folder or a ZIP file."""

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
        """Return a file. Raises OSError or KeyError (no such file)."""
        if self._zip is not None:
            return self._zip.read(str(self._root / name))
        return (self._path / name).read_bytes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._zip is not None:
            self._zip.close()


def read_manifest(bundle: opened) -> dict[str, Any]:
    """Return the manifest. Raises ReportError: missing, or of another major version."""
    try:
        manifest = json.loads(bundle.read(MANIFEST))
    except (OSError, KeyError) as error:
        raise ReportError(
            f"{MANIFEST} is missing. Name a folder or ZIP file written by `hjstudy export`."
        ) from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{MANIFEST} cannot be read as JSON. Export again.") from error
    if not isinstance(manifest, dict) or not str(manifest.get("format_version")).startswith("1."):
        raise ReportError("The bundle's format version is not 1.")
    if manifest.get("format") == "excel":
        raise ReportError("Bundles for Excel change text. Export as csv or jsonl for a report.")
    return manifest


def whole_table(bundle: opened, file: Mapping[str, Any], table: str, flavour: str) -> list[Row]:
    """Read one table. Raises ReportError: its rows or columns are not as expected."""
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
                "`hjstudy export`, or another program changed it. Export again."
            )
    return rows


def read_table(bundle: opened, file: Mapping[str, Any], table: str, flavour: str) -> Iterator[Row]:
    """Read one table, values typed by the columns of the export."""
    data = bundle.read(file["name"])
    if hashlib.sha256(data).hexdigest() != file["sha256"]:
        raise ReportError(f"{file['name']} was changed: it differs from the manifest.")
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
    """Return text unchanged."""
    return cell


READERS: Mapping[str, Callable[[str], Any]] = {
    "int": int,
    "ms": int,
    "number": float,
    "bool": lambda cell: {"true": True, "false": False}[cell],
}
