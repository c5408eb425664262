"""Human-human and human-judge alpha and their difference, from one set of replicates.

Human-judge alpha compares each human with the judge and takes the mean; the judge is never a third
coder in the human-human alpha. Made-up items smooth the draws (`smoothing`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from app.scoring import bootstrap, smoothing
from app.scoring.agreement import PAIR, Alpha, Weighting, alpha, unit_coincidences
from app.scoring.alphareport import Result, refusal, table_alphas
from app.scoring.bootstrap import Block, Interval, NoInterval, Over
from app.scoring.longrows import Floats, Ints
from app.scoring.manyvalues import Level
from app.scoring.panel import MISSING, Mask, Panel, counts_of

MEASURED: Level = "ordinal"
OTHER_LEVEL = NoInterval(
    "other_level",
    "means and differences have intervals at the ordinal level only, because at other levels these "
    "hold the true value in more or fewer than 95 % of studies",
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A derived number with its intervals; `value` is None with `reason`."""

    value: float | None
    reason: str | None
    interval: Interval | NoInterval
    cluster_interval: Interval | NoInterval


@dataclass(frozen=True, slots=True)
class HumanJudge:
    """One judge: alpha with each human, their mean, and human-human alpha minus that mean."""

    judge: str
    each: dict[str, Result]
    mean: Figure
    difference: Figure


