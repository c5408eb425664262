"""How far intervals of sums of means reach, by hand."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from app.scoring import student
from app.scoring.bootstrap import METHOD, PLAIN, Units, percentile
from app.scoring.bootstrap import reach_of as reach_of_items
from app.scoring.player_reach import reach_of, spread_of


def halves(*sizes):
    """Return sums and counts (players, parts) of parts of different players: half 0, half 1."""
    sums, counts = np.zeros((sum(sizes), len(sizes))), np.zeros((sum(sizes), len(sizes)))
    start = 0
    for part, size in enumerate(sizes):
        counts[start : start + size, part] = 1
        sums[start : start + size : 2, part] = 1
        start += size
    return sums, counts


def reach(sizes, *factors):
    """Return the reach of a sum of factor x mean of such parts."""
    sums, counts = halves(*sizes)
    return reach_of(sums, counts, np.array(factors))


def test_a_mean_reaches_as_far_as_students_t_of_its_players():
    assert reach((12,), 1.0) == pytest.approx(student.reach(12))
    assert reach((12,), -3.0) == pytest.approx(student.reach(12))


def test_a_difference_of_two_groups_has_welchs_degrees_of_freedom():
    """10 and 40 people: variances 1/36 and 1/156, 13.47 degrees; in replicates 1/40 and 1/160."""
    first, second = 1 / 36, 1 / 156
    freedom = (first + second) ** 2 / (first**2 / 9 + second**2 / 39)
    wide = ((first + second) / (1 / 40 + 1 / 160)) ** 0.5
    found = reach((10, 40), 1.0, -1.0)
    assert freedom == pytest.approx(13.4676, abs=1e-4)
    assert found == pytest.approx(wide * stats.t.ppf(0.975, freedom))


def test_a_paired_difference_has_the_degrees_of_freedom_of_its_players():
    """Welch's would be 22."""
    sums, counts = halves(12)
    both = np.hstack([sums, sums[::-1]])
    found = reach_of(both, np.hstack([counts, counts]), np.array([1.0, -1.0]))
    assert found == pytest.approx(student.reach(12))


def test_parts_that_do_not_vary_or_do_not_count_change_nothing():
    sums, counts = halves(12, 40)
    sums[12:, 1] = 1
    found = reach_of(sums, counts, np.array([1.0, -1.0]))
    assert found == pytest.approx(student.reach(12))
    sums[:12, 0] = 1
    assert reach_of(sums, counts, np.array([1.0, -1.0])) == student.NORMAL


def test_players_with_more_units_weigh_more_in_the_spread_and_in_the_degrees_of_freedom():
    """Fractions: what each player adds to the variance of each part, and Kish's numbers."""
    counts = [[1, 2], [3, 1], [1, 1], [2, 0], [1, 3], [2, 1], [1, 1], [1, 2], [2, 1], [1, 1]] * 3
    sums = [[at * 7 % (count[0] + 1), at * 5 % (count[1] + 1)] for at, count in enumerate(counts)]
    factors = Fraction(1), Fraction(-1, 2)
    own, variance, true, welch = [Fraction(0)] * 30, Fraction(0), Fraction(0), Fraction(0)
    for part, factor in enumerate(factors):
        rated = [row[part] for row in counts]
        total = sum(rated)
        mean = Fraction(sum(row[part] for row in sums), total)
        apart = [row[part] - count * mean for row, count in zip(sums, rated, strict=True)]
        spread = sum(((factor * one / total) ** 2 for one in apart), Fraction(0))
        n = Fraction(total**2, sum(count**2 for count in rated))
        own = [one + spread * count / total for one, count in zip(own, rated, strict=True)]
        variance, true = variance + spread, true + spread * n / (n - 1)
        welch += (spread * n / (n - 1)) ** 2 / (n - 1)
    freedom = min(true**2 / welch, variance**2 / sum(one**2 for one in own) - 1)
    wide = float(true / variance) ** 0.5
    found = spread_of(np.array(sums, float), np.array(counts, float), np.array(factors, float))
    assert found == pytest.approx((wide, stats.t.ppf(0.975, float(freedom))))


def test_a_part_of_two_players_who_agree_changes_nothing():
    sums, counts = halves(12, 2)
    sums[12:, 1] = 1
    assert reach_of(sums, counts, np.ones(2)) == pytest.approx(student.reach(12))


@pytest.mark.parametrize(("sizes", "enough"), [((10,), True), ((9,), False), ((5, 60), False)])
def test_too_few_players_have_no_reach(sizes, enough):
    found = reach(sizes, *[1.0] * len(sizes))
    assert (found is not None) is enough


def test_a_part_with_one_player_has_no_reach():
    sums, counts = halves(12, 12)
    counts[13:, 1] = 0
    sums[13:, 1] = 0
    assert reach_of(sums, counts, np.ones(2)) is None


def test_items_reach_as_far_as_t_of_their_effective_number_less_strata():
    """Weights 1 and 3: (10 + 30)^2 / (10 + 90) = 16 items in effect, in two strata."""
    units = Units(np.repeat([0, 1], 10), np.arange(20) % 7)
    weights = np.repeat([1.0, 3.0], 10)
    assert reach_of_items(units, weights, "items") == pytest.approx(stats.t.ppf(0.975, 14))
    assert reach_of_items(units, weights, "clusters") == pytest.approx(student.reach(7))
    many = Units(np.minimum(np.arange(20), 14), np.arange(20))  # half of the items at least
    assert reach_of_items(many, np.ones(20), "items") == pytest.approx(stats.t.ppf(0.975, 10))
    weights[:10] = 0
    assert reach_of_items(units, weights, "items") == pytest.approx(stats.t.ppf(0.975, 9))
    many = Units(np.arange(20), np.arange(20))
    weights = np.array([100.0] + [0.5] * 19)
    effective = weights.sum() ** 2 / (weights**2).sum()
    assert effective < 2
    assert reach_of_items(many, weights, "items") == pytest.approx(stats.t.ppf(0.975, 1))


def test_interval_of_a_reach_leaves_out_what_lies_beyond_it():
    values = np.linspace(0, 1, 1001)
    found = percentile(values, 0.5, "items", 7, 9, 2.5)
    assert (found.low, found.high) == pytest.approx(tuple(stats.norm.cdf([-2.5, 2.5])))
    assert found.method == METHOD
    plain = percentile(values, 0.5, "items", 7, 9)
    assert (plain.low, plain.high) == pytest.approx((0.025, 0.975))
    assert plain.method == PLAIN
