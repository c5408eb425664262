"""Spearman equals SciPy's, ties included; its interval draws players whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.scoring.ranks import _ranks, spearman, spearman_figure, spots_of

coarse = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
points = st.lists(st.tuples(coarse, st.floats(0, 1)), min_size=3, max_size=40)


@given(points)
def test_rho_is_that_of_scipy(pairs):
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    found = spearman(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def test_hand_case_with_ties():
    """Ranks of x are 1.5, 1.5, 3; of y 1, 2, 3: rho = (3/2) / sqrt(3/2 x 2) = sqrt(3)/2."""
    assert spearman([0, 0, 1], [1, 2, 3]) == pytest.approx(3**0.5 / 2)


def test_ties_share_their_mean_rank_and_a_point_drawn_twice_ties_with_itself():
    values, times = np.array([5.0, 9.0, 5.0]), np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 0.0]])
    assert _ranks(values, times).tolist() == [[1.5, 3.0, 1.5], [1.5, 3.0, 1.5]]


def test_a_players_points_are_counted_at_each_spot():
    owner = np.array([0, 1, 0, 0, 2])
    x, y = np.array([0.5, 0.0, 0.5, 1.0, 0.0]), np.array([0.2, 0.3, 0.2, 0.1, 0.1])
    points, *places = spots_of(owner, x, y, 3)
    assert [one.tolist() for one in places] == [[0.0, 0.0, 0.5, 1.0], [0.1, 0.3, 0.2, 0.1]]
    assert points.tolist() == [[0, 0, 2, 1], [0, 1, 0, 0], [1, 0, 0, 0]]


def test_number_and_seed_of_the_draw_decide_the_interval():
    rng = np.random.default_rng(5)
    whole = [(at, at, value) for at, value in enumerate(rng.random(12))]
    assert spearman_figure(whole) == spearman_figure(whole, 10_000, 1)
    made = {spearman_figure(whole, *how) for how in ((500, 3), (500, 4), (4, 500))}
    assert len(made) == 3


def test_figure_counts_players_and_points_beside_the_value():
    whole = [(at // 2, at, (at * 7) % 24) for at in range(24)]
    found = spearman_figure(whole)
    assert (found.players, found.units, found.reason) == (12, 24, "")
    assert found.low < found.value < found.high


def test_points_in_the_same_order_always_leave_nothing_to_vary():
    found = spearman_figure([(at, at, at) for at in range(40)])
    assert (found.value, found.low, found.reason) == (1, None, "no variance: no interval")


def test_repeating_a_point_is_drawing_it_twice():
    whole = [("a", 0.0, 0.1), ("b", 0.5, 0.4), ("b", 1.0, 0.3), ("c", 0.5, 0.9)]
    found = spearman_figure(whole, 2000, 1)
    assert found.players == 3
    assert found.units == 4
    assert found.value == pytest.approx(stats.spearmanr([0, 0.5, 1, 0.5], [0.1, 0.4, 0.3, 0.9])[0])


def test_interval_holds_the_middle_95_percent_of_scipys_replicates():
    rng = np.random.default_rng(8)
    own = rng.random(30)
    whole = [(at, round(x, 1), x + rng.normal(0, 0.3)) for at, x in enumerate(own)]
    found = spearman_figure(whole, 4000, 1)
    x, y = np.array([p[1] for p in whole]), np.array([p[2] for p in whole])
    theirs = []
    for _ in range(4000):
        pick = rng.integers(0, 30, 30)
        theirs.append(stats.spearmanr(x[pick], y[pick]).statistic)
    tail = stats.norm.cdf(-((30 / 29) ** 0.5) * stats.t.ppf(0.975, 29))
    wanted = np.quantile(theirs, [tail, 1 - tail])
    assert [found.low, found.high] == pytest.approx(wanted, abs=0.03)


@pytest.mark.parametrize(
    ("whole", "reason"),
    [
        ([], "fewer than 2 points"),
        ([("a", 1.0, 1.0)], "fewer than 2 points"),
        ([("a", 1.0, 1.0), ("b", 1.0, 2.0)], "x or y does not vary"),
        ([("a", 1.0, 1.0), ("a", 2.0, 2.0)], "one player: no interval"),
    ],
)
def test_without_an_interval_there_is_a_reason(whole, reason):
    found = spearman_figure(whole)
    assert (found.low, found.high, found.reason) == (None, None, reason)


def test_fewer_than_ten_players_have_no_interval():
    whole = [(at // 2, at, (at * 7) % 24) for at in range(24)]
    assert spearman_figure(whole[:20]).reason == ""
    few = spearman_figure(whole[:18])
    assert (few.low, few.reason) == (None, "too few players: an interval needs 10")
    heavier = [*whole[:20], *[(0, at, 30 - at) for at in range(9)]]
    assert spearman_figure(heavier).reason == few.reason, "one has eleven of 29 points"


def test_two_players_are_too_few():
    assert "undefined" in spearman_figure([("a", 0.0, 0.0), ("b", 1.0, 1.0)]).reason


@pytest.mark.parametrize(
    ("whole", "value", "reason", "players"),
    [
        ([], None, "fewer than 2 points", 0),
        ([("a", 0.5, 0.1)], None, "fewer than 2 points", 1),
        ([("a", 0.5, 0.1), ("b", 0.5, 0.4)], None, "x or y does not vary", 2),
        ([("a", 0.0, 0.1), ("a", 0.5, 0.4)], 1.0, "one player: no interval", 1),
    ],
)
def test_figure_without_an_interval_says_why_and_keeps_what_is_known(whole, value, reason, players):
    found = spearman_figure(whole)
    assert (found.low, found.high, found.reason) == (None, None, reason)
    assert (found.players, found.units) == (players, len(whole))
    assert found.value == (None if value is None else pytest.approx(value))
