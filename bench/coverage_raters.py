"""Alpha over items and raters: studies in which raters differ in leniency, and the truth is known.

The truth is the alpha of all such raters and items: at a true score, two raters are independent.
"""

from functools import cache
from statistics import NormalDist

import numpy as np

from app.scoring import agreement, over_raters
from app.scoring.agreement import Weighting, alphas
from app.scoring.longrows import Floats, Ints, Ratings, Row, from_rows
from app.scoring.sampling import draw
from bench import judged
from bench.coverage_judge import NUMBERS, Found, seen

LENIENCY, NOISE = 0.3, 0.4  # standard deviations
NUMBERS_OF_RATERS = 4, 5, 10, 20  # fewer have no interval
EVEN = np.full(3, 1 / 3)
OVER = "items and raters"


def leniently_rated(true: Ints, raters: int, rng: np.random.Generator) -> Ints:
    """Return ratings (items, raters) from 0 to 2 of items with these true scores (items,)."""
    lean, noise = rng.normal(0, LENIENCY, raters), rng.normal(0, NOISE, (len(true), raters))
    return np.clip(np.round(true[:, None] + lean + noise), 0, 2).astype(int)


def alpha_of_all_raters(parts: Floats = EVEN) -> float:
    """Return alpha over all raters and items, if the true scores have these shares (3,)."""
    shares = _given_true()
    return float(alphas(1e9 * shares.T @ (shares * parts[:, None]), NUMBERS, "ordinal"))


@cache
def _given_true() -> Floats:
    """Return the shares of ratings, with a row for each true score."""
    spread = [NormalDist(true, float(np.hypot(LENIENCY, NOISE))) for true in range(3)]
    below = np.array([[0.0, one.cdf(0.5), one.cdf(1.5), 1.0] for one in spread])
    shares: Floats = np.diff(below)
    return shares


def other_raters(seed: int, replicates: int) -> Found:
    """Yield the interval of `hjstudy alpha --over-raters`, by the number of raters."""
    for raters in NUMBERS_OF_RATERS:
        rng = np.random.default_rng([seed, raters])
        given = leniently_rated(rng.integers(0, 3, 60), raters, rng)
        rows = [Row(f"i{n}", f"r{r}", int(given[n, r])) for n, r in np.ndindex(*given.shape)]
        made = _interval(from_rows(rows, domain=judged.SCALE), "none", replicates, seed)
        key = f"{raters} raters", "alpha, ordinal", OVER
        yield from seen(key, made, alpha_of_all_raters())


def raters_of_a_pool(seed: int, replicates: int) -> Found:
    """Yield the intervals of the report of a round, both rows, by the number of raters."""
    for raters in NUMBERS_OF_RATERS:
        rng = np.random.default_rng([seed, raters])
        frame = judged.make_frame(1600, rng)
        level = np.array([item.level for item in frame])
        true = judged.picks(judged.TRUE_GIVEN_JUDGE[level], rng)
        given = leniently_rated(true, raters, rng)
        names = [f"r{r}" for r in range(raters)]
        panel = judged.panel_of(frame, draw(frame, 33, seed), given, names)
        parts = np.bincount(level, minlength=3) / len(level)
        rows: tuple[tuple[str, Weighting, Floats], ...]
        rows = ("pool", "scaled", parts), ("drawn", "none", EVEN)
        for row, weighting, shares in rows:
            weights = panel.weights((panel.human >= 0).all(1), pool=row == "pool")
            ratings = panel.ratings(panel.human, panel.humans, weights)
            made = _interval(ratings, weighting, replicates, seed)
            truth = alpha_of_all_raters(shares @ judged.TRUE_GIVEN_JUDGE)
            yield from seen((row, f"alpha, {raters} raters", OVER), made, truth)


def _interval(ratings: Ratings, weighting: Weighting, replicates: int, seed: int) -> object:
    found = agreement.alpha(ratings, "ordinal", weighting=weighting)
    return over_raters.interval(
        ratings, found, weighting, replicates=replicates, seed=seed
    ).interval
