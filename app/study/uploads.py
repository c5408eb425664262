"""Uploaded files: a short one is checked and stored at once, a long one is kept and done by jobs.

The job `check` stores what importing the file would do with the file itself, never in the job's
row, because it names people. The job `import` deletes the file when it is stored.
"""

import json
import secrets
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store import uploads
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.study import jobs
from app.study.table_file import Problem
from app.study.tickets import once

CHECK, IMPORT = "check", "import"
LIST, MODELS, JUDGES, RESULTS = uploads.KINDS
LONG_LINES, LONG_TEXT = 1000, 250_000  # a file with this many lines or characters is done by a job
KEPT = timedelta(days=7)
MOST_SHOWN = 200  # problems of a file; all are counted


class NoUploadError(StudyError):
    """An uploaded file is no longer stored."""

    code = "upload/none"

    def __init__(self) -> None:
        super().__init__(
            "This file is no longer on the server: it was imported, or it was deleted after "
            f"{KEPT.days} days or together with platform IDs. Choose the file again."
        )


@dataclass(frozen=True, slots=True)
class UploadView:
    """An uploaded file. `preview` is None until it has been checked."""

    id: str
    kind: str
    name: str
    note: str
    text: str
    preview: dict[str, Any] | None


def is_long(text: str) -> bool:
    """Tell whether a file is checked and stored by jobs."""
    return len(text) > LONG_TEXT or text.count("\n") >= LONG_LINES


def row_of(
    study_id: int, kind: str, raw: Mapping[str, str], by: str, now: datetime
) -> dict[str, Any]:
    """Return a long file as its row. `raw`: {text, file: its name, note}."""
    content = zlib.compress(raw["text"].encode(), 1)
    about = {"name": raw.get("file", ""), "note": raw.get("note", ""), "preview": ""}
    facts = {"study_id": study_id, "kind": kind, "made_by": by, "made_at": now}
    return {"id": secrets.token_hex(12), **facts, **about, "content": content}


def find(db: Connection, study_id: int, upload_id: str) -> UploadView:
    """Return a study's file. Raises NoUploadError."""
    row = found(db, study_id, upload_id)
    text = zlib.decompress(row.content).decode()
    preview = json.loads(row.preview) if row.preview else None
    return UploadView(row.id, row.kind, row.name, row.note, text, preview)


def found(db: Connection, study_id: int, upload_id: str) -> AnyRow:
    """Return a study's file as stored. Raises NoUploadError."""
    row = uploads.find(db, study_id, upload_id)
    if row is None:
        raise NoUploadError
    return row


def start(
    store: Store,
    study_id: int,
    work: str,
    params: Mapping[str, Any],
    by: str,
    ticket: str,
    now: datetime,
    new: Mapping[str, Any],
) -> str:
    """Store the job that checks or imports a file; return its id.

    Raises NoUploadError, TicketError.

    Args:
        store: the database.
        study_id: of the study.
        work: CHECK or IMPORT.
        params: {upload, place: a kind of file, given: the form's other fields}.
        by: account.
        ticket: a form that is sent twice starts one job.
        now: the time.
        new: the row of a file that is not stored yet; empty = it is.
    """
    with store.write() as db:
        studies.lock(db, study_id)

        def do() -> dict[str, Any]:
            if new:
                uploads.insert(db, dict(new))
            if found(db, study_id, params["upload"]).kind != params["place"]:
                raise NoUploadError
            return {"job": jobs.insert(db, study_id, work, params, by, now)}

        return str(once(db, ticket, f"account/{by}", now, do)["job"])


def preview(
    facts: Mapping[str, Any], problems: Sequence[Problem], warnings: Sequence[str], note: str
) -> dict[str, Any]:
    """Return what a preview shows, also as JSON: facts of the file's kind, and what is wrong."""
    return {
        **facts,
        "warnings": [*([note] if note else []), *warnings],
        "problems": [{"line": one.line, "text": one.text} for one in problems[:MOST_SHOWN]],
        "n_problems": len(problems),
    }


def keep_preview(store: Store, upload: UploadView, shown: Mapping[str, Any]) -> None:
    """Store what importing a file would do."""
    with store.write() as db:
        uploads.set_preview(db, upload.id, json.dumps(shown))


def drop(store: Store, upload: UploadView) -> None:
    """Delete a file that has been imported."""
    with store.write() as db:
        uploads.drop(db, upload.id)


def sweep(store: Store, now: datetime) -> int:
    """Delete files that are too old; return how many."""
    with store.write() as db:
        return uploads.drop_before(db, now - KEPT)
