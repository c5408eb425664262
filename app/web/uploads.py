"""Uploaded files: study files are UTF-8; the encoding of tables is detected and reported.

No character is ever replaced.
"""

import base64
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.responses import Response

from app.errors import StudyError
from app.study import jobs, uploads
from app.study.design.studies import StudyView
from app.study.jobs import NoJobError
from app.study.table_text import NotTableError, decode
from app.study.tickets import new_ticket
from app.study.uploads import CHECK, IMPORT
from app.web.deps import (
    FORM_KEY,
    MAX_FIELDS,
    MOST_FIELDS,
    Account,
    Server,
    get_server,
    texts_of,
    ticket_of,
)
from app.web.pages import see_other

# fields that carry the file itself, or only this one form
CARRIED = {FORM_KEY, "file", "file_name", "note", "packed", "text", "ticket", "upload"}


class NotTextError(StudyError):
    """A file is not UTF-8, so none of it is read."""

    code = "upload/not_text"

    def __init__(self, line: int) -> None:
        super().__init__(
            f"The file is not UTF-8 text: line {line} has a character in another encoding. "
            "Nothing was stored. Save it as UTF-8 (in a spreadsheet: 'CSV UTF-8'), then send it "
            "again."
        )


async def text_of(file: UploadFile) -> str:
    """Return a file's text. Raises NotTextError if it is not UTF-8."""
    data = await file.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotTextError(data.count(b"\n", 0, error.start) + 1) from error


async def read_file_form(request: Request) -> dict[str, str]:
    """Return the posted fields; `text` is the uploaded table or the pasted text.

    For a file, `file` is its name, and `note` what to check about its encoding ('' = nothing).
    Raises NotTableError.
    """
    limit = get_server(request).settings.upload_limit_bytes
    async with request.form(max_files=1, max_fields=MAX_FIELDS, max_part_size=limit) as form:
        found = texts_of(form)
        file = form.get("file")
        if isinstance(file, UploadFile) and file.size:
            read = decode(await file.read())
            found |= {"text": read.text, "note": read.note, "file": file.filename or ""}
    return found


FileForm = Annotated[dict[str, str], Depends(read_file_form)]


async def read_long_form(request: Request) -> dict[str, str]:
    """Return the fields of a long form, with a file as its text. Raises NotTextError."""
    found = dict[str, str]()
    async with request.form(max_files=1, max_fields=MOST_FIELDS) as form:
        for name, value in form.multi_items():
            if not isinstance(value, UploadFile):
                found[name] = value
            elif value.size:
                found[name] = await text_of(value)
    return found


LongForm = Annotated[dict[str, str], Depends(read_long_form)]


def packed(text: str) -> str:
    """Return a long text in a form that a page can carry to the next request."""
    return base64.b64encode(zlib.compress(text.encode(), 1)).decode()


def text_in(raw: Mapping[str, str], limit: int) -> str:
    """Return the uploaded or pasted table, or the one that the preview carried.

    Raises NotTableError: what the preview carried was changed, or is longer than `limit` bytes.
    """
    if raw.get("text") or not raw.get("packed"):
        return raw.get("text", "")
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(base64.b64decode(raw["packed"], validate=True), limit + 1)
        if len(data) > limit or not reader.eof:
            raise NotTableError("The list on this page is damaged. Choose the file again.")
        return data.decode()
    except (ValueError, zlib.error) as error:
        raise NotTableError("The list on this page is damaged. Choose the file again.") from error


def as_job(
    server: Server,
    study: StudyView,
    kind: str,
    work: str,
    raw: Mapping[str, str],
    account: Account,
    now: datetime,
) -> Response | None:
    """Start a job for a long file, and lead to its page; None = a short file, to be done at once.

    Args:
        server: its parts.
        study: whose file it is.
        kind: of the file.
        work: CHECK or IMPORT.
        raw: the form; `upload` names a file that is kept already.
        account: who sends it.
        now: the time.

    Raises NoUploadError.
    """
    upload = raw.get("upload", "")
    if not upload and (work == IMPORT or not uploads.is_long(raw.get("text", ""))):
        return None
    new = {} if upload else uploads.row_of(study.id, kind, raw, account.name, now)
    given = {name: text for name, text in raw.items() if name not in CARRIED}
    params = {"upload": upload or new["id"], "place": kind, "given": given}
    about = (account.name, ticket_of(raw, f"{work} {kind}"), now, new)
    job = uploads.start(server.store, study.id, work, params, *about)
    server.runner.start(job)
    return see_other(f"/admin/studies/{study.slug}/jobs/{job}")


def kept_preview(
    server: Server, study: StudyView, kind: str, job_id: str, now: datetime
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the form's fields and the preview of a long file that a job has checked.

    Raises NoJobError, NoUploadError.
    """
    with server.store.read() as db:
        job = jobs.find(db, study.id, job_id, now)
        if job.kind != CHECK or job.params["place"] != kind:
            raise NoJobError
        upload = uploads.find(db, study.id, job.params["upload"])
    if upload.preview is None:
        raise NoJobError
    raw = {**job.params["given"], "upload": upload.id, "file": upload.name}
    return raw, upload.preview


def preview_facts(title: str, raw: Mapping[str, str], shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every preview of a file shows: the study, what is wrong, a ticket to store it."""
    file = raw.get("file") or raw.get("file_name", "")
    return {**shown, "study": title, "file": file, "ticket": new_ticket()}
