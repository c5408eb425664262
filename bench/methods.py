"""The difference of human-human and human-judge alpha by several kinds of bootstrap interval.

All see the same simulated studies: how often each holds the truth, and how wide it is. The report
shows `expanded, smoothed`. The others draw in the same way (over items, n_h - 1 of n_h in each
stratum) without made-up items: `percentile`; `expanded` (Hesterberg, 2015); `BCa` (Efron, 1987;
acceleration from a jackknife); `studentised`, with the linear standard error of each replicate.
"""

from collections import defaultdict
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from app.progress import untracked
from app.scoring import bootstrap, judging
from app.scoring.agreement import Alpha, Weighting, alpha, unit_coincidences
from app.scoring.alphareport import table_alphas
from app.scoring.bootstrap import Interval
from app.scoring.longrows import Floats
from app.scoring.panel import Panel, counts_of
from app.scoring.sampling import draw
from bench import judged
from bench.coverage import EVEN, REPLICATES, STUDIES, WITHIN
from bench.measure import Result

STEP = 1e-4  # of a total, for slopes
NORMAL = NormalDist()
Ends = tuple[float, float]
SHOWN = "expanded, smoothed"


class Gap:
    """Human-human minus mean human-judge alpha of two people, as a function of totals (B, 27)."""

    def __init__(self, panel: Panel, *, pool: bool) -> None:
        weighting: Weighting = "scaled" if pool else "none"
        self.weighting, self.units = weighting, panel.units
        self.weights = panel.weights((panel.human >= 0).all(1), pool=pool)
        pairs = [panel.human] + [
            np.stack([panel.human[:, person], panel.judge[:, 0]], 1) for person in range(2)
        ]
        self.features = np.hstack(
            [unit_coincidences(counts_of(one, len(panel.scale))) for one in pairs]
        )
        self.found: list[Alpha] = [
            alpha(panel.ratings(one, ["a", "b"], self.weights), "ordinal", weighting=weighting)
            for one in pairs
        ]

    def __call__(self, totals: Floats) -> Floats:
        """Return the difference (B,) of totals (B, 27)."""
        parts = np.split(totals, 3, axis=1)
        return np.asarray(sum(self.part(place, own) for place, own in enumerate(parts)))

    def part(self, place: int, totals: Floats) -> Floats:
        """Return one of the three terms of the difference (B,) from its own totals (B, 9)."""
        return table_alphas(totals, self.found[place], self.weighting) * (1.0, -0.5, -0.5)[place]

    def errors(self, totals: Floats, weights: Floats, times: Floats) -> Floats:
        """Return the linear standard error (B,) of replicates with totals (B, 27).

        Args: weights: (B, U) of the items, and times: (B, U) how often each was drawn.
        """
        slopes, step = np.empty_like(totals), STEP * float(self.weights.sum())
        for place, own in enumerate(np.split(totals, 3, axis=1)):
            here = self.part(place, own)
            for column in range(own.shape[1]):
                more = own + step * (np.arange(own.shape[1]) == column)
                slopes[:, own.shape[1] * place + column] = (self.part(place, more) - here) / step
        pulls, spread = slopes @ self.features.T, np.zeros(len(totals))
        for stratum in np.unique(self.units.strata):
            here = self.units.strata == stratum
            own, drawn = pulls[:, here], times[:, here]
            size = drawn.sum(1, keepdims=True)
            each = weights[:, here].sum(1, keepdims=True) / size  # the weight of one draw
            apart = own - (drawn * own).sum(1, keepdims=True) / size
            spread += (drawn * (each * apart) ** 2).sum(1) * here.sum() / (here.sum() - 1)
        found: Floats = np.sqrt(spread)
        return found

    def without_each(self) -> Floats:
        """Return how far each item moves the difference, (U,), from a jackknife in its stratum."""
        made = np.empty(len(self.weights))
        for item, stratum in enumerate(self.units.strata):
            here, left = self.units.strata == stratum, self.weights.copy()
            left[here] *= here.sum() / (here.sum() - 1)
            left[item] = 0
            made[item] = self((left @ self.features)[None])[0]
        for stratum in np.unique(self.units.strata):
            here = self.units.strata == stratum
            made[here] = (1 - 1 / here.sum()) * (made[here].mean() - made[here])
        return made


