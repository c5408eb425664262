"""Import of models' results: checked line by line, previewed, then stored all at once."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import FieldError
from app.game.model import Variant
from app.game.variant import normal_coverage
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.bulk import Incoming
from app.store.db import Store
from app.store.design import designs, studies
from app.store.models import results as models
from app.store.models.results import KEY
from app.study import table_file
from app.study.design.library import Library
from app.study.design.spec import CellSpec
from app.study.design.studies import StudyView
from app.study.models.result_file import lines_of, share, tries_of, truth, whole
from app.study.rating.model_items import read_seed
from app.study.rating.undo import log_deleted
from app.study.table_file import Line, check_whole
from app.study.tickets import once

MAX_MODEL = 128
GIVEN = ("model", "task", "lexicon", "coverage")
FIGURES = ("success", "actions_used", "ref_length", "n_tries", "rv")


@dataclass(slots=True)
class Found(table_file.Found):
    """What an import of results would do; see `table_file.Found`."""

    warnings: list[str] = field(default_factory=list)

    def table(self) -> list[tuple[str, str, str, int, int]]:
        """Return rows (model, task, format, results, results on this study's variants)."""
        numbers = Counter((r["model"], r["task"], r["format"]) for r in self.new)
        ours = Counter((r["model"], r["task"], r["format"]) for r in self.new if r["variant_hash"])
        return [(*key, number, ours[key]) for key, number in sorted(numbers.items())]

    def facts(self) -> dict[str, Any]:
        """Return what the preview shows."""
        return {"new": len(self.new), "same": self.same, "table": self.table()}


class Reader(table_file.Reader[Found]):
    """Reader of the lines of one file for one study."""

    def __init__(self, db: Connection, study: StudyView, library: Library, source: str) -> None:
        self.db, self.study, self.library, self.source = db, study, library, source
        rows = models.of_study(db, study.id)
        known = {tuple(getattr(row, name) for name in KEY): row for row in rows}
        super().__init__(Found(), known)

    def key(self, row: dict[str, Any]) -> Any:
        """Return the model and the episode."""
        return tuple(row[name] for name in KEY)

    def twice(self, _row: dict[str, Any], line: int) -> str:
        """Return the message for a repeated episode."""
        return f"this episode is already on line {line}"

    def changed(self, old: AnyRow, row: dict[str, Any]) -> str:
        """Return the message for an episode stored with other values, or ''."""
        if all(getattr(old, name) == row[name] for name in FIGURES):
            return ""
        return "this episode is already stored with other values; remove the model first"

    def row(self, line: Line) -> dict[str, Any]:
        """Return the result of a line. Raises FieldError."""
        model = line.get("model")
        if not model or len(model) > MAX_MODEL or not model.isprintable():
            raise FieldError("model", f"must have 1 to {MAX_MODEL} printable characters")
        cell = self.cell(line)
        variant = self.variant(cell["variant_hash"])
        index = whole(line, "episode", 1, 1)
        won, direct = truth(line, "success"), cell["format"] == "direct"
        length, tries = self.bounds(line, cell["task"], variant, index, direct=direct)
        used = 1 if direct else whole(line, "actions_used", 1)
        if won and not direct and used < length:
            raise FieldError("actions_used", f"a success takes at least {length} actions")
        return {
            "study_id": self.study.id,
            "model": model,
            **cell,
            "episode_index": index,
            "success": won,
            "actions_used": used,
            "ref_length": length,
            "n_tries": tries,
            "rv": share(line, "rv"),
            "source": self.source,
        }

    def cell(self, line: Line) -> dict[str, Any]:
        """Return what was played, with the study's variant if it is one."""
        task, seed = line.get("task"), read_seed(line.get("seed"))
        lexicon = line.get("lexicon") or "semantic"
        coverage = normal_coverage(line.get("coverage") or "1")
        shape = line.get("format") or "episodic"
        if not task or len(task) > 64 or not task.isprintable():  # noqa: PLR2004 - the column's
            raise FieldError("task", "must be a task's name")
        if shape not in {"episodic", "direct"}:
            raise FieldError("format", "must be episodic or direct")
        given = line.get("variant_hash")
        own = self.study.hashes
        if given and given not in own.values():
            raise FieldError("variant_hash", "is not a variant of this study; leave it empty")
        if not given and self.source == "rows":
            key = CellSpec(task, seed, lexicon, coverage).key
            given = own.get(key) or own.get(f"{key}/direct") or ""
        return {
            "task": task,
            "seed": seed,
            "lexicon": lexicon[:32],
            "coverage": coverage,
            "format": shape,
            "variant_hash": given,
        }

    def variant(self, content_hash: str) -> Variant | None:
        """Return the study's variant, or None if the result is from another one."""
        return self.library.variant(self.db, content_hash) if content_hash else None

    def bounds(
        self, line: Line, task: str, variant: Variant | None, index: int, *, direct: bool
    ) -> tuple[int, int]:
        """Return ref_length and n_tries, of the variant or else from the line."""
        if variant is not None:
            if index > len(variant.episodes):
                raise FieldError("episode", f"the variant has {len(variant.episodes)}")
            episode = variant.episodes[index - 1]
            return episode.ref_length, episode.n_tries
        length = whole(line, "ref_length", 1, 1 if direct else None)
        return length, whole(line, "n_tries", 2, tries_of(task))


def given_in(raw: Mapping[str, str]) -> dict[str, str]:
    """Return the fields typed next to the file, without empty ones."""
    return {name: raw[name].strip() for name in GIVEN if raw.get(name, "").strip()}


def listed(db: Connection, study_id: int) -> list[dict[str, Any]]:
    """Return the stored results, one row per model."""
    return [dict(row._mapping) for row in models.numbers(db, study_id)]  # noqa: SLF001


def check(
    db: Connection,
    study: StudyView,
    library: Library,
    text: str,
    given: Mapping[str, str],
    track: Track = untracked,
) -> Found:
    """Return what an import would do, without storing anything. Raises TableFileError."""
    [file] = [lines_of(text, given) for _ in track(range(1), "Reading the file", 1)]
    reader = Reader(db, study, library, file.source)
    reader.found.problems += file.problems
    reader.found.warnings += file.warnings
    for line in track(file.lines, "Checking the lines", len(file.lines)):
        reader.take(line)
    reader.found.problems.sort(key=lambda one: one.line)
    return reader.found


def store_all(
    store: Store,
    study: StudyView,
    library: Library,
    text: str,
    given: Mapping[str, str],
    by: str,
    ticket: str,
    now: datetime,
    track: Track = untracked,
) -> dict[str, int]:
    """Store a whole import, once; return {new, same}. Raises TableFileError (a line has errors).

    Checks the lines before it locks the study, and again only if results have changed meanwhile.
    """
    with store.read() as db:
        state, checked = (
            models.state(db, study.id),
            check(db, study, library, text, given, track),
        )
    incoming = Incoming(models.model_result, checked.new)
    with store.write(incoming) as db:
        studies.lock(db, study.id)

        def do() -> dict[str, Any]:
            found, new = checked, incoming
            if models.state(db, study.id) != state:
                found = check(db, study, library, text, given)
                new = Incoming(models.model_result, found.new)
            check_whole(found.problems)
            new.insert(db, imported_by=by, created_at=now)
            return {"new": len(found.new), "same": found.same}

        return once(db, ticket, f"account/{by}", now, do)


def remove(store: Store, study: StudyView, model: str, by: str, ticket: str, now: datetime) -> int:
    """Remove a model's results, once, with a line in the log; return their number."""
    with store.write() as db:
        studies.lock(db, study.id)

        def do() -> dict[str, Any]:
            removed = models.remove(db, study.id, model)
            if removed:
                gone = {"model_result": [str(one) for one in removed]}
                log_deleted(db, study, named(model), gone, by, now)
            return {"removed": len(removed)}

        return int(once(db, ticket, f"account/{by}", now, do)["removed"])


def named(model: str) -> str:
    """Return what the log calls a model's results."""
    return f"results of {model}"


def was_removed(db: Connection, study_id: int, model: str) -> bool:
    """Tell whether the log says that someone removed a model's results."""
    return any(
        (what, after) == (named(model), "deleted")
        for row in designs.changes_of(db, study_id)
        for what, _, after in json.loads(row.changes)
    )
