"""Read a table of ratings: long rows `item, rater, value[, weight, stratum, cluster]`, or wide."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.errors import StudyError
from app.progress import Track, untracked
from app.scoring.longrows import Ratings, Row, Value, from_rows
from app.study import table_file
from app.study.table_cells import (
    MISSING,
    exact,
    fits_float,
    is_missing,
    number_fault,
)
from app.study.table_file import NAMELESS, Line, TableFile, columns_text
from app.study.table_rows import TableFileError

NEEDED = ("item", "rater", "value")
OPTIONAL = ("weight", "stratum", "cluster")
ALIASES = {
    "unit": "item",
    "subject": "item",
    "coder": "rater",
    "annotator": "rater",
    "judge": "rater",
    "rating": "value",
    "score": "value",
    "label": "value",
}
NAMES_OF = {"raters": ("item", "unit", "subject", "id"), "items": ("rater", "coder", "annotator")}
Wide = Literal["", "raters", "items"]
MOST_ROWS = 1_000_000


class CsvError(StudyError):
    """The file is not a table of ratings; `line` is the line, or 0 for the whole file."""

    code = "ratings/csv"

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class WideError(CsvError):
    """The file is a matrix, and it was not stated what its columns are."""

    code = "ratings/wide"

    def __init__(self, missing: list[str], table: TableFile) -> None:
        super().__init__(
            f"The file needs the columns {', '.join(NEEDED)}, but {', '.join(missing)} is missing. "
            f"{columns_text(table)} Write one line per rating, such as `item7,anna,2`. For a "
            "matrix, say what its columns are: --wide raters (one line per item) or --wide items "
            "(one line per rater)."
        )


@dataclass(frozen=True, slots=True)
class Found:
    """Checked ratings, how many values were missing, and what to note about the file."""

    ratings: Ratings
    missing: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One rating as written."""

    line: Line
    item: str
    rater: str
    text: str
    column: str


def read(
    text: str,
    *,
    labels: bool = False,
    domain: Collection[str] = (),
    wide: Wide = "",
    missing: Collection[str] = MISSING,
    track: Track = untracked,
) -> Found:
    """Read ratings: CSV with any usual delimiter, JSON Lines or a JSON list of objects.

    Args:
        text: the file's text; the first line has the column names, in any order.
        labels: values may be words (nominal only); numbers are still compared as numbers.
        domain: all values of the scale as written, used or not.
        wide: what the columns of a matrix are; '' = long rows.
        missing: texts that mean 'no value', folded. Empty always does.
        track: progress, called with each row.

    Raises: CsvError, WideError, RatingsError, with the line in the message.
    """
    try:
        table = table_file.read(
            text,
            () if wide else (*NEEDED, *OPTIONAL),
            {} if wide else ALIASES,
            missing=missing,
            most=MOST_ROWS,
            lenient=True,
        )
    except TableFileError as error:
        raise CsvError(error.message) from error
    if table.problems:
        raise CsvError(table.problems[0].text, table.problems[0].line)
    cells = list(wide_cells(table, wide) if wide else long_cells(table))
    kept = [cell for cell in cells if not is_missing(cell.text, missing)]
    rows = [as_row(cell, labels=labels) for cell in track(kept, "Reading ratings", len(kept))]
    scale = [scale_value(value, labels=labels) for value in domain]
    if labels and all(fits_float(str(value)) for value in [*scale, *(row.value for row in rows)]):
        rows = [replace(row, value=float(row.value)) for row in rows]
        scale = [float(value) for value in scale]
    places = [cell.line.number for cell in kept]
    ratings = from_rows(rows, domain=scale, places=places, place="line")
    return Found(ratings, len(cells) - len(kept), table.notes)


def long_cells(table: TableFile) -> Iterator[Cell]:
    """Yield the ratings of long rows. Raises WideError, CsvError."""
    absent = [name for name in NEEDED if name not in table.columns]
    if absent:
        raise WideError(absent, table)
    if "" in table.others:
        raise CsvError(NAMELESS)
    if table.others:
        raise CsvError(
            f"Unknown column: {', '.join(table.others)}. Allowed: {', '.join(NEEDED + OPTIONAL)}."
        )
    for line in table.lines:
        item, rater = (line.values.get(name, "").strip() for name in ("item", "rater"))
        for name, given in (("item", item), ("rater", rater)):
            if not given:
                raise CsvError(f"{name}: is missing.", line.number)
        yield Cell(line, item, rater, line.values.get("value", ""), "value")


def wide_cells(table: TableFile, wide: Wide) -> Iterator[Cell]:
    """Yield the ratings of a matrix. The first column names the lines if its name says so."""
    head, names = list(table.others), NAMES_OF["raters" if wide == "raters" else "items"]
    named = head[0] == "" or head[0].casefold() in names
    for number, line in enumerate(table.lines, start=1):
        own = line.values.get(head[0], "").strip() if named else str(number)
        for column in head[1:] if named else head:
            item, rater = (own, column) if wide == "raters" else (column, own)
            yield Cell(line, item, rater, line.values.get(column, ""), column)


def as_row(cell: Cell, *, labels: bool) -> Row:
    """Return a rating. Raises CsvError: a value or weight that is not a number."""
    line, text = cell.line, cell.text.strip()
    number = exact(text, commas=line.commas)
    if number is None and not labels:
        raise CsvError(f"{cell.column} {number_fault(text)}.", line.number)
    weight = 1.0 if "weight" not in line.values else line.number_of("weight")
    if weight is None:
        raise CsvError(f"weight {number_fault(line.values['weight'])}.", line.number)
    return Row(
        item=cell.item,
        rater=cell.rater,
        value=(number or text) if labels else float(number or 0),
        weight=weight,
        stratum=line.get("stratum"),
        cluster=line.get("cluster") or f"item {cell.item}",
    )


def scale_value(text: str, *, labels: bool) -> Value:
    """Return a value of the scale. Raises CsvError."""
    number = exact(text)
    if number is None and not labels:
        raise CsvError(f"The scale's value {number_fault(text)}.")
    return (number or text) if labels else float(number or 0)


def texts(listed: str) -> Sequence[str]:
    """Return the texts of a list that is separated by commas, folded; numbers also as numbers."""
    found = [text.strip().casefold() for text in listed.split(",") if text.strip()]
    return [*found, *(number for text in found if (number := exact(text)) is not None)]
