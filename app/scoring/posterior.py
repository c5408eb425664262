"""What shares of a pool may be, given the items drawn: draws from Dirichlet distributions.

A bootstrap can only draw what was seen, so the interval of a rare share is too short, and that of
one never seen is empty. Here, the shares of all patterns in a group (a level of the judge, a
source) follow a Dirichlet distribution: each item counts 1, and made-up items (`smoothing`) of
`PRIOR` for each possible score are added (Jeffreys' prior; Brown, Cai & DasGupta, 2001, for two
scores). Weighted items make it a Bayesian bootstrap (Rubin, 1981). Estimates do not use the draws.

A share of yes-or-no answers that adds up over several groups also adds up their made-up items,
which pull it towards one half. There, `NEUTRAL` of an item for each answer holds the truth more
often: a draw is then about as likely to lie above the truth as below it (Kerman, 2011, Neutral
noninformative and informative conjugate beta and gamma prior distributions).
"""

from dataclasses import replace

import numpy as np

from app.scoring import bootstrap
from app.scoring.bootstrap import Block, Drawn, Interval, NoInterval
from app.scoring.longrows import Floats, Ints

PRIOR = 1 / 2  # made-up items for each score
NEUTRAL = 1 / 3  # of them for each answer, in each of several groups
METHOD = "Dirichlet draws, half an item per score"
ANSWERS = "Beta draws, half an item per answer"  # a share: yes or no, in one group
OF_GROUPS = "Beta draws, a third of an item per answer, expanded"  # in several groups


def replicates(block: Block, groups: Ints, mass: Floats, number: int, seed: int) -> Floats:
    """Return (number, F) draws of the totals; every group keeps its total weight.

    Args:
        block: of the items and, below them, made-up items.
        groups: (U,) codes; shares are drawn in each group.
        mass: (U,) 1 for an item, less for a made-up one.
        number: draws.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    columns = np.hstack([block.features * block.weights[:, None], block.weights[:, None]])
    found = np.zeros((number, block.features.shape[1]))
    for group in np.unique(groups):
        here = (groups == group) & (block.weights > 0)
        target = block.weights[here & (mass >= 1)].sum()
        if target > 0:
            rows, sizes = bootstrap.grouped(columns[here], mass[here])
            totals = rng.gamma(sizes, size=(number, len(sizes))) @ rows
            found += totals[:, :-1] * (target / totals[:, -1:])
    return found


def answers(
    hits: Floats,
    weights: Floats,
    groups: Ints,
    mass: Floats,
    number: int,
    seed: int,
    prior: float = PRIOR,
) -> Floats:
    """Return (number,) draws of a share; in each group, `prior` made-up items give each answer.

    Args: as in `replicates`, and hits: (U,) 1 = yes, 0 = no. Made-up items may have any mass below
        1; if none in a group says yes (or no), nothing there can.
    """
    even = mass.copy()
    for group in np.unique(groups):
        for answer in (0, 1):
            here = (mass < 1) & (groups == group) & (hits == answer)
            even[here] *= prior / (mass[here].sum() or 1.0)
    drawn = replicates(Block(hits[:, None], weights), groups, even, number, seed)[:, 0]
    share: Floats = drawn / weights[mass >= 1].sum()
    return share


def interval(
    values: Floats,
    point: float | None,
    units: int,
    seed: int,
    over: Drawn = "items",
    method: str = METHOD,
    reach: float | None = None,
) -> Interval | NoInterval:
    """Return the middle 95 % of the draws (B,), widened to hold the estimate if it must be.

    The share of a score that was never given is 0, which no draw is. `reach`: see `student`.
    """
    made = bootstrap.percentile(values, point, over, seed, units, reach)
    if point is None or isinstance(made, NoInterval):
        return made
    return replace(made, low=min(made.low, point), high=max(made.high, point), method=method)
