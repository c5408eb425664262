"""Alpha's interval over items and raters: what other raters would have found."""

import numpy as np
import pytest

from app.scoring import alphareport, over_raters
from app.scoring.agreement import alpha
from app.scoring.bootstrap import Interval, NoInterval
from app.scoring.longrows import Row, from_rows


def rated(items=60, raters=6, spread=0.0, noise=0.25, seed=1):
    """Ratings 0 to 2 by raters who differ in leniency by `spread`."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    lean = rng.normal(0, spread, raters)
    rows = [
        Row(f"i{item}", f"r{rater}", int(np.clip(round(value), 0, 2)))
        for item in range(items)
        for rater in range(raters)
        for value in [truth[item] + lean[rater] + rng.normal(0, noise)]
    ]
    return from_rows(rows, domain=(0, 1, 2))


def over(ratings, replicates=1500, level="ordinal", weighting="none"):
    found = alpha(ratings, level, weighting=weighting)
    return over_raters.interval(ratings, found, weighting, replicates=replicates, seed=1)


def width(one):
    assert isinstance(one, Interval)
    return one.high - one.low


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_every_rater_once_is_alpha_itself(level):
    ratings = rated(spread=0.5)
    kept = np.delete(np.arange(len(ratings.item)), [3, 50, 51, 200])  # some are missing
    rows = [
        Row(ratings.items[ratings.item[k]], ratings.raters[ratings.rater[k]], int(ratings.value[k]))
        for k in kept
    ]
    ratings = from_rows(rows, domain=(0, 1, 2))
    found = alpha(ratings, level)
    times, weights = np.ones((1, 6)), np.ones((1, 60))
    tables = over_raters.coincidences(over_raters.marks(ratings), times, weights)
    (value,) = alphareport.table_alphas(tables, found, "none")
    assert value == pytest.approx(found.alpha)


def test_a_rater_drawn_twice_is_never_compared_with_themselves():
    """Two copies of one and one of another: only pairs of different people count."""
    ratings = from_rows([Row("a", "x", 0), Row("a", "y", 2)], domain=(0, 1, 2))
    tables = over_raters.coincidences(
        over_raters.marks(ratings), np.array([[2.0, 1.0]]), np.ones((1, 1))
    )
    table = tables.reshape(3, 3)
    assert table[0, 0] == table[2, 2] == 0
    assert table[0, 2] == table[2, 0] == pytest.approx(1.5)  # three values in all


def test_raters_who_differ_make_the_interval_wider_and_equal_ones_hardly():
    for spread, least, most in ((0.6, 1.5, 9), (0.0, 0.8, 1.5)):
        ratings = rated(spread=spread)
        items = alphareport.result(ratings, "ordinal", replicates=1500).interval
        ratio = width(over(ratings).interval) / width(items)
        assert least < ratio < most, spread


def test_two_raters_get_no_interval_but_a_reason_and_a_warning_of_their_own():
    found = over(rated(raters=2, spread=0.5))
    assert found.interval == NoInterval("too_few_raters", "two raters are too few (fewer than 4)")
    assert isinstance(over(rated(raters=4)).interval, Interval)
    assert "two raters" in found.warning
    assert "no interval" in found.warning
    few = over(rated(raters=4)).warning
    assert few != found.warning
    assert "4 raters are few" in few
    assert over(rated(raters=12)).warning == ""


def test_draws_are_repeatable_and_too_little_data_has_a_reason():
    ratings = rated()
    assert over(ratings) == over(ratings)
    few = over(rated(items=6)).interval
    assert isinstance(few, NoInterval)
    assert few.code == "too_few_units"
    many = from_rows(
        [Row(f"i{n}", f"r{k}", float(n * 7 + k)) for n in range(1500) for k in range(2)]
    )
    found = over(many, level="interval").interval
    assert isinstance(found, NoInterval)
    assert found.code == "too_many_values"


def test_strata_keep_their_weight_in_every_replicate():
    """With all its weight in one stratum, only that stratum's disagreement counts."""
    rng = np.random.default_rng(3)
    rows = [
        Row(f"{name}{n}", f"r{k}", int(value), weight, name)
        for name, weight, noise in (("a", 1000.0, 0.2), ("b", 1.0, 2.0))
        for n in range(40)
        for k in range(5)
        for value in [np.clip(round(n % 3 + rng.normal(0, noise)), 0, 2)]
    ]
    ratings = from_rows(rows, domain=(0, 1, 2))
    only = from_rows([row for row in rows if row.stratum == "a"], domain=(0, 1, 2))
    both = over(ratings, weighting="frequency").interval
    alone = over(only).interval
    assert both.low == pytest.approx(alone.low, abs=0.03)


def test_three_raters_get_no_interval_because_it_would_be_too_short():
    found = over(rated(raters=3, spread=0.5))
    assert found.interval == NoInterval("too_few_raters", "three raters are too few (fewer than 4)")
    assert found.warning.startswith("With three raters, intervals for other raters hold the true")


def test_weighted_alpha_has_no_interval_for_other_raters_because_it_would_be_too_long():
    ratings = rated(raters=5)
    assert over(ratings, weighting="scaled").interval == over_raters.WEIGHTED
    assert isinstance(over(ratings).interval, Interval)
