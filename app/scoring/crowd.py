"""Simulated players: they arrive, get worlds, win or lose episodes, and some of them leave.

A person's chance of winning an episode is drawn from a beta distribution with the assumed mean and
spread (a spread of 0: all alike), shifted by assumed effects of nonce words and of the direct
format. People come one after another; in each world they leave with a fixed chance, and then
neither that world nor the later ones have a score. The norm_eff of a win is drawn from a beta
distribution too, and the rule that they write after a world is right with a fixed chance.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.errors import HjstudyError
from app.scoring.plays import DIRECT
from app.scoring.student import incomplete_beta

NONCE = "nonce"
Generator = np.random.Generator


class WhatIfError(HjstudyError):
    """Assumptions that contradict each other."""

    code = "plan/bad"


@dataclass(frozen=True, slots=True)
class World:
    """A cell of the design. `mean`: assumed chance of winning without effects."""

    key: str
    task: str
    seed: int
    lexicon: str
    coverage: str
    format: str
    episodes: int
    mean: float
    quota: int | None = None
    family: str = "attribute"


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions. `people`: arrivals; `spread`: standard deviation of people's chance.

    `norm_eff`: of a win; `dropout`: chance to leave in a world; `nonce`, `direct`: added to the
    chance with nonce words, in the direct format. `eff_spread`: standard deviation of norm_eff
    between wins. `rv`: chance that a rule is right (`nonce` is added to it too), None = unknown.
    `model`: score of a model that people are compared with, None = no comparison.
    """

    people: int
    spread: float = 0.2
    norm_eff: float = 0.9
    dropout: float = 0.05
    nonce: float = 0.0
    direct: float = 0.0
    simulated: int = 200
    seed: int = 1
    eff_spread: float = 0.0
    rv: float | None = None
    model: float | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A simulated person: worlds given, and the wins in each world that they ended.

    `efficiency`: mean norm_eff of each world's wins, None without wins. `rules`: 1.0 where the rule
    is right, else 0.0; empty if no chance is assumed.
    """

    given: tuple[World, ...]
    wins: tuple[int, ...]
    efficiency: tuple[float | None, ...]
    rules: tuple[float, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Tell whether they ended every world."""
        return len(self.wins) == len(self.given)


Choose = Callable[[Mapping[str, int], int, Collection[str]], Sequence[World]]


def check(worlds: Sequence[World], assumed: Assumed) -> None:
    """Raise WhatIfError if a chance or a spread is impossible."""
    for world in worlds:
        if not 0 < world.mean <= 1:
            raise WhatIfError(f"{world.key}: the mean must be above 0 and at most 1.")
        if assumed.spread and assumed.spread**2 >= world.mean * (1 - world.mean):
            most = (world.mean * (1 - world.mean)) ** 0.5
            raise WhatIfError(
                f"{world.key}: with a mean of {world.mean:.2f}, the spread must be below "
                f"{most:.2f}."
            )
    if assumed.eff_spread and assumed.eff_spread**2 >= assumed.norm_eff * (1 - assumed.norm_eff):
        most = (assumed.norm_eff * (1 - assumed.norm_eff)) ** 0.5
        raise WhatIfError(
            f"With a mean norm_eff of {assumed.norm_eff:.2f}, its spread must be below {most:.2f}."
        )
    if not 0 <= assumed.dropout < 1:
        raise WhatIfError("The chance of leaving must be from 0 to below 1.")


def fill(
    worlds: Sequence[World],
    choose: Choose,
    assumed: Assumed,
    rng: Generator,
    quota: int | None = None,
) -> list[Person]:
    """Let people arrive one after another; return those who got a place.

    `quota`: how many people the study takes besides the quotas of its cells; None = no limit.
    """
    counts = dict.fromkeys((world.key for world in worlds), 0)
    quotas = {world.key: world.quota for world in worlds}
    people, left = list[Person](), assumed.people if quota is None else quota
    for place in range(1, assumed.people + 1):
        if left <= 0:
            break
        full = {key for key, most in quotas.items() if most is not None and counts[key] >= most}
        given = tuple(choose(counts, place, full))
        if not given:
            break
        person = play(given, assumed, rng)
        if person.is_finished:
            left -= 1
            for world in given:
                counts[world.key] += 1
        people.append(person)
    return people


def play(given: Sequence[World], assumed: Assumed, rng: Generator) -> Person:
    """Let one person play their worlds until they leave."""
    rank, wins = float(rng.random()), list[int]()
    efficiency, rules = list[float | None](), list[float]()
    for world in given:
        if rng.random() < assumed.dropout:
            break
        chance = world.mean
        if assumed.spread:  # the same person is as good, relative to others, in every world
            chance = skill(world.mean, assumed.spread, rank)
        chance += assumed.nonce * (world.lexicon == NONCE) + assumed.direct * (
            world.format == DIRECT
        )
        won = int(rng.binomial(world.episodes, min(max(chance, 0.0), 1.0)))
        wins.append(won)
        efficiency.append(efficiency_of(won, assumed, rng) if won else None)
        if assumed.rv is not None:
            right = assumed.rv + assumed.nonce * (world.lexicon == NONCE)
            rules.append(float(rng.random() < right))
    return Person(tuple(given), tuple(wins), tuple(efficiency), tuple(rules))


def efficiency_of(wins: int, assumed: Assumed, rng: Generator) -> float:
    """Return the mean norm_eff of this many wins."""
    if not assumed.eff_spread:
        return assumed.norm_eff
    a, b = beta_of(assumed.norm_eff, assumed.eff_spread)
    return float(rng.beta(a, b, wins).mean())


def beta_of(mean: float, spread: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with this mean and standard deviation."""
    size = mean * (1 - mean) / spread**2 - 1
    return mean * size, (1 - mean) * size


GRID = np.linspace(0, 1, 1001)
_known: dict[tuple[float, float], list[float]] = {}


def skill(mean: float, spread: float, rank: float) -> float:
    """Return the quantile `rank` of the beta distribution with this mean and spread."""
    key = mean, spread
    if key not in _known:
        a, b = beta_of(mean, spread)  # exact shares: much of it may lie next to 0 or 1
        _known[key] = [0.0, *(incomplete_beta(float(x), a, b) for x in GRID[1:-1]), 1.0]
    return float(np.interp(rank, _known[key], GRID))
