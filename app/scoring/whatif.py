"""What a design would give under assumed skills: filling, precision and power, simulated."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.progress import Track, untracked
from app.scoring.crowd import NONCE, Assumed, Choose, Person, World, check, fill
from app.scoring.permutation import sign_test
from app.scoring.plays import DIRECT

LEVEL, DRAWS = 0.05, 999
LEAST = 0.95  # share of studies in which a figure must exist to have a width
SEMANTIC = "semantic"
TOTAL = "Total"
LEXICON, FORMAT = "semantic - nonce", "direct - played"


@dataclass(frozen=True, slots=True)
class Range:
    """A figure over the simulated studies: mean, and the width that holds 95 % of them, or None."""

    mean: float | None
    width: float | None


@dataclass(frozen=True, slots=True)
class Power:
    """A planned test: the difference, and the share of studies that find it (p <= 0.05)."""

    name: str
    condition: str
    difference: Range
    pairs: float
    power: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Means over the studies. `finished`, `left`, `refused`: people; `cells`: finished, by cell."""

    finished: float
    left: float
    refused: float
    cells: Mapping[str, float]
    scores: Mapping[tuple[str, str, str, str], Range]  # lexicon, coverage, format, task
    tests: tuple[Power, ...]


Observe = Callable[[Sequence[Person]], None]
Unit = tuple[World, float]


def simulate(
    worlds: Sequence[World],
    choose: Choose,
    assumed: Assumed,
    observe: Observe = lambda _: None,
    track: Track = untracked,
    quota: int | None = None,
) -> Outcome:
    """Simulate `assumed.simulated` studies.

    Args:
        worlds: the cells of the design.
        choose: (cell -> finished people, place of the person, full cells) -> their worlds, none if
            there is no place left.
        assumed: about people.
        observe: is called with the people of each study, for costs.
        track: reports the studies.
        quota: how many people the study takes besides the quotas of its cells; None = no limit.

    Raises: WhatIfError.
    """
    check(worlds, assumed)
    rng = np.random.default_rng(assumed.seed)
    studies, refused = [], 0
    for _ in track(range(assumed.simulated), "Simulating studies", assumed.simulated):
        people = fill(worlds, choose, assumed, rng, quota)
        refused += assumed.people - len(people)
        observe(people)
        studies.append(people)
    number = assumed.simulated
    done = [[one for one in people if one.is_finished] for people in studies]
    finished = sum(map(len, done))
    cells = {world.key: 0 for world in worlds}
    for one in (person for people in done for person in people):
        for world in one.given:
            cells[world.key] += 1
    units = [units_of(people, assumed) for people in studies]
    return Outcome(
        finished / number,
        (sum(map(len, studies)) - finished) / number,
        refused / number,
        {key: count / number for key, count in cells.items()},
        scores(worlds, units),
        tuple(tests(worlds, units, assumed.seed)),
    )


def units_of(people: Sequence[Person], assumed: Assumed) -> list[Unit]:
    """Return a score for each ended world: ECSR, or accuracy in the direct format."""
    return [
        (world, wins / world.episodes * (1 if world.format == DIRECT else assumed.norm_eff))
        for person in people
        for world, wins in zip(person.given, person.wins, strict=False)
    ]


def ranged(values: Sequence[float | None]) -> Range:
    """Return the mean and the width of the middle 95 %; None if a figure is often missing."""
    known = [value for value in values if value is not None]
    if not known:
        return Range(None, None)
    low, high = np.quantile(known, [0.025, 0.975])
    is_kept = len(known) >= LEAST * len(values)
    return Range(float(np.mean(known)), float(high - low) if is_kept else None)


def mean_of(values: Sequence[float]) -> float | None:
    """Return the mean, None without values."""
    return sum(values) / len(values) if values else None


def scores(
    worlds: Sequence[World], studies: Sequence[Sequence[Unit]]
) -> dict[tuple[str, str, str, str], Range]:
    """Return the score of each condition and task, and the mean over its tasks."""
    found: dict[tuple[str, str, str, str], list[float | None]] = defaultdict(list)
    conditions = dict.fromkeys((w.lexicon, w.coverage, w.format) for w in worlds)
    tasks = {
        one: list(dict.fromkeys(w.task for w in worlds if (w.lexicon, w.coverage, w.format) == one))
        for one in conditions
    }
    for units in studies:
        by_task: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
        for world, score in units:
            by_task[world.lexicon, world.coverage, world.format, world.task].append(score)
        for one, names in tasks.items():
            means = [mean_of(by_task[(*one, name)]) for name in names]
            for name, value in zip(names, means, strict=True):
                found[(*one, name)].append(value)
            if len(names) > 1:
                known = [value for value in means if value is not None]
                found[(*one, TOTAL)].append(mean_of(known) if len(known) == len(names) else None)
    return {key: ranged(values) for key, values in found.items()}


def tests(worlds: Sequence[World], studies: Sequence[Sequence[Unit]], seed: int) -> list[Power]:
    """Return the planned tests that the design allows: each over pairs of variants."""
    found = []
    for coverage in dict.fromkeys(world.coverage for world in worlds):
        here = [world for world in worlds if world.coverage == coverage]
        played = {world.lexicon for world in here if world.format != DIRECT}
        if {SEMANTIC, NONCE} <= played:
            sides = ((SEMANTIC, "episodic"), (NONCE, "episodic"))
            found.append(power(LEXICON, f"coverage {coverage}", coverage, sides, studies, seed))
        for words in dict.fromkeys(world.lexicon for world in here):
            if {world.format for world in here if world.lexicon == words} == {DIRECT, "episodic"}:
                sides = ((words, DIRECT), (words, "episodic"))
                name = f"{words}, coverage {coverage}"
                found.append(power(FORMAT, name, coverage, sides, studies, seed))
    return found


def power(
    name: str,
    condition: str,
    coverage: str,
    sides: tuple[tuple[str, str], tuple[str, str]],
    studies: Sequence[Sequence[Unit]],
    seed: int,
) -> Power:
    """Return how often the sign-permutation test over pairs of task and seed finds a difference."""
    gaps, hits, pairs = list[float | None](), 0, 0
    for units in studies:
        means: dict[tuple[str, str], dict[tuple[str, int], list[float]]] = {
            side: defaultdict(list) for side in sides
        }
        for world, score in units:
            side = world.lexicon, world.format
            if world.coverage == coverage and side in means:
                means[side][world.task, world.seed].append(score)
        left, right = (means[side] for side in sides)
        apart = [
            sum(left[key]) / len(left[key]) - sum(right[key]) / len(right[key])
            for key in sorted(left.keys() & right.keys())
        ]
        found = sign_test(apart, seed, DRAWS)
        gaps.append(found.mean)
        pairs += found.pairs
        hits += found.p is not None and found.p <= LEVEL
    return Power(name, condition, ranged(gaps), pairs / len(studies), hits / len(studies))
