"""Krippendorff's alpha, implemented here from the count matrix.

alpha = 1 - Do / De over units with two or more values (n = pairable values), where
Do = (1/n) sum_u 1/(m_u - 1) sum_{i != j} d2 and De = 1/(n (n - 1)) sum_{c,k} n_c n_k d2.
Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.scoring import manyvalues
from app.scoring.longrows import BadValueError, Floats, Ratings, Value
from app.scoring.manyvalues import Level

Bools = np.typing.NDArray[np.bool_]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
Status = Literal["ok", "no_data", "no_pairable_units", "undefined_no_variation"]
Weighting = Literal["none", "scaled", "frequency"]

FEW_UNITS = 10  # below: flag too_few_units, and no interval
PREVALENT = 0.8  # a value with more than this share: flag low_prevalence
PAIR = 2  # values that a unit needs to count


@dataclass(frozen=True, slots=True)
class Weights:
    """How units were weighted.

    `scaled`: weights were rescaled so that the pairable values keep their count; `frequency`: a
    unit of weight w stands for w equal units. `effective_units`: Kish, (sum w)^2 / sum w^2.
    """

    kind: Weighting
    total: float
    effective_units: float


@dataclass(frozen=True, slots=True)
class Alpha:
    """A coefficient with its counts and flags, without intervals.

    `n_units` = items with a value = `n_pairable` (two or more) + `n_single`; `n_values` = all
    values, `n_pairable_values` those of pairable units. `observed` (Do) and `expected` (De)
    disagreement are in squared units of the level, None where there is nothing to compare. `counts`
    are (weighted) pairable values per value of the domain. `alpha` is None unless `status` is `ok`.
    """

    level: Level
    domain: tuple[Value, ...]
    raters: tuple[str, ...]
    n_units: int
    n_pairable: int
    n_single: int
    n_values: int
    n_pairable_values: int
    observed: float | None
    expected: float | None
    counts: tuple[float, ...]
    alpha: float | None
    status: Status
    flags: tuple[str, ...]
    constant_raters: tuple[str, ...]
    weights: Weights | None


def alpha(ratings: Ratings, level: Level, *, weighting: Weighting = "none") -> Alpha:
    """Return alpha of the ratings.

    Args:
        ratings: checked long rows.
        level: nominal, ordinal, interval or ratio.
        weighting: "none" counts each unit once whatever its weight; see `Weights`.

    Raises: BadValueError: text with a level other than nominal, negative values with ratio, or
        frequencies that are not whole numbers.
    """
    check_level(ratings.domain, level)
    per_unit = np.bincount(ratings.item, minlength=len(ratings.items)).astype(np.float64)
    pairable = per_unit >= PAIR
    weight = np.ones(len(per_unit)) if weighting == "none" else ratings.weight
    if weighting == "frequency" and not np.all(weight == np.floor(weight)):
        raise BadValueError("Frequency weights must be whole numbers.")
    n_values = float(per_unit[pairable].sum())
    scaled_to = None if weighting == "frequency" else n_values
    found = _fine if manyvalues.is_fine(ratings) else _dense
    of_value, do, de = found(ratings, level, pairable, weight, scaled_to)
    status = _status(per_unit, of_value)
    constant = _constant_raters(ratings, pairable, status)
    kept = weight[pairable]
    return Alpha(
        level=level,
        domain=ratings.domain,
        raters=ratings.raters,
        n_units=int((per_unit > 0).sum()),
        n_pairable=int(pairable.sum()),
        n_single=int((per_unit == 1).sum()),
        n_values=int(per_unit.sum()),
        n_pairable_values=int(n_values),
        observed=float(do) if n_values else None,
        expected=float(de) if n_values else None,
        counts=tuple(float(number) for number in of_value),
        alpha=1 - float(do / de) if status == "ok" else None,
        status=status,
        flags=_flags(int(pairable.sum()), of_value, constant),
        constant_raters=constant,
        weights=Weights(weighting, float(kept.sum()), float(kept.sum() ** 2 / (kept**2).sum()))
        if weighting != "none" and len(kept)
        else None,
    )


def _dense(
    ratings: Ratings, level: Level, pairable: Bools, weight: Floats, scaled_to: float | None
) -> tuple[Floats, Floats, Floats]:
    """Return (V,) marginals, Do and De from a table of values x values."""
    table = coincidences(ratings.counts()[pairable], weight[pairable])
    if scaled_to:
        table *= scaled_to / table.sum()
    return table.sum(1), *disagreement(table, scores(ratings.domain, level), level)


def _fine(
    ratings: Ratings, level: Level, pairable: Bools, weight: Floats, scaled_to: float | None
) -> tuple[Floats, Floats, Floats]:
    """Return the same without such a table."""
    entries = manyvalues.entries(ratings, level)
    found = manyvalues.sums(entries, weight[pairable][None, :], scaled_to)
    return found.of_value, found.do[0], found.de[0]


def check_level(domain: tuple[Value, ...], level: Level) -> None:
    """Raise BadValueError if the values do not suit the level of measurement."""
    if level not in LEVELS:
        raise BadValueError(f"The level must be one of {', '.join(LEVELS)}, not {level!r}.")
    if level != "nominal" and any(isinstance(value, str) for value in domain):
        raise BadValueError(f"Level {level} needs numbers as values; text can only be nominal.")
    if level == "ratio" and any(float(value) < 0 for value in domain):
        raise BadValueError("Level ratio needs values of 0 or more.")


def scores(domain: tuple[Value, ...], level: Level) -> Floats:
    """Return (V,) the values as numbers; for nominal, their index in the domain."""
    if level == "nominal":
        return np.arange(len(domain), dtype=np.float64)
    return np.array([float(value) for value in domain])


def coincidences(counts: Floats, weights: Floats) -> Floats:
    """Return (V, V): weighted pairs of values within units, each unit's divided by m_u - 1.

    Args: counts: (U, V) of pairable units; weights: (U,).
    """
    by_unit = weights / (counts.sum(1) - 1)
    table: Floats = counts.T @ (counts * by_unit[:, None])
    table[np.diag_indices_from(table)] -= counts.T @ by_unit
    return np.maximum(table, 0.0)  # rounding may leave -1e-17


def unit_coincidences(counts: Floats) -> Floats:
    """Return (U, V * V): each unit's own coincidences, zeros for units with one value or none."""
    units, values = counts.shape
    table = counts[:, :, None] * counts[:, None, :]
    table[:, range(values), range(values)] -= counts
    by_unit = 1 / np.maximum(counts.sum(1) - 1, 1)
    found: Floats = (table * by_unit[:, None, None]).reshape(units, values * values)
    return found


