"""Agreement and signed bias within each judge level, and the corrected mean score of the pool.

Human-judge alpha within one level is about 0 by construction (the judge is constant there), so it
is not computed.
"""

from dataclasses import dataclass

import numpy as np

from app.scoring import bootstrap, posterior, smoothing, student
from app.scoring.bootstrap import Block, Interval, NoInterval
from app.scoring.confusion import Estimate, Pairing, Raw, Tables, raw
from app.scoring.longrows import Floats, Ints
from app.scoring.panel import MISSING, Mask, Panel


@dataclass(frozen=True, slots=True)
class OfLevel:
    """One human against the judge within one judge level.

    `bias` = mean(judge) - mean(human), in points of the scale; above 0, the judge is more generous.
    """

    level: int
    human: str
    judge: str
    raw: Raw
    bias: Estimate


@dataclass(frozen=True, slots=True)
class Corrected:
    """Estimated mean human score of the pool: sum (N_h / N) x mean human score in h.

    `variance` = sum (N_h / N)^2 s_h^2 / n_h (1 - n_h / N_h); `low`, `high`: 95 %, from Dirichlet
    draws (`posterior`), None if no draws were requested. All None with a `reason` where a stratum
    has no usable item (value) or only one of several (variance).
    `judge` is the judge's own mean over the pool.
    """

    human: str | None
    value: float | None
    variance: float | None
    low: float | None
    high: float | None
    judge: float
    reason: str | None


def levels(panel: Panel, judge: int, *, replicates: int, seed: int) -> tuple[OfLevel, ...]:
    """Return agreement and bias of each human with a judge in each of that judge's levels.

    For the judge whose levels are the strata, weights within a level are equal under proportional
    sampling; for another judge, or balanced sampling, the design's weights apply.
    """
    found = []
    for code, level in enumerate(panel.scale):
        inside = panel.judge[:, judge] == code
        for r, human in enumerate(panel.humans):
            of = Pairing(
                panel,
                panel.human[:, r],
                panel.judge[:, judge],
                pool=True,
                replicates=replicates,
                seed=seed,
                keep=inside,
            )
            found.append(OfLevel(level, human, panel.judges[judge], raw(of), _bias(of)))
    return tuple(found)


def _bias(of: Pairing) -> Estimate:
    if not (of.weights > 0).any():
        return Estimate(None, NoInterval("undefined", "no item with both scores"))
    apart = of.numbers[None, :] - of.numbers[:, None]  # rows: human, columns: judge

    def mean(table: Floats) -> Floats:
        total: Floats = (table * apart).sum((-1, -2)) / table.sum((-1, -2))
        return total

    return Tables(of).estimate(mean)


def corrected_mean(
    panel: Panel, human: int | None = None, *, replicates: int = 0, seed: int = 1
) -> Corrected:
    """Return the corrected mean score, from one human or (None) the mean of an item's humans."""
    columns = panel.human if human is None else panel.human[:, [human]]
    usable = (columns != MISSING).any(1)
    scores = _scores(panel, columns)
    whole = sum(stratum.population for stratum in panel.strata)
    judge = sum(s.population * s.level for s in panel.strata) / whole
    name = None if human is None else panel.humans[human]
    if missing := panel.unheard(usable):
        reason = f"no usable item in {', '.join(missing)}"
        return Corrected(name, None, None, None, None, judge, reason)
    value = variance = 0.0
    single: list[str] = []
    for number, stratum in enumerate(panel.strata):
        here = scores[usable & (panel.stratum == number)]
        part, n = stratum.population / whole, len(here)
        value += part * float(here.mean())
        if n < stratum.population:
            if n == 1:
                single.append(stratum.name)
                continue
            variance += part**2 * float(here.var(ddof=1)) / n * (1 - n / stratum.population)
    if single:
        reason = f"only one usable item in {', '.join(single)}, so its spread is unknown"
        return Corrected(name, value, None, None, None, judge, reason)
    low = high = None
    if replicates:
        drawn = value + _errors(panel, columns, usable, replicates, seed) / whole
        drawn = np.clip(drawn, panel.scale[0], panel.scale[-1])
        levels = smoothing.levels_of(panel)  # within which they are drawn
        reach = student.quantile(bootstrap.freedom_of(levels, panel.weights(usable, pool=True)))
        found = posterior.interval(drawn, value, int(usable.sum()), seed, reach=reach)
        low, high = (found.low, found.high) if isinstance(found, Interval) else (value, value)
    return Corrected(name, value, variance, low, high, judge, None)


def _scores(panel: Panel, columns: Ints) -> Floats:
    """Return (U,) the mean of an item's scores (U, R); 0 for an item without one."""
    numbers, seen = np.array(panel.scale, np.float64), columns != MISSING
    found: Floats = np.where(seen, numbers[columns], 0.0).sum(1) / np.maximum(seen.sum(1), 1)
    return found


def _errors(panel: Panel, columns: Ints, usable: Mask, number: int, seed: int) -> Floats:
    """Return (number,) draws of the pool's total score minus its estimate.

    The items of a level that were drawn are known, so only the others' scores are uncertain: the
    spread of a level's mean shrinks by sqrt(1 - n / N). Made-up items only widen the spread: each
    level's draws are moved back to its estimate, as their shifts would add up over the levels.
    """
    levels, weights = smoothing.levels_of(panel), panel.weights(usable, pool=True)
    none = np.empty((len(columns), 0), np.intp)
    prior = posterior.PRIOR * len(panel.scale)
    made = smoothing.made_up(panel, usable, columns, none, prior)
    block = made.block(
        Block(_scores(panel, columns)[:, None], weights), _scores(panel, made.human)[:, None]
    )
    groups, mass = np.concatenate([levels, levels[made.like]]), made.units(panel).drawn
    found = np.zeros(number)
    for level in np.unique(levels[usable]):
        here = groups == level
        own = Block(block.features[here], block.weights[here])
        size = weights[levels == level].sum()
        unknown = max(0.0, 1 - float((usable & (levels == level)).sum()) / size)
        drawn = posterior.replicates(own, groups[here], mass[here], number, seed + int(level))[:, 0]
        times = own.weights * mass[here]
        centre = float(times @ own.features[:, 0] / times.sum()) * size
        found += (drawn - centre) * np.sqrt(unknown)
    return found
