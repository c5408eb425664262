"""Power of the tests that a design plans, over simulated studies."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.scoring.crowd import NONCE, World
from app.scoring.permutation import TOTAL, SignTest, bonferroni, levels, sign_test
from app.scoring.plays import DIRECT

LEVEL, DRAWS = 0.05, 999
LEAST = 0.95  # share of studies in which a figure must exist to have a width
SEMANTIC = "semantic"
LEXICON, FORMAT, MODEL = "semantic - nonce", "direct - played", "people - model"
MAIN = "ECSR or accuracy"
Side = tuple[str, str]  # lexicon, format
Unit = tuple[World, float]


@dataclass(frozen=True, slots=True)
class Range:
    """A figure over the simulated studies: mean, and the width that holds 95 % of them, or None."""

    mean: float | None
    width: float | None


@dataclass(frozen=True, slots=True)
class Power:
    """A planned test: the difference, and the share of studies that find it (p <= 0.05).

    `level`: a task, a family or the total. `tests`: p is multiplied by it.
    """

    name: str
    condition: str
    difference: Range
    pairs: float
    power: float
    level: str = TOTAL
    tests: int = 1
    measure: str = MAIN


@dataclass(frozen=True, slots=True)
class Plan:
    """What a test compares. The second side is a number for a model that always has this score."""

    name: str
    condition: str
    coverage: str
    sides: tuple[Side, Side | float]
    measure: str = MAIN


@dataclass(frozen=True, slots=True)
class Gaps:
    """Differences of one study's pairs by task, and the family of each of these tasks."""

    by_task: Mapping[str, list[float]]
    family: Mapping[str, str]


def ranged(values: Sequence[float | None]) -> Range:
    """Return the mean and the width of the middle 95 %; None if a figure is often missing."""
    known = [value for value in values if value is not None]
    if not known:
        return Range(None, None)
    low, high = np.quantile(known, [0.025, 0.975])
    is_kept = len(known) >= LEAST * len(values)
    return Range(float(np.mean(known)), float(high - low) if is_kept else None)


def planned_tests(
    worlds: Sequence[World],
    studies: Sequence[Sequence[Unit]],
    seed: int,
    model: float | None = None,
    measure: str = MAIN,
) -> list[Power]:
    """Return the planned tests that the design allows: each over pairs of variants.

    Args: model: score of a model, the same in every variant; None = no comparison with one.
        measure: of the units; lexica are compared in each, formats and models in the main one.
    """
    found = plans(worlds, model, measure)
    return [power for plan in found for power in powers(plan, studies, seed)]


def plans(worlds: Sequence[World], model: float | None = None, measure: str = MAIN) -> list[Plan]:
    """Return what the planned tests of a measure compare. `model`: as in `planned_tests`."""
    found, main = list[Plan](), measure == MAIN
    for coverage in dict.fromkeys(world.coverage for world in worlds):
        here = [world for world in worlds if world.coverage == coverage]
        played = {world.lexicon for world in here if world.format != DIRECT}
        if {SEMANTIC, NONCE} <= played:
            sides = ((SEMANTIC, "episodic"), (NONCE, "episodic"))
            found.append(Plan(LEXICON, f"coverage {coverage}", coverage, sides, measure))
        for words in dict.fromkeys(world.lexicon for world in here):
            name, formats = (
                f"{words}, coverage {coverage}",
                [one for one in ("episodic", DIRECT) if (words, one) in lexica(here)],
            )
            if main:
                sides = ((words, DIRECT), (words, "episodic"))
                found.append(Plan(FORMAT, name, coverage, sides))
            if main and model is not None:
                for one in formats:
                    where = f"{name}, {one}"
                    found.append(Plan(MODEL, where, coverage, ((words, one), model)))
    return found


def lexica(worlds: Sequence[World]) -> set[tuple[str, str]]:
    """Return (lexicon, format) of the worlds."""
    return {(world.lexicon, world.format) for world in worlds}


def powers(plan: Plan, studies: Sequence[Sequence[Unit]], seed: int) -> list[Power]:
    """Return how often the sign-permutation test over pairs of task and seed finds a difference.

    As in the report, there is a line for each task, each family and the total, with its p adjusted
    by Bonferroni.
    """
    gaps = [gaps_of(plan, units) for units in studies]
    family = {task: name for one in gaps for task, name in one.family.items()}
    lines = {name: tests for name, _, tests in levels(family)}
    seen: dict[str, list[SignTest]] = {name: [] for name in lines}
    hits = dict.fromkeys(lines, 0)
    for one in gaps:
        own = {name: (tasks, tests) for name, tasks, tests in levels(one.family)}
        for name, most in lines.items():
            tasks, tests = own.get(name, ([], most))
            found = sign_test([gap for task in tasks for gap in one.by_task[task]], seed, DRAWS)
            seen[name].append(found)
            p = bonferroni(found.p, tests)
            hits[name] += p is not None and p <= LEVEL
    number = len(studies)
    return [
        Power(
            plan.name,
            plan.condition,
            ranged([one.mean for one in seen[name]]),
            sum(one.pairs for one in seen[name]) / number,
            hits[name] / number,
            name,
            tests,
            plan.measure,
        )
        for name, tests in lines.items()
    ]


def gaps_of(plan: Plan, units: Sequence[Unit]) -> Gaps:
    """Return the differences of one study's pairs, by task."""
    means: dict[Side, dict[tuple[str, int], list[float]]] = {
        side: defaultdict(list) for side in plan.sides if isinstance(side, tuple)
    }
    families = dict[str, str]()
    for world, score in units:
        side = world.lexicon, world.format
        if world.coverage == plan.coverage and side in means:
            means[side][world.task, world.seed].append(score)
            families[world.task] = world.family
    first, second = plan.sides
    left = means[first]
    right = means[second] if isinstance(second, tuple) else {key: [second] for key in left}
    by_task: dict[str, list[float]] = defaultdict(list)
    for key in sorted(left.keys() & right.keys()):
        apart = sum(left[key]) / len(left[key]) - sum(right[key]) / len(right[key])
        by_task[key[0]].append(apart)
    return Gaps(by_task, {task: families[task] for task in by_task})
