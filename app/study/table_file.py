"""Tables that researchers upload as CSV or JSON Lines, read line by line."""

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from app.errors import GameError, StudyError
from app.store.base import AnyRow
from app.study.text_checks import storable

MAX_ROWS = 50_000
DELIMITERS = ",;\t"
WRONG_LINES = "Nothing was stored. Lines with errors: {}."


class TableFileError(StudyError):
    """The whole file cannot be read; the message says what to do."""

    code = "import/file"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in one line of a file (1 = the first), in words."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row: the number of its first line, and its values by column name."""

    number: int
    values: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return a column's value without surrounding whitespace, or '' if there is none."""
        return self.values.get(name, "").strip()


@dataclass(slots=True)
class Found:
    """What an import would do. Nothing is stored unless `problems` is empty."""

    new: list[dict[str, Any]] = field(default_factory=list)
    same: int = 0
    problems: list[Problem] = field(default_factory=list)


AnyFound = TypeVar("AnyFound", bound=Found)


class Reader(ABC, Generic[AnyFound]):
    """Reader that sorts a file's lines into new rows, known rows and problems."""

    def __init__(self, found: AnyFound, known: Mapping[Any, AnyRow]) -> None:
        """Start with what is stored: key of a row -> stored row."""
        self.found, self.known = found, known
        self._lines: dict[Any, int] = {}

    def take(self, line: Line) -> None:
        """Read one line."""
        try:
            row = self.row(line)
        except GameError as error:
            self.problem(line, error.message)
            return
        key = self.key(row)
        if key in self._lines:
            self.problem(line, self.twice(row, self._lines[key]))
            return
        self._lines[key] = line.number
        old = self.known.get(key)
        if old is None:
            self.found.new.append(row)
        elif changed := self.changed(old, row):
            self.problem(line, changed)
        else:
            self.found.same += 1

    def problem(self, line: Line, text: str) -> None:
        """Record a problem with a line."""
        self.found.problems.append(Problem(line.number, text))

    @abstractmethod
    def row(self, line: Line) -> dict[str, Any]:
        """Return the row of a line. Raises GameError: the line is wrong."""

    @abstractmethod
    def key(self, row: dict[str, Any]) -> Any:
        """Return what no two rows share."""

    @abstractmethod
    def twice(self, row: dict[str, Any], line: int) -> str:
        """Return the message for a row whose key is already on an earlier line."""

    @abstractmethod
    def changed(self, old: AnyRow, row: dict[str, Any]) -> str:
        """Return the message for a row that differs from the stored one, or ''."""


def check_whole(problems: Sequence[Problem]) -> None:
    """Refuse a file with problems. Raises TableFileError."""
    if problems:
        raise TableFileError(WRONG_LINES.format(len(problems)))


@dataclass(frozen=True, slots=True)
class TableFile:
    """A parsed file: its columns, its rows, and the lines with errors."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]


def read(text: str, aliases: Mapping[str, str]) -> TableFile:
    """Read CSV (comma, semicolon or tab; with a header) or JSON Lines (one object per line).

    Column names ignore case and surrounding whitespace. `aliases` maps other names to ours, unless
    the file also has our name (the other is then a separate column). Raises
    TableFileError: empty, no header, no row, too many rows, or characters that cannot be stored.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise TableFileError("The file is empty. Choose a file, or paste its lines.")
    if not storable(text):
        raise TableFileError("The file contains a character that cannot be stored.")
    found = read_json(text) if text.lstrip().startswith("{") else read_csv(text)
    rows, problems, columns = list[Line](), list[Problem](), dict[str, None]()
    for number, values in found:
        if len(rows) >= MAX_ROWS:
            raise TableFileError(f"The file has more than {MAX_ROWS:,} rows. Please split it.")
        if isinstance(values, str):
            problems.append(Problem(number, values))
            continue
        own = {name.strip().lower(): value for name, value in values.items()}
        named = {ours(key, own, aliases): value for key, value in own.items()}
        columns |= dict.fromkeys(named)
        rows.append(Line(number, named))
    if not rows:
        told = [f" Line {one.line}: {one.text}." for one in problems[:1]]
        raise TableFileError("".join(["No row below the header can be read.", *told]))
    return TableFile(tuple(columns), tuple(rows), tuple(problems))


def ours(name: str, given: Collection[str], aliases: Mapping[str, str]) -> str:
    """Return our name for a column; keep its own name if the file has ours too."""
    found = aliases.get(name, name)
    return name if found in given else found


def read_json(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield (line, values) of JSON Lines, or (line, error)."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, f"this is not JSON ({str(error).partition(':')[0]})"
            continue
        if not isinstance(data, dict):
            yield number, "each line must be one JSON object { ... }"
        else:
            yield number, {str(name): plain(value) for name, value in data.items()}


def plain(value: Any) -> str:
    """Return a JSON value as text: null is empty, anything but a string stays JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_csv(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield (line, values) of a CSV file, or (line, error)."""
    first = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    start = 1
    try:
        for row in reader:
            here, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in row):
                continue
            if not header:
                header = checked_header(row)
            elif len(row) != len(header):
                yield here, f"{len(row)} values, but the header names {len(header)} columns"
            else:
                yield here, dict(zip(header, row, strict=True))
    except csv.Error as error:
        yield start, f"the line cannot be read ({error}); is a quotation mark missing?"


def checked_header(row: Sequence[str]) -> list[str]:
    """Return the column names. Raises TableFileError if one is empty or occurs twice."""
    names = [name.strip().lower() for name in row]
    if "" in names or len(set(names)) < len(names):
        raise TableFileError("The first line must name every column, each with a different name.")
    return names
