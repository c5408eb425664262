"""How often 95 % intervals of the agreement report hold the truth, in simulated studies.

Each study draws 33 of 1,600 items per level of a skewed judge, which two people rate with a known
error; others leave out a tenth of the ratings, or agree little. `coverage_more` has what else is
shown with an interval. Seeds are fixed: 0, 1, ... In 1,000 studies, a share may be 1.4 points off
by chance; kinds of which 1,000 left a share in doubt run 4,000. Rare shares of items are shown for
all studies, but checked in those with varied truths only (`coverage_judge`).
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from app.progress import untracked
from app.scoring import confusion, judging
from app.scoring.agreement import alphas
from app.scoring.bootstrap import NoInterval
from app.scoring.confusion import Pairing
from app.scoring.proportions import quadratic_kappa, spearman
from app.scoring.sampling import draw
from bench import judged
from bench.coverage_judge import RARE, RARELY, Found, missed
from bench.coverage_more import LEVELS, MORE
from bench.measure import Result

STUDIES, REPLICATES, WITHIN = 1000, 1000, 0.015
MORE_STUDIES = dict.fromkeys(
    ("guesses", "guesses, few", "20 people", "24 people, one episode"), 4000
)
KINDS: dict[str, dict[str, Any]] = {
    "proportional": {},
    "balanced over sources": {"allocation": "balanced"},
    "proportional, a tenth skipped": {"skipped": 0.1},
    "low agreement": {"rated": judged.LOW},
}
STEPS = "equal", "off by 1", "off by 2"
EVEN = np.full(3, 1 / 3)
Key = tuple[str, str, str]  # row of the report, coefficient, drawn over


def truths(shares, rated):
    """Return every coefficient of a very large pool with these shares of judge levels."""
    joint, found = judged.chances(rated) * shares[:, None, None], {}
    tables = {"human-human": joint.sum(0), "human-judge": joint.sum(2).T}  # rows: a person
    for level in LEVELS:
        for name, table in tables.items():
            pairs = 1e9 * (table + table.T)
            found[f"{name}, {level}"] = float(alphas(pairs, np.arange(3.0), level))
        found[f"mean human-judge, {level}"] = found[f"human-judge, {level}"]
        gap = found[f"human-human, {level}"] - found[f"human-judge, {level}"]
        found[f"difference, {level}"] = gap
    for name, table in tables.items():
        found[f"kappa, {name}"] = float(quadratic_kappa(table, np.arange(3.0)))
        found[f"rho, {name}"] = float(spearman(table))
        apart = np.abs(np.subtract.outer(range(3), range(3)))
        for step, words in enumerate(STEPS):
            found[f"{words}, {name}"] = float(table[apart == step].sum())
    return found


def intervals(panel, *, pool, replicates, seed):
    """Yield (coefficient, drawn over, interval) of one row of the report."""
    every = judging.coefficients_at(panel, LEVELS, pool=pool, replicates=replicates, seed=seed)
    for level, made in every.items():
        (judge,) = made.judges
        figures: dict[str, Any] = {
            "human-human": made.human_human,
            "human-judge": next(iter(judge.each.values())),
            "mean human-judge": judge.mean,
            "difference": judge.difference,
        }
        for name, figure in figures.items():
            yield f"{name}, {level}", "items", figure.interval
            yield f"{name}, {level}", "authors", figure.cluster_interval
    for name, other in (("human-human", panel.human[:, 1]), ("human-judge", panel.judge[:, 0])):
        pair = confusion.pair(Pairing(panel, panel.human[:, 0], other, pool, replicates, seed))
        yield f"kappa, {name}", "items", pair.kappa.interval
        yield f"rho, {name}", "items", pair.spearman.interval
        shares = pair.raw.exact, pair.raw.off_by_1, pair.raw.off_by_2
        for words, share in zip(STEPS, shares, strict=True):
            yield f"{words}, {name}", "items", share


def study(seed, replicates, skipped=0.0, rated=judged.RATED_GIVEN_TRUE, **how):
    """Yield (key, 0 = holds, -1 = all of it below the truth, 1 = above) for one study."""
    rng = np.random.default_rng([seed, 1])  # not the numbers that draw replicates
    frame = judged.make_frame(1600, rng)
    shares = np.bincount([item.level for item in frame], minlength=3) / len(frame)
    panel = judged.rate(frame, draw(frame, 33, seed, **how), rng, skipped=skipped, rated=rated)
    rows = ("pool", True, truths(shares, rated)), ("drawn", False, truths(EVEN, rated))
    for row, pool, truth in rows:
        for name, over, found in intervals(panel, pool=pool, replicates=replicates, seed=seed):
            rare = name.startswith(STEPS) and truth[name] < RARE
            if not isinstance(found, NoInterval):
                yield (row, name, RARELY if rare else over), missed(found, truth[name])


def run(
    *, tiny: bool, studies: int = 0, first: int = 0, only: tuple[str, ...] = ()
) -> Iterator[Result]:
    """Simulate studies of each kind; print and yield the share of intervals that hold the truth.

    `studies`: 0 = as many as are reported.
    """
    replicates = 100 if tiny else REPLICATES
    kinds: dict[str, Callable[[int, int], Found]] = {
        name: partial(study, **how) for name, how in KINDS.items()
    } | MORE
    for kind, make in kinds.items():
        if kind not in (only or kinds):
            continue
        number = 4 if tiny else studies or MORE_STUDIES.get(kind, STUDIES)
        began, misses = time.perf_counter(), defaultdict(Counter)
        for seed in untracked(range(first, first + number), kind, number):
            for key, miss in make(seed, replicates):
                misses[key][miss] += 1
        print(f"  {kind} ({time.perf_counter() - began:.0f} s)")
        for (row, name, over), seen in misses.items():
            of = seen.total()
            share, below, above = (seen[sign] / of for sign in (0, -1, 1))
            print(
                f"    {row:<5} {name:<32} over {over:<8} {share:6.1%}  "
                f"(too low {below:.1%}, too high {above:.1%}, {of} studies)"
            )
            if over == RARELY:
                continue
            off = abs(share - 0.95)
            yield Result(f"coverage: {kind}, {row}, {name}, {over}", off, WITHIN, at_least=False)
