"""Blinding indices: how well raters guess whether a person or a model wrote a text.

Guesses are counted in a table of guesses (first arm, second arm, don't know) by arms.

- Bang's index of an arm (Bang, Ni & Davis, 2004): (right - wrong) / all guesses of the arm. 0 is
  what guessing at random gives, 1 means that everyone knows, below 0 that they guess the opposite.
- James's index (James et al., 1996): 1 if everyone says 'don't know', 0.5 if all guess at random,
  0 if everyone knows. Wrong guesses count half, 'don't know' counts whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.scoring import bootstrap
from app.scoring.agreement import FEW_UNITS
from app.scoring.bootstrap import Block, Interval, NoInterval, Over, Units
from app.scoring.longrows import Floats

ARMS = 2
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
    units = Units(arms, clusters)
    points = indices(counts.sum(0))
    few, reason = _few(len(flat)), units.cluster_reason
    why_not: dict[Over, NoInterval | None] = {
        "items": few,
        "clusters": NoInterval("clusters", reason) if reason else few,
    }
    drawn = {
        over: _replicates(flat, units, replicates, seed, over) if why is None else None
        for over, why in why_not.items()
    }

    def both(which: int, point: Index) -> PooledIndex:
        spans = [
            _interval(drawn[over], why, which, point.value, over, seed, units)
            for over, why in why_not.items()
        ]
        return PooledIndex(point.value, point.reason, *spans)

    james = both(0, points.james)
    return Pooled(james, tuple(both(n, one) for n, one in enumerate(points.bang, start=1)))


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


def _few(number: int) -> NoInterval | None:
    if number >= FEW_UNITS:
        return None
    words = f"{number} items are too few (fewer than {FEW_UNITS})"
    return NoInterval("too_few_units", words)


def _replicates(flat: Floats, units: Units, number: int, seed: int, over: Over) -> Floats:
    """Return (B, 3) indices of `number` draws over items or authors; arms keep their size."""
    block = Block(flat, np.ones(len(flat)))
    totals = bootstrap.replicates([block], units, number, seed, over)[0]
    return values(totals.reshape(-1, GUESSES, ARMS))


def _interval(
    drawn: Floats | None,
    why_not: NoInterval | None,
    which: int,
    point: float | None,
    over: Over,
    seed: int,
    units: Units,
) -> Interval | NoInterval:
    if point is None:
        return NoInterval("undefined", UNDEFINED)
    if drawn is None or not len(drawn):
        return why_not or NoInterval("not_asked", "no bootstrap was requested")
    size = len(units.strata) if over == "items" else len(np.unique(units.clusters))
    return bootstrap.percentile(drawn[:, which], point, over, seed, size)
