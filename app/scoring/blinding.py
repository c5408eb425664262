"""Blinding indices: how well raters guess whether a person or a model wrote a text.

Guesses are counted in a table of guesses (first arm, second arm, don't know) by arms.

- Bang's index of an arm (Bang, Ni & Davis, 2004): (right - wrong) / all guesses of the arm. 0 is
  what guessing at random gives, 1 means that everyone knows, below 0 that they guess the opposite.
- James's index (James et al., 1996): 1 if everyone says 'don't know', 0.5 if all guess at random,
  0 if everyone knows. Wrong guesses count half, 'don't know' counts whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.scoring import posterior, student
from app.scoring.agreement import FEW_UNITS
from app.scoring.bootstrap import Block, Interval, NoInterval, Over, Units
from app.scoring.longrows import Floats, Ints

ARMS = 2
PRIOR: dict[Over, float] = {"items": 1 / 2, "clusters": 1 / 3}  # made-up ones for each guess
METHOD: dict[Over, str] = {
    "items": "Dirichlet draws, half an item per guess",
    "clusters": "Dirichlet draws, a third of an author per guess",
}
GUESSES = 3  # the arms, then "don't know"
Z = 1.959963984540054  # of 95 %
ONE_ARM = "there are no guesses on one of the sources; James's index needs both"
NO_GUESSES = "there are no guesses on this source"
UNDEFINED = "the coefficient is undefined, so it has no interval"


@dataclass(frozen=True, slots=True)
class Index:
    """An index of independent guesses, with its standard error and 95 % interval."""

    value: float | None
    error: float | None
    low: float | None
    high: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Indices:
    """James's index, and Bang's of each arm."""

    james: Index
    bang: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class PooledIndex:
    """An index of several raters' guesses: drawn over items, and over authors."""

    value: float | None
    reason: str | None
    interval: Interval | NoInterval
    cluster_interval: Interval | NoInterval


@dataclass(frozen=True, slots=True)
class Pooled:
    """The same, of guesses pooled over raters."""

    james: PooledIndex
    bang: tuple[PooledIndex, ...]


def indices(counts: Floats) -> Indices:
    """Return the indices of a table (3, 2) of guesses that do not depend on each other."""
    return Indices(_james(counts), tuple(_bang(counts, arm) for arm in range(ARMS)))


def pooled(counts: Floats, authors: Sequence[str], *, replicates: int, seed: int) -> Pooled:
    """Return the indices of guesses pooled over raters.

    Args: counts: (U, 3, 2), how often each item was guessed to be what, in the column of its arm;
        authors: of the items, who are drawn as a whole for the second interval.
    """
    kept = counts.sum((1, 2)) > 0
    flat = counts[kept].reshape(-1, GUESSES * ARMS)
    arms = counts[kept].sum(1).argmax(1)
    _, clusters = np.unique(np.array(authors)[kept], return_inverse=True)
    points = indices(counts.sum(0))
    reason = Units(arms, clusters).cluster_reason
    own, whose = np.unique(np.stack([arms, clusters], 1), axis=0, return_inverse=True)
    by_author = np.zeros((len(own), flat.shape[1]))
    np.add.at(by_author, whose.ravel(), flat)
    drawn: dict[Over, _Draws] = {
        "items": _Draws(flat, arms, "items", len(flat), replicates, seed),
        "clusters": _Draws(
            by_author, own[:, 0], "clusters", len(np.unique(clusters)), replicates, seed
        ),
    }

    def both(which: int, point: Index) -> PooledIndex:
        first = drawn["items"].interval(which, point.value)
        second: Interval | NoInterval = NoInterval("clusters", reason or "")
        if point.value is None or not reason:
            second = drawn["clusters"].interval(which, point.value)
        return PooledIndex(point.value, point.reason, first, second)

    james = both(0, points.james)
    return Pooled(james, tuple(both(n, one) for n, one in enumerate(points.bang, start=1)))


def alone(counts: Floats, *, replicates: int, seed: int) -> tuple[Interval | NoInterval, ...]:
    """Return intervals of James's index and Bang's of each arm, of independent guesses (3, 2)."""
    single = [
        (guess, arm)
        for guess, arm in np.ndindex(GUESSES, ARMS)
        for _ in range(int(counts[guess, arm]))
    ]
    flat = np.zeros((len(single), GUESSES * ARMS))
    flat[np.arange(len(single)), [guess * ARMS + arm for guess, arm in single]] = 1
    arms = np.array([arm for _, arm in single], np.intp)
    drawn = _Draws(flat, arms, "items", len(flat), replicates, seed)
    found = indices(counts)
    points = (found.james, *found.bang)
    return tuple(drawn.interval(which, point.value) for which, point in enumerate(points))


