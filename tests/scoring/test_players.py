"""Bootstrap over players: hand cases, reasons, pairing."""

import math
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from app.scoring import players, student
from app.scoring.players import (
    SAME,
    Figure,
    Sample,
    against,
    difference,
    draws,
    figure,
    mean_figure,
    percentile,
    quartiles,
    replicates,
    sample,
    total,
    total_difference,
)


def test_interval_of_ten_players_leaves_out_less_than_a_percent_on_each_side():
    """Phi(-sqrt(10 / 9) x 2.262) = 0.00855; binomial by hand: below 0.1 lie 0.1 %, at it 1 %."""
    found = mean_figure(sample([(at, at % 2) for at in range(10)]))
    assert (found.value, found.low, found.high) == (0.5, 0.1, 0.9)
    assert (found.players, found.units, found.reason) == (10, 10, "")
    middle = replicates([sample([(at, at % 2) for at in range(10)])], range(10), first, 10_000, 1)
    assert np.quantile(middle, [0.025, 0.975]).tolist() == [0.2, 0.8]


def test_fewer_than_ten_players_have_no_interval():
    found = mean_figure(sample([(at, at % 2) for at in range(9)]))
    assert (found.value, found.low) == (pytest.approx(4 / 9), None)
    assert found.reason == "too few players: an interval needs 10"


def test_players_with_unequal_numbers_of_units_count_as_fewer():
    """Kish: eleven players, one with 5 units: 15^2 / (10 + 25) = 6.4."""
    pairs = [(at, at % 2) for at in range(11)]
    assert mean_figure(sample(pairs)).reason == ""
    assert mean_figure(sample([*pairs, *[(0, 1.0)] * 4])).reason == players.FEW


def first(means):
    return means[..., 0]


def test_replicates_of_two_players_have_the_shares_of_two_coins():
    made = sample([("a", 0.0), ("b", 1.0)])
    found = replicates([made], ["a", "b"], lambda means: means[..., 0], 40_000, 5)
    shares = [(found == value).mean() for value in (0.0, 0.5, 1.0)]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.01)


def test_interval_of_many_players_is_near_the_normal_one():
    rng = np.random.default_rng(2)
    values = rng.normal(0.4, 0.2, 400)
    found = mean_figure(sample(enumerate(values)))
    half = 1.96 * values.std() / math.sqrt(400)
    assert found.low == pytest.approx(values.mean() - half, abs=0.002)
    assert found.high == pytest.approx(values.mean() + half, abs=0.002)


def test_interval_is_that_of_scipy_within_its_own_error():
    values = np.array([0.1, 0.5, 0.9, 0.3, 0.8, 0.2, 0.6, 0.7, 0.4, 0.15, 0.95, 0.05])
    found = mean_figure(sample(enumerate(values)))
    tail = stats.norm.cdf(-math.sqrt(12 / 11) * stats.t.ppf(0.975, 11))
    how = {"method": "percentile", "confidence_level": 1 - 2 * tail}
    theirs = stats.bootstrap((values,), np.mean, n_resamples=10_000, rng=3, **how)
    assert found.low == pytest.approx(theirs.confidence_interval.low, abs=0.015)
    assert found.high == pytest.approx(theirs.confidence_interval.high, abs=0.015)


def test_units_of_one_player_are_drawn_together():
    """Ten equal units per player are no more evidence than one."""
    pairs = [(at, at * 5 % 12 / 8) for at in range(12)]
    few, many = mean_figure(sample(pairs)), mean_figure(sample(pairs * 10))
    assert (few.low, few.high) == (many.low, many.high)
    assert few.low < few.high
    assert (many.players, many.units) == (12, 120)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Figure(None, None, None, "no data", 0, 0)),
        ([("a", None)], Figure(None, None, None, "no data", 0, 0)),
        ([("a", 0.25), ("a", 0.75)], Figure(0.5, None, None, "one player: no interval", 1, 2)),
        ([("a", 0.25), ("b", 0.25)], Figure(0.25, None, None, "no variance: no interval", 2, 2)),
    ],
)
def test_without_an_interval_there_is_a_reason(pairs, expected):
    assert mean_figure(sample(pairs)) == expected


