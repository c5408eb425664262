"""Made-up items that stand for disagreements which a sample of few items happens not to show.

A bootstrap can only draw what was seen. If a stratum that stands for much of the pool has few
disagreements, chance may leave out the rare ones, and then the difference of human-human and
human-judge alpha is too low while its interval is too short. So in each level of the judge, items
of a total mass of `MASS` are added to the draws, whose scores are spread evenly over the scale. The
coefficients themselves do not use them. `python -m bench coverage` chose the mass.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from app.scoring.bootstrap import Block, Units
from app.scoring.longrows import Floats, Ints
from app.scoring.panel import MISSING, Mask, Panel

MASS = 2 / 3  # items for each level of the judge
METHOD = "percentile bootstrap, smoothed"
MOST = 243  # score patterns: all of them up to five raters with three scores, else some at random


@dataclass(frozen=True, slots=True, eq=False)
class MadeUp:
    """P made-up items: scores (P, R) and (P, K), `mass` (P,), `like` (P,): an item as a model.

    A made-up item has the model's stratum and weight, and scores by the same raters.
    """

    human: Ints
    judge: Ints
    mass: Floats
    like: Ints

    def units(self, panel: Panel) -> Units:
        """Return how the panel's items and these are grouped."""
        return Units(
            np.concatenate([panel.stratum, panel.stratum[self.like]]),
            np.concatenate([panel.cluster, panel.cluster[self.like]]),
            np.concatenate([np.ones(len(panel.items)), self.mass]),
        )

    def block(self, block: Block, features: Floats) -> Block:
        """Return a block of the panel's items with the features (P, F) of these."""
        weights = np.concatenate([block.weights, block.weights[self.like]])
        return Block(np.vstack([block.features, features]), weights)


def made_up(panel: Panel, kept: Mask, human: Ints, judge: Ints) -> MadeUp:
    """Return the made-up items for those items of the panel that are kept.

    Args: human, judge: (U, R) and (U, K), the scores that will be compared.
    """
    scores = np.hstack([judge, human])
    levels = np.array([stratum.level for stratum in panel.strata])[panel.stratum]
    rows, mass, like = [scores[:0]], [np.empty(0)], [np.empty(0, np.intp)]
    for level in np.unique(levels[kept]):
        here = np.flatnonzero(kept & (levels == level))
        fixed = _fixed(scores[here], judge.shape[1])
        free = (scores[here] != MISSING) & ~fixed
        keys = np.column_stack([panel.stratum[here], free])
        _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
        for one, number in zip(here[first], times, strict=True):
            rows.append(_spread(scores[one], fixed, len(panel.scale)))
            mass.append(np.full(len(rows[-1]), MASS * number / len(here) / len(rows[-1])))
            like.append(np.full(len(rows[-1]), one))
    theirs, ours = np.split(np.concatenate(rows), [judge.shape[1]], axis=1)
    return MadeUp(ours, theirs, np.concatenate(mass), np.concatenate(like))


def _fixed(scores: Ints, judges: int) -> Mask:
    """Return (C,): columns of judges whose score is the same throughout, such as the level."""
    same: Mask = (scores == scores[:1]).all(0)
    same[judges:] = False
    return same


def _spread(scores: Ints, fixed: Mask, values: int) -> Ints:
    """Return an item's scores (C,) replaced by every pattern of them, (patterns, C)."""
    free = np.flatnonzero((scores != MISSING) & ~fixed)
    if values ** len(free) <= MOST:
        patterns = np.array(list(product(range(values), repeat=len(free))), np.intp)
    else:
        patterns = np.random.default_rng(len(free)).integers(values, size=(MOST, len(free)))
    rows = np.repeat(scores[None, :], len(patterns), axis=0)
    rows[:, free] = patterns
    return rows
