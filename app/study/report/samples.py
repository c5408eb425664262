"""Shared by all tables of a report: from units to samples, and from samples to values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.game.tasks import TASKS
from app.scoring.made_up import rate
from app.scoring.players import Figure, Sample, mean_figure, sample, total
from app.scoring.plays import ALL, FIRST, Which
from app.study.report.options import Options
from app.study.report.shape import ordered
from app.study.report.units import Unit

WHICH = {FIRST: "first episodes", ALL: "all episodes"}
CONDITION = ("lexicon::words", "coverage")
HEAD = (*CONDITION, "task")
Value = Callable[[Unit], float | None]


@dataclass(frozen=True, slots=True)
class Share:
    """A value from 0 to 1 that is a mean over a unit's episodes; called, it gives the value.

    Intervals of its mean include made-up episodes, lost and won (see `made_up`).
    """

    value: Value
    episodes: Callable[[Unit], int]

    def __call__(self, unit: Unit) -> float | None:
        """Return the unit's value, None without one."""
        return self.value(unit)


def ecsr_of(which: Which) -> Share:
    """Return the function that computes a unit's ECSR."""
    return Share(lambda unit: unit.ecsr(which), lambda unit: unit.episodes(which))


def rv_of(main_rv: str) -> Share:
    """Return the function that gives a unit's RV. `main_rv`: whose ratings count."""
    return rule(lambda unit: unit.rv(main_rv))


def rule(value: Value) -> Share:
    """Return a value that a unit has only once, such as the rating of its explanation."""
    return Share(value, lambda _: 1)


ACCURACY = Share(Unit.accuracy, Unit.answers)


def over(units: Iterable[Unit], value: Value) -> Sample:
    """Return the sample of one value of units."""
    found = [(unit, one) for unit in units if (one := value(unit)) is not None]
    made = sample((unit.player, one) for unit, one in found)
    if isinstance(value, Share) and found:
        made.made_up = rate(len(found), sum(value.episodes(unit) for unit, _ in found))
    return made


def mean_of(one: Sample, options: Options) -> Figure:
    """Return a sample's mean with its interval."""
    return mean_figure(one, options.replicates, options.seed)


def total_of(samples: Mapping[str, Sample], options: Options) -> Figure:
    """Return the mean of the tasks' means, each task counted once.

    If a task has no value, there is no total, because it would cover other tasks than it names.
    """
    found = total(list(samples.values()), options.replicates, options.seed)
    missing = [task for task, one in samples.items() if not one.values]
    if 0 < len(missing) < len(samples):
        return replace(found, reason=f"no value in {', '.join(missing)}")
    return found


def by_task(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Return task -> its units, in the paper's order, then other tasks."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.task, []).append(unit)
    return {task: found[task] for task in ordered(found, tuple(TASKS))}


def of_condition(units: Iterable[Unit], condition: tuple[str, str]) -> list[Unit]:
    """Return the units of one condition."""
    return [one for one in units if one.condition == condition]


def counted(units: Sequence[Unit]) -> tuple[int, int]:
    """Return the number of players and of units."""
    return len({unit.player for unit in units}), len(units)
