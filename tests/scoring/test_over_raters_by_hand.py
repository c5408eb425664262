"""Pairs of different raters counted one by one, and the interval put together from its parts."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from app.scoring import alphareport, bootstrap, over_raters
from app.scoring.agreement import alpha
from app.scoring.bootstrap import Interval, NoInterval, Units
from app.scoring.longrows import Row, from_codes, from_rows
from app.scoring.over_raters import RaterInterval

GIVEN = [  # the values of each unit, of raters a to d; None = missing
    (0, 0, 1, None),
    (2, None, None, None),
    (1, 2, None, 2),
    (None, None, 0, 0),
    (2, 2, 2, 1),
]
TIMES = np.array([[1.0, 1, 1, 1], [2, 0, 2, 0], [3, 1, 0, 0], [0, 0, 2, 2]])
WEIGHTS = np.array([[1.0, 1, 1, 1, 1], [3, 0, 1, 1, 2], [0.5, 0.25, 0, 0.125, 0.125], [2] * 5])


def rows_of(given):
    return [
        Row(f"u{unit}", "abcd"[rater], value)
        for unit, values in enumerate(given)
        for rater, value in enumerate(values)
        if value is not None
    ]


def copies_of(unit, times):
    """Return (rater, value) of a unit, each as often as its rater was drawn."""
    return [
        (rater, value)
        for rater, value in enumerate(GIVEN[unit])
        if value is not None
        for _ in range(int(times[rater]))
    ]


def pairs_of(unit, times):
    """Return the values of the ordered pairs of different raters."""
    copies = copies_of(unit, times)
    return [(v, w) for (one, v), (other, w) in permutations(copies, 2) if one != other]


def table_of(times, weights, strata):
    """Return the 3 x 3 coincidences of one replicate, pair by pair."""
    paired = [bool(pairs_of(unit, times)) for unit in range(5)]
    factor = np.ones(5)
    for stratum in set(strata or ()):
        here = [unit for unit in range(5) if strata[unit] == stratum]
        left = sum(weights[unit] for unit in here if paired[unit])
        whole = sum(weights[unit] for unit in here)
        factor[here] = whole / left if left else np.nan
    table = np.zeros((3, 3))
    for unit in range(5):
        pairs = pairs_of(unit, times)
        share = len(copies_of(unit, times)) / len(pairs) if pairs else 0.0
        for first, second in pairs:
            table[first, second] += share * weights[unit] * factor[unit]
    return table if np.isfinite(factor).all() else np.full((3, 3), np.nan)


@pytest.mark.parametrize("strata", [None, [0, 0, 0, 1, 1], [0, 1, 1, 0, 1], [0, 1, 0, 2, 2]])
def test_coincidences_are_the_pairs_of_different_raters(strata):
    marked = over_raters.marks(from_rows(rows_of(GIVEN)))
    codes = None if strata is None else np.array(strata)
    found = over_raters.coincidences(marked, TIMES, WEIGHTS, codes)
    wanted = [table_of(*one, strata).ravel() for one in zip(TIMES, WEIGHTS, strict=True)]
    assert found == pytest.approx(np.array(wanted), nan_ok=True)
    assert (np.nan_to_num(found) >= 0).all()
    if strata is None:
        assert (over_raters.coincidences(marked, TIMES, WEIGHTS) == found).all()


@pytest.mark.parametrize("strata", [None, np.array([0, 0, 1, 2])])
def test_strata_keep_the_weight_of_units_without_a_pair(strata):
    weights = np.array([[0.25, 0.5, 1.0, 3.0], [1.0, 2.0, 1.0, 1.0], [1.0, 2.0, 4.0, 5.0]])
    paired = np.array([[True, False, True, True], [True, True, False, False], [True] * 4])
    found = over_raters.balanced(weights, paired, strata)
    if strata is None:
        wanted = [[0.25, 0, 1, 3], [1, 2, 0, 0], [1, 2, 4, 5]]
    else:
        wanted = [[0.75, 0, 1, 3], [1, 2, np.nan, np.nan], [1, 2, 4, 5]]
    assert np.array_equal(found, np.array(wanted), equal_nan=True)


def test_marks_leave_out_raters_without_a_value():
    ratings = from_codes(np.array([0, 1, 1]), np.array([1, 3, 1]), np.array([0, 1, 1]), (0, 1))
    assert over_raters.marks(ratings).tolist() == [[[1, 0], [0, 0]], [[0, 1], [0, 1]]]


@pytest.mark.parametrize("raters", [2, 3])
def test_replicates_of_one_rater_are_drawn_again(raters):
    found = over_raters.rater_times(40, raters, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    share = [1 / raters] * raters
    times = rng.multinomial(raters, share, size=40)
    while alone := [n for n, row in enumerate(times) if np.count_nonzero(row) == 1]:
        times[alone] = rng.multinomial(raters, share, size=len(alone))
    assert found.tolist() == times.tolist()
    assert found.dtype == np.float64
    assert len({tuple(row) for row in found.tolist()}) == (1 if raters == 2 else 7)


@pytest.mark.parametrize(
    ("shape", "steps"),
    [
        ((100, 9, 2500), [(0, 2), (2, 4), (4, 5)]),
        ((250_000, 9, 2), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
        ((500_000, 9, 2), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
        ((10, 1_000_000, 10), [(0, 5)]),
    ],
)
def test_tables_are_made_in_blocks_that_fit_into_memory(shape, steps):
    found = over_raters.blocks(5, shape)
    assert [(one.start, one.stop) for one in found] == steps


@pytest.mark.parametrize(
    ("raters", "start"),
    [
        (1, ""),
        (2, "With two raters"),
        (3, "With three raters"),
        (4, "4 raters are few"),
        (9, "9 raters"),
        (10, ""),
    ],
)
def test_few_raters_are_warned_of(raters, start):
    found = over_raters.warning_of(raters)
    assert found.startswith(start)
    assert bool(found) is bool(start)
    assert (found == over_raters.TWO) is (raters == 2)


def make_ratings(number=40, raters="abcde"):
    """Raters who differ by a cycle of five; every third item has fewer, some have one."""
    return from_rows(
        [
            Row(f"i{n}", rater, (n + (n * k % 5 == 1)) % 3, 1.0 + n % 2, f"s{n % 2}")
            for n in range(number)
            for k, rater in enumerate(raters)
            if not (n % 3 == 0 and k > n % 4)
        ],
        domain=(0, 1, 2, 3),
    )


@pytest.mark.parametrize("weighting", ["none", "frequency"])
@pytest.mark.parametrize("guessed", [True, False])
def test_interval_is_put_together_from_its_parts(weighting, guessed):
    ratings = make_ratings()
    if guessed:
        random = np.random.default_rng(1)
        ratings = replace(ratings, value=random.integers(0, 3, len(ratings.value)))
    found = alpha(ratings, "interval", weighting=weighting)
    kept = np.bincount(ratings.item) > 1
    assert (kept.sum(), len(kept)) == (36, 40)
    units = Units(ratings.stratum[kept], ratings.cluster[kept])
    weight = np.ones(36) if weighting == "none" else ratings.weight[kept]
    kish = weight.sum() ** 2 / (weight**2).sum()
    ((_, drawn),) = bootstrap.unit_weights(weight, units, 30, 4, "items")
    times = over_raters.rater_times(30, 5, np.random.default_rng([4, 5]))
    marks = over_raters.marks(ratings)[kept]
    values, of_items, of_raters = (
        alphareport.table_alphas(
            over_raters.coincidences(marks, who, items, ratings.stratum[kept]), found, weighting
        )
        for who, items in (
            (times, drawn),
            (np.ones((30, 5)), drawn),
            (times, np.tile(weight, (30, 1))),
        )
    )
    whole, *parts = (np.nanvar(one) for one in (values, of_items, of_raters))
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (kish - 2) + parts[1] ** 2 / 4)  # two strata
    reach = (sum(parts) / whole) ** 0.5 * stats.t.ppf(0.975, freedom)
    assert (sum(parts) < whole) == guessed
    tail = stats.norm.cdf(-max(reach, 1.75))
    low, high = np.quantile(values[~np.isnan(values)], [tail, 1 - tail])
    undefined = int(np.isnan(values).sum())
    made = over_raters.interval(ratings, found, weighting, replicates=30, seed=4)
    assert made == RaterInterval(
        Interval(
            pytest.approx(low),
            pytest.approx(high),
            "items and raters",
            36,
            30,
            4,
            undefined,
            method="scaled percentile bootstrap",
        ),
        "5 raters are few: how much raters differ is itself uncertain.",
    )


def test_items_that_no_one_rated_are_left_out():
    ratings = make_ratings()
    more = replace(
        ratings,
        items=(*ratings.items, "unrated"),
        weight=np.append(ratings.weight, 5.0),
        stratum=np.append(ratings.stratum, 0),
        cluster=np.append(ratings.cluster, 0),
    )
    found = alpha(ratings, "interval")
    made = [
        over_raters.interval(one, found, "none", replicates=20, seed=4) for one in (ratings, more)
    ]
    assert made[0] == made[1]


def test_chunks_and_blocks_of_replicates_change_nothing(monkeypatch):
    """Raters are drawn chunk by chunk, so only blocks within a chunk may be changed."""
    ratings = make_ratings()
    found = alpha(ratings, "interval")
    whole = over_raters.interval(ratings, found, "none", replicates=30, seed=4)
    monkeypatch.setattr(over_raters, "AT_ONCE", 36 * 4 * 7)  # seven replicates at once
    assert over_raters.interval(ratings, found, "none", replicates=30, seed=4) == whole
    monkeypatch.setattr(bootstrap, "CHUNK", 36 * 10)
    seen = []

    def track(steps, words, number):
        seen.append((words, number))
        return steps

    made = over_raters.interval(ratings, found, "none", replicates=30, seed=4, track=track)
    assert seen == [("Drawing replicates", 3)]
    assert made.interval.replicates == 30


def test_interval_is_refused_for_a_reason():
    few = make_ratings(10, "ab")
    found = alpha(few, "interval")
    assert over_raters.interval(few, found, "none", replicates=5, seed=1) == RaterInterval(
        NoInterval("too_few_units", "9 units are too few (fewer than 10)"), over_raters.TWO
    )
    enough = make_ratings()
    found = alpha(enough, "interval")
    made = over_raters.interval(enough, found, "none", replicates=0, seed=1)
    assert made.interval.code == "not_asked"
    item = np.arange(2100)
    codes = np.append(item % 31, (item + item % 3) % 31)
    many = from_codes(np.tile(item, 2), np.repeat([0, 1], 2100), codes, tuple(range(31)))
    found = alpha(many, "interval")
    made = over_raters.interval(many, found, "none", replicates=1, seed=1)
    assert made == RaterInterval(
        NoInterval("too_many_values", "there are too many different values"), over_raters.TWO
    )
    made = over_raters.interval(many, found, "none", replicates=0, seed=1)
    assert made.interval.code == "not_asked"


@pytest.mark.parametrize(("raters", "word"), [("ab", "two"), ("abc", "three"), ("abcd", None)])
@pytest.mark.parametrize("weighting", ["none", "scaled"])
def test_two_or_three_raters_and_scaled_weights_have_no_interval(raters, word, weighting):
    ratings = make_ratings(60, raters)
    found = alpha(ratings, "interval", weighting=weighting)
    made = over_raters.interval(ratings, found, weighting, replicates=30, seed=4).interval
    if word:
        words = f"{word} raters are too few (fewer than 4)"
        assert made == NoInterval("too_few_raters", words)
    elif weighting == "scaled":
        assert made == over_raters.WEIGHTED
    else:
        assert isinstance(made, Interval)


@pytest.mark.parametrize(
    ("both", "items", "raters", "wanted"),
    [
        (
            [0, 4, np.nan],
            [1, 4],
            [0, 3, np.nan],
            1.125**0.5 * stats.t.ppf(0.975, 4.5**2 / (2.25**2 / 9 + 2.25**2 / 3)),
        ),
        ([0, 4, np.nan], [1, 3], [0, 2, np.nan], 1.75),  # 0.5**0.5 * 2.26 would be less
        ([0, 4], [0, 4], [1, 1], stats.t.ppf(0.975, 9)),
        ([0, 4], [1, 1, np.nan], [0, 8], 2 * stats.t.ppf(0.975, 3)),
        ([0, 4], [1, 1], [1, 1], stats.norm.ppf(0.975)),  # only both together vary
        ([3, 3], [0, 2], [0, 2], stats.norm.ppf(0.975)),
        ([np.nan, np.nan], [0, 2], [np.nan], stats.norm.ppf(0.975)),
    ],
)
def test_interval_reaches_as_far_as_items_and_raters_vary_alone(both, items, raters, wanted):
    all_, own, each = (np.array(one, float) for one in (both, items, raters))
    assert over_raters.reach_of(all_, own, each, (9.0, 3.0)) == pytest.approx(wanted)
