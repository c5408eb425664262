"""One human against one judge (or another human): confusion, raw agreement, kappa, Spearman.

Tables have a row for each score of the first and a column for each score of the second.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from app.scoring import bootstrap, posterior, smoothing, student
from app.scoring.bootstrap import Block, Interval, NoInterval
from app.scoring.longrows import Floats, Ints
from app.scoring.panel import MISSING, Mask, Panel
from app.scoring.proportions import Share, by_row, quadratic_kappa, share, spearman

NOTHING = "undefined: nothing to compare"
NOT_ASKED = "no bootstrap was requested"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval over items; `value` None = undefined."""

    value: float | None
    interval: Interval | NoInterval


@dataclass(frozen=True, slots=True)
class Raw:
    """Shares of items on which two people agree exactly, differ by one step, by two or more."""

    exact: Share
    off_by_1: Share
    off_by_2: Share


@dataclass(frozen=True, slots=True)
class Confusion:
    """Human (rows) against judge (columns) over the scale; V x V each.

    `counts` as found. `human_given_judge`: columns sum to 1. `joint` sums to 1 over the pool,
    `judge_given_human`: rows sum to 1; both need the weights, as `accuracy` does.
    """

    counts: tuple[tuple[int, ...], ...]
    human_given_judge: tuple[tuple[Share, ...], ...]
    joint: tuple[tuple[Estimate, ...], ...]
    judge_given_human: tuple[tuple[Estimate, ...], ...]
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class Pair:
    """Statistics to report with alpha for two columns of scores, weighted or not."""

    raw: Raw
    kappa: Estimate
    spearman: Estimate


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two columns of scores of a panel, (U,) codes each, -1 = missing; `pool` as in judging.

    `keep` (U,): only these items; weights are still those of the whole sample.
    """

    panel: Panel
    first: Ints
    second: Ints
    pool: bool
    replicates: int
    seed: int
    keep: Mask | None = None

    @property
    def weights(self) -> Floats:
        """Return (U,) weights, 0 where one of the two is missing."""
        usable = (self.first != MISSING) & (self.second != MISSING)
        weights = self.panel.weights(usable, pool=self.pool)
        return weights if self.keep is None else np.where(self.keep, weights, 0.0)

    @property
    def block(self) -> Block:
        """Return the block whose totals are the table's cells, (U, V * V)."""
        size, weights = len(self.panel.scale), self.weights
        cells = np.zeros((len(weights), size * size))
        kept = np.flatnonzero(weights > 0)
        cells[kept, self.first[kept] * size + self.second[kept]] = 1
        return Block(cells, weights)

    @property
    def numbers(self) -> Floats:
        """Return (V,) the scale as numbers."""
        return np.array(self.panel.scale, np.float64)


def pair(of: Pairing) -> Pair:
    """Return raw agreement, quadratic-weighted kappa and Spearman of two columns."""
    tables = Tables(of, smoothed=True)
    return Pair(
        raw(of),
        tables.estimate(lambda table: quadratic_kappa(table, of.numbers)),
        tables.estimate(spearman),
    )


def raw(of: Pairing) -> Raw:
    """Return how often two columns agree; steps are those of the scale, in order."""
    answers, codes = Answers(of), np.arange(len(of.panel.scale))
    apart = np.abs(codes[:, None] - codes[None, :])
    return Raw(*(answers.share(cells) for cells in (apart == 0, apart == 1, apart >= 2)))  # noqa: PLR2004 - off by two


def _share_of_column(tables: Floats, human: int, judge: int) -> Floats:
    found: Floats = tables[:, human, judge] / tables[:, :, judge].sum(1)
    return found


def confusion(of: Pairing) -> Confusion:
    """Return the confusion of a human (first) against a judge (second)."""
    size = range(len(of.panel.scale))
    weights, tables = of.weights, Tables(of)
    counts = of.block.features.sum(0).reshape(len(size), len(size))
    columns = [
        [
            tables.share(
                (of.first == h).astype(np.float64),
                np.where(of.second == j, weights, 0.0),
                partial(_share_of_column, human=h, judge=j),
            )
            for j in size
        ]
        for h in size
    ]
    joint = tables.grid(lambda table: table / table.sum((-1, -2), keepdims=True))
    return Confusion(
        counts=tuple(tuple(int(n) for n in row) for row in counts),
        human_given_judge=tuple(map(tuple, columns)),
        joint=joint,
        judge_given_human=tables.grid(by_row),
        accuracy=Answers(of).estimate(np.eye(len(size), dtype=np.bool_)),
    )


def _bounded(found: Share, made: Interval | NoInterval) -> Share:
    bounds = (made.low, made.high) if isinstance(made, Interval) else (None, None)
    return replace(found, low=bounds[0], high=bounds[1])


