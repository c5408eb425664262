"""Alpha against the package `krippendorff`, its bootstrap against a plain draw, its coverage."""

import time
from collections.abc import Callable, Iterator

import krippendorff
import numpy as np

from app.scoring import alphareport
from app.scoring.agreement import alpha
from app.scoring.longrows import from_codes
from bench import judged, measure
from bench.measure import Result

RATERS, LARGE, REPLICATES, STUDIES = 5, 100_000, 10_000, 1000


def matrix(items: int, raters: int, seed: int = 1) -> np.ndarray:
    """Return ratings 0 to 2 (raters x items) by raters who are right four times in five."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    wrong = rng.random((raters, items)) < 0.2
    return np.where(wrong, rng.integers(0, 3, (raters, items)), truth)


def seconds(act: Callable[[], object]) -> float:
    """Return how long a call takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def large_alpha(items: int, rounds: int) -> Result:
    """Measure alpha of many items from raw codes, including all checks."""
    table = matrix(items, RATERS)
    reals = table.astype(float)
    item = np.tile(np.arange(items), RATERS)
    rater = np.repeat(np.arange(RATERS), items)
    value = table.ravel()

    def ours() -> float:
        return float(alpha(from_codes(item, rater, value, (0, 1, 2)), "ordinal").alpha)

    def theirs() -> float:
        return float(krippendorff.alpha(reals, level_of_measurement="ordinal"))

    assert abs(ours() - theirs()) < 1e-9
    pair = measure.alternate(lambda: seconds(ours), lambda: seconds(theirs), rounds)
    print(
        f"  {items:,} items x {RATERS}: {pair.ours * 1000:.1f} ms, krippendorff "
        f"{pair.other * 1000:.1f} ms ({pair.rounds} rounds, others busy {pair.busy:.0%})"
    )
    return Result("agreement: time of alpha / krippendorff", pair.ratio, 1.0, at_least=False)


def bootstrapped(replicates: int, rounds: int) -> Result:
    """Measure a full result with an interval: 99 items, 33 per stratum, three raters."""
    table = matrix(99, 3)
    item, rater = np.tile(np.arange(99), 3), np.repeat(np.arange(3), 99)
    ratings = from_codes(item, rater, table.ravel(), (0, 1, 2))
    rng = np.random.default_rng(1)
    share = np.full(99, 1 / 99)

    def ours() -> object:
        return alphareport.result(ratings, "ordinal", replicates=replicates, seed=1)

    pair = measure.alternate(
        lambda: seconds(ours),
        lambda: seconds(lambda: rng.multinomial(99, share, size=replicates)),
        rounds,
    )
    print(
        f"  {replicates:,} replicates of 99 x 3: {pair.ours * 1000:.1f} ms, a plain draw "
        f"{pair.other * 1000:.1f} ms ({pair.rounds} rounds, others busy {pair.busy:.0%})"
    )
    return Result("agreement: time of bootstrap / plain draw", pair.ratio, 20.0, at_least=False)


def run(*, tiny: bool) -> Iterator[Result]:
    """Measure the two times, then simulate studies."""
    yield large_alpha(1000 if tiny else LARGE, 3 if tiny else 15)
    yield bootstrapped(200 if tiny else REPLICATES, 3 if tiny else 15)
    number = 20 if tiny else STUDIES
    found = np.array(list(judged.studies(number, 200 if tiny else 1000)), float)
    pool, plain, error, plain_error = found.mean(0)
    print(
        f"  {number} simulated studies: the 95 % interval of the pool estimate holds the truth in "
        f"{pool:.1%}, that of the unweighted alpha in {plain:.1%}; mean error {error:+.3f}, "
        f"unweighted {plain_error:+.3f}"
    )
    yield Result("agreement: coverage of the pool estimate", float(pool), 0.90)
    yield Result("agreement: coverage if unweighted", float(plain), 0.50, at_least=False)
