"""Bootstrap over players: hand cases, reasons, pairing."""

import math

import numpy as np
import pytest
from scipy import stats

from app.scoring.players import (
    Sample,
    against,
    difference,
    mean_figure,
    quartiles,
    replicates,
    sample,
    total,
    total_difference,
)


def test_two_players_with_0_and_1_give_the_whole_range():
    """Replicates are 0, 1/2, 1 with 1/4, 1/2, 1/4: the 2.5 % points lie within the outer ones."""
    found = mean_figure(sample([("a", 0.0), ("b", 1.0)]))
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
    assert (found.players, found.units, found.reason) == (2, 2, "")


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
    values = np.array([0.1, 0.5, 0.9, 0.3, 0.8, 0.2, 0.6])
    found = mean_figure(sample(enumerate(values)))
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=3)
    assert found.low == pytest.approx(theirs.confidence_interval.low, abs=0.015)
    assert found.high == pytest.approx(theirs.confidence_interval.high, abs=0.015)


def test_units_of_one_player_are_drawn_together():
    """Ten equal units per player are no more evidence than one."""
    few = mean_figure(sample([("a", 0.0), ("b", 1.0), ("c", 0.5)]))
    many = mean_figure(sample([(p, v) for p, v in (("a", 0.0), ("b", 1.0), ("c", 0.5))] * 10))
    assert (few.low, few.high) == (many.low, many.high)
    assert (many.players, many.units) == (3, 30)


@pytest.mark.parametrize(
    ("pairs", "value", "reason"),
    [
        ([], None, "no data"),
        ([("a", None)], None, "no data"),
        ([("a", 0.25), ("a", 0.75)], 0.5, "one player: no interval"),
        ([("a", 0.25), ("b", 0.25)], 0.25, "no variance: no interval"),
    ],
)
def test_without_an_interval_there_is_a_reason(pairs, value, reason):
    found = mean_figure(sample(pairs))
    assert (found.value, found.low, found.high, found.reason) == (value, None, None, reason)


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


def test_the_same_seed_gives_the_same_interval_and_another_another():
    made = sample([(at, at / 7) for at in range(8)])
    assert mean_figure(made, 500, 3) == mean_figure(made, 500, 3)
    assert mean_figure(made, 500, 3) != mean_figure(made, 500, 4)


def test_against_a_published_mean_only_moves_the_peoples_interval():
    people = mean_figure(sample([("a", 0.0), ("b", 1.0)]))
    found = against(people, 0.25)
    assert (found.value, found.low, found.high) == (0.25, -0.25, 0.75)
    assert against(mean_figure(Sample()), 0.5).value is None


def test_quartiles_are_linear_between_ranks():
    assert quartiles([4.0, 1.0, 2.0, 3.0]) == (1.75, 2.5, 3.25)
    assert quartiles([]) is None
