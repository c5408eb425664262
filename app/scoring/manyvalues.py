"""Alpha of ratings with many different values, without a table of values x values per unit.

The same coefficient as in `agreement`: Do needs each unit's own disagreement, which does not
depend on the others (ordinal: on the ranks), and De only the marginals. Work and memory grow with
the number of ratings. Ratio alone needs one table for De: of units x units or of values x values,
whichever is smaller.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from app.scoring.longrows import BadValueError, Floats, Ints, Ratings

Level = Literal["nominal", "ordinal", "interval", "ratio"]
PAIR = 2
MOST_DENSE = 2_000_000  # units x values^2
FEW_VALUES = 30  # up to here, units that are alike are few, and the dense way is faster
MOST_RATIO = 6_000  # units or values, whichever are fewer
CHUNK = 2_000_000  # numbers held at once


class Sums(NamedTuple):
    """Per replicate (B,): disagreement observed and by chance; of the first: (V,) marginals."""

    do: Floats
    de: Floats
    of_value: Floats
    varied: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The pairable values of R ratings of U units: `unit`, `value` (R,), sorted by unit.

    `size`: (U,) values per unit; `own`: (U,) disagreement within each unit, summed over ordered
    pairs / (m - 1), zeros at the ordinal level; `numbers`: (V,) the values, centred and scaled.
    `apart`: for ratio, squared distances (V, V) or their sums between units (U, U); else empty.
    """

    level: Level
    unit: Ints
    value: Ints
    size: Floats
    own: Floats
    numbers: Floats
    apart: Floats

    @property
    def by_unit(self) -> bool:
        """Return whether `apart` is between units."""
        return len(self.size) < len(self.numbers)

    @property
    def width(self) -> int:
        """Return how many numbers a replicate holds at once."""
        return max(len(self.unit), len(self.numbers))


def is_fine(ratings: Ratings) -> bool:
    """Tell whether ratings have too many different values for tables of values x values."""
    values = len(ratings.domain)
    return values > FEW_VALUES and len(ratings.items) * values**2 > MOST_DENSE


def entries(ratings: Ratings, level: Level) -> Entries:
    """Return the pairable values. Raises BadValueError: too many units and values for ratio."""
    size = np.bincount(ratings.item)
    pairable = size >= PAIR
    kept = np.flatnonzero(pairable[ratings.item])
    kept = kept[np.argsort(ratings.item[kept], kind="stable")]
    unit = (np.cumsum(pairable) - 1)[ratings.item[kept]]
    value = ratings.value[kept]
    sizes = size[pairable].astype(np.float64)
    numbers = _numbers(ratings, level)
    own = _own(level, unit, value, sizes, numbers)
    apart = _apart(unit, value, sizes, numbers) if level == "ratio" else np.zeros((0, 0))
    return Entries(level, unit, value, sizes, own, numbers, apart)


def sums(found: Entries, weights: Floats, values: float | None) -> Sums:
    """Return what alpha needs, per replicate.

    Args:
        found: the pairable values.
        weights: (B, U) of the units in each replicate.
        values: number of values that the weights are scaled to; None = they are frequencies.
    """
    order = np.argsort(found.value, kind="stable")
    used, starts = np.unique(found.value[order], return_index=True)
    of_value = np.zeros((len(weights), len(found.numbers)))
    if len(used):
        of_value[:, used] = np.add.reduceat(weights[:, found.unit[order]], starts, axis=1)
    mass = of_value.sum(1)
    seen, chance = _disagreement(found, weights, of_value, mass)
    total = mass if values is None else np.full(len(mass), values)
    safe = np.where(mass > 0, mass, 1.0)
    pairs = np.maximum(total, PAIR)
    return Sums(
        do=seen / safe,
        de=chance / safe**2 * pairs / (pairs - 1),
        of_value=of_value[0] * (1.0 if values is None else values / safe[0]),
        varied=(of_value > 0).sum(1) >= PAIR,
    )


