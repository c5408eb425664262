"""How wide the report's own intervals would be in simulated studies.

The report's intervals are expanded percentile intervals of a bootstrap over players. For means they
are as wide as Student's interval with the standard error over players, which needs no bootstrap.
Differences reach as far as in the report (`player_reach.reach_of`).
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from app.scoring import student
from app.scoring.crowd import Person, World
from app.scoring.permutation import TOTAL, levels
from app.scoring.planned import Plan
from app.scoring.player_reach import reach_of
from app.scoring.players import SAME, Sample, matrices

Key = tuple[str, str, str, str]  # lexicon, coverage, format, task
ScoreOf = Callable[[Person, int], float | None]  # of a person's world with that number


def mean_widths(
    worlds: Sequence[World], studies: Sequence[Sequence[Person]], score_of: ScoreOf
) -> dict[Key, float | None]:
    """Return the mean width of the 95 % interval of each condition and task, and of its total.

    None where no study has two players with a score.
    """
    found: dict[Key, list[float]] = defaultdict(list)
    tasks: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for world in worlds:
        condition = world.lexicon, world.coverage, world.format
        if world.task not in tasks[condition]:
            tasks[condition].append(world.task)
    for people in studies:
        pulls = {key: pulls_of(one) for key, one in by_player(people, score_of).items()}
        for condition, names in tasks.items():
            mine = [pulls.get((*condition, name), {}) for name in names]
            for name, one in zip(names, mine, strict=True):
                found[(*condition, name)] += width([one])
            if len(names) > 1:
                found[(*condition, TOTAL)] += width(mine)
    return {key: sum(widths) / len(widths) if widths else None for key, widths in found.items()}


def by_player(people: Sequence[Person], score_of: ScoreOf) -> dict[Key, dict[int, list[float]]]:
    """Return the scores of each condition and task, by player."""
    found: dict[Key, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, person in enumerate(people):
        for at, (world, _) in enumerate(zip(person.given, person.wins, strict=False)):
            score = score_of(person, at)
            if score is not None:
                key = (world.lexicon, world.coverage, world.format, world.task)
                found[key][number].append(score)
    return found


def pulls_of(scores: dict[int, list[float]]) -> dict[int, float]:
    """Return how far each player moves the mean of all scores."""
    number = sum(map(len, scores.values()))
    mean = sum(map(sum, scores.values())) / number
    return {player: sum(one - mean for one in own) / number for player, own in scores.items()}


def width(tasks: Sequence[dict[int, float]]) -> list[float]:
    """Return the width of the interval of the mean over tasks, in a list; [] if it has none."""
    if any(len(one) < 2 for one in tasks):  # noqa: PLR2004 - one player has no spread
        return []
    players = {player for one in tasks for player in one}
    number = len(players)
    pulls = [sum(one.get(player, 0.0) for one in tasks) / len(tasks) for player in players]
    error = math.sqrt(number / (number - 1) * sum(pull**2 for pull in pulls))
    return [2 * student.quantile(number - 1) * error]


def gap_widths(
    plan: Plan, family: Mapping[str, str], studies: Sequence[Sequence[Person]], score_of: ScoreOf
) -> dict[str, float | None]:
    """Return the mean width of the interval of a planned difference: tasks, families and total.

    Each side's value of a task is the mean over its units, as in the report. None where the report
    would have no interval in any study: too few players, or no variance.

    Args: family: task -> its family.
    """
    found: dict[str, list[float]] = {name: [] for name, _, _ in levels(family)}
    for people in studies:
        scored, tasks = by_player(people, score_of), dict[str, list[Sample]]()
        for task in family:
            keys = [
                (words, plan.coverage, format_, task)
                for words, format_ in (side for side in plan.sides if isinstance(side, tuple))
            ]
            if all(key in scored for key in keys):
                tasks[task] = [Sample(dict(scored[key].items())) for key in keys]
        for name, known, _ in levels({task: family[task] for task in tasks}):
            if name in found:
                found[name] += gap_width([tasks[task] for task in known])
    return {name: sum(widths) / len(widths) if widths else None for name, widths in found.items()}


def gap_width(tasks: Sequence[Sequence[Sample]]) -> list[float]:
    """Return the width of the mean over tasks of first minus second sample; [] if it has none.

    A task with a single sample is compared with a fixed number.
    """
    parts = [one for sides in tasks for one in sides]
    signs = np.array([sign for sides in tasks for sign in (1.0, -1.0)[: len(sides)]]) / len(tasks)
    names = list(dict.fromkeys(player for one in parts for player in one.values))
    sums, counts = matrices(parts, names)
    reach = reach_of(sums, counts, signs)
    if reach is None:
        return []
    total = counts.sum(0)
    pulls = ((sums - counts * (sums.sum(0) / total)) / total) @ signs
    wide = 2 * reach * math.sqrt(float(pulls @ pulls))
    return [wide] if wide > SAME else []
