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


@pytest.mark.parametrize("freedom", [1, 2, 9.5, 95])
@pytest.mark.parametrize("t", [0.1, 1, 2.262, 12.7])
def test_share_above_is_that_of_scipy(t, freedom):
    assert student.above(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-11)


def test_share_above_is_that_of_the_textbook():
    """With one degree of freedom, Student's t is Cauchy's: 1/2 - atan(t) / pi."""
    assert student.above(3, 1) == pytest.approx(0.5 - math.atan(3) / math.pi, rel=1e-13)


def test_incomplete_beta_of_a_share_close_to_one_is_exact():
    """I(x; 1, b) = 1 - (1 - x)^b; from this side, the fraction would not have ended in time."""
    assert student.incomplete_beta(1 - 1e-9, 1, 0.5) == pytest.approx(1 - 1e-9**0.5, rel=1e-12)
