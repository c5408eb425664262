"""Files that people send in: read as text, or refused; never with letters exchanged."""

from starlette.datastructures import UploadFile

from app.errors import StudyError


class NotTextError(StudyError):
    """A file is not UTF-8: nothing of it is read."""

    code = "upload/not_text"

    def __init__(self, line: int) -> None:
        super().__init__(
            f"The file is not UTF-8 text: line {line} holds a character of another encoding. "
            "Nothing was stored. Save it as UTF-8 (in a spreadsheet: 'CSV UTF-8'), then send it "
            "again."
        )


async def text_of(file: UploadFile) -> str:
    """Return a file's text. Raises NotTextError: it is not UTF-8."""
    data = await file.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotTextError(data.count(b"\n", 0, error.start) + 1) from error