def test_a_total_needs_data_in_every_part():
    assert total([]) == Figure(None, None, None, "no data", 0, 0)
    assert total([sample([("a", 1.0), ("a", 0.0)]), Sample()]).reason == "no data"
    assert total([sample([("a", 1.0), ("a", 0.0)]), Sample()]).units == 2
    assert total([sample([("a", 1.0), ("a", 0.0)]), Sample()]).players == 1


@pytest.mark.parametrize(("undefined", "reason"), [(50, ""), (51, "too few players")])
def test_more_than_a_twentieth_undefined_gives_no_interval(undefined, reason):
    found = np.linspace(0, 1, 1000)
    found[:undefined] = np.nan
    made = percentile(0.5, found, 1.96, 7, 9)
    assert made.reason.split(":")[0] == reason
    assert (made.low is None, made.players, made.units) == (bool(reason), 7, 9)


def test_interval_holds_the_middle_95_percent_of_the_replicates():
    found = percentile(0.5, np.linspace(0, 1, 1001), student.NORMAL, 7, 9)
    assert found == Figure(0.5, pytest.approx(0.025), pytest.approx(0.975), "", 7, 9)
    found = percentile(0.5, np.linspace(0, 1, 1001), 1.0, 7, 9)
    assert found == Figure(
        0.5, pytest.approx(0.158655, abs=1e-6), pytest.approx(0.841345, abs=1e-6), "", 7, 9
    )


@pytest.mark.parametrize(("width", "varies"), [(0.9 * SAME, False), (SAME, True)])
def test_rounding_is_no_variance(width, varies):
    found = percentile(0.0, np.repeat([0.0, width], 500), 1.96, 7, 9)
    assert (found.reason == "") == varies


@pytest.mark.parametrize(("players", "number"), [(7, 100_000), (600, 10_000)])
def test_draws_fill_every_replicate_with_as_many_players_as_there_are(players, number):
    """Large draws come in chunks; the largest are not kept, but drawn again from the seed."""
    places = []
    for (rows, times), (_, again) in zip(
        draws(players, number, 3), draws(players, number, 3), strict=True
    ):
        places += range(number)[rows]
        assert times.shape == (len(range(number)[rows]), players)
        assert (times.sum(axis=1) == players).all()
        assert (times == again).all()
    assert places == list(range(number))


def test_a_part_is_undefined_only_where_none_of_its_players_is_drawn():
    parts = [sample([("a", 0.0), ("b", 1.0)]), sample([("a", 1.0)])]
    found = replicates(parts, ["a", "b"], lambda means: means[..., 1], 40_000, 5)
    assert np.isnan(found).mean() == pytest.approx(0.25, abs=0.01)
    assert set(found[~np.isnan(found)]) == {1.0}


def test_total_counts_each_part_once():
    parts = [sample([("a", 1.0), ("b", 1.0), ("c", 0.0)]), sample([("a", 0.0), ("b", 0.5)])]
    assert total(parts).value == pytest.approx((2 / 3 + 1 / 4) / 2)


def test_total_with_a_part_that_is_often_not_drawn_has_no_interval():
    parts = [sample([("a", 1.0), ("b", 0.0)]), sample([("c", 0.5), ("d", 0.1)])]
    assert "undefined" in total(parts).reason


def test_difference_of_the_same_people_is_paired():
    """Each person gains exactly 1/8: the paired difference does not vary, the means do."""
    before = [("a", 0.125), ("b", 0.5), ("c", 0.75)]
    after = [(player, value + 0.125) for player, value in before]
    found = difference(sample(after), sample(before))
    assert (found.value, found.reason) == (pytest.approx(0.125), "no variance: no interval")


def test_total_of_differences_is_their_mean():
    one = sample([("a", 1.0), ("b", 0.0)]), sample([("a", 0.5), ("b", 0.5)])
    two = sample([("a", 0.25), ("b", 0.75)]), sample([("a", 0.0), ("b", 0.0)])
    assert total_difference([one, two]).value == 0.25