def disagreement(table: Floats, numbers: Floats, level: Level) -> tuple[Floats, Floats]:
    """Return Do and De, (...), of coincidences (..., V, V); 0 where nothing is pairable.

    Args: numbers: (V,) the values as numbers, ascending.
    """
    of_value = table.sum(-1)
    total = of_value.sum(-1)
    apart = _distances(of_value, numbers, level)
    seen = (table * apart).sum((-1, -2))
    by_chance = (of_value[..., :, None] * of_value[..., None, :] * apart).sum((-1, -2))
    safe = np.maximum(total, PAIR)
    return seen / safe, by_chance / (safe * (safe - 1))


def alphas(table: Floats, numbers: Floats, level: Level) -> Floats:
    """Return alpha of each coincidence matrix (..., V, V); NaN where it is undefined.

    For replicates, inside the computation only: NaN is never returned to callers outside.
    """
    do, de = disagreement(table, numbers, level)
    varied = (table.sum(-1) > 0).sum(-1) >= PAIR
    found: Floats = np.where(varied, 1 - do / np.where(varied, de, 1.0), np.nan)
    return found


def _distances(of_value: Floats, numbers: Floats, level: Level) -> Floats:
    """Return squared distances (..., V, V); for ordinal they depend on the marginals (..., V)."""
    if level == "ordinal":  # sum_{g=c..k} n_g - (n_c + n_k) / 2 = difference of middle ranks
        numbers = np.cumsum(of_value, -1) - of_value / 2
    first, second = numbers[..., :, None], numbers[..., None, :]
    if level == "nominal":
        return np.asarray(first != second, np.float64)
    if level == "ratio":
        both = first + second
        shares = (first - second) / np.where(both > 0, both, 1.0)
        return np.asarray(shares**2, np.float64)
    return np.asarray((first - second) ** 2, np.float64)


def _status(per_unit: Floats, of_value: Floats) -> Status:
    if not per_unit.sum():
        return "no_data"
    if not of_value.sum():
        return "no_pairable_units"
    return "ok" if (of_value > 0).sum() >= PAIR else "undefined_no_variation"


def _constant_raters(ratings: Ratings, pairable: Bools, status: Status) -> tuple[str, ...]:
    """Name raters who gave one value to all of two or more pairable units, while values vary."""
    if status != "ok":
        return ()
    kept = pairable[ratings.item]
    values = len(ratings.domain)
    used = np.bincount(
        ratings.rater[kept] * values + ratings.value[kept], minlength=len(ratings.raters) * values
    ).reshape(len(ratings.raters), values)
    constant = ((used > 0).sum(1) == 1) & (used.sum(1) >= PAIR)
    return tuple(name for name, flat in zip(ratings.raters, constant, strict=True) if flat)


def _flags(n_pairable: int, of_value: Floats, constant: tuple[str, ...]) -> tuple[str, ...]:
    flags = []
    if 0 < n_pairable < FEW_UNITS:
        flags.append("too_few_units")
    if constant:
        flags.append("rater_constant")
    if of_value.sum() and of_value.max() > PREVALENT * of_value.sum():
        flags.append("low_prevalence")
    return tuple(flags)
