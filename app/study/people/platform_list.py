"""A recruitment platform's list: columns found or chosen, one line per person, then stored."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from app.counted import counted
from app.progress import Track, untracked
from app.study import table_file
from app.study.people.platform_times import is_day_first, moment
from app.study.table_cells import fold
from app.study.table_file import Line, Problem
from app.study.table_rows import MOST_COLUMNS, TableFileError, check_columns

MAX_CELL, MAX_ID, MAX_STATE = 500, 128, 32  # characters
ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)  # digits that are lost for good
# what we store -> its label and its names in the platforms' files: Prolific's now and before,
# Connect's, MTurk's and its tools', the best first
FIELDS: Mapping[str, tuple[str, ...]] = {
    "external_id": (
        *("Participant ID", "Prolific PID", "Prolific ID", "Worker ID", "Amazon identifier"),
        *("Respondent ID", "Panelist ID"),
    ),
    "state": ("Status", "Assignment status", "Submission status", "Approval status", "State"),
    "code": (
        *("Completion code", "Entered code", "Study code", "Actual completion code"),
        *("Submitted code", "Answer.surveycode", "Answer.survey_code", "Answer.completion_code"),
        *("Answer.code", "Code"),
    ),
    "external_session": ("Submission ID", "Session ID", "Assignment ID", "ID"),
    "started": ("Started at", "Started datetime", "Accept time", "Start time", "Started"),
    "completed": (
        *("Completed at", "Completed date time", "Submit time", "Completion time", "End time"),
        "Completed",
    ),
}
NEEDED = ("external_id", "state")
TIMES = ("completed", "started")  # the first that can be read is compared
NEVER = datetime.min.replace(tzinfo=UTC)
Rank = tuple[int, datetime, int]  # how advanced, when, and in which line
# a platform's state, folded -> what it means to us, the most advanced first
MEANINGS: Mapping[str, tuple[str, ...]] = {
    "approved": ("approved", "partially approved", "paid", "complete", "completed"),
    "waiting": ("awaiting review", "submitted", "pending", "pending review", "pending approval"),
    "running": ("active", "reserved", "started", "in progress", "accepted"),
    "gone": (
        *("timed out", "returned", "rejected", "screened out", "expired", "abandoned"),
        "not approved",
    ),
}
MEANING_OF = {fold(state): name for name, states in MEANINGS.items() for state in states}
RANKS = {name: rank for rank, name in enumerate(["", *reversed(list(MEANINGS))])}
WORDS = {
    "approved": "approved there",
    "waiting": "awaiting review there",
    "running": "under way there",
    "gone": "ended there without approval",
    "": "not known: look it up on the platform",
}
RULE = (
    "A person on several lines counts once: the most advanced line (approved, then awaiting "
    "review, then under way, then ended); of equal ones the one completed or started last; "
    "otherwise the lowest in the file."
)


@lru_cache(maxsize=1000)
def meaning(state: str) -> str:
    """Return what a platform's state means: a key of MEANINGS, or '' if we do not know it."""
    return MEANING_OF.get(fold(state), "")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen on the page.

    `columns`: our field -> a column of the file, '' = none; fields that are not in it are found by
    name. `meanings`: a state that we do not know, folded -> a key of MEANINGS, '' = none.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    def meaning(self, state: str) -> str:
        """Return what a state means: as we know it, or else as chosen; '' = not known."""
        return meaning(state) or self.meanings.get(fold(state), "")

    def stored(self, row: Mapping[str, str]) -> dict[str, str]:
        """Return a line as stored: the state in lower case, with its meaning if it was chosen."""
        state = row["state"]
        chosen = "" if meaning(state) else self.meaning(state)
        return {**row, "state": " ".join(state.casefold().split()), "meaning": chosen}


def chosen_in(raw: Mapping[str, str]) -> Chosen:
    """Return what was chosen on the preview; nothing for a file that was just uploaded."""
    columns = {name: raw[f"column_{name}"] for name in FIELDS if f"column_{name}" in raw}
    states = [name for name in raw if name.startswith("state_")]
    meanings = {fold(raw[name]): raw.get(f"meaning_{name[6:]}", "") for name in states}
    return Chosen(columns, {k: v if v in MEANINGS else "" for k, v in meanings.items()})


@dataclass(frozen=True, slots=True)
class Settled:
    """A person on several lines, and which one counts."""

    external_id: str
    lines: tuple[int, ...]
    kept: int
    state: str


@dataclass(slots=True)
class Found:
    """What an import would do. Nothing is stored if there are problems.

    `mapping`: our field -> the file's column, '' = none. `columns`: of the file. `people`: one row
    each, with only the fields that have a column. `states`: (as written, meaning, people).
    `unknown`: states that we do not know, as written -> what was chosen for them.
    """

    columns: tuple[str, ...]
    mapping: dict[str, str]
    people: dict[str, dict[str, str]] = field(default_factory=dict)
    settled: list[Settled] = field(default_factory=list)
    states: list[tuple[str, str, int]] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new: int = 0
    changed: int = 0
    same: int = 0

    @property
    def missing(self) -> list[str]:
        """Return the needed fields that have no column."""
        return [name for name in NEEDED if not self.mapping[name]]

    @property
    def unused(self) -> list[str]:
        """Return the columns that are not read."""
        return [name for name in self.columns if name not in self.mapping.values()]

    @property
    def kept(self) -> list[str]:
        """Return the fields without a column: what is stored of them stays."""
        return [name for name, column in self.mapping.items() if not column]


