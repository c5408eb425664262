"""The rows of a table file: CSV with any usual delimiter, JSON Lines, JSON arrays, fenced JSON."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.errors import StudyError
from app.study.table_cells import fold
from app.study.table_json import Error, elements, plain

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)  # first line, written by Excel
FENCE = re.compile(r"\s*```\s*[A-Za-z0-9_-]*\s*")
UNNAMED = frozenset({"", "unnamed: 0"})
ROW_NUMBERS = UNNAMED | {"x", "...1", "_row", "row.names", "rownames", "row", "index"}
MOST_COLUMNS, MOST_OF_MATRIX = 1_000, 50_000
MOST_UNREADABLE = 1_000  # lines of a JSON file: for each, Python counts the lines before it
Values = dict[str, str]


class TableFileError(StudyError):
    """The whole file cannot be read; the message says what to do."""

    code = "import/file"


@dataclass(slots=True)
class Rows:
    """A table as written: its columns, (line, values or error) of each row, and what to note.

    `delimiter`: '' = JSON.
    """

    columns: list[str] = field(default_factory=list)
    rows: list[tuple[int, Values | str]] = field(default_factory=list)
    delimiter: str = ""
    notes: list[str] = field(default_factory=list)


def parse(text: str, names: Collection[str]) -> Rows:
    """Return the rows of a text. `names`: folded column names, which help to find the delimiter.

    Raises TableFileError: no header, or a header that cannot be used.
    """
    inner = fenced_part(text, names)
    if inner.lstrip()[:1] in {"{", "["}:
        return parse_json(inner, most_columns(names))
    return parse_csv(text, names)


def unfenced(text: str) -> str:
    """Blank the lines of a Markdown fence (```json) around JSON; lines keep their number."""
    if not text.lstrip().startswith("```"):
        return text
    return "\n".join("" if FENCE.fullmatch(line) else line for line in text.split("\n"))


def fenced_part(text: str, names: Collection[str]) -> str:
    """Blank what is around fenced JSON, such as a line of prose; return other texts as they are.

    A table whose first line names its columns is CSV, even if its texts contain fences.
    """
    lines = text.split("\n")
    marks = [at for at, line in enumerate(lines) if FENCE.fullmatch(line)]
    if not marks or text.lstrip()[:1] in {"{", "["} or names_columns(text, names):
        return text
    inside = {
        at
        for a, b in zip(marks[::2], [*marks[1::2], len(lines)], strict=False)
        for at in range(a + 1, b)
    }
    inner = "\n".join(line if at in inside else "" for at, line in enumerate(lines))
    return inner if inner.lstrip()[:1] in {"{", "["} else text


def names_columns(text: str, names: Collection[str]) -> bool:
    """Tell whether the first line of a text names a known column."""
    first = text.lstrip().partition("\n")[0]
    cells = first_cells(first, delimiter_of(first, names))
    return any(fold(cell) in names for cell in cells)


def most_columns(names: Collection[str]) -> int:
    """Return how many columns a file may have. `names`: the known columns; a matrix has none."""
    return MOST_COLUMNS if names else MOST_OF_MATRIX


def parse_json(text: str, most: int = MOST_COLUMNS) -> Rows:
    """Return the rows of JSON Lines, of objects one after the other, or of an array of objects.

    Raises TableFileError: too many columns, or too many lines that cannot be read.
    """
    found = Rows()
    names, unreadable = dict[str, None](), list[str]()
    for line, data in elements(text):
        row = json_row(data, most)
        found.rows.append((line, row))
        if isinstance(row, dict):
            names |= dict.fromkeys(row)
            check_columns(line, "one more column", len(names), most)
        elif isinstance(data, Error):
            unreadable.append(f"Line {line}: {row}.")
            if len(unreadable) > MOST_UNREADABLE:
                raise TableFileError(
                    f"More than {MOST_UNREADABLE:,} lines cannot be read. {unreadable[0]}"
                )
    found.columns = list(names)
    return found


def json_row(data: object, most: int) -> Values | str:
    """Return the values of a row by name, or why it is not one."""
    if isinstance(data, str):
        return data
    if not isinstance(data, dict):
        return "each row must be one JSON object { ... }"
    if len(data) > most:
        return f"the row has {len(data):,} names; a table may have at most {most:,}"
    return {str(name): plain(value) for name, value in data.items()}


def check_columns(line: int, named: str, number: int, most: int) -> None:
    """Refuse too many columns. `named`: what the line names. Raises TableFileError."""
    if number > most:
        raise TableFileError(
            f"Line {line} names {named}. A table may have at most {most:,} columns."
        )


def parse_csv(text: str, names: Collection[str]) -> Rows:
    """Return the rows of a CSV file, after finding its delimiter."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip())
    named = SEPARATOR_LINE.fullmatch(lines[first].strip(" \n"))
    if named:
        first += 1
    mark = named[1] if named else delimiter_of(lines[first] if first < len(lines) else "", names)
    found = Rows(delimiter=mark)
    cells = list(csv_lines("\n".join(lines[first:]), mark, first + 1))
    if not cells:
        return found
    columns = len(cells[0][1])
    check_columns(cells[0][0], f"{columns:,} columns", columns, most_columns(names))
    header = [name.strip() for name in cells[0][1]]
    body = cells[1:]
    header = with_row_names(header, body)
    kept = kept_columns(header, body, names, found)
    found.columns = [header[at] for at in kept]
    check_names(found.columns, names)
    for line, row, error in body:
        if error:
            found.rows.append((line, error))
        elif len(row) != len(header):
            found.rows.append((line, wrong_length(len(row), len(header), mark)))
        else:
            found.rows.append((line, {header[at]: row[at] for at in kept}))
    return found


def csv_lines(text: str, mark: str, first: int) -> Iterator[tuple[int, list[str], str]]:
    """Yield (line, cells, error) of each line that is not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    start = first
    try:
        for row in reader:
            here, start = start, first + reader.line_num
            if any(cell.strip() for cell in row):
                yield here, row, ""
    except csv.Error as error:
        reason = f"the line cannot be read ({error}); is a quotation mark missing?"
        yield start, [], reason


def first_cells(header: str, mark: str) -> list[str]:
    """Return the cells of a first line; of a very long one, those that `csv` can read."""
    return next(csv.reader([header[: csv.field_size_limit() // 2]], delimiter=mark), [])


def delimiter_of(header: str, names: Collection[str]) -> str:
    """Return the delimiter that finds most of the known column names, then most columns."""

    def found(mark: str) -> tuple[int, int]:
        cells = first_cells(header, mark)
        return sum(fold(cell) in names for cell in cells), len(cells)

    return max(DELIMITERS, key=found)


Body = Sequence[tuple[int, list[str], str]]


def with_row_names(header: list[str], body: Body) -> list[str]:
    """Return the header with a name for the column that R writes without one, if it is there."""
    rows = [row for _, row, error in body if not error]
    short = bool(rows) and all(len(row) == len(header) + 1 for row in rows)
    return ["", *header] if short and are_numbers([row[0] for row in rows], gaps=True) else header


def kept_columns(header: list[str], body: Body, names: Collection[str], found: Rows) -> list[int]:
    """Return the places of the columns to read; leave out row numbers and empty columns.

    `names`: the known columns; without any (a matrix), only a column without a name is left out.
    """
    rows = [row for _, row, error in body if not error and len(row) == len(header)]
    kept, odd = [], ROW_NUMBERS if names else UNNAMED
    for at, name in enumerate(header):
        known = fold(name) in names
        own = [row[at] for row in rows]
        gaps = bool(names) and name.casefold() in UNNAMED
        odd_name = not known and at == 0 and name.casefold() in odd
        if odd_name and own and are_numbers(own, gaps=gaps):
            found.notes.append(f"Column 1 ('{name}') only numbers the rows and was left out.")
        elif name or any(cell.strip() for cell in own):
            kept.append(at)
    return kept


def are_numbers(cells: Sequence[str], *, gaps: bool = False) -> bool:
    """Tell whether cells count the rows: 0, 1, ... or 1, 2, ...

    `gaps`: rows may have been left out, as R and pandas do when they drop some: 1, 4, 5, 9.
    """
    if not all(cell.strip().isdecimal() and len(cell) < len("1000000000") for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    if gaps:
        return all(a < b for a, b in pairwise(numbers))
    return numbers[0] in {0, 1} and all(b == a + 1 for a, b in pairwise(numbers))


def check_names(columns: Sequence[str], names: Collection[str]) -> None:
    """Refuse columns without a name, and a known column that is there twice."""
    for at, name in enumerate(columns[1:] if columns[:1] == [""] else columns, start=1):
        if not name:
            raise TableFileError(
                f"Column {at} of the first line has no name. The first line must name every column."
            )
    folded = [fold(name) for name in columns]
    times, written = Counter(folded), Counter(columns)
    for name, key in zip(columns, folded, strict=True):
        if times[key] > 1 and (key in names or written[name] > 1):
            raise TableFileError(
                f"The first line names the column '{name}' {times[key]} times. It must name "
                "every column, each with a different name."
            )


def wrong_length(own: int, header: int, mark: str) -> str:
    """Return the error of a row with too many or too few values."""
    text = f"{own} values, but the header names {header} columns; "
    if own > header:
        return text + f"put a value with the delimiter '{mark}' in quotation marks"
    return text + "leave the place of a missing value empty"
