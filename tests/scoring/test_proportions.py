"""Shares and their intervals, kappa, rank correlation: by hand, and beside SciPy."""

import numpy as np
import pytest
from scipy import stats

from app.scoring.proportions import (
    Share,
    by_row,
    quadratic_kappa,
    share,
    spearman,
    wilson,
)

TABLE = np.array([[4.0, 1.0, 0.0], [2.0, 3.0, 2.0], [0.0, 1.0, 5.0]])
ONE_ROW = np.array([[1.0, 2.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
NUMBERS = np.array([0.0, 1.0, 2.0])


def floats(*values):
    return np.array(values, np.float64)


def pairs(table):
    """Return the items that a table of whole numbers counts: their row and their column."""
    where = np.repeat(np.arange(table.size), table.astype(int).ravel())
    return where // len(table), where % len(table)


def test_a_share_without_weights_is_the_plain_proportion():
    found = share(floats(1, 1, 0, 1), np.ones(4))
    low, high = wilson(0.75, 4)
    assert found == Share(0.75, low, high, n=4, effective=4.0)


def test_a_share_with_weights_has_fewer_effective_items_and_leaves_out_those_of_weight_0():
    found = share(floats(1, 0, 1, 1), floats(1, 1, 2, 0))
    assert found == Share(0.75, *wilson(0.75, 16 / 6), n=3, effective=16 / 6)


def test_a_share_of_nothing_is_undefined():
    assert share(floats(1, 0), np.zeros(2)) == Share(None, None, None, n=0, effective=0.0)
    assert share(floats(), floats()).value is None


@pytest.mark.parametrize(("hits", "n"), [(0, 5), (1, 5), (3, 8), (50, 100), (8, 8)])
def test_wilsons_interval_is_that_of_scipy(hits, n):
    theirs = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilsons_interval_holds_its_value_and_stays_within_0_and_1():
    assert wilson(0.0, 3)[0] == 0.0
    assert wilson(1.0, 3)[1] == 1.0
    for n in (0.3, 1, 7, 16, 27, 1e9):  # 16 and 27 leave [0, 1] by rounding
        for value in (0.0, 0.1, 0.5, 1.0):
            low, high = wilson(value, n)
            assert 0.0 <= low <= value <= high <= 1.0


def test_kappa_of_a_table_worked_by_hand():
    """Squared distance seen: 2 x 1 of 6 pairs; by chance 3 of 6: kappa = 1 - 2/3."""
    assert quadratic_kappa(np.array([[2.0, 1.0], [1.0, 2.0]]), NUMBERS[:2]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("numbers", [NUMBERS, floats(0, 1, 5)])
def test_kappa_weighs_by_squared_distance(numbers):
    share_of = TABLE / TABLE.sum()
    rows, columns = share_of.sum(1), share_of.sum(0)
    seen = chance = 0.0
    for i in range(3):
        for j in range(3):
            apart = (numbers[i] - numbers[j]) ** 2
            seen += share_of[i, j] * apart
            chance += rows[i] * columns[j] * apart
    assert quadratic_kappa(TABLE, numbers) == pytest.approx(1 - seen / chance)


def test_rank_correlation_is_that_of_scipy_with_ties():
    theirs = stats.spearmanr(*pairs(TABLE)).statistic
    assert spearman(TABLE) == pytest.approx(theirs)
    assert spearman(TABLE[:, ::-1]) == pytest.approx(-theirs)
    assert spearman(TABLE / 7) == pytest.approx(theirs)  # weights, not counts


def test_two_values_on_each_side_are_enough_for_a_rank_correlation():
    two = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert spearman(two) == pytest.approx(stats.spearmanr(*pairs(two)).statistic)


def test_rows_of_a_table_sum_to_1():
    assert by_row(TABLE) == pytest.approx(TABLE / TABLE.sum(1)[:, None])


def test_weights_may_sum_to_less_than_1():
    light = TABLE / 100
    assert quadratic_kappa(light, NUMBERS) == pytest.approx(quadratic_kappa(TABLE, NUMBERS))
    assert spearman(light) == pytest.approx(spearman(TABLE))
    assert by_row(light) == pytest.approx(by_row(TABLE))


def test_what_is_undefined_is_nan_and_nothing_warns():
    empty, one_cell = np.zeros((3, 3)), np.diag([5.0, 0.0, 0.0])
    for undefined in (empty, one_cell):
        assert np.isnan(quadratic_kappa(undefined, NUMBERS))
        assert np.isnan(spearman(undefined))
    assert np.isnan(spearman(ONE_ROW))
    assert np.isnan(spearman(ONE_ROW.T))
    assert np.isnan(by_row(ONE_ROW)).tolist() == [[False] * 3, [True] * 3, [True] * 3]


def test_many_tables_at_once_give_the_figures_of_each():
    tables = np.stack([TABLE, TABLE.T, np.eye(3), ONE_ROW, ONE_ROW.T])
    for figure in (spearman, by_row, lambda one: quadratic_kappa(one, NUMBERS)):
        each = np.stack([figure(one) for one in tables])
        assert figure(tables) == pytest.approx(each, nan_ok=True)


def test_wilson_gives_the_textbook_interval():
    assert wilson(0.7, 10) == (pytest.approx(0.3968, abs=5e-5), pytest.approx(0.8922, abs=5e-5))
    assert wilson(0.0, 10) == (0.0, pytest.approx(0.2775, abs=5e-4))
    assert wilson(1.0, 10)[1] == 1.0
