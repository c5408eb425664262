"""Alpha's interval over items and raters, for statements about raters who did not take part.

In each replicate raters are drawn with replacement, as well as items (a product of two bootstraps;
Owen, 2007, calls it the pigeonhole bootstrap). A rater drawn twice counts twice, but is never
compared with themselves, since copies of one person agree by construction. Replicates with one
rater only are drawn again.

What is particular to one rater and one item varies three times too much in such replicates (Owen).
So the interval reaches only as far as the variance of drawing items alone and that of drawing
raters alone say, added up. Both are estimates, so t is due, with Welch's degrees of freedom. With
few raters they may be too low by chance, so an interval reaches LEAST_REACH at least.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from app.progress import Track, untracked
from app.scoring import bootstrap, manyvalues, student
from app.scoring.agreement import PAIR, Alpha, Weighting, unit_coincidences
from app.scoring.alphareport import refusal, table_alphas
from app.scoring.bootstrap import Drawn, Interval, NoInterval, Units
from app.scoring.longrows import Floats, Ints, Ratings

LEAST_RATERS, FEW_RATERS = 4, 10
LEAST_REACH = 1.75  # with few raters, the variance of raters may be low by chance
AT_ONCE = 500_000  # numbers in one table of a chunk
METHOD = "scaled percentile bootstrap"
TWO = (
    "With two raters, drawing raters cannot show how others would differ, so there is no interval "
    "for other raters. Have more people rate some of the items."
)
THREE = (
    "With three raters, intervals for other raters hold the true value too rarely, so there is "
    "none. Have more people rate some of the items."
)
WEIGHTED = NoInterval(
    "weighted",
    "with weights, intervals over items and raters have been checked too little: only for one "
    "kind of pool",
)


@dataclass(frozen=True, slots=True)
class RaterInterval:
    """The interval, and a warning if there are too few raters ('' = none)."""

    interval: Interval | NoInterval
    warning: str


def interval(
    ratings: Ratings,
    found: Alpha,
    weighting: Weighting,
    *,
    replicates: int,
    seed: int,
    track: Track = untracked,
) -> RaterInterval:
    """Return the interval of `found`, the alpha of these ratings with this weighting."""
    raters = len(np.unique(ratings.rater))
    warning = warning_of(raters)
    refused = refusal(found, replicates)
    if refused is None and manyvalues.is_fine(ratings):
        refused = NoInterval("too_many_values", "there are too many different values")
    if refused is None and raters < LEAST_RATERS:
        words = f"{'two' if raters == PAIR else 'three'} raters are too few"
        refused = NoInterval("too_few_raters", f"{words} (fewer than {LEAST_RATERS})")
    if refused is None and weighting == "scaled":
        refused = WEIGHTED
    if refused is not None:
        return RaterInterval(refused, warning)
    kept = np.bincount(ratings.item, minlength=len(ratings.items)) >= PAIR
    units = Units(ratings.stratum[kept], ratings.cluster[kept])
    weight = np.ones(int(kept.sum())) if weighting == "none" else ratings.weight[kept]
    drawn = replicates_of(marks(ratings)[kept], units, weight, replicates, seed, track)
    both, items, each = (table_alphas(tables, found, weighting) for tables in drawn)
    reach = reach_of(both, items, each, (bootstrap.freedom_of(units.strata, weight), raters - 1))
    over: Drawn = "items and raters"
    made = bootstrap.percentile(both, found.alpha, over, seed, len(weight), reach)
    if isinstance(made, Interval):
        made = replace(made, method=METHOD)
    return RaterInterval(made, warning)


def replicates_of(
    marked: Floats, units: Units, weight: Floats, number: int, seed: int, track: Track
) -> tuple[Floats, Floats, Floats]:
    """Return (number, V * V) tables: items and raters drawn, only items, only raters.

    Args: marked: (U, R, V); weight: (U,).
    """
    rng = np.random.default_rng([seed, marked.shape[1]])
    own = unit_coincidences(marked.sum(1))
    both, items, raters = list[Floats](), list[Floats](), list[Floats]()
    for _, drawn in bootstrap.unit_weights(weight, units, number, seed, "items", track):
        times = rater_times(len(drawn), marked.shape[1], rng)
        items.append(drawn @ own)
        for rows in blocks(len(drawn), marked.shape):
            fixed = np.broadcast_to(weight, drawn[rows].shape)
            both.append(coincidences(marked, times[rows], drawn[rows], units.strata))
            raters.append(coincidences(marked, times[rows], fixed, units.strata))
    return np.concatenate(both), np.concatenate(items), np.concatenate(raters)


def reach_of(both: Floats, items: Floats, raters: Floats, freedom: tuple[float, float]) -> float:
    """Return how far the interval must reach (see `student`), as a multiple of the spread of both.

    Args: replicates (B,) of items and raters, of items alone, and of raters alone, NaN = undefined.
        freedom: degrees of freedom of items and of raters.
    """
    known = [one[~np.isnan(one)] for one in (both, items, raters)]
    whole, *parts = (float(one.var()) if len(one) else 0.0 for one in known)
    if not whole or not any(parts):
        return student.NORMAL
    total = sum(parts)
    each = sum(part**2 / own for part, own in zip(parts, freedom, strict=True))
    return max(LEAST_REACH, math.sqrt(total / whole) * student.quantile(total**2 / each))


def warning_of(raters: int) -> str:
    """Return what to know about the number of raters."""
    if raters == PAIR:
        return TWO
    if PAIR < raters < LEAST_RATERS:
        return THREE
    if PAIR < raters < FEW_RATERS:
        return f"{raters} raters are few: how much raters differ is itself uncertain."
    return ""


def marks(ratings: Ratings) -> Floats:
    """Return (U, R, V): 1 where a rater gave an item a value."""
    _, rater = np.unique(ratings.rater, return_inverse=True)
    shape = (len(ratings.items), int(rater.max()) + 1, len(ratings.domain))
    table = np.zeros(shape)
    table[ratings.item, rater, ratings.value] = 1
    return table


def rater_times(number: int, raters: int, rng: np.random.Generator) -> Floats:
    """Return (number, R): how often each rater counts, at least two of them in each replicate."""
    share = np.full(raters, 1 / raters)
    times = rng.multinomial(raters, share, size=number)
    while len(alone := np.flatnonzero((times > 0).sum(1) < PAIR)):
        times[alone] = rng.multinomial(raters, share, size=len(alone))
    return times.astype(np.float64)


def blocks(number: int, shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield slices of replicates whose tables fit into memory."""
    step = max(1, AT_ONCE // (shape[0] * shape[2]))
    for start in range(0, number, step):
        yield slice(start, min(number, start + step))


def coincidences(
    marked: Floats, times: Floats, weights: Floats, strata: Ints | None = None
) -> Floats:
    """Return coincidences (B, V * V) of pairs of different raters.

    Args: marked: (U, R, V); times: (B, R); weights: (B, U) of the units. A unit's pairs add up to
        its number of values; strata keep their weight if some of their units have no pair.
    """
    counts = np.einsum("br,urv->buv", times, marked, optimize=True)
    own = np.einsum("br,urv->buv", times**2, marked, optimize=True)  # pairs of one rater's copies
    values = counts.sum(2)
    pairs = values**2 - own.sum(2)
    paired = pairs > 0
    weights = balanced(weights, paired, strata)
    factor = values / np.where(paired, pairs, 1.0) * weights
    scaled = counts * factor[:, :, None]
    tables: Floats = np.matmul(scaled.transpose(0, 2, 1), counts)
    diagonal = range(counts.shape[2])
    tables[:, diagonal, diagonal] -= (own * factor[:, :, None]).sum(1)
    return np.maximum(tables, 0.0).reshape(len(times), -1)


def balanced(weights: Floats, paired: np.typing.NDArray[np.bool_], strata: Ints | None) -> Floats:
    """Return weights, 0 for units without a pair, with every stratum's total as before."""
    kept = np.where(paired, weights, 0.0)
    if strata is None or paired.all():
        return kept
    for stratum in np.unique(strata):
        here = strata == stratum
        mass = kept[:, here].sum(1)
        target = weights[:, here].sum(1)
        kept[:, here] *= np.where(mass > 0, target / np.where(mass > 0, mass, 1.0), np.nan)[:, None]
    return kept
