"""Bootstrap replicates of weighted totals, vectorised, over items or over clusters.

A statistic is a function of totals sum_u w_u x_u. Replicates of the totals come from multiplicities
of the units:

- **items**: in each stratum n_h - 1 of the n_h units are drawn with replacement, each counting
  n_h / (n_h - 1) times, so that the variance of small strata is not underestimated (Rao & Wu,
  1988). Identical units are drawn as one group. Strata with a single unit are drawn together.
  Made-up units need no such factor, so they are drawn (n_h - 1) / n_h times as often.
- **clusters**: all units of a cluster go together; clusters are drawn from the whole sample.

Intervals leave out a share Phi(-reach) of the replicates on each side (`student`): Student's t of
few units reaches further than the normal distribution.

In each replicate, and for each block of statistics, weights are recomputed so that every stratum
keeps its total. A replicate without a usable unit in some stratum is undefined (NaN).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from app.progress import Track, untracked
from app.scoring import student
from app.scoring.longrows import Floats, Ints

REPLICATES = 10_000
LEAST_CLUSTERS = 20
MOST_UNDEFINED = 0.05  # of the replicates
COVERAGE = 0.95
METHOD = "expanded percentile bootstrap"
PLAIN = "percentile bootstrap"
CHUNK = 4_000_000  # numbers held at once while drawing

Over = Literal["items", "clusters"]
Drawn = Literal["items", "clusters", "items and raters"]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statistics sharing a set of usable units: `features` (U, F), `weights` (U,), 0 = unusable."""

    features: Floats
    weights: Floats

    @property
    def totals(self) -> Floats:
        """Return (F,): the totals of the sample itself."""
        return self.weights @ self.features


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """How units are grouped: `strata`, `clusters` (U,) codes from 0.

    `mass` (U,): 1 for a unit of the sample, less for a made-up one, which is drawn that much less
    often, belongs to no cluster and adds nothing to the totals that strata keep. None = all are 1.
    """

    strata: Ints
    clusters: Ints
    mass: Floats | None = None

    @property
    def drawn(self) -> Floats:
        """Return (U,): how often each unit is drawn, relative to a unit of the sample."""
        return np.ones(len(self.strata)) if self.mass is None else self.mass

    @property
    def cluster_reason(self) -> str | None:
        """Return why there is no interval over clusters, else None."""
        number = len(np.unique(self.clusters))
        if number == len(self.clusters):
            return "every cluster has one item, so the interval over items is enough"
        if number < LEAST_CLUSTERS:
            return f"{number} clusters are too few (fewer than {LEAST_CLUSTERS})"
        return None


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval. `units`: how many items or clusters were drawn from."""

    low: float
    high: float
    over: Drawn
    units: int
    replicates: int
    seed: int
    undefined: int
    coverage: float = COVERAGE
    method: str = PLAIN


@dataclass(frozen=True, slots=True)
class NoInterval:
    """Why there is no interval: a stable `code` and a sentence."""

    code: str
    reason: str
    undefined: int = 0


def replicates(
    blocks: Sequence[Block],
    units: Units,
    number: int,
    seed: int,
    over: Over = "items",
    track: Track = untracked,
) -> list[Floats]:
    """Return (number, F) totals per block from the same draws, so that differences are paired."""
    rng = np.random.default_rng(seed)
    mass = units.drawn
    real = mass >= 1
    strata = _joined(units.strata, real)
    sums = [np.zeros((number, block.features.shape[1])) for block in blocks]
    grouped = Units(strata, units.clusters, mass)
    draw = _over_items if over == "items" else _over_clusters
    drawn = draw(blocks, grouped, number, rng, track)
    for rows, stratum, totals in drawn:
        start = 0
        for block, into in zip(blocks, sums, strict=True):
            stop = start + into.shape[1]
            target = block.weights[real & (strata == stratum)].sum()
            if target > 0:
                mass = totals[:, stop]
                scale = np.where(mass > 0, target / np.where(mass > 0, mass, 1.0), np.nan)
                into[rows] += totals[:, start:stop] * scale[:, None]
            start = stop + 1
    return sums


def unit_weights(
    weights: Floats,
    units: Units,
    number: int,
    seed: int,
    over: Over = "items",
    track: Track = untracked,
) -> Iterator[tuple[slice, Floats]]:
    """Yield the units' weights (B', U) in `number` replicates, some replicates at a time.

    For statistics that are not functions of a few totals. Every stratum keeps its total weight.
    """
    rng = np.random.default_rng(seed)
    strata = _joined(units.strata, np.ones(len(units.strata), np.bool_))
    for rows in _chunks(number, len(weights), track):
        times = _times(strata, units.clusters, rows.stop - rows.start, rng, over) * weights
        for stratum in np.unique(strata):
            here = strata == stratum
            mass = times[:, here].sum(1)
            scale = np.where(mass > 0, weights[here].sum() / np.where(mass > 0, mass, 1.0), np.nan)
            times[:, here] *= scale[:, None]
        yield rows, times


def _times(
    strata: Ints, clusters: Ints, number: int, rng: np.random.Generator, over: Over
) -> Floats:
    """Return how often each unit counts in each of `number` replicates, (number, U)."""
    if over == "clusters":
        names, codes = np.unique(clusters, return_inverse=True)
        share = np.full(len(names), 1 / len(names))
        return rng.multinomial(len(names), share, size=number)[:, codes].astype(np.float64)
    times = np.zeros((number, len(strata)))
    for stratum in np.unique(strata):
        here = np.flatnonzero(strata == stratum)
        draws = max(1, len(here) - 1)
        drawn = rng.multinomial(draws, np.full(len(here), 1 / len(here)), size=number)
        times[:, here] = drawn * (len(here) / draws)
    return times


def reach_of(units: Units, weights: Floats, over: Over) -> float:
    """Return how far an interval must reach (see `student`) if units with weights (U,) are drawn.

    Drawing items leaves one out (see above), so the spread is right and only t is due, with the
    effective number of items (Kish) less the number of strata, or half of it if that is more.
    """
    if over == "clusters":
        return student.reach(len(np.unique(units.clusters)))
    return student.quantile(freedom_of(units.strata, weights))


def freedom_of(strata: Ints, weights: Floats) -> float:
    """Return the degrees of freedom of t if items (U,) are drawn within strata; see `reach_of`."""
    used = weights > 0
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    return max(1.0, effective / 2, effective - len(np.unique(strata[used])))


def percentile(
    values: Floats,
    point: float | None,
    over: Drawn,
    seed: int,
    units: int,
    reach: float | None = None,
) -> Interval | NoInterval:
    """Return the interval of a statistic from its replicates (B,), NaN = undefined.

    Args: point: the statistic of the sample, None if undefined. reach: as from `reach_of`; None =
        the middle 95 %.
    """
    if point is None:
        return NoInterval("undefined", "the coefficient is undefined, so it has no interval")
    undefined = int(np.isnan(values).sum())
    if undefined > MOST_UNDEFINED * len(values):
        return NoInterval(
            "undefined_replicates",
            f"the coefficient is undefined in {undefined} of {len(values)} replicates "
            f"(more than {MOST_UNDEFINED:.0%})",
            undefined,
        )
    tail = (1 - COVERAGE) / 2 if reach is None else student.tail(reach)
    low, high = np.quantile(values[~np.isnan(values)], [tail, 1 - tail])
    if low == high:
        return NoInterval("not_estimable", "not estimable: no replicate differs", undefined)
    method = PLAIN if reach is None else METHOD
    number = len(values)
    return Interval(float(low), float(high), over, units, number, seed, undefined, method=method)


def _joined(strata: Ints, real: npt.NDArray[np.bool_]) -> Ints:
    """Return stratum codes with all single-unit strata in one group (or joined to the last)."""
    sizes = np.bincount(strata[real])
    lonely = np.flatnonzero(sizes == 1)
    if not len(lonely):
        return strata
    others = np.flatnonzero(sizes > 1)
    into = others[-1] if len(lonely) == 1 and len(others) else lonely[0]
    return np.where(np.isin(strata, lonely), into, strata)


def _columns(blocks: Sequence[Block]) -> Floats:
    """Return (U, sum of F + 1): each block's weighted features, then its weights."""
    parts = []
    for block in blocks:
        parts += [block.features * block.weights[:, None], block.weights[:, None]]
    return np.hstack(parts)