def guessed(columns: Sequence[str]) -> dict[str, str]:
    """Return our field -> the file's column that most likely holds it, '' = none."""
    by_name = {fold(name): name for name in reversed(columns)}
    found = dict[str, str]()
    for ours, names in FIELDS.items():
        there = (by_name[fold(name)] for name in names if fold(name) in by_name)
        found[ours] = next((name for name in there if name not in found.values()), "")
    return found


def read(text: str, chosen: Chosen, track: Track = untracked) -> Found:
    """Read a platform's list.

    Raises TableFileError: not a table, or a column is chosen twice or does not exist.
    """
    table = table_file.read_as_work(text, (), {}, track)
    check_columns(1, f"{len(table.others):,} columns", len(table.others), MOST_COLUMNS)
    mapping = {**guessed(table.others), **{k: v for k, v in chosen.columns.items() if k in FIELDS}}
    used = [name for name in mapping.values() if name]
    if wrong := [name for name in used if name not in table.others or used.count(name) > 1]:
        raise TableFileError(
            f"Choose each column of the file once: {', '.join(sorted(set(wrong)))}."
        )
    found = Found(table.others, mapping, problems=list(table.problems), notes=list(table.notes))
    if found.missing:
        return found
    settle(track(table.lines, "Checking the lines", len(table.lines)), found, chosen)
    states = Counter(person["state"] for person in found.people.values())
    found.states = [(name, WORDS[chosen.meaning(name)], n) for name, n in states.most_common()]
    unknown = {fold(name): name for name in states if not meaning(name)}
    found.unknown = {name: chosen.meaning(name) for name in unknown.values()}
    found.problems.sort(key=lambda one: one.line)
    return found


def settle(lines: Iterable[Line], found: Found, chosen: Chosen) -> None:
    """Put each person's line into `found`; of several lines the one that counts."""
    lines, lines_of = list(lines), dict[str, list[tuple[Rank, Line]]]()
    used = {ours: column for ours, column in found.mapping.items() if column}
    dates = [used[name] for name in TIMES if name in used]
    day_first = is_day_first(line.get(name) for line in lines for name in dates)
    for line in lines:
        row = {ours: line.get(column) for ours, column in used.items()}
        row["external_id"] = "".join(filter(str.isprintable, row["external_id"]))  # as in links
        if row == used:
            found.notes.append(f"Line {line.number} repeats the header and was left out.")
            continue
        problem = problem_of(row, found.mapping)
        if problem:
            found.problems.append(Problem(line.number, problem))
            continue
        known = lines_of.setdefault(row["external_id"], [])
        known.append((advance(row, line.number, chosen, day_first=day_first), line))
        if known[-1][0] == max(rank for rank, _ in known):
            found.people[row["external_id"]] = row
    several = {name: own for name, own in lines_of.items() if len(own) > 1}
    for name, own in several.items():
        numbers = tuple(line.number for _, line in own)
        kept = max(own, key=lambda one: one[0])[1].number
        found.settled.append(Settled(name, numbers, kept, found.people[name]["state"]))
    unread = [text for own in several.values() for text in unread_times(own, dates)[:1]]
    if unread:
        found.notes.append(
            f"{counted(len(unread), 'person', 'people')} on several lines with times that cannot "
            f"be read, such as '{unread[0]}': such a line counts as older than any time."
        )


def unread_times(own: Sequence[tuple[Rank, Line]], dates: Sequence[str]) -> list[str]:
    """Return the times that cannot be read where they would decide between a person's lines."""
    furthest = max(rank for (rank, _, _), _ in own)
    equal = [(when, line) for (rank, when, _), line in own if rank == furthest]
    if len(equal) < 2:  # noqa: PLR2004 - two lines can be equal
        return []
    given = (line.get(name) for when, line in equal if when == NEVER for name in dates)
    return [text for text in given if text]


def advance(row: Mapping[str, str], line: int, chosen: Chosen, *, day_first: bool | None) -> Rank:
    """Return how far a line is, to compare the lines of one person; see RULE."""
    times = (moment(row.get(name, ""), day_first=day_first) for name in TIMES)
    return (RANKS[chosen.meaning(row["state"])], next(filter(None, times), NEVER), line)


def problem_of(row: Mapping[str, str], mapping: Mapping[str, str]) -> str:
    """Return the error of a line, or ''."""
    for name, limit in (("external_id", MAX_ID), ("state", MAX_STATE)):
        if not row[name]:
            return f"the column '{mapping[name]}' is empty"
        if len(row[name]) > limit:
            return f"the column '{mapping[name]}' can have at most {limit} characters"
    if ROUNDED.fullmatch(row["external_id"]):
        return (
            f"a spreadsheet has rounded the ID to {row['external_id']}; download the list again "
            "and do not save it from a spreadsheet"
        )
    long = [mapping[name] for name, text in row.items() if len(text) > MAX_CELL]
    return f"the column '{long[0]}' can have at most {MAX_CELL} characters" if long else ""
