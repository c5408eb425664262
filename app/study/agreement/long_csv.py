"""Read a CSV of long rows `item, rater, value[, weight, stratum, cluster]` into ratings."""

import csv
import io
from collections.abc import Collection
from dataclasses import replace

from app.errors import StudyError
from app.progress import Track, untracked
from app.scoring.longrows import Ratings, Row, Value, from_rows

NEEDED = ("item", "rater", "value")
OPTIONAL = ("weight", "stratum", "cluster")


class CsvError(StudyError):
    """The file is not a CSV of long rows; `line` is the line, or 0 for the whole file."""

    code = "ratings/csv"

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class WideError(CsvError):
    """The file is a matrix with one column per rater or per item."""

    code = "ratings/wide"

    def __init__(self, missing: list[str], header: list[str]) -> None:
        super().__init__(
            f"The file needs the columns {', '.join(NEEDED)}, but {', '.join(missing)} is missing. "
            f"Its first line is: {', '.join(header[:8])}{', ...' if header[8:] else ''}. Write one "
            "line per rating, such as `item7,anna,2`, and no line for a missing rating. A matrix "
            "with one column per rater is refused, because it looks the same as its transpose."
        )


def read(
    text: str,
    *,
    labels: bool = False,
    domain: Collection[Value] = (),
    track: Track = untracked,
) -> Ratings:
    """Read ratings, ignoring a byte order mark and empty lines.

    Args:
        text: the file's text; the first line has the column names, in any order.
        labels: values may be words (nominal only); if all are integers, they are numbers.
        domain: all values of the scale, used or not.
        track: progress, called with each line.

    Raises: CsvError, WideError, RatingsError, with the line in the message.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    rows: list[Row] = []
    lines: list[int] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header)
        before = reader.line_num
        for cells in track(reader, "Reading ratings", text.count("\n")):
            line, before = before + 1, reader.line_num
            if any(cell.strip() for cell in cells):
                rows.append(_row(header, cells, line, labels=labels))
                lines.append(line)
    except csv.Error as error:
        raise CsvError(f"not valid CSV: {error}", reader.line_num) from error
    if labels and all(_is_plain(value) for value in [*domain, *(row.value for row in rows)]):
        rows = [replace(row, value=float(row.value)) for row in rows]
        domain = [float(value) for value in domain]
    return from_rows(rows, domain=domain, places=lines, place="line")


def _check_header(header: list[str]) -> None:
    if not header:
        raise CsvError("The file is empty. Its first line must name the columns.")
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise WideError(missing, header)
    if unknown := [name for name in header if name not in NEEDED + OPTIONAL]:
        raise CsvError(
            f"Unknown column: {', '.join(unknown)}. Allowed: {', '.join(NEEDED + OPTIONAL)}."
        )
    if len(set(header)) < len(header):
        raise CsvError("Two columns have the same name.", 1)


def _row(header: list[str], cells: list[str], line: int, *, labels: bool) -> Row:
    if len(cells) != len(header):
        raise CsvError(f"{len(cells)} cells, but the first line has {len(header)}.", line)
    cell = dict(zip(header, (c.strip() for c in cells), strict=True))
    if not cell["value"]:
        raise CsvError("the value is empty; leave out the line if a rating is missing.", line)
    return Row(
        item=cell["item"],
        rater=cell["rater"],
        value=cell["value"] if labels else _number(cell["value"], "value", line),
        weight=_number(cell.get("weight", "1"), "weight", line),
        stratum=cell.get("stratum", ""),
        cluster=cell.get("cluster", "") or f"item {cell['item']}",
    )


def _is_plain(value: Value) -> bool:
    """Return whether a label is an integer in plain form: 7, not 07 or 7.0."""
    text = str(value)
    return text.removeprefix("-").isdecimal() and str(int(text)) == text


def _number(text: str, what: str, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise CsvError(f"{what} {text!r} is not a number.", line) from None
