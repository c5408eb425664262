"""Proof of a run: its stored answers, fed into its methods again, must lead to what is stored."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from app.agents.asking import Ask, drive, hash_of
from app.agents.playing import AGENT
from app.agents.replies import Reply, StoppedError, read_body
from app.errors import StudyError
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.models import calls, plays, results
from app.store.play import turns
from app.store.rating import items, judges
from app.study.design import reference
from app.study.design.library import Library
from app.study.models import results as imported
from app.study.models import storing, units
from app.study.models.agent_steps import received
from app.study.models.call_log import text_of
from app.study.models.judging import ItemUnit, JudgeRunner, score_row
from app.study.models.runs import Run
from app.study.models.units import EXPLAIN, PLAYBOOK, STAGES, Unit, is_direct
from app.study.play.digests import TURN_FIELDS

EPISODE_FIELDS = (
    *("cell", "task", "seed", "lexicon", "coverage", "format", "variant_hash", "variant_episode"),
    *("entity", "engine_name", "engine_version", "ref_length", "n_tries", "budget", "state"),
    *("ended", "actions_used", "attempts", "unreadable", "stated", "advice", "player_kind"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of a unit. `call`: the question's number, None for a result."""

    unit: str
    call: int | None
    field: str
    stored: str
    expected: str


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `hjstudy model verify`. `unfinished`: units without a result yet."""

    units: int
    calls: int
    unfinished: int
    differences: list[Difference]

    @property
    def ok(self) -> bool:
        """Tell whether everything is as stored."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {**asdict(self), "ok": self.ok}


class DifferentError(StudyError):
    """A stored value is not what the methods give; carries the Difference."""

    code = "models/different"

    def __init__(self, found: Difference) -> None:
        super().__init__(f"{found.unit}: {found.field} differs.")
        self.found = found


class MissingAnswerError(StudyError):
    """A unit's log ends before its method does: the unit is not finished."""

    code = "models/missing_answer"


def completed(body: str) -> tuple[str, str]:
    """Return (status, text) of a chat completion."""
    status, text, *_ = read_body(body)
    return status, text


class Replay:
    """Answers of one unit's log, each compared with the prompt that the method asks now."""

    def __init__(self, unit: str, rows: list[AnyRow], run: Run) -> None:
        self._unit, self._model = unit, run.model
        self._read = received if run.method == AGENT else completed
        self._rows = {row.n: row for row in rows if row.status in calls.ANSWERED}
        self.used, self.acted = 0, list[tuple[Any, int]]()

    def answer(self, ask: Ask, number: int) -> str:
        """Return the stored answer. Raises: DifferentError, MissingAnswerError."""
        row = self._rows.get(number)
        if row is None:
            raise MissingAnswerError(f"{self._unit} has no answer {number}.")
        self.used = number
        if ask.purpose == "action":
            self.acted.append((row.created_at, row.ms))
        for field, stored, expected in self.compared(row, ask):
            if stored != expected:
                raise DifferentError(
                    Difference(self._unit, number, field, *first_apart(stored, expected))
                )
        return text_of(row.status, row.text)

    def compared(self, row: AnyRow, ask: Ask) -> Iterator[tuple[str, str, str]]:
        """Yield (field, stored, expected) of everything that a call's row must hold."""
        try:
            request = json.loads(row.request)
            prompt = request["messages"][0]["content"]
        except (ValueError, KeyError, IndexError, TypeError):
            request, prompt = {}, row.request
        yield "prompt", prompt, ask.prompt
        yield "prompt_hash", row.prompt_hash, hash_of(ask.prompt)
        yield "purpose", row.purpose, ask.purpose
        yield "model", str(request.get("model")), self._model
        if row.status != "context":
            status, text = self._read(row.raw)
            yield "status", row.status, status
            yield "text", row.text, text

    def check_end(self) -> None:
        """Refuse answers that the method did not ask for. Raises: DifferentError."""
        if len(self._rows) != self.used:
            counts = str(len(self._rows)), str(self.used)
            raise DifferentError(Difference(self._unit, None, "calls", *counts))


