"""How far intervals of sums of means over players must reach (see `student`)."""

import numpy as np
from numpy.typing import NDArray

from app.scoring import student

Floats = NDArray[np.float64]

LEAST = 10  # players (effective number) that an interval needs
ROUNDING = 1e-6  # of effective numbers


def reach_of(sums: Floats, counts: Floats, factors: Floats) -> float | None:
    """Return how far an interval of sum(factor x mean) must reach (see `student`).

    Args: sums, counts: (players, parts); factors: (parts,). None = as in `spread_of`.
    """
    found = spread_of(sums, counts, factors)
    return None if found is None else found[0] * found[1]


def spread_of(sums: Floats, counts: Floats, factors: Floats) -> tuple[float, float] | None:
    """Return how much too little replicates vary (a factor >= 1), and the t that is due.

    Each part's variance is too small by (n - 1) / n in replicates, n being its effective number of
    players. The degrees of freedom are Welch's, but at most the effective number of all players
    minus 1. None = fewer than LEAST players in effect, or a part with a single one.

    Args: as of `reach_of`.
    """
    total = counts.sum(0)
    apart = (sums - counts * (sums.sum(0) / total)) / total
    variance = factors**2 * (apart**2).sum(0)
    n = total**2 / (counts**2).sum(0)
    if (n < 1 + ROUNDING).any():
        return None
    if not variance.any():
        return 1.0, student.NORMAL
    true = variance * n / (n - 1)
    welch = true.sum() ** 2 / (true**2 / (n - 1)).sum()
    own = counts @ (variance / total)  # each player's part of the variance
    freedom = min(welch, variance.sum() ** 2 / (own**2).sum() - 1)
    if freedom < LEAST - 1 - ROUNDING:
        return None
    return float(np.sqrt(true.sum() / variance.sum())), student.quantile(float(freedom))
