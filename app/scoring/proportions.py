"""Shares with Wilson intervals, and statistics of a table of human against judge."""

import math
from dataclasses import dataclass

import numpy as np

from app.scoring.agreement import PAIR
from app.scoring.longrows import Floats

Z95 = 1.959963984540054  # normal quantile of a 95 % interval


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion in [0, 1] of `n` items, with a 95 % Wilson interval.

    `effective` is Kish's (sum w)^2 / sum w^2, which the interval uses; without weights it is n.
    `value` is None where n = 0.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    effective: float


def share(hits: Floats, weights: Floats) -> Share:
    """Return the weighted share of hits (U,) in [0, 1]; items of weight 0 are left out."""
    kept = weights > 0
    if not kept.any():
        return Share(None, None, None, 0, 0.0)
    mass = weights[kept]
    value = float(mass @ hits[kept] / mass.sum())
    effective = float(mass.sum() ** 2 / (mass**2).sum())
    low, high = wilson(value, effective)
    return Share(value, low, high, int(kept.sum()), effective)


def wilson(value: float, n: float) -> tuple[float, float]:
    """Return the 95 % score interval of a proportion among n > 0 (Wilson, 1927)."""
    factor = Z95**2 / n
    middle = (value + factor / 2) / (1 + factor)
    half = Z95 / (1 + factor) * math.sqrt(value * (1 - value) / n + factor / (4 * n))
    return max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))


def quadratic_kappa(table: Floats, numbers: Floats) -> Floats:
    """Return kappa with squared-distance weights of tables (..., V, V); NaN where undefined.

    1 - sum p_ij (i - j)^2 / sum p_i. p_.j (i - j)^2 (Cohen, 1968).
    """
    apart = (numbers[:, None] - numbers[None, :]) ** 2
    mass = table.sum((-1, -2))
    seen = (table * apart).sum((-1, -2)) * mass
    chance = (table.sum(-1)[..., :, None] * table.sum(-2)[..., None, :] * apart).sum((-1, -2))
    return np.where(chance > 0, 1 - seen / np.where(chance > 0, chance, 1.0), np.nan)


def spearman(table: Floats) -> Floats:
    """Return the rank correlation (middle ranks) of tables (..., V, V); NaN where undefined."""
    rows, columns = table.sum(-1), table.sum(-2)
    mass = np.maximum(rows.sum(-1), 1e-300)
    first = np.cumsum(rows, -1) - rows / 2 - mass[..., None] / 2
    second = np.cumsum(columns, -1) - columns / 2 - mass[..., None] / 2
    together = (table * first[..., :, None] * second[..., None, :]).sum((-1, -2))
    spread = np.sqrt((rows * first**2).sum(-1) * (columns * second**2).sum(-1))
    varied = ((rows > 0).sum(-1) >= PAIR) & ((columns > 0).sum(-1) >= PAIR)
    return np.where(varied, together / np.where(varied, spread, 1.0), np.nan)


def by_row(table: Floats) -> Floats:
    """Return tables (..., V, V) with rows that sum to 1; NaN for an empty row."""
    mass = table.sum(-1, keepdims=True)
    return np.where(mass > 0, table / np.where(mass > 0, mass, 1.0), np.nan)
