"""Judge scores from a file: read, checked line by line; malformed answers are stored as such."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.bulk import Incoming
from app.store.db import Store
from app.store.design import studies
from app.store.rating import items, judges
from app.store.rating.scales import CRITERIA, LEVELS
from app.study import table_file
from app.study.rating import player_items
from app.study.table_file import Line, Problem, check_whole
from app.study.table_rows import TableFileError, parse_json, unfenced
from app.study.tickets import once

COLUMNS = ("item", "judge", "model", "prompt_version", "parameters", "score", *CRITERIA, "raw")
ALIASES = {"id": "item", "external_id": "item", "raw_answer": "raw", "prompt": "prompt_version"}
LIMITS = {"judge": 128, "model": 128, "prompt_version": 64, "parameters": 2000, "raw": 100_000}
Name = tuple[str, str, str]  # judge, model, prompt version
RAW_KEYS = {"score", *CRITERIA}


@dataclass(slots=True)
class JudgeFound:
    """What an import would add for one judge."""

    parameters: str = "{}"
    rows: list[dict[str, Any]] = field(default_factory=list)
    same: int = 0
    malformed: int = 0
    from_raw: int = 0
    levels: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """What an import would do. Nothing is stored unless `problems` is empty."""

    judges: dict[Name, JudgeFound] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def new(self) -> int:
        """Number of scores to be added."""
        return sum(len(one.rows) for one in self.judges.values())

    @property
    def same(self) -> int:
        """Number of scores that are already stored."""
        return sum(one.same for one in self.judges.values())

    def scores(self) -> list[dict[str, Any]]:
        """Return the rows to be added, judge by judge."""
        return [row for one in self.judges.values() for row in one.rows]

    def facts(self) -> dict[str, Any]:
        """Return what the preview shows."""
        listed = [
            {
                "name": " · ".join(part for part in dict.fromkeys(name) if part),
                "new": len(one.rows),
                "same": one.same,
                "malformed": one.malformed,
                "levels": [one.levels.get(level, 0) for level in LEVELS],
            }
            for name, one in self.judges.items()
        ]
        return {"new": self.new, "same": self.same, "table": [], "judges": listed}


class Reader:
    """Reader of the lines of one file for one study."""

    def __init__(self, db: Connection, study_id: int, judge: str) -> None:
        self.items, self.judge = items.known(db, study_id), judge.strip()
        self.found = Found()
        self._lines: dict[tuple[Name, int], int] = {}
        self._parameters: dict[Name, str] = {}
        self._old: dict[Name, dict[int, AnyRow]] = {}
        for run in judges.runs(db, study_id):
            name = run.judge, run.model, run.prompt_version
            self._parameters[name] = run.parameters
            self._old[name] = {score.item_id: score for score in judges.scores(db, run.id)}

    def take(self, line: Line) -> None:
        """Read one line: a score, a malformed answer, a known score, or a problem."""
        problem = self.problem_of(line)
        if problem:
            self.found.problems.append(Problem(line.number, problem))
            return
        name = self.name_of(line)
        item_id = int(self.items[line.get("item")].id)
        one = self.found.judges.setdefault(name, JudgeFound(self._parameters[name]))
        scored = with_raw_score(line)
        one.from_raw += scored is not line
        row = read_score(scored)
        old = self._old.get(name, {}).get(item_id)
        if old is not None:
            if any(getattr(old, key) != row[key] for key in ("status", "score", *CRITERIA, "raw")):
                text = f"this judge already has a different score for '{line.get('item')}'; "
                text += "use another judge name for a second run"
                self.found.problems.append(Problem(line.number, text))
            one.same += 1
            return
        one.rows.append({**row, "item_id": item_id})
        one.malformed += row["status"] == "malformed"
        if row["score"] is not None:
            one.levels[row["score"]] = one.levels.get(row["score"], 0) + 1

    def name_of(self, line: Line) -> Name:
        """Return the judge of a line: name, model, prompt version."""
        model = line.get("model")
        return line.get("judge") or self.judge or model, model, line.get("prompt_version")

    def problem_of(self, line: Line) -> str:
        """Return why a line is refused, or ''."""
        for key, limit in LIMITS.items():
            if len(line.values.get(key, "")) > limit:
                return f"{key}: at most {limit:,} characters"
        item = self.items.get(line.get("item"))
        if item is None or item.is_erased:
            given = line.get("item")[:80]
            return f"item: this study has no item '{given}'" if given else "item: is missing"
        name = self.name_of(line)
        if not name[0]:
            return "judge: is missing; name it in a column `judge` or `model`"
        parameters = line.get("parameters")
        known = self._parameters.setdefault(name, parameters or "{}")
        if parameters not in {"", known}:
            return (
                f"this judge was stored with other parameters ({known[:80]}); "
                "use another judge name"
            )
        before = self._lines.setdefault((name, item.id), line.number)
        if before != line.number:
            return f"this judge's score for '{item.external_id}' is already on line {before}"
        return ""


def with_raw_score(line: Line) -> Line:
    """Return the line with the score that its `raw` states as JSON, if the line has none.

    Only an answer that is one JSON object, fenced or not, with `score` or all four criteria is
    read; prose is never interpreted.
    """
    if any(line.get(name) for name in RAW_KEYS) or "{" not in line.values.get("raw", ""):
        return line
    rows = parse_json(unfenced(line.values["raw"])).rows
    if len(rows) != 1 or isinstance(rows[0][1], str):
        return line
    stated = {name.casefold(): value for name, value in rows[0][1].items()}
    if "score" not in stated and not set(CRITERIA) <= set(stated):
        return line
    own = {name: value for name, value in stated.items() if name in RAW_KEYS}
    return replace(line, values={**line.values, **own})


def read_score(line: Line) -> dict[str, Any]:
    """Return the scores of a line; anything but 0, 1 or 2 makes it malformed, never a guess."""
    given = {name: line.get(name) for name in ("score", *CRITERIA)}
    raw = line.values.get("raw", "")
    numbers = {name: level_of(line, name) for name in given}
    odd = [
        f"{name} '{text[:40]}'" for name, text in given.items() if text and numbers[name] is None
    ]
    whole = numbers["score"] is not None or all(numbers[name] is not None for name in CRITERIA)
    partly = any(given[name] for name in CRITERIA) and not all(given[name] for name in CRITERIA)
    if odd:
        problem = f"not 0, 1 or 2: {', '.join(odd)}"
    elif not whole or partly:
        problem = "some criteria are missing" if partly else "no score"
    else:
        return {"status": "ok", "problem": "", "raw": raw, **numbers}
    shown = raw or "; ".join(f"{name}: {text}" for name, text in given.items() if text)
    return {"status": "malformed", "problem": problem, "raw": shown, **dict.fromkeys(numbers)}


def level_of(line: Line, name: str) -> int | None:
    """Return a column's level, written as any number: `2`, `2.0`, `02`; None = not a level."""
    number = line.number_of(name)
    return int(number) if number in LEVELS else None