def values(counts: Floats) -> Floats:
    """Return (B, 3) of tables (B, 3, 2): James's index and Bang's of each arm; NaN = undefined."""
    found = [_james_values(counts)]
    for arm in range(ARMS):
        total = counts[:, :, arm].sum(1)
        gap = counts[:, arm, arm] - counts[:, 1 - arm, arm]
        found.append(np.where(total > 0, gap / np.where(total > 0, total, 1.0), np.nan))
    return np.stack(found, axis=1)


def _james_values(counts: Floats) -> Floats:
    """Return James's index (B,) of tables (B, 3, 2)."""
    both = (counts.sum(1) > 0).all(1)
    total = np.where(both, counts.sum((1, 2)), 1.0)
    shares = counts / total[:, None, None]
    unknown, answers = shares[:, 2].sum(1), shares[:, :2]
    guessed, arms = answers.sum(2), answers.sum(1)
    chance = guessed[:, 0] * arms[:, 1] + guessed[:, 1] * arms[:, 0]
    wrong = answers[:, 0, 1] + answers[:, 1, 0]
    known = 1 - unknown
    apart = wrong * known**2 / np.where(chance > 0, chance, 1.0)  # without chance, none is wrong
    found: Floats = np.where(both, unknown + apart / 2, np.nan)
    return found


def _bang(counts: Floats, arm: int) -> Index:
    total = counts[:, arm].sum()
    if not total:
        return Index(None, None, None, None, NO_GUESSES)
    right, wrong = counts[arm, arm] / total, counts[1 - arm, arm] / total
    variance = right * (1 - right) + wrong * (1 - wrong) + 2 * right * wrong
    return _with_error(float(right - wrong), float(np.sqrt(variance / total)))


def _james(counts: Floats) -> Index:
    """Return James's index with the error of its linear approximation (delta method)."""
    value = float(_james_values(counts[None])[0])
    if np.isnan(value):
        return Index(None, None, None, None, ONE_ARM)
    total = counts.sum()
    step = 1e-6 * total
    slopes = np.zeros(counts.shape)  # of the index by each cell's count
    for cell in np.ndindex(*counts.shape):
        more, less = counts.astype(np.float64), counts.astype(np.float64)
        more[cell] += step
        below = min(step, less[cell])
        less[cell] -= below
        pair = _james_values(np.stack([more, less]))
        slopes[cell] = (pair[0] - pair[1]) / (step + below)
    shares = counts / total
    centred = slopes - (shares * slopes).sum()
    error = float(np.sqrt((shares * centred**2).sum() * total))
    return _with_error(value, error)


def _with_error(value: float, error: float) -> Index:
    return Index(value, error, value - Z * error, value + Z * error)


class _Draws:
    """Draws of the indices: of items, or of authors, in each arm; made on demand.

    Args: flat: (U, 6) guesses of each; arms: (U,); units: how many the interval says it is over.
    """

    def __init__(
        self, flat: Floats, arms: Ints, over: Over, units: int, number: int, seed: int
    ) -> None:
        self.flat, self.arms, self.over, self.units = flat, arms, over, units
        self.number, self.seed = number, seed
        self.sizes = np.bincount(arms, minlength=ARMS)

    def interval(self, which: int, point: float | None) -> Interval | NoInterval:
        """Return the interval of James's index (0) or Bang's of an arm (1, 2)."""
        if point is None:
            return NoInterval("undefined", UNDEFINED)
        few = int(self.sizes.min() if which == 0 else self.sizes[which - 1])
        if few < FEW_UNITS:
            what = "items" if self.over == "items" else "authors"
            words = f"{few} {what} of one source are too few (fewer than {FEW_UNITS})"
            return NoInterval("too_few_units", words)
        if not self.number:
            return NoInterval("not_asked", "no bootstrap was requested")
        drawn, method, reach = self.values[:, which], METHOD[self.over], None
        if which == 0:  # both arms' spreads are estimates (Student's t); one arm's is Jeffreys'
            method, reach = f"{method}, expanded", student.quantile(len(self.flat) - ARMS)
        return posterior.interval(drawn, point, self.units, self.seed, self.over, method, reach)

    @cached_property
    def values(self) -> Floats:
        """Return (number, 3) draws; arms keep their number of guesses."""
        sizes = self.flat.sum(1)
        rows, weights = [self.flat / sizes[:, None]], [sizes]
        mass, arms = [np.ones(len(sizes))], [self.arms]
        for arm in np.flatnonzero(self.sizes):
            rows.append(np.eye(GUESSES * ARMS)[arm::ARMS])  # one for each guess
            weights.append(np.full(GUESSES, sizes[self.arms == arm].mean()))
            mass.append(np.full(GUESSES, PRIOR[self.over]))
            arms.append(np.full(GUESSES, arm))
        block = Block(np.concatenate(rows), np.concatenate(weights))
        groups = np.concatenate(arms)
        totals = posterior.replicates(block, groups, np.concatenate(mass), self.number, self.seed)
        return values(totals.reshape(-1, GUESSES, ARMS))
