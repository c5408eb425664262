"""Made-up units of a score from 0 to 1, which replicates of its mean include.

A bootstrap can only draw what was seen. If nearly everyone succeeds, few or no failures are, so the
mean is likely too high while its replicates hardly vary. So a replicate also has, on average, half
a made-up episode that is lost and half a one that is won. Units have several episodes, and a
made-up one has the score 0 or 1, so there are as many times fewer of them. Their numbers are
Poisson numbers, drawn by inversion, which any language can repeat.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SHARE = 1 / 2  # of an episode, of each kind: Jeffreys' prior
GRID = 1_000_000
Floats = NDArray[np.float64]


def rate(units: int, episodes: float) -> float:
    """Return how many made-up units of each kind a replicate has on average.

    Args: units: how many there are; episodes: of all of them together; 0 = the score has none, so
        nothing is made up.
    """
    return SHARE * units / episodes if episodes else 0.0


def drawn(rates: Sequence[float], number: int, seed: int) -> Floats:
    """Return how many units are made up, (number, 2, parts): lost (score 0), and won (1).

    Args: rates: of each part; number: of replicates; seed: that of the draw of players.
    """
    at = np.random.default_rng(seed + 1).integers(0, GRID, (len(rates), 2, number))
    counts = [
        np.searchsorted(limits(one), own, side="right") for one, own in zip(rates, at, strict=True)
    ]
    return np.stack(counts).astype(np.float64).transpose(2, 1, 0)


def limits(rate_: float) -> list[float]:
    """Return up to where numbers from 0 to below GRID stand for 0, 1, 2, ... units (Poisson)."""
    chance = total = math.exp(-rate_)
    found = [total * GRID]
    while found[-1] < GRID - 1:
        chance *= rate_ / len(found)
        total += chance
        found.append(total * GRID)
    return found