def _chunks(number: int, width: int, track: Track) -> Iterator[slice]:
    step = max(1, CHUNK // max(1, width))
    starts = range(0, number, step)
    for start in track(starts, "Drawing replicates", len(starts)):
        yield slice(start, min(number, start + step))


def _over_items(
    blocks: Sequence[Block], units: Units, number: int, rng: np.random.Generator, track: Track
) -> Iterator[tuple[slice, int, Floats]]:
    columns, mass = _columns(blocks), units.drawn
    for stratum in np.unique(units.strata):
        here = units.strata == stratum
        own = mass[here]
        size = int((own >= 1).sum())
        draws = max(1, size - 1)
        groups, sizes = grouped(columns[here], np.where(own >= 1, own, own * draws / size))
        for rows in _chunks(number, len(groups), track):
            times = rng.multinomial(draws, sizes / sizes.sum(), size=rows.stop - rows.start)
            yield rows, int(stratum), (times @ groups) * (size / draws)


def _over_clusters(
    blocks: Sequence[Block], units: Units, number: int, rng: np.random.Generator, track: Track
) -> Iterator[tuple[slice, int, Floats]]:
    columns, real = _columns(blocks), units.drawn >= 1
    names, codes = np.unique(units.clusters[real], return_inverse=True)
    by_stratum = {}
    for stratum in np.unique(units.strata[real]):
        table = np.zeros((len(names), columns.shape[1]))
        here = units.strata[real] == stratum
        np.add.at(table, codes[here], columns[real][here])
        made_up = ~real & (units.strata == stratum)
        by_stratum[int(stratum)] = table, *grouped(columns[made_up], units.drawn[made_up])
    for rows in _chunks(number, len(names), track):
        share, size = np.full(len(names), 1 / len(names)), rows.stop - rows.start
        times = rng.multinomial(len(names), share, size=size)
        for stratum, (table, groups, mass) in by_stratum.items():
            yield rows, stratum, times @ table + rng.poisson(mass, (size, len(mass))) @ groups


def grouped(columns: Floats, mass: Floats) -> tuple[Floats, Floats]:
    """Return the different rows (G, C), and the mass (G,) of each."""
    groups, which = np.unique(columns, axis=0, return_inverse=True)
    return groups, np.bincount(which.ravel(), mass).astype(np.float64)