def alphas(found: Entries, weights: Floats, values: float | None) -> Floats:
    """Return alpha (B,) of each replicate, NaN where it is undefined."""
    step = max(1, CHUNK // max(1, found.width))
    parts = []
    for start in range(0, len(weights), step):
        one = sums(found, weights[start : start + step], values)
        de = np.where(one.varied, one.de, 1.0)
        parts.append(np.where(one.varied, 1 - one.do / de, np.nan))
    return np.concatenate(parts)


def _numbers(ratings: Ratings, level: Level) -> Floats:
    """Return the values as numbers; for interval centred and scaled, so that squares are exact."""
    if level in {"nominal", "ordinal"}:
        return np.arange(len(ratings.domain), dtype=np.float64)
    numbers = np.array([float(value) for value in ratings.domain])
    if level == "ratio":
        return numbers
    middle = numbers.min() / 2 + numbers.max() / 2
    spread = np.abs(numbers - middle).max() or 1.0
    return np.asarray((numbers - middle) / spread, np.float64)


def _own(level: Level, unit: Ints, value: Ints, size: Floats, numbers: Floats) -> Floats:
    if level == "nominal":
        pairs, alike = np.unique(unit * len(numbers) + value, return_counts=True)
        same = np.bincount(pairs // len(numbers), alike**2)
        return np.asarray((size**2 - same) / (size - 1), np.float64)
    if level == "interval":
        x = numbers[value]
        apart = x - (np.bincount(unit, x) / size)[unit]
        return np.asarray(2 * size * np.bincount(unit, apart**2) / (size - 1))
    own = np.zeros(len(size))
    if level == "ratio":
        for step in range(1, int(size.max(initial=1))):
            here = unit[step:] == unit[:-step]
            first, second = numbers[value[step:][here]], numbers[value[:-step][here]]
            own += np.bincount(unit[step:][here], 2 * _shares(first, second), len(size))
        own /= size - 1
    return own


def _shares(first: Floats, second: Floats) -> Floats:
    both = first + second
    return np.asarray(((first - second) / np.where(both > 0, both, 1.0)) ** 2, np.float64)


def _apart(unit: Ints, value: Ints, size: Floats, numbers: Floats) -> Floats:
    """Return the squared ratio distances of values (V, V), or summed between units (U, U)."""
    if min(len(size), len(numbers)) > MOST_RATIO:
        raise BadValueError(
            f"{len(numbers):,} different values of {len(size):,} items are too many for the level "
            f"ratio (at most {MOST_RATIO:,}). Round the values to a coarser scale."
        )
    if len(size) >= len(numbers):
        return _shares(numbers[:, None], numbers[None, :])
    x = numbers[value]
    _, starts = np.unique(unit, return_index=True)
    apart = np.zeros((len(size), len(size)))
    for own in range(len(size)):
        here = _shares(x[unit == own, None], x[None, :]).sum(0)
        apart[own] = np.add.reduceat(here, starts)
    return apart


def _disagreement(
    found: Entries, weights: Floats, of_value: Floats, mass: Floats
) -> tuple[Floats, Floats]:
    """Return the summed disagreement (B,) within units, and of all pairs of values."""
    if found.level == "ordinal":
        return _ordinal(found, weights, of_value, mass)
    seen = weights @ found.own
    if found.level == "nominal":
        return seen, mass**2 - (of_value**2).sum(1)
    x = found.numbers
    if found.level == "ratio":
        times = weights if found.by_unit else of_value
        return seen, ((times @ found.apart) * times).sum(1)
    middle = of_value @ x / np.where(mass > 0, mass, 1.0)
    return seen, 2 * mass * (of_value @ x**2 - mass * middle**2)


def _ordinal(
    found: Entries, weights: Floats, of_value: Floats, mass: Floats
) -> tuple[Floats, Floats]:
    ranks = np.cumsum(of_value, 1) - of_value / 2 - mass[:, None] / 2  # their mean is 0
    own = ranks[:, found.value]
    _, starts = np.unique(found.unit, return_index=True)
    first = np.add.reduceat(own, starts, axis=1)
    second = np.add.reduceat(own**2, starts, axis=1)
    within = np.maximum(found.size * second - first**2, 0.0) / (found.size - 1)
    seen = 2 * (weights * within).sum(1)
    return seen, 2 * mass * (of_value * ranks**2).sum(1)
