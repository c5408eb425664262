"""People against a judge: bias, confusion, shares and the corrected mean of simulated studies."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.scoring import bylevel, confusion
from app.scoring.confusion import Pairing
from app.scoring.longrows import Floats
from app.scoring.panel import Panel
from app.scoring.proportions import by_row
from app.scoring.sampling import draw
from bench import judged

NUMBERS = np.arange(3.0)
VARIED = 30  # of the Dirichlet distribution of true chances
RARE = 0.1  # a true share below it has few possible counts
RARELY = "items, rare"  # shown but not checked: see `against_judge`
Key = tuple[str, str, str]  # row of the report, coefficient, drawn over
Found = Iterator[tuple[Key, int]]


def missed(found, truth) -> int:
    """Return 0 if an interval (`low`, `high`) holds the truth, -1 if it is below it, 1 above."""
    return int(found.low > truth) - int(found.high < truth)


def seen(key: Key, found, truth) -> Found:
    """Yield whether an interval misses, unless there is none."""
    if getattr(found, "low", None) is not None:
        yield key, missed(found, truth)


@dataclass(frozen=True)
class Judged:
    """A simulated study: its sample, the mean score of its pool, and the true shares.

    `joint` (3, 3, 3): of judge's, first and second person's scores, in a pool with `parts` (3,) of
    the judge's levels.
    """

    panel: Panel
    mean: float
    given: Floats  # (3, 3, 3): joint, but each level of the judge sums to 1
    parts: Floats
    varied: bool

    def over(self, share: float) -> str:
        """Return what the interval of this true share is over; a mark says not to check it."""
        return "items" if self.varied or share >= RARE else RARELY

    @property
    def joint(self) -> Floats:
        return self.given * self.parts[:, None, None]


def judged_study(
    seed: int, rated: Floats, *, varied: bool, skipped: float = 0.0, **how: Any
) -> Judged:
    """Return a study; if `varied`, with true chances of its own (Dirichlet). `how`: of the draw."""
    rng = np.random.default_rng([seed, 1])  # not the numbers that draw replicates
    frame = judged.make_frame(1600, rng)
    level, made = np.array([item.level for item in frame]), judged.TRUE_GIVEN_JUDGE
    if varied:
        made, rated = (
            np.stack([rng.dirichlet(VARIED * row) for row in one]) for one in (made, rated)
        )
    true = judged.picks(made[level], rng)
    given = np.stack([judged.picks(rated[true], rng) for _ in range(2)], 1)
    skip = rng.random(given.shape) < skipped
    sample = draw(frame, 33, seed, **how)
    panel = judged.panel_of(frame, sample, np.where(skip, -1, given), ("anna", "ben"))
    shares = np.einsum("ht,ta,tb->hab", made, rated, rated)
    parts = np.bincount(level, minlength=3) / len(level)
    return Judged(panel, float(given.mean()), shares, parts, varied)


def against_judge(
    seed: int,
    replicates: int,
    rated: Floats = judged.RATED_GIVEN_TRUE,
    *,
    varied: bool = False,
    **how: Any,
) -> Found:
    """Yield bias, confusion, shares and the corrected mean, which is that of this very pool.

    `varied`: each study has true chances of its own. With fixed ones, the share of intervals that
    hold a rare chance jumps between the few counts that there can be, whatever the intervals, so
    rare chances are checked in these studies only. `how`: see `judged_study`.
    """
    one = judged_study(seed, rated, varied=varied, **how)
    mean = bylevel.corrected_mean(one.panel, replicates=replicates, seed=seed)
    yield from seen(("pool", "corrected mean", "items"), mean, one.mean)
    yield from confused(one, replicates, seed)
    yield from equal_or_apart(one, replicates, seed)


def confused(one: Judged, replicates: int, seed: int) -> Found:
    """Yield what one person and the judge say of the same items."""
    panel, table = one.panel, one.joint.sum(2).T  # rows: human
    given_judge = table / table.sum(0)
    for own in bylevel.levels(panel, 0, replicates=replicates, seed=seed)[::2]:
        truth = own.level - NUMBERS @ given_judge[:, own.level]
        yield from seen(("pool", f"bias at level {own.level}", "items"), own.bias.interval, truth)
    pair = Pairing(panel, panel.human[:, 0], panel.judge[:, 0], True, replicates, seed)  # noqa: FBT003
    found, recall = confusion.confusion(pair), by_row(table)
    yield from seen(("pool", "accuracy", "items"), found.accuracy.interval, np.trace(table))
    for human, judge in np.ndindex(3, 3):
        for name, made, truth in (
            ("joint", found.joint[human][judge].interval, table),
            ("judge given human", found.judge_given_human[human][judge].interval, recall),
            ("human given judge", found.human_given_judge[human][judge], given_judge),
        ):
            share = float(truth[human, judge])
            yield from seen(("pool", f"{name} {human}, {judge}", one.over(share)), made, share)


def equal_or_apart(one: Judged, replicates: int, seed: int) -> Found:
    """Yield shares of items on which two people, or one and the judge, agree or differ."""
    panel, apart = one.panel, np.abs(np.subtract.outer(range(3), range(3)))
    pairs = {
        "human-human": (panel.human[:, 1], 0),
        "human-judge": (panel.judge[:, 0], 2),
    }
    for row, pool, parts in (("pool", True, one.parts), ("drawn", False, np.full(3, 1 / 3))):
        joint = one.given * parts[:, None, None]
        for name, (other, axis) in pairs.items():
            of = Pairing(panel, panel.human[:, 0], other, pool, replicates, seed)
            found, table = confusion.raw(of), joint.sum(axis)
            for step, own in enumerate((found.exact, found.off_by_1, found.off_by_2)):
                share = float(table[apart == step].sum())
                yield from seen((row, f"{name}, {step} apart", one.over(share)), own, share)