class Prover:
    """Replays the units of one run."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store, self.run, self.library = store, run, Library()
        self.playbooks: dict[str, str] = {}
        self.calls = 0

    def replay(self, name: str, method: Any) -> tuple[Any, Replay]:
        """Drive a method with a unit's stored answers; return its result."""
        with self.store.read() as db:
            log = Replay(name, list(calls.of_unit(db, self.run.id, name)), self.run)
        found = drive(method, log.answer)
        log.check_end()
        self.calls += log.used
        return found, log

    def check(self, unit: Unit) -> None:
        """Check one unit. Raises: DifferentError, MissingAnswerError."""
        with self.store.read() as db:
            variant = self.library.variant(db, unit.cell.variant_hash)
            if why := reference.missing(variant):
                place = unit.name, None, "engine_version"
                raise DifferentError(Difference(*place, variant.engine_version, why))
            if unit.stage == PLAYBOOK:
                book = units.playbook_of(db, self.library, self.run, unit.cell)
                self.playbooks[unit.cell.key], _ = self.replay(unit.name, book)
                return
            if unit.stage == EXPLAIN:
                self.check_explanation(unit)
                return
            stored = plays.find(db, self.run.id, unit.name)
            lines = turns.of_episode(db, stored.id) if stored is not None else ()
        if is_direct(unit.cell):
            typed, _ = self.replay(unit.name, units.answer_of(self.run, variant, unit.place))
            values, rows = units.stated_values(variant, unit.place, typed), []
        else:
            frozen = self.playbooks.get(unit.cell.key, "")
            method = units.play_of(self.run, variant, unit.place, frozen)
            played, log = self.replay(unit.name, method)
            values = units.played_values(played)
            rows = units.turn_rows(unit, played.turns, log.acted)
        if stored is None:
            raise MissingAnswerError(f"{unit.name} has no result.")
        expected = {**units.episode_row(self.run, unit, variant, stored.finished_at), **values}
        compare(unit.name, stored, expected, EPISODE_FIELDS)
        compare_turns(unit.name, lines, rows)
        self.check_result(unit, storing.result_row(self.run, expected))

    def check_result(self, unit: Unit, expected: dict[str, Any]) -> None:
        """Check the row that reports read of an episode. Raises: DifferentError."""
        with self.store.read() as db:
            stored = results.find(db, expected)
            if stored is None and imported.was_removed(db, self.run.study_id, self.run.label):
                return
        if stored is None:
            raise DifferentError(Difference(unit.name, None, "result", "", str(expected["model"])))
        compare(unit.name, stored, expected, tuple(expected))

    def check_explanation(self, unit: Unit) -> None:
        """Check an explanation against its item."""
        with self.store.read() as db:
            variant = self.library.variant(db, unit.cell.variant_hash)
            played = self.run.explains == "played" and not is_direct(unit.cell)
            logs = units.stored_logs(db, self.run, unit.cell) if played else []
            item = items.known(db, self.run.study_id).get(storing.item_id(self.run, unit.cell))
        found, _ = self.replay(unit.name, units.explanation_of(self.run, variant, logs))
        text, stored = storing.text_of(found), "" if item is None else item.text
        if text != stored:
            texts = first_apart(stored, text)
            raise DifferentError(Difference(unit.name, None, "explanation", *texts))


def verify(store: Store, run: Run, track: Track = untracked) -> Report:
    """Check every unit of a run."""
    found = list[Difference]()
    number = unfinished = 0
    if run.is_judge:
        return verify_judge(store, run, track)
    prover = Prover(store, run)
    with store.read() as db:
        todo = [one for stage in STAGES for one in units.units_of(db, prover.library, run, stage)]
    for unit in track(todo, "Units", len(todo)):
        number += 1
        try:
            prover.check(unit)
        except MissingAnswerError:
            if has_result(prover, unit):
                found.append(Difference(unit.name, None, "calls", "a result", "no answer"))
            else:
                unfinished += 1
        except DifferentError as error:
            found.append(error.found)
    return Report(number, prover.calls, unfinished, found)


def has_result(prover: Prover, unit: Unit) -> bool:
    """Tell whether an episode is stored although its calls do not lead to its end."""
    with prover.store.read() as db:
        return plays.find(db, prover.run.id, unit.name) is not None


def verify_judge(store: Store, run: Run, track: Track) -> Report:
    """Check every score of a judge."""
    runner = JudgeRunner(store, run, Silent(), lambda: run.created_at)
    prover, found = Prover(store, run), list[Difference]()
    runner.load()
    with store.read() as db:
        scores = [
            (ItemUnit(row.item_id, repeat), row)
            for repeat, judge_run_id in runner.judges.items()
            for row in judges.scores(db, judge_run_id)
            if row.item_id in runner.items
        ]
    for unit, row in track(scores, "Scores", len(scores)):
        try:
            judgement, _ = prover.replay(unit.name, runner.method(unit.item_id))
            expected = score_row(judgement)
            compare(unit.name, row, expected, tuple(expected))
        except MissingAnswerError:
            found.append(Difference(unit.name, None, "calls", "a score", "no answer"))
        except DifferentError as error:
            found.append(error.found)
    return Report(len(scores), prover.calls, len(runner.items) * run.repeats - len(scores), found)


class Silent:
    """An asker that is never asked."""

    def ask(self, question: Ask, log: Callable[[Reply], None]) -> Reply:
        """Refuse."""
        del question, log
        raise StoppedError("Nothing is asked here.")

    def stop(self) -> None:
        """Do nothing."""


def compare(unit: str, row: AnyRow, expected: dict[str, Any], names: tuple[str, ...]) -> None:
    """Compare a row with what it should hold. Raises: DifferentError."""
    for name in names:
        stored = getattr(row, name)
        if stored != expected[name]:
            texts = first_apart(str(stored), str(expected[name]))
            raise DifferentError(Difference(unit, None, name, *texts))


def compare_turns(unit: str, stored: Any, expected: list[dict[str, Any]]) -> None:
    """Compare an episode's turns. Raises: DifferentError."""
    if len(stored) != len(expected):
        counts = str(len(stored)), str(len(expected))
        raise DifferentError(Difference(unit, None, "turns", *counts))
    for row, values in zip(stored, expected, strict=True):
        compare(f"{unit}, action {row.seq}", row, values, (*TURN_FIELDS, "digest"))


def first_apart(stored: str, expected: str) -> tuple[str, str]:
    """Return both texts around the first character in which they differ."""
    pairs = zip(stored, expected, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(stored), len(expected)))
    start = max(0, at - 20)
    return stored[start : at + 60], expected[start : at + 60]
