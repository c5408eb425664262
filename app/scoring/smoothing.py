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
from app.scoring.panel import MISSING, Mask, Panel, counts_of

MASS = 2 / 3  # items for each level of the judge
METHOD = "expanded percentile bootstrap, smoothed"
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


def made_up(
    panel: Panel,
    kept: Mask,
    human: Ints,
    judge: Ints,
    mass_: float = MASS,
    groups: Ints | None = None,
) -> MadeUp:
    """Return the made-up items for those items of the panel that are kept.

    Args: human, judge: (U, R) and (U, K), the scores that will be compared. mass_: of each group.
        groups: (U,) codes, None = the levels of the judge.
    """
    scores = np.hstack([judge, human])
    levels = levels_of(panel) if groups is None else groups
    rows, mass, like = [scores[:0]], [np.empty(0)], [np.empty(0, np.intp)]
    for level in np.unique(levels[kept]):
        here = np.flatnonzero(kept & (levels == level))
        fixed = _fixed(scores[here], judge.shape[1])
        free = (scores[here] != MISSING) & ~fixed
        keys = np.column_stack([panel.stratum[here], free])
        _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
        for one, number in zip(here[first], times, strict=True):
            rows.append(_spread(scores[one], fixed, len(panel.scale)))
            mass.append(np.full(len(rows[-1]), mass_ * number / len(here) / len(rows[-1])))
            like.append(np.full(len(rows[-1]), one))
    theirs, ours = np.split(np.concatenate(rows), [judge.shape[1]], axis=1)
    return MadeUp(ours, theirs, np.concatenate(mass), np.concatenate(like))


def levels_of(panel: Panel) -> Ints:
    """Return (U,): the level of each item's stratum."""
    return np.array([stratum.level for stratum in panel.strata], np.intp)[panel.stratum]


def of_counts(counts: Floats, units: Units, weights: Floats) -> tuple[Floats, Units, Floats]:
    """Return counts, units and weights of values without a panel, with made-up units below them.

    Made-up units of a mass of `MASS` in each stratum have as many values as its units do, spread
    evenly over the scale, and their mean weight.

    Args: counts: (U, V) of units with two or more values; weights: (U,).
    """
    more, mass = [counts], [np.ones(len(counts))]
    like, weight = [np.arange(len(counts))], [weights]
    sizes, width = counts.sum(1).astype(np.intp), counts.shape[1]
    for stratum in np.unique(units.strata):
        here = np.flatnonzero(units.strata == stratum)
        for size in np.unique(sizes[here]):
            own = here[sizes[here] == size]
            rows = counts_of(_patterns(width, int(size)), width)
            more.append(rows)
            mass.append(np.full(len(rows), MASS * len(own) / len(here) / len(rows)))
            like.append(np.full(len(rows), own[0]))
            weight.append(np.full(len(rows), weights[own].mean()))
    model = np.concatenate(like)
    made = Units(units.strata[model], units.clusters[model], np.concatenate(mass))
    return np.concatenate(more), made, np.concatenate(weight)


def _fixed(scores: Ints, judges: int) -> Mask:
    """Return (C,): columns of judges whose score is the same throughout, such as the level."""
    same: Mask = (scores == scores[:1]).all(0)
    same[judges:] = False
    return same


def _spread(scores: Ints, fixed: Mask, values: int) -> Ints:
    """Return an item's scores (C,) replaced by every pattern of them, (patterns, C)."""
    free = np.flatnonzero((scores != MISSING) & ~fixed)
    patterns = _patterns(values, len(free))
    rows = np.repeat(scores[None, :], len(patterns), axis=0)
    rows[:, free] = patterns
    return rows


def _patterns(values: int, places: int) -> Ints:
    """Return (patterns, places): all ways to fill the places with values, or some at random."""
    if values**places <= MOST:
        return np.array(list(product(range(values), repeat=places)), np.intp)
    return np.random.default_rng(places).integers(values, size=(MOST, places))
