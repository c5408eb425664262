"""How far intervals over few players, authors or items reach."""

import math

import pytest
from scipy import stats

from app.scoring import student


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 9, 9.5, 13.4677, 23, 95, 1000, 2e7])
def test_quantile_is_that_of_scipy(freedom):
    assert student.quantile(freedom) == pytest.approx(
        stats.t.ppf(0.975, freedom), rel=1e-7 if freedom > student.MANY else 1e-12
    )


def test_quantile_is_that_of_the_textbook():
    """Tables of Student's t give 2.262 for 9 and 2.069 for 23 degrees of freedom."""
    assert student.quantile(9) == pytest.approx(2.262, abs=5e-4)
    assert student.quantile(23) == pytest.approx(2.069, abs=5e-4)


@pytest.mark.parametrize(("a", "b", "x"), [(4.5, 0.5, 0.2), (4.5, 0.5, 0.95), (0.5, 20, 0.3)])
def test_incomplete_beta_is_that_of_scipy(a, b, x):
    assert student.incomplete_beta(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-12)


def test_a_bootstrap_of_ten_leaves_out_less_than_a_percent_on_each_side():
    """Hesterberg (2015): Phi(-sqrt(10 / 9) x 2.262) = Phi(-2.3845) = 0.0086."""
    assert student.reach(10) == pytest.approx(math.sqrt(10 / 9) * 2.262157, abs=1e-6)
    assert student.tail(student.reach(10)) == pytest.approx(0.00855, abs=5e-6)


def test_many_units_leave_out_two_and_a_half_percent():
    assert student.tail(student.NORMAL) == pytest.approx(0.025, abs=1e-15)
    assert student.tail(student.reach(10**8)) == pytest.approx(0.025, abs=1e-8)
