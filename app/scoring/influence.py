"""The influence of single items: each coefficient without the item, minus with it."""

from dataclasses import dataclass

import numpy as np

from app.scoring.agreement import PAIR, alphas, scores, unit_coincidences
from app.scoring.longrows import Floats, Ints
from app.scoring.manyvalues import Level
from app.scoring.panel import MISSING, Panel


@dataclass(frozen=True, slots=True)
class Influence:
    """The effect of leaving one item out; None if the coefficient is undefined with or without it.

    `human_human`, `human_judge` (mean over humans, first judge): alpha without it - alpha with it,
    so a positive value means that the item lowers the coefficient.
    """

    item: str
    human_human: float | None
    human_judge: float | None


def leave_one_out(panel: Panel, level: Level, *, pool: bool) -> tuple[Influence, ...]:
    """Return every item's influence, largest change first.

    Weights are recomputed without the item: its stratum then has n_h - 1 usable items.
    """
    human_human = _changes(panel, panel.human, level, pool=pool)
    pairs = [
        _changes(panel, np.stack([panel.human[:, r], panel.judge[:, 0]], 1), level, pool=pool)
        for r in range(len(panel.humans))
        if panel.judges
    ]
    human_judge = np.mean(pairs, axis=0) if pairs else np.full(len(panel.items), np.nan)
    both = np.stack([human_human, human_judge], 1)
    size = np.where(np.isnan(both), 0, np.abs(both)).max(1)
    order = np.argsort(-size, kind="stable")
    return tuple(
        Influence(panel.items[u].id, _plain(human_human[u]), _plain(human_judge[u])) for u in order
    )


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _changes(panel: Panel, columns: Ints, level: Level, *, pool: bool) -> Floats:
    """Return (U,) alpha without each item - alpha with all; 0 for items not compared."""
    pairable = (columns != MISSING).sum(1) >= PAIR
    weights = panel.weights(pairable, pool=pool)
    names = [str(number) for number in range(columns.shape[1])]
    counts = panel.ratings(columns, names, np.ones(len(weights))).counts()
    each = unit_coincidences(counts)
    strata = len(panel.strata)
    sums, masses = np.zeros((strata, each.shape[1])), np.zeros(strata)
    np.add.at(sums, panel.stratum, each * weights[:, None])
    np.add.at(masses, panel.stratum, weights)
    mass = masses[panel.stratum]
    left = mass - weights
    keep = (
        np.where(left > 0, mass / np.where(left > 0, left, 1.0), 0.0)
        if pool
        else np.ones(len(mass))
    )
    without = sums.sum(0) + (
        (sums[panel.stratum] - each * weights[:, None]) * keep[:, None] - sums[panel.stratum]
    )
    values = np.where(pairable, counts.sum(1), 0.0)
    number = scores(panel.scale, level)
    whole = _alpha(sums.sum(0)[None], np.array([values.sum()]), number, level)
    found = _alpha(np.maximum(without, 0.0), values.sum() - values, number, level) - whole
    return np.where(pairable, found, 0.0)


def _alpha(tables: Floats, values: Floats, numbers: Floats, level: Level) -> Floats:
    """Return alpha (B,) of coincidences (B, V * V), rescaled to `values` (B,) pairable values."""
    size = len(numbers)
    mass = tables.sum(1)
    scaled = tables * (values / np.where(mass > 0, mass, 1.0))[:, None]
    return alphas(np.where(scaled > ROUNDING, scaled, 0.0).reshape(-1, size, size), numbers, level)


ROUNDING = 1e-9  # what removing an item may leave in a cell that held only this item
