"""Proof of a run: its stored answers, fed into its methods again, must lead to what is stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from app.agents import wording
from app.agents.asking import Ask, drive
from app.agents.replies import Reply, StoppedError
from app.progress import Track, untracked
from app.store.db import Store
from app.store.models import calls, plays, results
from app.store.play import turns
from app.store.rating import items, judges
from app.study.design import reference
from app.study.design.library import Library
from app.study.models import results as imported
from app.study.models import storing, units
from app.study.models.judging import ItemUnit, JudgeRunner, score_row
from app.study.models.replaying import (
    Difference,
    DifferentError,
    MissingAnswerError,
    Replay,
    compare,
    compare_turns,
    first_apart,
)
from app.study.models.runs import Run
from app.study.models.units import EXPLAIN, PLAYBOOK, STAGES, Unit, is_direct

EPISODE_FIELDS = (
    *("cell", "task", "seed", "lexicon", "coverage", "format", "variant_hash", "variant_episode"),
    *("entity", "engine_name", "engine_version", "ref_length", "n_tries", "budget", "state"),
    *("ended", "actions_used", "attempts", "unreadable", "stated", "advice", "player_kind"),
    *("kind", "block_position", "position", "voided_at", "code_version", "digest"),
)


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
            if self.run.is_finished:
                raise DifferentError(Difference(unit.name, None, "result", "none", "an episode"))
            raise MissingAnswerError(f"{unit.name} has no result.")
        expected = {**units.episode_row(self.run, unit, variant, stored.finished_at), **values}
        expected["digest"] = rows[-1]["digest"] if rows else ""
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
    if run.is_judge:
        report = verify_judge(store, run, track)
        return replace(report, differences=[*prompt_problems(run), *report.differences])
    found = list(prompt_problems(run))
    number = unfinished = 0
    prover = Prover(store, run)
    with store.read() as db:
        todo = [one for stage in STAGES for one in units.units_of(db, prover.library, run, stage)]
        stored = {row.episode_id: row.unit for row in plays.units(db, run.id)}
    for unit in track(todo, "Units", len(todo)):
        number += 1
        try:
            prover.check(unit)
        except MissingAnswerError:
            if unit.name in stored.values():
                found.append(Difference(unit.name, None, "calls", "a result", "no answer"))
            elif run.is_finished:
                found.append(Difference(unit.name, None, "calls", "no answer", "a finished run"))
            else:
                unfinished += 1
        except DifferentError as error:
            found.append(error.found)
    return Report(number, prover.calls, unfinished, [*found, *strays(todo, stored)])


def strays(todo: Sequence[Unit], stored: Mapping[int, str | None]) -> Iterator[Difference]:
    """Yield the stored episodes that are of no unit of their run. `stored`: row -> unit's name."""
    names = {one.name for one in todo}
    for episode_id, name in stored.items():
        if name not in names:
            place = name or f"episode row {episode_id}"
            yield Difference(place, None, "unit", str(name), "a unit of the run")


def prompt_problems(run: Run) -> Iterator[Difference]:
    """Yield the prompts whose stored hash is not that of the prompts of this version."""
    if run.prompt_version != wording.VERSION:
        return  # prompts of another version are in no file; the stored requests have their words
    known = wording.hashes()
    for name in sorted({*known, *run.prompts}):
        hashes = run.prompts.get(name, ""), known.get(name, "")
        if hashes[0] != hashes[1]:
            yield Difference(name, None, "prompts", *hashes)


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
    scored = {unit for unit, _ in scores}
    wanted = [ItemUnit(one, repeat) for repeat in runner.judges for one in runner.items]
    left = [unit for unit in wanted if unit not in scored]
    lost = lost_scores(store, run, runner, left) if run.is_finished else []
    found += [Difference(one.name, None, "score", "none", "a finished run") for one in lost]
    unfinished = len(runner.items) * run.repeats - len(scores) - len(lost)
    return Report(len(scores), prover.calls, unfinished, found)


def lost_scores(
    store: Store, run: Run, runner: JudgeRunner, left: Sequence[ItemUnit]
) -> list[ItemUnit]:
    """Return which explanations without a score a finished judge must have scored.

    It was asked about them, or they were there when it began. Later ones are left for a resume.
    """
    with store.read() as db:
        asked = calls.units_of(db, run.id)
        begun = {row.id: row.created_at for row in judges.runs(db, run.study_id)}
    return [
        one
        for one in left
        if one.name in asked
        or runner.items[one.item_id].created_at <= begun[runner.judges[one.repeat]]
    ]


class Silent:
    """An asker that is never asked."""

    def ask(self, question: Ask, log: Callable[[Reply], None]) -> Reply:
        """Refuse."""
        del question, log
        raise StoppedError("Nothing is asked here.")

    def stop(self) -> None:
        """Do nothing."""
