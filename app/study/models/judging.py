"""A model as a judge: its scores, and malformed answers, are stored like those of a file."""

import json
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.agents import wording
from app.agents.answering import CRITERIA, SCORES, Judgement, judge
from app.agents.asking import Asking, drive
from app.agents.replies import Asker
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.rating import judges
from app.study.design.library import Library
from app.study.ground_truth import Truth, truth_of
from app.study.models import judged_items
from app.study.models.call_log import CallLog, Clock
from app.study.models.running import Outcome, in_parallel
from app.study.models.runs import Run
from app.study.rating import player_items

NO_SCORES = {"score": None, **dict.fromkeys(SCORES[CRITERIA])}


class ItemUnit(NamedTuple):
    """One item to judge, for the nth time (from 1)."""

    item_id: int
    repeat: int

    @property
    def name(self) -> str:
        """Return its name in the table of calls."""
        return f"judge/{self.item_id}/{self.repeat}"


def truth_text(truth: Truth) -> str:
    """Return the ground truth as raters see it, as plain text."""
    lines = [*truth.sentences, "", "What is right in each case:"]
    for class_, row in zip(truth.classes, truth.rows, strict=True):
        for role, cell in zip(truth.roles, row, strict=True):
            held = " (not shown)" if cell.split == "gen" else ""
            where = f"{truth.labels[0]}: {class_}, {truth.labels[1]}: {role}"
            lines.append(f"- {where}: {cell.text}{held}")
    if truth.notes:
        lines += ["", "Other rules that fit all accounts:"]
        for note in truth.notes:
            departs = "".join(f" It says for {one}." for one in note.departs)
            lines.append(f"- {note.says[0].upper()}{note.says[1:]}.{departs} {note.advice}")
    return "\n".join(lines)


class JudgeRunner:
    """One process's work on a run of a judge. It never reads who wrote an item."""

    def __init__(self, store: Store, run: Run, asker: Asker, clock: Clock) -> None:
        self.store, self.run, self.asker, self.clock = store, run, asker, clock
        self.library = Library()
        self.items: dict[int, AnyRow] = {}
        self.truths: dict[str, str] = {}
        self.judges: dict[int, int] = {}  # repeat -> judge_run id

    def drive(self, concurrency: int, track: Track = untracked) -> Outcome:
        """Judge every item that this run has not judged yet."""
        outcome = Outcome()
        self.prepare()
        todo = [
            ItemUnit(item_id, repeat)
            for repeat, judge_id in self.judges.items()
            for item_id in self.left(judge_id)
        ]
        in_parallel(todo, self.do, outcome, concurrency, track, "Explanations")
        return outcome

    def prepare(self) -> None:
        """Gather new explanations, and add the run's judges to the study's, once."""
        now = self.clock()
        with self.store.write() as db:
            studies.lock(db, self.run.study_id)
            player_items.gather(db, self.run.study_id, now)
            for repeat in range(1, self.run.repeats + 1):
                if find_judge(db, self.run, repeat) is None:
                    judges.insert_run(db, judge_values(self.run, repeat, now))
        self.load()

    def load(self) -> None:
        """Read the items, their rules and the run's judges."""
        with self.store.read() as db:
            self.items = {row.id: row for row in judged_items.of_run(db, self.run)}
            for name in {row.variant_hash for row in self.items.values()}:
                self.truths[name] = truth_text(truth_of(self.library.variant(db, name)))
            for repeat in range(1, self.run.repeats + 1):
                known = find_judge(db, self.run, repeat)
                if known is not None:
                    self.judges[repeat] = known

    def left(self, judge_run_id: int) -> list[int]:
        """Return the items without a score of this judge."""
        with self.store.read() as db:
            done = {row.item_id for row in judges.scores(db, judge_run_id)}
        return [item_id for item_id in self.items if item_id not in done]

    def do(self, unit: ItemUnit) -> None:
        """Judge one item; store the score or the malformed answer."""
        log = CallLog(self.store, self.run.id, unit.name, self.asker, self.clock)
        found = drive(self.method(unit.item_id), log.answer)
        row = {
            **score_row(found),
            "run_id": self.judges[unit.repeat],
            "item_id": unit.item_id,
            "created_at": self.clock(),
        }
        with self.store.write() as db:
            judges.insert_scores(db, [row])

    def method(self, item_id: int) -> Asking[Judgement]:
        """Return the generator that judges an item: only its text and the rule."""
        item = self.items[item_id]
        truth = self.truths[item.variant_hash]
        return judge(truth, item.text, self.run.method, self.run.preset.answer_tokens)


def judge_values(run: Run, repeat: int, now: datetime) -> dict[str, Any]:
    """Return the row of the judge of one repeat."""
    return {
        "study_id": run.study_id,
        "kind": "llm",
        "judge": run.label if repeat == 1 else f"{run.label} (repeat {repeat})",
        "model": run.model,
        "prompt_version": f"{run.method}-{wording.VERSION}",
        "parameters": json.dumps(dict(run.parameters), sort_keys=True),
        "made_by": run.made_by,
        "created_at": now,
    }


def find_judge(db: Connection, run: Run, repeat: int) -> int | None:
    """Return the id of the judge of one repeat, or None."""
    wanted = judge_values(run, repeat, run.created_at)
    names = ("kind", "judge", "model", "prompt_version")
    for row in judges.runs(db, run.study_id):
        if all(getattr(row, name) == wanted[name] for name in names):
            return int(row.id)
    return None


def score_row(found: Judgement) -> dict[str, object]:
    """Return the columns of a score."""
    status = "malformed" if found.problem else "ok"
    return {
        **NO_SCORES,
        **found.scores,
        "status": status,
        "raw": found.raw[:100_000],
        "problem": found.problem,
    }
