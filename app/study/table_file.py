"""Files of rows that researchers send in: CSV or JSON Lines, read line by line."""

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
WRONG_LINES = "{} lines are wrong; nothing was stored."


class TableFileError(StudyError):
    """The file as a whole cannot be read; the message says what to do."""

    code = "import/file"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one line of a file (1 = the first), in words."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row: the number of the line it starts at, and its values by column name."""

    number: int
    values: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return a column's value without blanks around it; '' where there is none."""
        return self.values.get(name, "").strip()


@dataclass(slots=True)
class Found:
    """What an import would do. `problems` must be empty before anything is stored."""

    new: list[dict[str, Any]] = field(default_factory=list)
    same: int = 0
    problems: list[Problem] = field(default_factory=list)


AnyFound = TypeVar("AnyFound", bound=Found)


class Reader(ABC, Generic[AnyFound]):
    """Sorts a file's lines into new rows, rows that are stored already, and problems."""

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
        """Note what is wrong with a line."""
        self.found.problems.append(Problem(line.number, text))

    @abstractmethod
    def row(self, line: Line) -> dict[str, Any]:
        """Return the row of a line. Raises GameError: the line is wrong."""

    @abstractmethod
    def key(self, row: dict[str, Any]) -> Any:
        """Return what no two rows share."""

    @abstractmethod
    def twice(self, row: dict[str, Any], line: int) -> str:
        """Return the message for a row whose key stands on an earlier line too."""

    @abstractmethod
    def changed(self, old: AnyRow, row: dict[str, Any]) -> str:
        """Return the message for a row that differs from the stored one, '' if it does not."""


def check_whole(problems: Sequence[Problem]) -> None:
    """Refuse to store a file with a wrong line. Raises TableFileError."""
    if problems:
        raise TableFileError(WRONG_LINES.format(len(problems)))


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file as read: its columns, its rows, and lines that are no rows."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]


def read(text: str, aliases: Mapping[str, str]) -> TableFile:
    """Read CSV (comma, semicolon or tab; with a header) or JSON Lines (an object a line).

    Column names ignore case and blanks around; `aliases` maps other names to ours, unless a column
    has our name itself (the other is then a column of its own). Raises
    TableFileError: empty, no header, no row, too many rows, or characters that cannot be stored.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise TableFileError("The file is empty. Choose a file, or paste its lines.")
    if not storable(text):
        raise TableFileError("The file holds a character that cannot be stored (NUL or half one).")
    found = read_json(text) if text.lstrip().startswith("{") else read_csv(text)
    rows, problems, columns = list[Line](), list[Problem](), dict[str, None]()
    for number, values in found:
        if len(rows) >= MAX_ROWS:
            raise TableFileError(f"More than {MAX_ROWS:,} rows: please split the file.")
        if isinstance(values, str):
            problems.append(Problem(number, values))
            continue
        own = {name.strip().lower(): value for name, value in values.items()}
        named = {ours(key, own, aliases): value for key, value in own.items()}
        columns |= dict.fromkeys(named)
        rows.append(Line(number, named))
    if not rows:
        told = [f" Line {one.line}: {one.text}." for one in problems[:1]]
        raise TableFileError("".join(["There is no row below the header that can be read.", *told]))
    return TableFile(tuple(columns), tuple(rows), tuple(problems))


def ours(name: str, given: Collection[str], aliases: Mapping[str, str]) -> str:
    """Return our name of a column; where our own name is there too, the other keeps its own."""
    found = aliases.get(name, name)
    return name if found in given else found


def read_json(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield (line, values) of JSON Lines, or (line, what is wrong)."""
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
    """Return a JSON value as text: null is empty, other than text stays JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_csv(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield (line, values) of a CSV file, or (line, what is wrong)."""
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
    """Return the names of the columns. Raises TableFileError: one stands twice, or is empty."""
    names = [name.strip().lower() for name in row]
    if "" in names or len(set(names)) < len(names):
        raise TableFileError("The first line must name each column, and each name once.")
    return names
