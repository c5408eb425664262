"""Driving a run: its units in stages, many at a time; interrupted anywhere, it can be resumed."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

from app.agents.asking import drive
from app.agents.replies import Asker, StoppedError, UnansweredError
from app.errors import HjstudyError
from app.game.model import Variant
from app.progress import Track, untracked
from app.store.db import Store
from app.study.design.library import Library
from app.study.models import storing, units
from app.study.models.call_log import CallLog, Clock
from app.study.models.runs import Run
from app.study.models.units import EXPLAIN, PLAY, PLAYBOOK, STAGES, Unit, is_direct

WHAT = {PLAYBOOK: "Playbooks", PLAY: "Episodes", EXPLAIN: "Explanations"}
MOST_PROBLEMS = 20


@dataclass(slots=True)
class Outcome:
    """How a run went: units done, and what kept the others from being done."""

    done: int = 0
    problems: list[str] = field(default_factory=list)
    stopped: bool = False

    def add(self, error: HjstudyError, name: str) -> None:
        """Keep a problem, each text once."""
        stops = isinstance(error, StoppedError)
        self.stopped = self.stopped or stops
        text = error.message if stops else f"{name}: {error.message}"
        if text not in self.problems and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(text)


class Runner:
    """One process's work on a run."""

    def __init__(self, store: Store, run: Run, asker: Asker, clock: Clock) -> None:
        self.store, self.run, self.asker, self.clock = store, run, asker, clock
        self.library = Library()
        self.playbooks: dict[str, str] = {}  # cell key -> playbook

    def drive(self, concurrency: int, track: Track = untracked) -> Outcome:
        """Do everything that is not done yet, stage by stage."""
        outcome = Outcome()
        for stage in STAGES:
            with self.store.read() as db:
                todo = units.units_of(db, self.library, self.run, stage)
            if todo and not outcome.stopped:
                in_parallel(todo, self.do, outcome, concurrency, track, WHAT[stage])
        return outcome

    def do(self, unit: Unit) -> None:
        """Drive one unit to its end and store its result."""
        {PLAYBOOK: self.gather, PLAY: self.play, EXPLAIN: self.explain}[unit.stage](unit)

    def variant(self, unit: Unit) -> Variant:
        """Return a unit's variant."""
        with self.store.read() as db:
            return self.library.variant(db, unit.cell.variant_hash)

    def log(self, unit: Unit) -> CallLog:
        """Return a unit's log."""
        return CallLog(self.store, self.run.id, unit.name, self.asker, self.clock)

    def gather(self, unit: Unit) -> None:
        """Make a cell's playbook; it is rebuilt from the log by each process."""
        with self.store.read() as db:
            method = units.playbook_of(db, self.library, self.run, unit.cell)
        self.playbooks[unit.cell.key] = drive(method, self.log(unit).answer)

    def play(self, unit: Unit) -> None:
        """Play one episode, or ask for one answer."""
        variant, log = self.variant(unit), self.log(unit)
        if is_direct(unit.cell):
            typed = drive(units.answer_of(self.run, variant, unit.place), log.answer)
            storing.keep_answer(self.store, self.run, unit, variant, typed, self.clock())
            return
        playbook = self.playbooks.get(unit.cell.key)
        if playbook is None and self.run.method == "ace":
            raise UnansweredError("its playbook is not complete.")
        method = units.play_of(self.run, variant, unit.place, playbook or "")
        played = drive(method, log.answer)
        storing.keep_play(self.store, self.run, unit, variant, played, log.acted, self.clock())

    def explain(self, unit: Unit) -> None:
        """Ask for the rule; with `played`, only after all of the cell's episodes."""
        logs: list[str] = []
        if self.run.explains == "played" and not is_direct(unit.cell):
            with self.store.read() as db:
                logs = units.stored_logs(db, self.run, unit.cell)
            if len(logs) < len(self.variant(unit).episodes):
                raise UnansweredError("its episodes are not all played.")
        method = units.explanation_of(self.run, self.variant(unit), logs)
        found = drive(method, self.log(unit).answer)
        storing.keep_explanation(self.store, self.run, unit.cell, found, self.clock())


def in_parallel(
    todo: Sequence[Any],
    do: Callable[[Any], None],
    outcome: Outcome,
    concurrency: int,
    track: Track,
    what: str,
) -> None:
    """Do all units with a number of threads. A unit's expected error leaves the others alone.

    When a run must stop, the asker refuses every further call, so the other units end at once.
    """
    with ThreadPoolExecutor(concurrency, thread_name_prefix="model") as pool:
        futures = {pool.submit(do, unit): unit for unit in todo}
        try:
            for future in track(as_completed(futures), what, len(futures)):
                try:
                    future.result()
                    outcome.done += 1
                except HjstudyError as error:
                    outcome.add(error, futures[future].name)
        except BaseException:  # a fault of this program: begin nothing more
            pool.shutdown(wait=False, cancel_futures=True)
            raise
