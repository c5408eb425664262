"""Spearman's rank correlation with ties, and its interval by resampling players."""

from collections.abc import Hashable, Sequence

import numpy as np

from app.scoring import student
from app.scoring.longrows import Ints
from app.scoring.player_reach import LEAST, ROUNDING
from app.scoring.players import REPLICATES, Figure, Floats, draws, percentile

Point = tuple[Hashable, float, float]  # player, x, y


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Spearman's rho: Pearson's correlation of the ranks, with mean ranks for ties.

    None for fewer than 2 points, or where x or y does not vary.
    """
    found = weighted(np.array(x, np.float64), np.array(y, np.float64), np.ones((1, len(x))))
    return None if np.isnan(found[0]) else float(found[0])


def spearman_figure(points: Sequence[Point], number: int = REPLICATES, seed: int = 1) -> Figure:
    """Return rho over points with its interval; players are drawn whole, with all their points."""
    names = list(dict.fromkeys(player for player, _, _ in points))
    x, y = np.array([p[1] for p in points]), np.array([p[2] for p in points])
    value = spearman(list(x), list(y))

    def without(reason: str) -> Figure:
        return Figure(value, None, None, reason, len(names), len(points))

    if value is None:
        return without("fewer than 2 points" if len(points) < 2 else "x or y does not vary")  # noqa: PLR2004
    if len(names) == 1:
        return without("one player: no interval")
    place = {name: at for at, name in enumerate(names)}
    owner = np.array([place[player] for player, _, _ in points])
    found = np.empty(number)
    spots, x, y = spots_of(owner, x, y, len(names))
    for rows, times in draws(len(names), number, seed):
        found[rows] = weighted(x, y, times @ spots)
    sizes = np.bincount(owner).astype(np.float64)
    effective = float(sizes.sum() ** 2 / (sizes**2).sum())
    reach = None if effective < LEAST - ROUNDING else student.reach(effective)
    return percentile(value, found, reach, len(names), len(points))


def spots_of(owner: Ints, x: Floats, y: Floats, players: int) -> tuple[Floats, Floats, Floats]:
    """Return (players, spots) points of a player at a spot, and x and y of the different spots."""
    spots, spot = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)
    points = np.zeros((players, len(spots)))
    np.add.at(points, (owner, spot.ravel()), 1.0)
    return points, spots[:, 0], spots[:, 1]


def weighted(x: Floats, y: Floats, times: Floats) -> Floats:
    """Return (R,) rho, each point taken `times` (R, points) times; NaN where it is undefined."""
    mass = times.sum(axis=1, keepdims=True)
    safe = np.where(mass > 0, mass, 1.0)
    a, b = _ranks(x, times), _ranks(y, times)
    a -= (times * a).sum(axis=1, keepdims=True) / safe
    b -= (times * b).sum(axis=1, keepdims=True) / safe
    both = (times * a * b).sum(axis=1)
    spread = (times * a * a).sum(axis=1) * (times * b * b).sum(axis=1)
    good = spread > 1e-9  # noqa: PLR2004 - ranks differ by halves at least
    return np.where(good, both / np.sqrt(np.where(good, spread, 1.0)), np.nan)


def _ranks(values: Floats, times: Floats) -> Floats:
    """Return (R, points) mean ranks within each replicate."""
    distinct, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(distinct)))
    sizes = np.add.reduceat(times[:, order], starts, axis=1)
    ranks = np.cumsum(sizes, axis=1) - sizes + (sizes + 1) / 2
    return np.asarray(ranks[:, group])
