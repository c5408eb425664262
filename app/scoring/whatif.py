"""What a design would give under assumed skills: filling, precision and power, simulated."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from app.progress import Track, untracked
from app.scoring.crowd import Assumed, Choose, Person, World, check, fill
from app.scoring.permutation import TOTAL
from app.scoring.planned import MAIN, Power, Range, Unit, planned_tests, plans, ranged
from app.scoring.planned_width import gap_widths, mean_widths
from app.scoring.plays import DIRECT

RATE, EFFICIENCY, RV = "success rate", "norm_eff", "RV"
Scores = Mapping[tuple[str, str, str, str], Range]  # lexicon, coverage, format, task

Gap = tuple[str, str, str, str]  # name, condition, measure and level of a test


@dataclass(frozen=True, slots=True)
class Outcome:
    """Means over the studies. `finished`, `left`, `refused`: people; `cells`: finished, by cell."""

    finished: float
    left: float
    refused: float
    cells: Mapping[str, float]
    scores: Scores
    tests: tuple[Power, ...]
    beside: Mapping[str, Scores]  # measure -> as `scores`, of what is played
    # measure -> key as in `scores` -> mean width of the report's own interval
    intervals: Mapping[str, Mapping[tuple[str, str, str, str], float | None]]
    gaps: Mapping[Gap, float | None]  # mean width of the report's interval of a planned difference


Observe = Callable[[Sequence[Person]], None]


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
    units = {
        measure: [units_of(people, measure) for people in studies]
        for measure in (MAIN, RATE, EFFICIENCY, RV)
    }
    has_played = [world for world in worlds if world.format != DIRECT]
    return Outcome(
        finished / number,
        (sum(map(len, studies)) - finished) / number,
        refused / number,
        {key: count / number for key, count in cells.items()},
        scores(worlds, units[MAIN]),
        (
            *planned_tests(worlds, units[MAIN], assumed.seed, assumed.model),
            *planned_tests(worlds, units[RV], assumed.seed, measure=RV),  # none without RV
        ),
        {
            measure: scores(has_played, units[measure])
            for measure in (RATE, EFFICIENCY, RV)
            if measure != RV or assumed.rv is not None
        },
        {
            measure: mean_widths(worlds, studies, partial(score_of, measure=measure))
            for measure in (MAIN, RATE, EFFICIENCY, RV)
        },
        dict(gaps(worlds, studies, assumed.model)),
    )


def gaps(
    worlds: Sequence[World], studies: Sequence[Sequence[Person]], model: float | None
) -> Iterator[tuple[Gap, float | None]]:
    """Yield the mean width of the interval of each planned difference."""
    family = {world.task: world.family for world in worlds}
    for plan in (*plans(worlds, model), *plans(worlds, measure=RV)):
        score = partial(score_of, measure=plan.measure)
        for level, width in gap_widths(plan, family, studies, score).items():
            yield (plan.name, plan.condition, plan.measure, level), width


def units_of(people: Sequence[Person], measure: str = MAIN) -> list[Unit]:
    """Return the score of each ended world that has one.

    The main measure is ECSR, or accuracy in the direct format; others are about played worlds.
    """
    return [
        (world, score)
        for person in people
        for at, (world, _) in enumerate(zip(person.given, person.wins, strict=False))
        if (score := score_of(person, at, measure)) is not None
    ]


def score_of(person: Person, at: int, measure: str) -> float | None:
    """Return a person's score in their world number `at`, None without one."""
    world = person.given[at]
    rate = person.wins[at] / world.episodes
    efficiency = person.efficiency[at]
    if measure == MAIN:
        return rate if world.format == DIRECT else rate * (efficiency or 0.0)
    if world.format == DIRECT:
        return None
    if measure == RV:
        return person.rules[at] if person.rules else None
    return rate if measure == RATE else efficiency


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
