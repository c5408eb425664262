"""Simulated judge studies with known true values, for tests and benchmarks."""

from collections.abc import Iterator

import numpy as np

from app.scoring import alphareport
from app.scoring.agreement import alphas
from app.scoring.bootstrap import Interval
from app.scoring.panel import JudgedItem, make
from app.scoring.sampling import FrameItem, draw

SCALE = (0, 1, 2)
JUDGE = (0.07, 0.19, 0.74)  # skewed shares of the judge's levels
TRUE_GIVEN_JUDGE = np.array([[0.88, 0.10, 0.02], [0.10, 0.80, 0.10], [0.01, 0.05, 0.94]])
RATED_GIVEN_TRUE = np.array([[0.85, 0.12, 0.03], [0.10, 0.80, 0.10], [0.03, 0.14, 0.83]])
LOW = np.array([[0.76, 0.16, 0.08], [0.12, 0.70, 0.18], [0.05, 0.17, 0.78]])  # alpha about .4
SOURCES = tuple(f"source {number}" for number in range(8))
TASKS = ("A-Add", "A-Comp", "P-Add", "P-Comp")


def chances(rated=RATED_GIVEN_TRUE):
    """(3, 3, 3): for each judge level, the probability of (first rater, second rater)."""
    return np.einsum("ht,ta,tb->hab", TRUE_GIVEN_JUDGE, rated, rated)


def make_frame(size, rng):
    levels = rng.choice(3, size, p=JUDGE)
    return [
        FrameItem(
            f"e{n}", int(level), TASKS[n % 4], SOURCES[n % 8], f"{SOURCES[n % 8]}, {n // 8 % 10}"
        )
        for n, level in enumerate(levels)
    ]


def expected_alpha(frame, pair="HH"):
    """Ordinal alpha of the pool under the error model, as if each item had many ratings."""
    shares = np.bincount([item.level for item in frame], minlength=3) / len(frame)
    joint = chances() * shares[:, None, None]
    return alpha_of(joint.sum(0) if pair == "HH" else joint.sum(2))


def alpha_of(table):
    """Ordinal alpha of very many pairs with these shares."""
    return float(alphas(1e9 * (table + table.T), np.arange(3.0), "ordinal"))


def picks(shares, rng):
    """Draw one index for each row of probabilities (n, 3)."""
    return (rng.random(len(shares))[:, None] > np.cumsum(shares, 1)[:, :-1]).sum(1)


def rate(frame, sample, rng, humans=("anna", "ben"), skipped=0.0, rated=RATED_GIVEN_TRUE):
    """Simulate human ratings of the sample with a known error; return the panel."""
    by_id = {item.id: number for number, item in enumerate(frame)}
    drawn = np.array([by_id[chosen.id] for chosen in sample.chosen])
    true = picks(TRUE_GIVEN_JUDGE[[frame[number].level for number in drawn]], rng)
    given = np.full((len(frame), len(humans)), -1)
    given[drawn] = np.stack([picks(rated[true], rng) for _ in humans], 1)
    skip = skipped > rng.random((len(humans), len(drawn))).T
    given[drawn] = np.where(skip, -1, given[drawn])
    return panel_of(frame, sample, given, humans)


def panel_of(frame, sample, given, humans):
    """Return the panel of a sample; `given` (items of the frame, humans): scores, -1 = skipped."""
    at = {item.id: number for number, item in enumerate(frame)}
    items = []
    for chosen in sample.chosen:
        item, scores = frame[at[chosen.id]], given[at[chosen.id]]
        own = {human: int(score) for human, score in zip(humans, scores, strict=True) if score >= 0}
        where = item.cluster, item.task, item.source
        items.append(JudgedItem(item.id, chosen.stratum, *where, own, {"judge": item.level}))
    return make(items, sample.strata, SCALE, ("judge",))


def studies(number, replicates=1000, size=1600) -> Iterator[tuple[bool, bool, float, float]]:
    """Simulate studies with seeds 0, 1, ...

    Return for each: whether the interval of the pool estimate contains the pool's human-human
    alpha, whether the unweighted interval does, and both errors.
    """
    for seed in range(number):
        rng = np.random.default_rng(seed)
        frame = make_frame(size, rng)
        truth = expected_alpha(frame)
        panel = rate(frame, draw(frame, 33, seed), rng)
        weights = panel.weights((panel.human >= 0).all(1), pool=True)
        ratings = panel.ratings(panel.human, panel.humans, weights)
        pool, plain = (
            alphareport.result(
                ratings, "ordinal", weighting=kind, replicates=replicates, seed=seed, clusters=False
            )
            for kind in ("scaled", "none")
        )
        yield (
            holds(pool.interval, truth),
            holds(plain.interval, truth),
            pool.found.alpha - truth,
            plain.found.alpha - truth,
        )


def holds(interval, truth) -> bool:
    """Return whether there is an interval and it contains the true value."""
    return isinstance(interval, Interval) and interval.low <= truth <= interval.high
