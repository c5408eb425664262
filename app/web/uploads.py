"""Uploaded files: read as UTF-8 text or refused, never decoded with replaced characters."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import UploadFile

from app.errors import StudyError
from app.study.table_file import Problem
from app.study.tickets import new_ticket
from app.web.deps import MOST_FIELDS, get_server

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


async def read_upload(request: Request) -> str:
    """Return the text of an uploaded file, or the pasted text. Raises NotTextError."""
    async with request.form(max_files=1, max_fields=10) as form:
        file, pasted = form.get("file"), form.get("text", "")
        if isinstance(file, UploadFile) and file.size:
            return await text_of(file)
    return pasted if isinstance(pasted, str) else ""


Upload = Annotated[str, Depends(read_upload)]


async def read_file_form(request: Request) -> dict[str, str]:
    """Return the posted fields; `text` is the uploaded file or the pasted text.

    Raises NotTextError.
    """
    limit = get_server(request).settings.upload_limit_bytes
    async with request.form(max_files=1, max_fields=20, max_part_size=limit) as form:
        found = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        file = form.get("file")
        if isinstance(file, UploadFile) and file.size:
            found["text"] = await text_of(file)
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


def preview_facts(title: str, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return what every preview of a file shows: the study, what is wrong, a ticket to store it."""
    return {
        "study": title,
        "problems": problems[:MOST_SHOWN],
        "n_problems": len(problems),
        "ticket": new_ticket(),
    }
