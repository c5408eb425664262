"""Other people's programs play a study: each command is stored once, as for a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from app.agents.playing import AGENT, Setting, setting_of
from app.agents.presets import PEOPLE, PEOPLE_UNTOLD
from app.agents.words import given
from app.errors import StudyError
from app.game import world
from app.game.say import say
from app.game.world import State
from app.scoring.plays import efficiency
from app.store.base import AnyRow
from app.store.db import Store
from app.store.models import agent_keys, calls, plays
from app.store.models import runs as run_rows
from app.study.code_version import code_version
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.models import agent_keys as keys
from app.study.models import runs, units
from app.study.models.agent_keys import Key
from app.study.models.cells import choose
from app.study.models.runs import Run, Wanted
from app.study.models.units import PLAY, Unit, is_direct
from app.study.play import direct

MOST_RUNS = 1000  # of one key
NO_RESULT = "The result can be read when every episode is over and every rule is explained."


class NotYetError(StudyError):
    """What is asked for comes later."""

    code = "api/not_yet"


class WrongFormatError(StudyError):
    """A command for a guardian of the direct format, or an answer for one that is played."""

    code = "api/format"


class AlreadyError(StudyError):
    """It was sent before, with other content."""

    code = "api/already"


class NoPlaceError(StudyError):
    """The run has no episode or variant with this number, or the key has no such run."""

    code = "api/not_found"


@dataclass(frozen=True, slots=True)
class Step:
    """One command that was played, and the world's answer."""

    seq: int
    raw: str
    message: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An episode as an agent may see it. `stated`: the answer in the direct format was sent."""

    number: int
    unit: Unit
    words: str
    fields: tuple[str, ...]
    setting: Setting
    steps: tuple[Step, ...]
    state: State
    stated: bool

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more can be sent."""
        return self.stated or self.state.done


class Chosen(NamedTuple):
    """The cells that an agent wants to play: tasks and seeds, none = all."""

    tasks: Sequence[str] = ()
    seeds: Sequence[int] = ()


def open_run(
    store: Store, study: StudyView, key: Key, names: tuple[str, str], chosen: Chosen, now: datetime
) -> int:
    """Open a run; returns its number. `names`: agent, label. Raises BadRunError."""
    agent, label = names
    by = f"key {key.name}"
    preset = PEOPLE if study.spec.options.show_budget else PEOPLE_UNTOLD
    wanted = Wanted(
        *(run_rows.PLAY, agent, "", AGENT, preset.name, {}),
        cells=choose(study, chosen.tasks, chosen.seeds, direct=False),
        explains="played",
        label=label,
        code_version=code_version(),
        made_by=by,
    )
    runs.check(wanted)
    with store.write() as db:
        number = runs.create_in(db, study, wanted, now)
        if len(agent_keys.runs_of(db, key.id)) >= MOST_RUNS:
            raise runs.BadRunError(f"This key has opened {MOST_RUNS} runs. Ask for another key.")
        keys.log(db, key.id, agent_keys.RUN, by, now, runs.find(db, study, number).id)
    return number


def run_of(db: Connection, study: StudyView, key: Key, number: int) -> Run:
    """Return a run that the key may see. Raises NoPlaceError."""
    row = run_rows.find(db, study.id, number)
    if row is None or row.id not in runs_for(db, key):
        raise NoPlaceError(f"This key has no run {number}.")
    return runs.run_of(db, row)


def runs_for(db: Connection, key: Key) -> set[int]:
    """Return the runs that a key may see: those that it opened, or all of its study's agents'."""
    return set(
        agent_keys.runs_of(db, key.id)
        if key.may_play
        else agent_keys.runs_of_study(db, key.study_id)
    )


def own_runs(db: Connection, study: StudyView, key: Key) -> list[Run]:
    """Return the runs that a key may see."""
    own = runs_for(db, key)
    return [run for run in runs.listed(db, study.id) if run.id in own]


def episodes_of(db: Connection, library: Library, run: Run) -> list[Unit]:
    """Return a run's episodes; their numbers count from 1."""
    return units.units_of(db, library, run, PLAY)


def episode_of(db: Connection, library: Library, run: Run, number: int) -> Unit:
    """Return an episode. Raises NoPlaceError."""
    found = episodes_of(db, library, run)
    if not 1 <= number <= len(found):
        raise NoPlaceError(f"Run {run.number} has episodes 1 to {len(found)}, not {number}.")
    return found[number - 1]


def texts_of(db: Connection, run: Run, unit: Unit) -> tuple[list[str], datetime | None]:
    """Return what was sent in a unit, in order, and when the last of it came."""
    rows = calls.of_unit(db, run.id, unit.name)
    return [row.text for row in rows], rows[-1].created_at if rows else None


def shown(db: Connection, library: Library, run: Run, number: int) -> Shown:
    """Return an episode as it is now. Raises NoPlaceError."""
    unit = episode_of(db, library, run, number)
    variant = library.variant(db, unit.cell.variant_hash)
    setting = setting_of(variant, unit.place, run.preset)
    texts, _ = texts_of(db, run, unit)
    states, is_stated = is_direct(unit.cell), is_direct(unit.cell) and bool(texts)
    played = [] if states else world.replay(setting.world, texts)
    return Shown(
        number=number,
        unit=unit,
        words=given(setting.view, unit.cell.format),
        fields=direct.asked(variant.task) if states else (),
        setting=setting,
        steps=tuple(
            Step(seq, raw, say(seen), seen.ok)
            for seq, (raw, (_, _, seen)) in enumerate(zip(texts, played, strict=False), start=1)
        ),
        state=played[-1][1] if played else world.start(setting.world),
        stated=is_stated,
    )


def over(db: Connection, run: Run) -> set[str]:
    """Return the names of the episodes that are over."""
    return {row.unit for row in plays.of_run(db, run.id)}


class Outcome(NamedTuple):
    """How an episode went. `norm_eff`: efficiency of a success; None: not won, or direct."""

    episode: int
    variant: int
    format: str
    task: str
    won: bool
    actions_used: int
    ref_length: int
    n_tries: int
    norm_eff: float | None


def result(db: Connection, library: Library, run: Run) -> list[Outcome]:
    """Return a run's episodes with their outcome. Raises NotYetError."""
    if run.state != run_rows.FINISHED:
        raise NotYetError(NO_RESULT)
    rows = {row.unit: row for row in plays.of_run(db, run.id)}
    return [
        outcome(at, run.cells.index(unit.cell) + 1, rows[unit.name])
        for at, unit in enumerate(episodes_of(db, library, run), start=1)
    ]


def outcome(episode: int, variant: int, row: AnyRow) -> Outcome:
    """Return how one episode went."""
    won, counts = row.state == "won", (row.actions_used, row.ref_length, row.n_tries)
    worth = efficiency(*counts, won=won, scored=not is_direct(row))
    return Outcome(episode, variant, row.format, row.task, won, *counts, worth)