class Tables:
    """The table of two columns with its replicates, and estimates made from them.

    Correlations are drawn by a smoothed bootstrap, shares from Dirichlet distributions: each is
    the way that holds the truth in 95 % of studies (`python -m bench coverage`).
    """

    def __init__(self, of: Pairing, *, smoothed: bool = False) -> None:
        size, block = len(of.panel.scale), of.block
        self.seed, self.items = of.seed, int((block.weights > 0).sum())
        self.table = block.totals.reshape(size, size)
        self.reach: float | None = None
        self.replicated: Floats | None = None
        if of.replicates and self.items:
            if smoothed:
                self.reach = bootstrap.reach_of(of.panel.units, block.weights, "items")
            drawn = _smoothed(of, block) if smoothed else _posterior(of, block)
            self.replicated = drawn.reshape(-1, size, size)

    def estimate(self, statistic: Callable[[Floats], Floats]) -> Estimate:
        """Return one number of the table with its interval."""
        values = None if self.replicated is None else statistic(self.replicated)
        return self._with_interval(float(statistic(self.table)), values)

    def grid(self, statistic: Callable[[Floats], Floats]) -> tuple[tuple[Estimate, ...], ...]:
        """Return a table of numbers, each with its interval."""
        with np.errstate(invalid="ignore"):  # an empty table is reported as undefined
            points = statistic(self.table)
            many = None if self.replicated is None else statistic(self.replicated)
        return tuple(
            tuple(
                self._with_interval(float(points[i, j]), None if many is None else many[:, i, j])
                for j in range(points.shape[1])
            )
            for i in range(points.shape[0])
        )

    def share(self, hits: Floats, weights: Floats, of: Callable[[Floats], Floats]) -> Share:
        """Return a share of items, and as its interval that of `of` the drawn tables."""
        found = share(hits, weights)
        if self.replicated is None or found.value is None:
            return found
        made = posterior.interval(of(self.replicated), found.value, found.n, self.seed)
        return _bounded(found, made)

    def _with_interval(self, point: float, values: Floats | None) -> Estimate:
        if np.isnan(point):
            return Estimate(None, NoInterval("undefined", NOTHING))
        if values is None:
            return Estimate(point, NoInterval("not_asked", NOT_ASKED))
        if self.reach is None:
            return Estimate(point, posterior.interval(values, point, self.items, self.seed))
        found = bootstrap.percentile(values, point, "items", self.seed, self.items, self.reach)
        if isinstance(found, Interval):
            found = replace(found, method=smoothing.METHOD)
        return Estimate(point, found)


class Answers:
    """Shares of items whose two scores are in some cells of the table: yes or no.

    If all items are of one level of the judge, half a made-up item says yes and half a one no: the
    share is drawn from Jeffreys' beta distribution. In each of several levels, a third of one does,
    if both can be, and the sum reaches as far as Student's t, since each spread is an estimate.
    """

    def __init__(self, of: Pairing) -> None:
        self.of, self.block = of, of.block
        self.items = int((self.block.weights > 0).sum())
        if of.replicates and self.items:
            groups = _groups(of)
            self.more, made = _made_up(of, self.block, 1.0, groups)
            self.mass = made.units(of.panel).drawn
            self.groups = np.concatenate([groups, groups[made.like]])
            self.several = len(np.unique(groups[self.block.weights > 0])) > 1

    def share(self, cells: Mask) -> Share:
        """Return the share of items in the cells (V, V)."""
        found = share(self.block.features @ cells.ravel(), self.block.weights)
        if not self.of.replicates or found.value is None:
            return found
        return _bounded(found, self._interval(cells.ravel(), found.value))

    def estimate(self, cells: Mask) -> Estimate:
        """Return the same as an estimate."""
        point = share(self.block.features @ cells.ravel(), self.block.weights).value
        if point is None:
            return Estimate(None, NoInterval("undefined", NOTHING))
        if not self.of.replicates:
            return Estimate(point, NoInterval("not_asked", NOT_ASKED))
        return Estimate(point, self._interval(cells.ravel(), point))

    def _interval(self, cells: Mask, point: float) -> Interval | NoInterval:
        of, hits = self.of, self.more.features @ cells
        prior, method, reach = posterior.PRIOR, posterior.ANSWERS, None
        if self.several:
            prior, method = posterior.NEUTRAL, posterior.OF_GROUPS
            levels = _groups(of)  # not cells: see `posterior.replicates`
            reach = student.quantile(bootstrap.freedom_of(levels, self.block.weights))
        drawn = posterior.answers(
            hits, self.more.weights, self.groups, self.mass, of.replicates, of.seed, prior
        )
        return posterior.interval(drawn, point, self.items, of.seed, "items", method, reach)


def _smoothed(of: Pairing, block: Block) -> Floats:
    """Return bootstrap replicates of the table with made-up items."""
    more, made = _made_up(of, block, smoothing.MASS, None)
    return bootstrap.replicates([more], made.units(of.panel), of.replicates, of.seed)[0]


def _posterior(of: Pairing, block: Block) -> Floats:
    """Return Dirichlet draws of the table: in each level of the judge, or of the items kept."""
    groups = _groups(of)
    prior = posterior.PRIOR * len(of.panel.scale)
    more, made = _made_up(of, block, prior, groups)
    both = np.concatenate([groups, groups[made.like]])
    mass = made.units(of.panel).drawn
    return posterior.replicates(more, both, mass, of.replicates, of.seed)


def _groups(of: Pairing) -> Ints:
    """Return (U,) codes: the judge's levels, or one group if only some items are kept."""
    if of.keep is None:
        return smoothing.levels_of(of.panel)
    return np.zeros(len(of.first), np.intp)


def _made_up(
    of: Pairing, block: Block, mass: float, groups: Ints | None
) -> tuple[Block, smoothing.MadeUp]:
    """Return the block with made-up items, and these."""
    judged = bool(of.panel.judges) and bool((of.second == of.panel.judge.T).all(1).any())
    columns = [of.first, of.second]
    compared = [np.stack(columns[:1], 1), np.stack(columns[1:], 1)]
    if not judged:
        compared = [np.stack(columns, 1), np.empty((len(of.first), 0), np.intp)]
    human, judge = compared
    made = smoothing.made_up(of.panel, block.weights > 0, human, judge, mass, groups)
    size = len(of.panel.scale)
    first, second = np.hstack([made.human, made.judge]).T
    return made.block(block, np.eye(size * size)[first * size + second]), made