def check(
    db: Connection, study_id: int, text: str, judge: str = "", track: Track = untracked
) -> Found:
    """Return what an import would do, without storing anything. Raises TableFileError.

    `judge`: the name of the judge if the file has no column for it.
    """
    table = table_file.read_as_work(text, COLUMNS, ALIASES, track)
    if "item" not in table.columns or not {*RAW_KEYS, "raw"} & set(table.columns):
        raise TableFileError(
            "The file needs a column `item`, and either `score` or the four criteria. If it has "
            "one column per judge, write one row per score with the judge's name in `judge`. "
            + table_file.columns_text(table)
        )
    reader = Reader(db, study_id, judge)
    reader.found.problems += table.problems
    for line in track(table.lines, "Checking the lines", len(table.lines)):
        reader.take(line)
    found = reader.found
    found.warnings += table.warnings
    for name, one in found.judges.items():
        if one.malformed:
            words = (
                f"Malformed answers by {name[0]}: {one.malformed}. They are stored but never used."
            )
            found.warnings.append(words)
        if one.from_raw:
            note = f"Scores of {name[0]} read from the JSON in `raw`: {one.from_raw}."
            found.warnings.append(note)
    found.problems.sort(key=lambda problem: problem.line)
    return found


def store_all(
    store: Store,
    study_id: int,
    text: str,
    judge: str,
    by: str,
    ticket: str,
    now: datetime,
    track: Track = untracked,
) -> dict[str, int]:
    """Store a whole import, once; return {new, same}. Raises TableFileError (a line has errors).

    Checks the lines before it locks the study, and again only if something has changed meanwhile.
    """
    player_items.take_in(store, study_id, now)
    with store.read() as db:
        state, checked = state_of(db, study_id), check(db, study_id, text, judge, track)
    incoming = Incoming(judges.judge_score, checked.scores())
    with store.write(incoming) as db:
        studies.lock(db, study_id)

        def do() -> dict[str, Any]:
            player_items.gather(db, study_id, now)
            found, new = checked, incoming
            if state_of(db, study_id) != state:
                found = check(db, study_id, text, judge)
                new = Incoming(judges.judge_score, found.scores())
            check_whole(found.problems)
            stored, done = run_ids(db, study_id), 0
            for name, one in found.judges.items():
                run_id = stored.get(name)
                if run_id is None:
                    run_id = judges.insert_run(db, run_values(study_id, name, one, by, now))
                part = slice(done, done + len(one.rows))
                new.insert(db, part, run_id=run_id, created_at=now)
                done = part.stop
            return {"new": found.new, "same": found.same}

        return once(db, ticket, f"account/{by}", now, do)


def state_of(db: Connection, study_id: int) -> tuple[int | None, ...]:
    """Return what changes whenever a study's items or judges' scores do."""
    return (*items.state(db, study_id), *judges.state(db, study_id))


def run_ids(db: Connection, study_id: int) -> Mapping[Name, int]:
    """Return the ids of the stored judges."""
    return {
        (run.judge, run.model, run.prompt_version): int(run.id) for run in judges.runs(db, study_id)
    }


def run_values(
    study_id: int, name: Name, one: JudgeFound, by: str, now: datetime
) -> dict[str, Any]:
    """Return the row of a new judge."""
    judge, model, prompt_version = name
    return {
        "study_id": study_id,
        "kind": "file",
        "judge": judge,
        "model": model,
        "prompt_version": prompt_version,
        "parameters": one.parameters,
        "made_by": by,
        "created_at": now,
    }