def all_ends(panel: Panel, *, pool: bool, replicates: int, seed: int) -> dict[str, Ends]:
    """Return the interval of each method."""
    gap = Gap(panel, pool=pool)
    weights = np.vstack(
        [
            own
            for _, own in bootstrap.unit_weights(gap.weights, gap.units, replicates, seed, "items")
        ]
    )
    totals, point = weights @ gap.features, float(gap((gap.weights @ gap.features)[None])[0])
    values = gap(totals)
    reach = bootstrap.reach_of(gap.units, gap.weights, "items")
    expanded = NORMAL.cdf(-reach)
    ones = np.ones((1, len(gap.weights)))
    own = gap.errors((gap.weights @ gap.features)[None], gap.weights[None], ones)[0]
    errors = gap.errors(totals, weights, weights / gap.weights)
    t = np.quantile((values - point) / np.maximum(errors, own / 10), [0.975, 0.025])
    shown = judging.coefficients(panel, "ordinal", pool=pool, replicates=replicates, seed=seed)
    interval = shown.judges[0].difference.interval
    found = {
        "percentile": ends(values, 0.025, 0.975),
        "expanded": ends(values, expanded, 1 - expanded),
        "BCa": ends(values, *bca(values, point, gap.without_each())),
        "studentised": (point - float(t[0]) * own, point - float(t[1]) * own),
    }
    if isinstance(interval, Interval):
        found[SHOWN] = interval.low, interval.high
    return found


def ends(values: Floats, low: float, high: float) -> Ends:
    """Return two quantiles."""
    first, last = np.quantile(values, [low, high])
    return float(first), float(last)


def bca(values: Floats, point: float, pulls: Floats) -> Ends:
    """Return the two shares of the replicates between which BCa's interval lies."""
    below = ((values < point).mean() + (values <= point).mean()) / 2
    shift = NORMAL.inv_cdf(min(max(float(below), 1e-3), 1 - 1e-3))
    bend = float((pulls**3).sum() / (6 * (pulls**2).sum() ** 1.5))

    def share(z: float) -> float:
        return NORMAL.cdf(shift + (shift + z) / (1 - bend * (shift + z)))

    return share(-1.959964), share(1.959964)


def compare(
    studies: int, replicates: int, first: int = 0
) -> Iterator[tuple[str, str, str, float, float]]:
    """Yield (kind, row, method, share of intervals that hold the truth, mean width)."""
    for kind, how in (("proportional", {}), ("balanced over sources", {"allocation": "balanced"})):
        hits, widths = defaultdict[tuple[str, str], list[bool]](list), defaultdict(list)
        for seed in untracked(range(first, first + studies), kind, studies):
            rng = np.random.default_rng([seed, 1])  # as in `coverage`: the same studies
            frame = judged.make_frame(1600, rng)
            shares = np.bincount([item.level for item in frame], minlength=3) / len(frame)
            panel = judged.rate(frame, draw(frame, 33, seed, **how), rng)
            for row, pool, parts in (("pool", True, shares), ("drawn", False, EVEN)):
                joint = judged.chances() * parts[:, None, None]
                truth = judged.alpha_of(joint.sum(0)) - judged.alpha_of(joint.sum(2))
                made = all_ends(panel, pool=pool, replicates=replicates, seed=seed)
                for method, (low, high) in made.items():
                    hits[row, method].append(low <= truth <= high)
                    widths[row, method].append(high - low)
        for (row, method), held in hits.items():
            yield kind, row, method, float(np.mean(held)), float(np.mean(widths[row, method]))


def run(*, tiny: bool, studies: int = 0, first: int = 0) -> Iterator[Result]:
    """Print the comparison; yield how far the report's method is from 95 %.

    `studies`: 0 = as many as are reported.
    """
    number = 4 if tiny else studies or STUDIES
    for kind, row, method, share, width in compare(number, 100 if tiny else REPLICATES, first):
        print(f"  {kind}, {row:<5} {method:<18} {share:6.1%}  mean width {width:.3f}")
        if method == SHOWN:
            off = abs(share - 0.95)
            yield Result(f"methods: {kind}, {row}, {method}", off, WITHIN, at_least=False)
