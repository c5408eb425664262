"""The text of a table file: its encoding is detected, and never guessed silently."""

import codecs
import re
from dataclasses import dataclass

from app.errors import StudyError

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
NOT_TABLES = (
    (b"PK\x03\x04", "a workbook or an archive"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook"),
    (b"\x1f\x8b", "a compressed file"),
    (b"%PDF", "a PDF file"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\x00", "a database"),
)
SHOWN = 6  # letters in the note


class NotTableError(StudyError):
    """A file is not a text with a table."""

    code = "import/not_text"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, and what to check ('' = nothing)."""

    text: str
    note: str = ""


def decode(data: bytes) -> Decoded:
    """Return a file's text: UTF-8, UTF-16, or else Windows-1252, with a note that says so.

    Raises NotTableError: a workbook, an archive or other bytes that are not text.
    """
    for start, what in NOT_TABLES:
        if data.startswith(start):
            raise NotTableError(
                f"This is {what}, not a text file. Save the table as CSV in UTF-8 (in a "
                "spreadsheet: 'CSV UTF-8'), then send it again."
            )
    for mark, codec, name in MARKS:
        if data.startswith(mark):
            return Decoded(decoded(data, codec, name))
    if data[1:200:2].count(0) > len(data[:200]) // 4:
        return Decoded(decoded(data, "utf-16-le", "UTF-16"))
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        text, line = decoded(data, "cp1252", "UTF-8"), line_of(data, error.start)
        letters = "".join(dict.fromkeys(re.findall(r"[^\x00-\x7f]", text)))[:SHOWN]
        note = f"The file is not UTF-8 (line {line}), so it was read as Windows-1252. "
        note += f"Check that these characters are right: {' '.join(letters)}"
        return Decoded(text, note)


def decoded(data: bytes, codec: str, name: str) -> str:
    """Decode bytes. Raises NotTableError with the line."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise NotTableError(
            f"The file is not {name} text: line {line_of(data, error.start)} has a byte that is "
            "not part of a character. Save it as UTF-8 (in a spreadsheet: 'CSV UTF-8'), then send "
            "it again."
        ) from error


def line_of(data: bytes, place: int) -> int:
    """Return the line of a byte, from 1."""
    return data.count(b"\n", 0, place) + 1
