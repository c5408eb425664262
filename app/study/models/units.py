"""The units of a run: each is one generator, driven to its end, whose result is stored once."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.agents import answering, hosted, playbooks, playing
from app.agents.answering import Explanation
from app.agents.asking import Asking
from app.agents.playing import AGENT, Played, setting_of
from app.agents.words import Turn
from app.game.model import Variant
from app.game.say import engine_name
from app.game.view import player_view
from app.store.base import AnyRow
from app.store.models import plays
from app.store.play import turns
from app.store.play.episodes import MAIN
from app.study.design.library import Library
from app.study.models.cells import DIRECT, RunCell
from app.study.models.runs import Run
from app.study.play import direct
from app.study.play.commands import Extras, chain, turn_values
from app.study.text_checks import AnswerError

PLAYBOOK, PLAY, EXPLAIN = STAGES = ("playbook", "play", "explain")


class Unit(NamedTuple):
    """One episode of a cell, or (place -1) the cell's playbook or explanation."""

    stage: str
    cell: RunCell
    place: int

    @property
    def name(self) -> str:
        """Return its name in the table of calls."""
        end = "" if self.place < 0 else f"/{self.place + 1}"
        return f"{self.stage}/{self.cell.key}{end}"


def units_of(db: Connection, library: Library, run: Run, stage: str) -> list[Unit]:
    """Return a run's units of one stage, in the order of the design."""
    if stage == PLAYBOOK:
        cells = [cell for cell in run.cells if run.method == "ace" and not is_direct(cell)]
        return [Unit(stage, cell, -1) for cell in cells]
    if stage == EXPLAIN:
        return [Unit(stage, cell, -1) for cell in run.cells if run.explains != "none"]
    return [
        Unit(stage, cell, index)
        for cell in run.cells
        for index in range(len(library.variant(db, cell.variant_hash).episodes))
    ]


def playbook_of(db: Connection, library: Library, run: Run, cell: RunCell) -> Asking[str]:
    """Return the generator of a cell's playbook: from other variants of its task, or its own."""
    variants = [library.variant(db, one.variant_hash) for one in sources_of(run, cell)]
    settings = [
        setting_of(one, index, run.preset) for one in variants for index in range(len(one.episodes))
    ]
    return playbooks.gather(settings, run.preset)


def sources_of(run: Run, cell: RunCell) -> list[RunCell]:
    """Return the cells from which a cell's playbook learns."""
    if run.playbook == "same":
        return [cell]
    return [
        one for one in run.cells if one.task == cell.task and one.variant_hash != cell.variant_hash
    ]


def play_of(run: Run, variant: Variant, index: int, playbook: str) -> Asking[Played]:
    """Return the generator of an episode that is played."""
    if run.method == AGENT:
        return hosted.play(setting_of(variant, index, run.preset))
    return playing.play(run.method, setting_of(variant, index, run.preset), playbook)


def answer_of(run: Run, variant: Variant, index: int) -> Asking[dict[str, str]]:
    """Return the generator of an answer in the direct format."""
    view = player_view(variant, index, budget_shown=run.preset.budget_shown)
    if run.method == AGENT:
        return hosted.answer(view, direct.asked(variant.task))
    return answering.direct(view, direct.asked(variant.task), run.preset)


def explanation_of(run: Run, variant: Variant, logs: Sequence[str]) -> Asking[Explanation]:
    """Return the generator of a cell's explanation."""
    if run.method == AGENT:
        return hosted.explain()
    return answering.verbalize(player_view(variant, 0), logs, run.preset)


def stored_logs(db: Connection, run: Run, cell: RunCell) -> list[str]:
    """Return what the run did in a cell's episodes, as its question for the rule shows it."""
    found = []
    for row in plays.of_run(db, run.id):
        if row.cell == cell.key and not is_direct(row):
            lines = [f"> {turn.raw}\n{turn.message}" for turn in turns.of_episode(db, row.id)]
            found.append("\n".join((f"{row.entity}:", *lines)))
    return found


def episode_row(run: Run, unit: Unit, variant: Variant, now: datetime) -> dict[str, Any]:
    """Return what is known of an episode before it is played."""
    cell, episode = unit.cell, variant.episodes[unit.place]
    setting = setting_of(variant, unit.place, run.preset)
    return {
        "run_id": run.id,
        "player_kind": AGENT if run.method == AGENT else "model",
        "unit": unit.name,
        "cell": cell.key,
        "task": cell.task,
        "seed": cell.seed,
        "lexicon": cell.lexicon,
        "coverage": cell.coverage,
        "format": cell.format,
        "variant_hash": cell.variant_hash,
        "variant_episode": unit.place,
        "entity": episode.entity,
        "engine_name": engine_name(variant),
        "engine_version": variant.engine_version,
        "code_version": run.code_version,
        "ref_length": episode.ref_length,
        "n_tries": playing.tries(variant, episode, run.preset),
        "budget": setting.world.budget,
        "finished_at": now,
        "kind": MAIN,
        "block_position": 0,
        "position": unit.place,
        "voided_at": None,
    }


def played_values(played: Played) -> dict[str, Any]:
    """Return how an episode went, as stored with it."""
    won = played.end == playing.WON
    state = played.turns[-1].state if played.turns else None
    return {
        "state": "won" if won else "lost",
        "ended": played.end,
        "actions_used": len(played.turns),
        "attempts": state.attempts if state else 0,
        "unreadable": played.unreadable,
        "stated": "",
        "advice": played.advice,
    }


def stated_values(variant: Variant, index: int, typed: dict[str, str]) -> dict[str, Any]:
    """Return an answer in the direct format, as stored; one that people could not send is wrong."""
    try:
        statement = direct.read_statement(variant, typed)
        right, unreadable = direct.is_right(variant, index, statement), 0
        answer = asdict(statement)
    except AnswerError as error:
        right, unreadable, answer = False, 1, {**typed, "problems": error.problems}
    return {
        "state": "won" if right else "lost",
        "ended": "won" if right else "lost",
        "actions_used": 0,
        "attempts": 0,
        "unreadable": unreadable,
        "stated": json.dumps(answer, ensure_ascii=False, sort_keys=True),
        "advice": "",
    }


def turn_rows(
    unit: Unit, played: Sequence[Turn], acted: Sequence[tuple[datetime, int]]
) -> list[dict[str, Any]]:
    """Return the rows of an episode's turns (`episode_id` 0), chained by digests as people's are.

    `acted`: when the answer to each question for an action came, and how long it took, ms.
    """
    rows, tip = [], f"{unit.name}/{unit.cell.variant_hash}"
    for seq, turn in enumerate(played, start=1):
        at, took = acted[turn.asked - 1]
        extras = Extras(None, took, None)
        values = turn_values(0, seq, turn.raw, turn.typed, turn.state, turn.observation, at, extras)
        tip = values["digest"] = chain(tip, values)
        rows.append(values)
    return rows


def is_direct(row: AnyRow | RunCell) -> bool:
    """Tell whether an episode or a cell is of the direct format."""
    return str(row.format) == DIRECT
