"""Agreement and signed bias within each judge level, and the corrected mean score of the pool.

Human-judge alpha within one level is about 0 by construction (the judge is constant there), so it
is not computed.
"""

import math
from dataclasses import dataclass

import numpy as np

from app.scoring import bootstrap
from app.scoring.bootstrap import Block, NoInterval
from app.scoring.confusion import Estimate, Pairing, Raw, raw
from app.scoring.longrows import Floats
from app.scoring.panel import MISSING, Panel
from app.scoring.proportions import Z95


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

    `variance` = sum (N_h / N)^2 s_h^2 / n_h (1 - n_h / N_h); `low`, `high`: 95 %, normal. All None
    with a `reason` where a stratum has no usable item (value) or only one of several (variance).
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
    numbers = np.array(panel.scale, np.float64)
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
            apart = numbers[panel.judge[:, judge]] - numbers[panel.human[:, r]]
            bias = _mean(of, apart)
            found.append(OfLevel(level, human, panel.judges[judge], raw(of), bias))
    return tuple(found)


def _mean(of: Pairing, values: Floats) -> Estimate:
    weights = of.weights
    if not (weights > 0).any():
        return Estimate(None, NoInterval("undefined", "no item with both scores"))
    block = Block(np.stack([values, np.ones(len(values))], 1), weights)
    total, mass = block.totals
    point = float(total / mass)
    if not of.replicates:
        return Estimate(point, NoInterval("not_asked", "no bootstrap was requested"))
    drawn = bootstrap.replicates([block], of.panel.units, of.replicates, of.seed)[0]
    ratio = drawn[:, 0] / drawn[:, 1]  # the mass is that of the sample, or NaN
    kept = int((weights > 0).sum())
    return Estimate(point, bootstrap.percentile(ratio, point, "items", of.seed, kept))


def corrected_mean(panel: Panel, human: int | None = None) -> Corrected:
    """Return the corrected mean score, from one human or (None) the mean of an item's humans."""
    numbers = np.array(panel.scale, np.float64)
    columns = panel.human if human is None else panel.human[:, [human]]
    seen = columns != MISSING
    usable = seen.any(1)
    scores = np.where(seen, numbers[columns], 0.0).sum(1) / np.maximum(seen.sum(1), 1)
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
    half = Z95 * math.sqrt(variance)
    return Corrected(name, value, variance, value - half, value + half, judge, None)
