"""Uploaded files: study files are UTF-8; of tables the encoding is found, and named.

No character is ever replaced.
"""

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import UploadFile

from app.errors import StudyError
from app.study.table_file import Problem
from app.study.table_text import NotTableError, decode
from app.study.tickets import new_ticket
from app.web.deps import MAX_FIELDS, MOST_FIELDS, get_server, texts_of

MOST_SHOWN = 200  # problems on the page; all are counted


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


def preview_facts(
    title: str, raw: Mapping[str, str], problems: Sequence[Problem], warnings: Sequence[str]
) -> dict[str, Any]:
    """Return what every preview of a file shows: the study, what is wrong, a ticket to store it."""
    note = [raw["note"]] if raw.get("note") else []
    return {
        "study": title,
        "file": raw.get("file") or raw.get("file_name", ""),
        "warnings": [*note, *warnings],
        "problems": problems[:MOST_SHOWN],
        "n_problems": len(problems),
        "ticket": new_ticket(),
    }
