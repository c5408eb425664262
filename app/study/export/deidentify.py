"""The de-identification report of a shareable bundle: what was found, left out and remains."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from app.store.export import dump
from app.study.export import anonymity, release, rows_play
from app.study.export.coarse import DAY, EXACT, RELATIVE, Coarse, Coarsener
from app.study.export.columns import EXPORT_COLUMNS, TABLES
from app.study.export.release import FIELDS, RELEASED, UNREVIEWED
from app.study.export.rows import rows_of
from app.study.export.source import CLOSED, Source
from app.study.name_marks import NameMarker, folded

DEIDENTIFY = "deidentify"  # kind of the job that makes the report of a large study
GROUP = "group"
INCLUDED = "included"  # released, and without an ID
PREVIEWED = ("participant", "answer", "explanation", "note", "problem")
COUNTED = ("ids_found", "texts_unread", "texts_included", "texts_with_names")
FOUND = (release.HOLDS_ID, release.HOLDS_EMAIL)
OPEN = (
    "Short text answers that were released are counted like choices, in small letters without "
    "punctuation. Longer texts are not counted: they may identify people too."
)
TIMES_KEPT = {
    EXACT: "Times are exact to the millisecond: someone who knows when a person took part, or an "
    "order of arrival, can identify them. Round times to the day, or make them relative.",
    DAY: "Times are rounded down to the day; durations are exact. If only a few people took part "
    "on a day, the day still identifies them.",
    RELATIVE: "Times are relative: each person starts at 2000-01-01T00:00Z. Durations are exact.",
}


class Findings:
    """What is seen in the rows of a bundle while they are written."""

    def __init__(self, marker: NameMarker) -> None:
        self._marker, self.with_names = marker, 0
        self.included: list[dict[str, Any]] = []
        self.reasons: dict[str, Counter[str]] = defaultdict(Counter)
        self.states: dict[str, Counter[str]] = defaultdict(Counter)
        self._people: dict[str, dict[str, str]] = {}

    def rows(self, table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
        """Yield the rows, and note what is in them."""
        place = {column.name: at for at, column in enumerate(EXPORT_COLUMNS[table])}
        look = self._look(table, place)
        reason, state = place.get("text_reason"), place.get("release") if table in FIELDS else None
        texts = [place[name] for name in FIELDS.get(table, ())]
        for number, row in enumerate(rows, start=1):
            if reason is not None:
                typed = [str(row[at]) for at in texts if row[at]]
                self.see(table, "" if state is None else row[state], row[reason], typed, number)
            look(row)
            yield row

    def see(self, table: str, state: str, reason: str, texts: list[str], number: int = 0) -> None:
        """Note what became of a row's texts. `reason`: why they are left out, or ''.

        `number`: of the row in its file, from 1 after the header.
        """
        is_included = state == RELEASED and not reason
        if reason:
            self.reasons[table][reason] += 1
        if state:
            self.states[table][INCLUDED if is_included else state] += 1
        if is_included:
            has_name = any(self._marker.marks(text) for text in texts)
            self.with_names += has_name
            if texts:
                self.included.append({"table": table, "row": number, "looks_like_name": has_name})

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
            "texts_listed": self.included,
            "anonymity": anonymity.describe(people),
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
    findings, coarsener = Findings(source.name_marker()), Coarsener(source, coarse)
    for table in PREVIEWED:
        for _ in findings.rows(table, coarsener.rows(table, rows_of(source, table))):
            pass
    commands = dump.rows(source.db, dump.unread_commands(source.scope))
    for rows in release.pages("turn", commands):
        held = source.gate.holding([row.raw for row in rows])
        for row, is_held in zip(rows, held, strict=True):
            raw, state, reason = rows_play.command(source, row, held=is_held)
            findings.see("turn", state, reason, [raw])
    return findings.facts(coarse)


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return what a reader must know, in words: what was left out, and what remains."""
    return [*about_texts(facts), *about_people(facts["anonymity"]), *about_options(facts)]


def about_texts(facts: dict[str, Any]) -> list[str]:
    """Return sentences on texts."""
    found, unread, included, named = (facts[one] for one in COUNTED)
    left_out = (
        f"Left out: {found} texts, commands or answers with a platform ID, code, token or e-mail "
        f"address in them, and {unread} texts or commands that no one has read."
    )
    if not included:
        return [left_out]
    read = (
        f"{included} texts or commands are included because a researcher read and released them. "
        f"{named} of them contain a word that looks like a name. hjstudy marks such words by their "
        "form and by a list of common given and family names, and misses some: only a reader can "
        "find all names. `deidentification.json` lists the file and row of each of these texts "
        "(`texts_listed`)."
    )
    return [left_out, read]


def about_people(found: dict[str, Any]) -> list[str]:
    """Return sentences on how many people share the same answers."""
    if not found["attributes"]:
        return [f"There are no closed questions and no groups, so nothing was counted. {OPEN}"]
    classes = (
        f"By {', '.join(found['attributes'])}, {found['people']} people fall into "
        f"{found['classes']} classes; the smallest has {found['k']} (k-anonymity). "
        f"{found['alone']} people are alone in theirs, and {found['in_small_classes']} share it "
        f"with fewer than {anonymity.SMALL - 1} others."
    )
    cells = [
        f"`{one['name']}`: {one['small_cells']} values are given by fewer than "
        f"{anonymity.SMALL} people."
        for one in found["by_attribute"]
        if one["small_cells"]
    ]
    sure = ", ".join(one["name"] for one in found["by_attribute"] if one["l"] == 1)
    diversity = f"For at least one person, the other answers determine {sure} (l-diversity 1)."
    return [classes, *cells, *([diversity] if sure else []), OPEN]


def about_options(facts: dict[str, Any]) -> list[str]:
    """Return sentences on times, bands and order."""
    lines = [TIMES_KEPT[facts["times"]]]
    lines += [f"`{key}` is given in bands of {width}." for key, width in facts["bands"].items()]
    if not facts["shuffled"]:
        lines.append("People are in order of arrival.")
    elif facts["times"] == EXACT:
        lines.append(
            "People are in random order, but the exact times reveal their order of arrival."
        )
    else:
        lines.append("People are in random order.")
    return lines


def left_out(facts: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Return (table, reason, number of rows) of what is left out."""
    found = facts["left_out"]
    return [(name, why, found[name][why]) for name in found for why in sorted(found[name])]


def markdown(facts: dict[str, Any]) -> str:
    """Return the report as a page."""
    parts = ["# De-identification report", *(f"- {line}" for line in sentences(facts))]
    rows = left_out(facts)
    if rows:
        parts += ["", "## Left out", "", "| table | reason | rows |", "|---|---|---|"]
        parts += [f"| {table} | {reason} | {number} |" for table, reason, number in rows]
    found = facts["anonymity"]["by_attribute"]
    if found:
        parts += ["", "## Answers and groups", "", "| attribute | values | smallest | small | l |"]
        parts += ["|---|---|---|---|---|"]
        keys = ("name", "values", "smallest", "small_cells", "l")
        parts += ["| " + " | ".join(str(one[key]) for key in keys) + " |" for one in found]
    if facts["exact_columns"]:
        parts += ["", "## Exact times", "", ", ".join(f"`{one}`" for one in facts["exact_columns"])]
    return "\n".join([parts[0], "", *parts[1:]]) + "\n"