def test_totals_of_equal_parts_are_the_figures_of_one():
    before = sample([(at, at / 11) for at in range(12)])
    after = sample([(at, (at * 5 % 12) / 7) for at in range(12)])
    one, two = mean_figure(before), total([before, before])
    assert (two.value, two.low, two.high) == (one.value, one.low, one.high)
    one, two = difference(after, before), total_difference([(after, before)] * 2)
    assert (two.value, two.low, two.high) == (one.value, one.low, one.high)


def mean_of_both(one, other, *how):
    return mean_figure(sample([*enumerate(one.units), *enumerate(other.units)]), *how)


def total_of_both(one, other, *how):
    return total([one, other], *how)


def total_of_the_pair(one, other, *how):
    return total_difference([(one, other)], *how)


def weighted(one, other, *how):
    return figure([one, other], lambda means: 2 * means[..., 0] - means[..., 1] / 2, *how)


@pytest.mark.parametrize(
    "make", [mean_of_both, difference, total_of_both, total_of_the_pair, weighted]
)
def test_number_and_seed_of_the_draw_decide_the_interval(make):
    rows = range(12)
    parts = sample([(at, at / 11) for at in rows]), sample([(at, at * 5 % 12) for at in rows])
    assert make(*parts) == make(*parts, 10_000, 1)
    assert make(*parts, 500, 3) == make(*parts, 500, 3)
    assert len({make(*parts, *how) for how in ((500, 3), (500, 4), (3, 500), (10_000, 3))}) == 4


def test_against_a_published_mean_only_moves_the_peoples_interval():
    found = against(Figure(0.5, 0.25, 0.875, "", 12, 13), 0.25)
    assert found == Figure(0.25, 0.0, 0.625, "", 12, 13)
    one = mean_figure(sample([("a", 1.0)]))
    assert against(one, 0.25) == Figure(0.75, None, None, "one player: no interval", 1, 1)
    assert against(mean_figure(Sample()), 0.5).value is None


def test_quartiles_are_linear_between_ranks():
    assert quartiles([4.0, 1.0, 2.0, 3.0]) == (1.75, 2.5, 3.25)
    assert quartiles([]) is None


def test_figures_that_share_draws_equal_those_that_do_not_and_draw_once_per_number():
    """Two figures over 40 players and one over 30 need two draws; the same one twice, none."""
    rng = np.random.default_rng(7)
    many = [sample(enumerate(rng.random(40))) for _ in range(2)]
    few = sample(enumerate(rng.random(30)))
    alone = [mean_figure(one, 500, 3) for one in (*many, few)]
    with sharing_watched() as asked:
        assert asked == [], "nothing is drawn before a figure asks"
        together = [mean_figure(one, 500, 3) for one in (*many, few, few, many[0])]
    assert together == [*alone, alone[2], alone[0]]
    assert asked == [(40, 500, 3), (30, 500, 3)]


@contextmanager
def sharing_watched():
    """Share draws in the block, and give the list of those that were made."""
    made, asked = players._drawn, []

    def spy(*size):
        asked.append(size)
        return made(*size)

    try:
        players._drawn = spy
        with players.sharing():
            yield asked
    finally:
        players._drawn = made


def test_draws_are_shared_as_long_as_they_fit():
    """One byte a number: 20,000 and 15,000 fit into 35,000; 16,000 and 5,000 do not fit besides."""
    most, players.MOST_SHARED = players.MOST_SHARED, 35_000
    try:
        with sharing_watched() as asked:
            for size in (40, 32, 30, 10, 40, 32, 30, 10):
                for _, times in draws(size, 500, 3):
                    assert (times.sum(1) == size).all()
    finally:
        players.MOST_SHARED = most
    assert [size for size, *_ in asked] == [40, 32, 30, 10, 32, 10]


def test_mean_is_the_exact_one_rounded_once():
    values = [0.1, 0.2, 1e-300, 1 / 3, 5e-324, 1e300, -1e300]
    exact = sum(map(Fraction, values), Fraction(0)) / len(values)
    assert sample((0, one) for one in values).mean() == float(exact)
    assert sample([(0, 1), (1, 2)]).mean() == 1.5
