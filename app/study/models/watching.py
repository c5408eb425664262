"""What researchers watch: a run's progress, what it used, and its episodes step by step."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.agents.playing import AGENT, setting_of
from app.errors import StudyError
from app.game import world
from app.game.view import PlayerView
from app.game.world import State
from app.store.base import AnyRow
from app.store.models import calls, plays, runs
from app.store.play import turns
from app.store.rating import items, judges
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.models import judged_items, units
from app.study.models.judging import find_judge
from app.study.models.runs import Run, find
from app.study.models.units import EXPLAIN, PLAY, is_direct
from app.study.play.transcript import Line, lines_of
from app.study.times import moment_of_ms

WORDS = {
    "ok": "Answered",
    "length": "Cut off at the token limit",
    "empty": "Empty answer",
    "reasoning_only": "Reasoning without an answer",
    "filtered": "Stopped by a content filter",
    "context": "Prompt longer than the context",
    "rate_limited": "Too many requests (429)",
    "server_error": "Server error (5xx)",
    "timeout": "Timed out",
    "connection": "Connection failed",
    "not_json": "Not JSON",
    "no_choices": "No choices in the answer",
    "refused": "Request refused",
}


class NoEpisodeError(StudyError):
    """The run has no such episode."""

    code = "models/no_episode"

    def __init__(self) -> None:
        super().__init__("This run has no such episode, or has not finished it yet.")


@dataclass(frozen=True, slots=True)
class Progress:
    """A run and how far it is. `parts`: (what, done, of all); `statuses`: (words, calls)."""

    run: Run
    parts: list[tuple[str, int, int]]
    statuses: list[tuple[str, int]]
    episodes: list[AnyRow]

    @property
    def can_go_on(self) -> bool:
        """Tell whether the run stopped, and hjstudy asks its model."""
        return self.run.state == runs.STOPPED and self.run.method != AGENT


@dataclass(frozen=True, slots=True)
class Playback:
    """One episode of a model after `step` of `last` actions, with what it stated or was advised.

    `earlier`, `later`: (id, guardian and cell) of the episodes of its run before and after it.
    """

    row: AnyRow
    earlier: tuple[int, str] | None
    later: tuple[int, str] | None
    step: int
    last: int
    at: str
    view: PlayerView
    state: State
    lines: list[Line]


def progress(db: Connection, library: Library, study: StudyView, number: int) -> Progress:
    """Return a run's progress. Raises: NoRunError."""
    run = find(db, study, number)
    counted = calls.by_status(db, run.id)
    statuses = [(WORDS[name], counted[name]) for name in calls.STATUSES if name in counted]
    episodes = list(plays.of_run(db, run.id))
    parts = judged(db, run) if run.is_judge else played(db, library, run, len(episodes))
    return Progress(run, parts, statuses, episodes)


def played(db: Connection, library: Library, run: Run, done: int) -> list[tuple[str, int, int]]:
    """Return how many episodes and explanations of a run are done."""
    number = len(units.units_of(db, library, run, PLAY))
    parts = [("Episodes", done, number)]
    rules = len(units.units_of(db, library, run, EXPLAIN))
    if rules:
        mine = f"run{run.number}/"
        known = items.known(db, run.study_id)
        parts.append(("Explanations", sum(name.startswith(mine) for name in known), rules))
    return parts


def judged(db: Connection, run: Run) -> list[tuple[str, int, int]]:
    """Return how many scores of a judge are done."""
    chosen = {row.id for row in judged_items.of_run(db, run)}
    parts = []
    for repeat in range(1, run.repeats + 1):
        judge = find_judge(db, run, repeat)
        scored = () if judge is None else judges.scores(db, judge)
        done = sum(one.item_id in chosen for one in scored)
        what = f"Scores, repeat {repeat}" if run.repeats > 1 else "Scores"
        parts.append((what, done, len(chosen)))
    return parts


def playback(
    db: Connection, library: Library, study: StudyView, number: int, episode: int, step: int | None
) -> Playback:
    """Return an episode as it was after `step` actions, None = all.

    Raises: NoRunError, NoEpisodeError.
    """
    run = find(db, study, number)
    row = plays.by_id(db, run.id, episode)
    if row is None:
        raise NoEpisodeError
    stored = turns.of_episode(db, row.id)
    last = len(stored)
    step = last if step is None else min(step, last)
    variant = library.variant(db, row.variant_hash)
    setting = setting_of(variant, row.variant_episode, run.preset)
    done = world.replay(setting.world, [turn.raw for turn in stored[:step]])
    listed = [(one.id, f"{one.entity}, {one.cell}") for one in plays.of_run(db, run.id)]
    at = next(n for n, (known, _) in enumerate(listed) if known == row.id)
    return Playback(
        row=row,
        earlier=listed[at - 1] if at else None,
        later=next(iter(listed[at + 1 :]), None),
        step=step,
        last=last,
        at=moment_of_ms(stored[step - 1].received_ms) if step else "",
        view=setting.view,
        state=done[-1][1] if done else world.start(setting.world),
        lines=lines_of(stored[:step]),
    )


def stated(row: AnyRow) -> str:
    """Return an answer in the direct format as one line, or '' for a played episode."""
    if not is_direct(row):
        return ""
    found: dict[str, Any] = json.loads(row.stated)
    values = ", ".join(str(value) for value in found.values() if value and value != "problems")
    return f"Answer: {values or 'unreadable'}"
