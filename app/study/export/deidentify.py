"""The de-identification report of a shareable bundle: what was found, left out and remains."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from app.study.export import anonymity, release, searched
from app.study.export.coarse import EXACT, Coarse, Coarsener
from app.study.export.columns import EXPORT_COLUMNS, TABLES
from app.study.export.release import RELEASED, UNREVIEWED
from app.study.export.rows import rows_of
from app.study.export.source import CLOSED, Source
from app.study.name_marks import folded
from app.study.phone_marks import holds_long_number

DEIDENTIFY = "deidentify"  # kind of the job that makes the report of a large study
GROUP = "group"
INCLUDED = "included"  # released, and without an ID
SUMS = ("timing", "sign")  # tables with sums of numbers that browsers sent
PREVIEWED = tuple(one for one in TABLES if one in SUMS or searched.searched(one))
COPIES = "item"  # has players' explanations once more
FOUND = (release.HOLDS_ID, release.HOLDS_EMAIL, release.HOLDS_PHONE)


class Findings:
    """What is seen in the rows of a bundle while they are written."""

    def __init__(self, source: Source) -> None:
        self._source, self._marker, self.with_names = source, source.name_marker(), 0
        self._search = searched.Search(source)
        self.included: list[dict[str, Any]] = []
        self.with_numbers = 0
        self._read: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.reasons: dict[str, Counter[str]] = defaultdict(Counter)
        self.states: dict[str, Counter[str]] = defaultdict(Counter)
        self._people: dict[str, dict[str, str]] = {}

    def rows(self, table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the rows, and note what is in them."""
        place = {column.name: at for at, column in enumerate(EXPORT_COLUMNS[table])}
        look = self._look(table, place)
        reason, state = place.get("text_reason"), place.get("release")
        texts = {name: place[name] for name in searched.TYPED.get(table, ())}
        for number, row in enumerate(self._search.rows(table, rows), start=1):
            if reason is not None:
                typed = {name: str(row[at]) for name, at in texts.items() if row[at]}
                self._see(table, "" if state is None else row[state], row[reason], typed, number)
            look(row)
            yield row

    def _see(self, table: str, state: str, reason: str, texts: dict[str, str], number: int) -> None:
        """Note what became of a row's texts. `reason`: why they are left out, or ''.

        `number`: of the row in its file, from 1 after the header. Copies are listed, not counted.
        """
        is_included, is_copy = state == RELEASED and not reason, bool(state) and table == COPIES
        if reason and not is_copy:
            self.reasons[table][reason] += 1
        if state and not is_copy:
            self.states[table][INCLUDED if is_included else state] += 1
        if is_included and texts:
            marks = [self._note(table, name, text) for name, text in texts.items()]
            has_name, has_number = (any(one) for one in zip(*marks, strict=True))
            self.with_names += has_name and not is_copy
            self.with_numbers += has_number and not is_copy
            found = {"looks_like_name": has_name, "long_number": has_number}
            self.included.append({"table": table, "row": number, "columns": [*texts], **found})

    def _note(self, table: str, column: str, text: str) -> tuple[bool, bool]:
        """Note a text that was read; return whether it may have a name, and a long number."""
        marks = bool(self._marker.marks(text)), holds_long_number(text)
        found = dict(
            zip(("rows", "with_names", "with_numbers"), (1, *map(int, marks)), strict=True)
        )
        self._read[table, column].update(found)
        return marks

    def _look(self, table: str, place: dict[str, int]) -> Callable[[list[Any]], None]:
        def person(row: list[Any]) -> None:
            if row[place["consented_at"]] is not None and not row[place["is_erased"]]:
                self._people[row[place["participant_id"]]] = {GROUP: row[place["tag"]] or ""}

        def answer(row: list[Any]) -> None:
            mine = self._people.get(row[place["participant_id"]])
            if mine is None or row[place["phase"]] not in PHASES:
                return
            value = str(row[place["value"]] or "")
            is_short = row[place["release"]] == RELEASED and len(value) <= SHORT
            if row[place["kind"]] in CLOSED:
                mine[row[place["question"]]] = row[place["value"]]
            elif value and is_short and not row[place["text_reason"]]:
                mine[row[place["question"]]] = " ".join(WORD.findall(folded(value)))

        return {"participant": person, "answer": answer}.get(table, lambda _: None)

    def facts(self, coarse: Coarse) -> dict[str, Any]:
        """Return the report as one document."""
        people = list(self._people.values())
        if not any(one[GROUP] for one in people):
            people = [{key: one[key] for key in one if key != GROUP} for one in people]
        return {
            "left_out": {name: dict(self.reasons[name]) for name in TABLES if self.reasons[name]},
            "ids_found": total(self.reasons, *FOUND),
            "texts_unread": total(self.states, UNREVIEWED),
            "texts_included": total(self.states, INCLUDED),
            "texts_with_names": self.with_names,
            "texts_with_numbers": self.with_numbers,
            "texts_read": [
                {"file": table, "column": column, **counts}
                for (table, column), counts in self._read.items()
            ],
            "texts_listed": self.included,
            "emptied": [
                {"table": table, "column": column, "reason": reason, "rows": number}
                for (table, column, reason), number in sorted(self._source.emptied.items())
            ],
            "found_besides": self._search.facts(),
            "unread": self._search.unread(),
            "unsearchable": self._search.unsearchable(),
            "id_key_missing": self._source.gate.is_blind,
            "anonymity": anonymity.describe([] if self._source.gate.is_blind else people),
            "times": coarse.times,
            "bands": dict(coarse.bands),
            "shuffled": coarse.shuffled,
            "exact_columns": timed_columns() if coarse.times == EXACT else [],
        }


PHASES = ("before", "after")
SHORT = 60  # characters; longer answers differ for everyone
WORD = re.compile(r"\w+")


def total(counts: dict[str, Counter[str]], *names: str) -> int:
    """Return the sum over tables of some counts."""
    return sum(found[name] for found in counts.values() for name in names)


def timed_columns() -> list[str]:
    """Return the columns of the codebook that hold a moment, `table.column`."""
    return [
        f"{table}.{column.name}"
        for table, columns in EXPORT_COLUMNS.items()
        for column in columns
        if column.kind in {"time", "ms"}
    ]


def preview(source: Source, coarse: Coarse) -> dict[str, Any]:
    """Return the report of a bundle that is not written; `source` must be of a shareable one."""
    findings, coarsener = Findings(source), Coarsener(source, coarse)
    for table in PREVIEWED:
        for _ in findings.rows(table, coarsener.rows(table, rows_of(source, table))):
            pass
    return findings.facts(coarse)
