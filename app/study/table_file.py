"""Tables that researchers upload as CSV or JSON, read line by line."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from app.errors import GameError
from app.progress import Track
from app.store.base import AnyRow
from app.study.table_cells import MISSING, fold, is_missing, read_number
from app.study.table_rows import DELIMITERS, Rows, TableFileError, parse
from app.study.text_checks import storable

MAX_ROWS = 50_000
NAMELESS = (
    "The first column has no name, and it does not only number the rows. The first line must name "
    "every column."
)
WRONG_LINES = "Nothing was stored. Lines with errors: {}."


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in one line of a file (1 = the first), in words."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row: the number of its first line, and its values by our column name, or else its own.

    `missing`: texts that mean 'no value'. `commas`: numbers may have a decimal comma.
    """

    number: int
    values: Mapping[str, str]
    missing: Collection[str] = MISSING
    commas: bool = False

    def get(self, name: str) -> str:
        """Return a column's value without surrounding whitespace, or '' if there is none."""
        text = self.values.get(name, "").strip()
        return "" if is_missing(text, self.missing) else text

    def number_of(self, name: str) -> float | None:
        """Return a column's value as a number, or None if it is none."""
        return read_number(self.get(name), commas=self.commas)


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
    """A parsed file: its columns, its rows, the lines with errors, and what to note.

    `columns`: by our names; `others`: the columns that we do not know, as written; `written`: all
    columns, as written.
    """

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    others: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def warnings(self) -> list[str]:
        """Return what to note about the file, and the columns that are not read."""
        ignored = [f"Ignored columns: {', '.join(self.others)}."] if self.others else []
        return [*self.notes, *ignored]


def read(
    text: str,
    columns: Collection[str],
    aliases: Mapping[str, str],
    *,
    missing: Collection[str] = MISSING,
    most: int = MAX_ROWS,
    lenient: bool = False,
) -> TableFile:
    """Read CSV (comma, semicolon, tab or bar; with a header) or JSON (lines or a list).

    Args:
        text: of the file.
        columns: our names. The file's may differ in case, blanks, `_` and `-`.
        aliases: other names of our columns. If the file also has our name, the other is unknown.
        missing: texts that mean 'no value', folded.
        most: the largest number of rows.
        lenient: the first column may have no name, and there may be no rows.

    Raises TableFileError: empty, no header, no row, too many rows, or characters that cannot be
    stored.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise TableFileError("The file is empty. Choose a file, or paste its lines.")
    if not storable(text):
        raise TableFileError("The file contains a character that cannot be stored.")
    known = {fold(name): name for name in columns}
    found = parse(text, {*known, *map(fold, aliases)})
    if "" in found.columns and not lenient:
        raise TableFileError(NAMELESS)
    names = ours(found.columns, known, aliases)
    table = collect(found, names, missing, most)
    if not table.lines and not lenient:
        first = [f" Line {one.line}: {one.text}." for one in table.problems[:1]]
        raise TableFileError("".join(["No row below the header can be read.", *first]))
    return table


def read_as_work(
    text: str, columns: Collection[str], aliases: Mapping[str, str], track: Track
) -> TableFile:
    """Read a file, as one step of long work; see `read`."""
    [table] = [read(text, columns, aliases) for _ in track(range(1), "Reading the file", 1)]
    return table


def ours(
    given: Sequence[str], known: Mapping[str, str], aliases: Mapping[str, str]
) -> dict[str, str]:
    """Return the file's name of a column -> ours, for the columns that we know."""
    own = {name: known[fold(name)] for name in given if fold(name) in known}
    other = {fold(alias): ours for alias, ours in aliases.items()}
    for name in given:
        target = other.get(fold(name))
        if name not in own and target is not None and target not in own.values():
            own[name] = target
    return own


def collect(
    found: Rows, names: Mapping[str, str], missing: Collection[str], most: int
) -> TableFile:
    """Return the table with our column names. Raises TableFileError: too many rows."""
    rows, problems = list[Line](), list[Problem]()
    commas = found.delimiter == ";"
    for number, values in found.rows:
        if len(rows) >= most:
            raise TableFileError(f"The file has more than {most:,} rows. Please split it.")
        if isinstance(values, str):
            problems.append(Problem(number, values))
            continue
        here = [(names.get(name, name), value) for name, value in values.items()]
        own = dict(here)
        if len(own) < len(here):
            twice = next(name for name in own if [n for n, _ in here].count(name) > 1)
            problems.append(Problem(number, f"two names of this row mean the column `{twice}`"))
            continue
        rows.append(Line(number, own, missing, commas))
    written = tuple(found.columns)
    others = tuple(name for name in written if name not in names)
    columns = tuple(dict.fromkeys(names[name] for name in found.columns if name in names))
    return TableFile(columns, tuple(rows), tuple(problems), others, tuple(found.notes), written)


def has_columns(table: TableFile, needed: Sequence[str], also: Sequence[str] = ()) -> None:
    """Refuse a file without needed columns; `also`: other things that are missing.

    Raises TableFileError with what is missing and what the file has.
    """
    missing = [*(name for name in needed if name not in table.columns), *also]
    if missing:
        raise TableFileError(f"Missing columns: {', '.join(missing)}. {columns_text(table)}")


def columns_text(table: TableFile) -> str:
    """Return the columns of a file in words, with a hint if there is only one."""
    names = table.written
    text = f"The file's columns: {', '.join(names[:12])}{', ...' if names[12:] else ''}."
    if len(names) > 1:
        return text
    return f"{text} Separate columns by {', '.join(DELIMITERS.values())}."