@dataclass(frozen=True, slots=True)
class Coefficients:
    """One row of the report: the balanced sample or the pool estimate.

    `unheard`: strata where no item has two human values, so the pool estimate leaves them out.
    """

    pool: bool
    human_human: Result
    judges: tuple[HumanJudge, ...]
    unheard: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One coefficient in progress: its point result, its block and what it is in replicates."""

    found: Alpha
    data_hash: str
    block: Block
    over: dict[Over, Floats] = field(default_factory=dict)


def coefficients(
    panel: Panel, level: Level, *, pool: bool, replicates: int, seed: int, mask: Mask | None = None
) -> Coefficients:
    """Return all coefficients of one row.

    Args:
        panel: the sample.
        level: of measurement; ordinal for the rubric.
        pool: False = balanced sample (each item counts once), True = pool estimate (N_h / n_h).
        replicates: bootstrap replicates, 0 = no intervals.
        seed: of the bootstrap.
        mask: (U,) only these items (a task, a source); weights are those of the whole sample.
    """
    made = coefficients_at(panel, (level,), pool=pool, replicates=replicates, seed=seed, mask=mask)
    return made[level]


def coefficients_at(
    panel: Panel,
    levels: Sequence[Level],
    *,
    pool: bool,
    replicates: int,
    seed: int,
    mask: Mask | None = None,
) -> dict[Level, Coefficients]:
    """Return `coefficients` at each level of measurement, all from one set of draws."""
    names = [list(panel.humans), *([h, judge] for judge in panel.judges for h in panel.humans)]
    sets = list(zip(_compared(panel.human, panel.judge), names, strict=True))
    columns = {level: _columns(panel, sets, level, pool=pool, mask=mask) for level in levels}
    blocks = [column.block for column in columns[levels[0]]]
    drawn = _draws(panel, blocks, replicates, seed, mask)
    makes = _Intervals(panel, replicates, seed)
    return {
        level: _gathered(panel, makes, _replicated(found, drawn, pool=pool), pool=pool)
        for level, found in columns.items()
    }


def _compared(human: Ints, judge: Ints) -> list[Ints]:
    """Return the scores that each alpha compares: all humans', then each one's with each judge."""
    return [human] + [
        np.stack([human[:, r], judge[:, k]], 1)
        for k in range(judge.shape[1])
        for r in range(human.shape[1])
    ]


def _gathered(
    panel: Panel, makes: "_Intervals", columns: Sequence[_Column], *, pool: bool
) -> Coefficients:
    human_human, *rest = columns
    judges = []
    for k, judge in enumerate(panel.judges):
        pairs = rest[k * len(panel.humans) : (k + 1) * len(panel.humans)]
        share = 1 / max(1, len(pairs))
        judges.append(
            HumanJudge(
                judge,
                {h: makes.result(c) for h, c in zip(panel.humans, pairs, strict=True)},
                makes.figure(pairs, np.full(len(pairs), share)),
                makes.figure([human_human, *pairs], np.array([1.0] + [-share] * len(pairs))),
            )
        )
    usable = human_human.block.weights > 0
    return Coefficients(
        pool, makes.result(human_human), tuple(judges), panel.unheard(usable) if pool else ()
    )


def _columns(
    panel: Panel,
    sets: Sequence[tuple[Ints, list[str]]],
    level: Level,
    *,
    pool: bool,
    mask: Mask | None,
) -> list[_Column]:
    everywhere = np.ones(len(panel.items), np.bool_)
    kept = everywhere if mask is None else mask
    done = []
    for scores, names in sets:
        pairable = (scores != MISSING).sum(1) >= PAIR
        weights = np.where(kept, panel.weights(pairable, pool=pool), 0.0)
        shown = np.where(kept & ~pairable, 1.0, weights)  # singles are counted, not compared
        ratings = panel.ratings(scores, names, shown)
        found = alpha(ratings, level, weighting=_weighting(pool=pool))
        block = Block(unit_coincidences(ratings.counts()), weights)
        done.append(_Column(found, ratings.hash(), block))
    return done


def _draws(
    panel: Panel, blocks: list[Block], replicates: int, seed: int, mask: Mask | None
) -> dict[Over, list[Floats]]:
    if not replicates:
        return {}
    kept = np.ones(len(panel.items), np.bool_) if mask is None else mask
    made = smoothing.made_up(panel, kept, panel.human, panel.judge)
    compared = _compared(made.human, made.judge)
    both = [
        made.block(block, unit_coincidences(counts_of(scores, len(panel.scale))))
        for block, scores in zip(blocks, compared, strict=True)
    ]
    units = made.units(panel)
    kinds: list[Over] = ["items"] if panel.units.cluster_reason else ["items", "clusters"]
    return {kind: bootstrap.replicates(both, units, replicates, seed, kind) for kind in kinds}


def _replicated(
    columns: list[_Column], drawn: dict[Over, list[Floats]], *, pool: bool
) -> list[_Column]:
    def made(number: int, found: Alpha) -> dict[Over, Floats]:
        return {
            kind: table_alphas(totals[number], found, _weighting(pool=pool))
            for kind, totals in drawn.items()
        }

    return [replace(one, over=made(number, one.found)) for number, one in enumerate(columns)]


def _weighting(*, pool: bool) -> Weighting:
    return "scaled" if pool else "none"


@dataclass(frozen=True, slots=True)
class _Intervals:
    """Makes results and figures from columns that share their draws."""

    panel: Panel
    replicates: int
    seed: int

    def result(self, column: _Column) -> Result:
        refused = refusal(column.found, self.replicates)
        usable = int((column.block.weights > 0).sum())
        point, weights = column.found.alpha, column.block.weights
        return Result(
            column.found,
            refused or self._over("items", column.over, point, usable, weights),
            refused or self._over("clusters", column.over, point, usable, weights),
            column.data_hash,
        )

    def figure(self, columns: Sequence[_Column], factors: Floats) -> Figure:
        """Return the sum of factor x alpha, None if one of them is undefined."""
        points = [c.found.alpha for c in columns if c.found.alpha is not None]
        undefined = [c.found.status.replace("_", " ") for c in columns if c.found.alpha is None]
        if undefined or not columns:
            reason = f"it needs an alpha that is undefined ({', '.join(undefined) or 'no human'})"
            return Figure(None, reason, *[NoInterval("undefined", reason)] * 2)
        value = float(sum(f * point for f, point in zip(factors, points, strict=True)))
        if not self.replicates:
            return Figure(value, None, *[NoInterval("not_asked", "no bootstrap was requested")] * 2)
        reasons = [refusal(column.found, self.replicates) for column in columns]
        for refused in reasons:  # a pair that never disagrees still counts in mean and difference
            if refused is not None and refused.code != "not_estimable":
                return Figure(value, None, refused, refused)
        if all(column.found.observed == 0 for column in columns):
            never = NoInterval("not_estimable", "not estimable: the raters never disagree")
            return Figure(value, None, never, never)
        if columns[0].found.level != MEASURED:
            return Figure(value, None, OTHER_LEVEL, OTHER_LEVEL)
        usable, weights = min(
            ((int((one > 0).sum()), one) for one in (column.block.weights for column in columns)),
            key=lambda pair: pair[0],
        )
        over = {
            kind: np.asarray(sum(f * c.over[kind] for f, c in zip(factors, columns, strict=True)))
            for kind in columns[0].over
        }
        return Figure(
            value,
            None,
            self._over("items", over, value, usable, weights),
            self._over("clusters", over, value, usable, weights),
        )

    def _over(
        self,
        kind: Over,
        over: Mapping[Over, Floats],
        point: float | None,
        usable: int,
        weights: Floats,
    ) -> Interval | NoInterval:
        reason = self.panel.units.cluster_reason
        if kind == "clusters" and reason:
            return NoInterval("clusters", reason)
        clusters = len(np.unique(self.panel.cluster))
        drawn = usable if kind == "items" else clusters
        reach = bootstrap.reach_of(self.panel.units, weights, kind)
        found = bootstrap.percentile(over[kind], point, kind, self.seed, drawn, reach)
        return replace(found, method=smoothing.METHOD) if isinstance(found, Interval) else found
