"""Made-up episodes in the replicates of shares: how many, by hand, and what they change."""

import math
from collections import Counter

import numpy as np
import pytest

from app.scoring import made_up, student
from app.scoring.made_up import drawn, limits, rate
from app.scoring.players import (
    difference,
    mean_figure,
    percentile,
    replicates,
    sample,
    sharing,
    total,
)


def shares(values, rate_=1 / 3, times=1):
    """A sample with made-up units."""
    made = sample([(at, one) for _ in range(times) for at, one in enumerate(values)])
    made.made_up = rate_
    return made


def test_half_an_episode_is_made_up_of_each_kind():
    assert rate(12, 12) == 1 / 2
    assert rate(12, 48) == 1 / 8
    assert rate(12, 0) == 0


def test_numbers_of_made_up_units_are_poissons():
    """At 1 / 3: 71.65 % none, 23.88 % one, 3.98 % two."""
    found = drawn([1 / 3, 1 / 12], 200_000, 5)
    assert found.shape == (200_000, 2, 2)
    for place, mean in enumerate((1 / 3, 1 / 12)):
        for kind in range(2):
            seen = Counter(found[:, kind, place].tolist())
            for count in range(3):
                chance = math.exp(-mean) * mean**count / math.factorial(count)
                assert seen[count] / 200_000 == pytest.approx(chance, abs=0.003)
    four = found.reshape(-1, 4)
    assert np.corrcoef(four.T) == pytest.approx(np.eye(4), abs=0.01)


@pytest.mark.parametrize(("seed", "edge"), [(75, 500_000), (203, 499_999)])
def test_numbers_of_made_up_units_are_drawn_by_inversion_after_the_players(seed, edge):
    """At ln 2, a chance of one half is none: numbers from 0 to 499,999 of the next seed."""
    at = np.random.default_rng(seed + 1).integers(0, 1_000_000, (1, 2, 5000))
    assert (at == edge).any()
    found = drawn([math.log(2)], 5000, seed)
    assert (found[:, :, 0].T == 0).tolist() == (at[0] < 500_000).tolist()


def test_limits_are_the_sums_of_poissons_chances():
    found = limits(0.5)
    assert found[:2] == pytest.approx([606530.66, 909795.99])
    assert found[-1] >= made_up.GRID - 1 > found[-2]


def test_draws_of_parts_do_not_depend_on_how_many_follow():
    assert (drawn([0.2, 0.3], 50, 4)[:, :, :1] == drawn([0.2], 50, 4)).all()
    assert (drawn([0.2], 50, 4) != drawn([0.2], 50, 5)).any()


def test_replicates_of_a_mean_have_units_of_0_and_1_besides():
    one = shares([0.5] * 9 + [1.0])
    more = drawn([1 / 3], 400, 7)
    plain = replicates([one], range(10), first, 400, 7)
    found = replicates([one], range(10), first, 400, 7, more)
    lost, won = more[:, 0, 0], more[:, 1, 0]
    assert found == pytest.approx((10 * plain + won) / (10 + lost + won))


def first(means):
    return means[..., 0]


def test_interval_is_that_of_these_replicates_with_students_t():
    values = [0.9, 0.8, 1.0, 0.9, 0.7, 0.95, 0.85, 1.0, 0.9, 0.9, 0.0, 0.9]
    one = shares(values)
    found = mean_figure(one, 2000, 3)
    padded = replicates([one], range(12), first, 2000, 3, drawn([1 / 3], 2000, 3))
    wanted = percentile(one.mean(), padded, student.quantile(11), 12, 12)
    assert found == wanted
    assert found.value == pytest.approx(np.mean(values))


def test_nearly_perfect_scores_have_an_interval_that_reaches_lower():
    values = [0.9, 0.8, 1.0, 0.9, 0.7, 0.95, 0.85, 1.0, 0.9, 0.9, 0.8, 0.9]
    plain, made = mean_figure(shares(values, 0)), mean_figure(shares(values))
    assert made.low < plain.low - 0.05
    assert made.value == plain.value


def test_totals_have_made_up_units_in_every_task_and_differences_none():
    one, other = shares([0.9, 0.5] * 6), shares([0.2, 0.9, 0.4] * 4)
    plain = shares([0.9, 0.5] * 6, 0), shares([0.2, 0.9, 0.4] * 4, 0)
    assert total([one, other]) != total(plain)
    assert total([one, plain[1]]) == total(plain)
    assert difference(one, other) == difference(*plain)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1.0] * 12, "no variance: no interval"),
        ([1.0, 0.0] * 4, "too few players: an interval needs 10"),
    ],
)
def test_made_up_units_do_not_stand_in_for_people(values, reason):
    assert mean_figure(shares(values)).reason == reason


def test_figures_that_share_replicates_share_those_with_the_same_made_up_units_only():
    """The same people and scores, with 1 / 3, 1 / 12 and no made-up units of each kind."""
    values = [0.9, 0.8, 1.0, 0.9, 0.7, 0.95, 0.85, 1.0, 0.9, 0.9, 0.0, 0.9]
    alone = [mean_figure(shares(values, rate_), 500, 3) for rate_ in (1 / 3, 1 / 12, 0)]
    assert len({one.low for one in alone}) == 3
    with sharing():
        together = [mean_figure(shares(values, rate_), 500, 3) for rate_ in (1 / 3, 1 / 12, 0)]
    assert together == alone
