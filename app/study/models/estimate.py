"""What a run will ask, before anything is asked: calls and tokens, from best to worst play."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.agents.asking import Ask, drive
from app.agents.replies import CHARACTERS_PER_TOKEN
from app.game.model import Variant
from app.store.db import Store
from app.store.models import runs
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.models import units
from app.study.models.preset_kept import preset_for
from app.study.models.runs import Run, Wanted
from app.study.models.units import EXPLAIN, PLAY, Unit, is_direct

THOUGHT = "x" * 400  # an answer that is not an action
IDLE = '{"action": "check_location", "argument": "", "reasoning": ""}'


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls and tokens of the prompts: with every episode won at once, and with none won."""

    episodes: int
    least_calls: int
    most_calls: int
    least_prompt_tokens: int
    most_prompt_tokens: int
    has_playbooks: bool

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)


class Count:
    """Counts calls and characters of one way to play."""

    def __init__(self) -> None:
        self.calls = self.characters = 0

    def play(self, run: Run, variant: Variant, index: int, *, wins: bool) -> None:
        """Drive one episode, with its shortest solution or without ever doing anything."""
        lines = iter(variant.episodes[index].solutions[0] if wins else ())

        def answer(ask: Ask, _number: int) -> str:
            self.add(ask)
            if ask.purpose != "action":
                return THOUGHT
            verb, _, name = next(lines, "").partition(" ")
            return json.dumps({"action": verb, "argument": name}) if verb else IDLE

        drive(units.play_of(run, variant, index, ""), answer)

    def ask_once(self, method: Any) -> None:
        """Drive a method of one question."""

        def answer(ask: Ask, _number: int) -> str:
            self.add(ask)
            return THOUGHT

        drive(method, answer)

    def add(self, ask: Ask) -> None:
        """Count one call."""
        self.calls += 1
        self.characters += len(ask.prompt)

    @property
    def tokens(self) -> int:
        """Return the prompts' tokens, roughly."""
        return self.characters // CHARACTERS_PER_TOKEN


def estimate(store: Store, run: Run) -> Estimate:
    """Return what a run would ask. Playbooks (ACE) are not counted: they depend on failures."""
    library, best, worst = Library(), Count(), Count()
    with store.read() as db:
        plays = units.units_of(db, library, run, PLAY)
        for unit in plays:
            count(run, library.variant(db, unit.cell.variant_hash), unit, best, worst)
        for unit in units.units_of(db, library, run, EXPLAIN):
            variant = library.variant(db, unit.cell.variant_hash)
            for one in (best, worst):
                one.ask_once(units.explanation_of(run, variant, ()))
    return Estimate(
        episodes=len(plays),
        least_calls=best.calls,
        most_calls=worst.calls,
        least_prompt_tokens=best.tokens,
        most_prompt_tokens=worst.tokens,
        has_playbooks=run.method == "ace",
    )


def count(run: Run, variant: Variant, unit: Unit, best: Count, worst: Count) -> None:
    """Count one episode both ways."""
    for one, wins in ((best, True), (worst, False)):
        if is_direct(unit.cell):
            one.ask_once(units.answer_of(run, variant, unit.place))
        else:
            one.play(run, variant, unit.place, wins=wins)


def imagined(study: StudyView, wanted: Wanted, now: datetime) -> Run:
    """Return a run as it would be, without storing it."""
    return Run(
        id=0,
        study_id=study.id,
        number=0,
        kind=wanted.kind,
        label=wanted.label,
        model=wanted.model,
        base_url=wanted.base_url,
        method=wanted.method,
        preset=preset_for(study, wanted.preset),
        parameters=wanted.parameters,
        cells=wanted.cells,
        explains=wanted.explains,
        playbook=wanted.playbook,
        repeats=wanted.repeats,
        items=wanted.items,
        tasks=wanted.tasks,
        price=wanted.price,
        tokens_name=wanted.tokens_name,
        state=runs.OPEN,
        problem="",
        code_version=wanted.code_version,
        design_version=study.version,
        made_by=wanted.made_by,
        created_at=now,
        finished_at=None,
    )
