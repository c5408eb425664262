"""Shared by all tables of a report: from units to samples, and from samples to values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from app.game.tasks import TASKS
from app.scoring.players import Figure, Sample, mean_figure, sample, total
from app.scoring.plays import ALL, FIRST, Which
from app.study.report.options import Options
from app.study.report.shape import ordered
from app.study.report.units import Unit

WHICH = {FIRST: "first episodes", ALL: "all episodes"}
CONDITION = ("lexicon::words", "coverage")
HEAD = (*CONDITION, "task")
Value = Callable[[Unit], float | None]


def ecsr_of(which: Which) -> Value:
    """Return the function that computes a unit's ECSR."""
    return lambda unit: unit.ecsr(which)


def rv_of(main_rv: str) -> Value:
    """Return the function that gives a unit's RV. `main_rv`: whose ratings count."""
    return lambda unit: unit.rv(main_rv)


def over(units: Iterable[Unit], value: Value) -> Sample:
    """Return the sample of one value of units."""
    return sample((unit.player, value(unit)) for unit in units)


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
