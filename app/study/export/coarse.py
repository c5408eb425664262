"""What a shareable bundle makes coarser on request: times, numbers such as ages, the order."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from app.errors import StudyError
from app.store.export import dump
from app.study.design.spec import StudySpec
from app.study.design.spec_people import QuestionKind
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.source import Source

EXACT, DAY, RELATIVE = TIMES = ("exact", "day", "relative")
BAND, LONGEST = 10, 12  # the usual width of a band, and the longest one's digits
NUMERIC: tuple[QuestionKind, ...] = ("number",)  # kinds of questions whose answers are numbers
DAY_MS = 86_400_000
START = datetime(2000, 1, 1, tzinfo=UTC)  # of relative times
CLOCK, WRONG_CLOCK, TOO_LONG = "client_ms", "clock_differs", "a_day_or_longer"
LONGEST_MS = DAY_MS  # of a duration that a browser sends, in a bundle with relative times
OF_BROWSERS: Mapping[str, tuple[str, ...]] = {  # table -> numbers that browsers send, sums of them
    "turn": (CLOCK, "think_ms"),
    "timing": ("first_think_ms", "think_ms", "hidden_ms", "clock_back_ms"),
    "process": (CLOCK, "value"),
    "sign": ("hidden_s",),
}
ONLY_SHAREABLE = "Only a shareable bundle can have coarser times, numbers and order."


class CoarseError(StudyError):
    """The data cannot be made coarser as requested; the message says what can be done."""

    code = "export/coarse"


@dataclass(frozen=True, slots=True)
class Coarse:
    """What to make coarser. `times`: one of TIMES. `bands`: question -> width of its bands.

    `shuffled`: people are listed in the order of their random IDs, and their arrival is left out.
    """

    times: str = EXACT
    bands: Mapping[str, int] = field(default_factory=dict)
    shuffled: bool = False

    @property
    def is_plain(self) -> bool:
        """Return whether nothing is changed."""
        return self == Coarse()


def read(times: str, wanted: Sequence[str], *, shuffled: bool) -> Coarse:
    """Read the options. `wanted`: `key` or `key=width`. Raises CoarseError."""
    if times not in TIMES:
        raise CoarseError(f"times: '{times[:40]}' is not one of {', '.join(TIMES)}.")
    bands = {}
    for one in wanted:
        key, _, width = one.partition("=")
        digits = (width or "1").isdecimal() and len(width) <= LONGEST
        if not digits or not int(width or BAND):
            raise CoarseError(f"coarsen: '{one[:60]}' must be KEY or KEY=WIDTH, such as age=10.")
        bands[key] = int(width or BAND)
    return Coarse(times, bands, shuffled)


def numbers_of(spec: StudySpec) -> list[str]:
    """Return the keys of the questions whose answers are numbers."""
    asked = spec.questions
    return [one.key for one in (*asked.before, *asked.after) if one.kind in NUMERIC]


def check(source: Source, coarse: Coarse) -> None:
    """Refuse to coarsen a question that asks for no number. Raises CoarseError."""
    known = numbers_of(source.study.spec)
    for key in coarse.bands:
        if key not in known:
            listed = ", ".join(known) or "none"
            raise CoarseError(
                f"coarsen: no question '{key}' asks for a number. They are: {listed}."
            )


def band(text: str, width: int) -> str:
    """Return the band of a number, such as 20-29; '' if the text is none."""
    try:
        low = math.floor(float(text.replace(",", ".")) / width) * width
    except (ValueError, OverflowError):
        return ""
    return f"{low}-{low + width - 1}" if width > 1 else str(low)


Change = Callable[[list[Any]], None]


class Coarsener:
    """Changes the rows of a bundle's tables in place."""

    def __init__(self, source: Source, coarse: Coarse) -> None:
        self._coarse = coarse
        starts = dump.starts(source.db, source.study.id) if coarse.times == RELATIVE else {}
        self._starts = starts
        self._first = min(starts.values(), default=START)
        self._source, self._is_relative = source, coarse.times == RELATIVE
        self._off = source.numbers.people_with_a_wrong_clock if self._is_relative else frozenset()

    def rows(self, table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the rows of a table, changed."""
        changes = list(self._changes(table))
        for row in rows:
            for change in changes:
                change(row)
            yield row

    def _changes(self, table: str) -> Iterator[Change]:
        columns = EXPORT_COLUMNS[table]
        place = {column.name: number for number, column in enumerate(columns)}
        for number, column in enumerate(columns):
            if self._is_relative and column.name in OF_BROWSERS.get(table, ()):
                yield self._without(table, column.name, number, place["participant_id"])
            if column.kind in {"time", "ms"} and self._coarse.times != EXACT:
                yield self._timed(number, place.get("participant_id"))
        if table == "answer" and self._coarse.bands:
            yield self._banded(place["question"], place["value"])
        if table == "participant" and self._coarse.shuffled:
            yield lambda row: row.__setitem__(place["arrival"], None)

    def _without(self, table: str, name: str, place: int, who: int) -> Change:
        """Leave out what would reveal when a person took part, if it is compared with moved times.

        Moving a clock that is days off gives that clock minus the person's start. Whoever knows
        what the clock said, or finds it unmoved in another column, could compute the start.
        """
        most = LONGEST_MS / 1000 if name.endswith("_s") else LONGEST_MS

        def change(row: list[Any]) -> None:
            if row[place] is None:
                return
            if name == CLOCK and row[who] in self._off:
                self._source.emptied[table, name, WRONG_CLOCK] += 1
                row[place] = None
            elif name != CLOCK and row[place] >= most:
                self._source.emptied[table, name, TOO_LONG] += 1
                row[place] = None

        return change

    def _timed(self, place: int, who: int | None) -> Change:
        def change(row: list[Any]) -> None:
            if row[place] is not None:
                start = self._starts.get("" if who is None else row[who], self._first)
                row[place] = self._moved(row[place], start)

        return change

    def _moved(self, value: Any, start: datetime) -> Any:
        if self._coarse.times == DAY:
            if isinstance(value, datetime):
                return value.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            return value // DAY_MS * DAY_MS
        if isinstance(value, datetime):
            return START + (value - start)
        shift = (start - START) // timedelta(milliseconds=1)
        return value - shift

    def _banded(self, question: int, value: int) -> Change:
        def change(row: list[Any]) -> None:
            width = self._coarse.bands.get(row[question])
            if width and row[value]:
                row[value] = band(row[value], width)

        return change
