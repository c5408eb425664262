"""Agreement and bias within a judge's levels, and the corrected mean of the pool."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from app.scoring import bylevel
from app.scoring.bootstrap import NoInterval
from app.scoring.confusion import Estimate
from app.scoring.panel import JudgedItem, make
from app.scoring.sampling import Stratum
from bench.judged import JUDGE, RATED_GIVEN_TRUE, SCALE, TRUE_GIVEN_JUDGE
from tests.scoring.panels import ROWS, STRATA, make_panel, small_panel

WHOLE = tuple(Stratum(f"level {h}", h, 3, 3) for h in SCALE)  # nothing is left undrawn


def levels_of(panel, replicates=0):
    return bylevel.levels(panel, 0, replicates=replicates, seed=1)


def test_levels_tell_agreement_and_signed_bias():
    found = bylevel.levels(small_panel(), 0, replicates=0, seed=1)
    first = {one.level: one for one in found if one.human == "h1"}
    assert first[1].bias.value == pytest.approx(-1 / 3)
    assert first[1].raw.exact.value == pytest.approx(2 / 3)
    assert first[0].bias.value == 0
    assert not hasattr(first[0], "alpha")


def test_levels_of_a_second_judge_keep_the_weights_of_the_sample():
    """Two items of its level 1: one stands for 13 of the pool, one for 67."""
    second = [0, 1, 0, 0, 0, 0, 1, 0, 0]
    first = small_panel()
    items = [
        replace(item, judges={**item.judges, "other": level})
        for item, level in zip(first.items, second, strict=True)
    ]
    panel = make(items, STRATA, SCALE, ("judge", "other"))
    found = {(one.level, one.human): one for one in bylevel.levels(panel, 1, replicates=0, seed=1)}
    assert {one.judge for one in found.values()} == {"other"}
    assert found[1, "h1"].bias.value == pytest.approx((13 * (1 - 0) + 67 * (1 - 2)) / 80)


def test_bias_has_an_interval_even_if_nothing_varies():
    found = bylevel.levels(make_panel(), 0, replicates=500, seed=1)
    assert all(one.bias.interval.low <= one.bias.value <= one.bias.interval.high for one in found)
    (flat, *_) = bylevel.levels(small_panel(), 0, replicates=200, seed=1)
    assert flat.bias.value == flat.bias.interval.high == 0
    assert flat.bias.interval.low < -0.2


def two_scores(hits, size, population):
    """Return a panel of one level with scores 0 and 1, of which so many are 1."""
    items = [
        JudgedItem(f"i{n}", "all", f"c{n}", "A", "s", {"h": int(n < hits)}, {"judge": 1})
        for n in range(size)
    ]
    return make(items, [Stratum("all", 1, population, size)], (0, 1), ("judge",))


def test_bias_of_two_scores_is_that_of_jeffreys_interval():
    (_, one) = bylevel.levels(two_scores(14, 20, 10_000), 0, replicates=100_000, seed=1)
    wanted = 1 - stats.beta.ppf([0.975, 0.025], 14.5, 6.5)
    assert one.bias.value == pytest.approx(0.3)
    assert [one.bias.interval.low, one.bias.interval.high] == pytest.approx(wanted, abs=0.004)
    assert [one.raw.exact.low, one.raw.exact.high] == pytest.approx(1 - wanted[::-1], abs=0.004)


@pytest.mark.parametrize("population", [10_000, 40, 20])
def test_corrected_mean_narrows_as_the_pool_is_rated(population):
    """Jeffreys' distribution around the estimate, as far out as Student's t with 19 freedoms.

    Of a pool of 40, half is known, so its spread shrinks by sqrt(1/2).
    """
    panel = two_scores(14, 20, population)
    found = bylevel.corrected_mean(panel, replicates=100_000, seed=1)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 19))
    ends = stats.beta.ppf([tail, 1 - tail], 14.5, 6.5) - 14.5 / 21
    wanted = 0.7 + ends * (1 - 20 / population) ** 0.5
    assert [found.low, found.high] == pytest.approx(wanted, abs=0.004)


def test_corrected_mean_stays_on_the_scale():
    found = bylevel.corrected_mean(two_scores(20, 20, 400), replicates=4000, seed=1)
    assert found.low < 0.95
    assert found.value == found.high == 1


def test_corrected_mean_and_its_variance_are_the_formulas():
    found = bylevel.corrected_mean(small_panel(), 0)
    assert found.value == pytest.approx((39 * 0 + 60 * 4 / 3 + 201 * 2) / 300)
    assert found.variance == pytest.approx((60 / 300) ** 2 * (1 / 3) / 3 * (1 - 3 / 60))
    assert found.judge == pytest.approx((60 + 402) / 300)
    both = bylevel.corrected_mean(small_panel())
    assert both.value == pytest.approx((39 / 6 + 60 * 7 / 6 + 201 * 11 / 6) / 300)


def test_corrected_mean_of_a_whole_frame_has_no_sampling_variance():
    assert bylevel.corrected_mean(small_panel(strata=WHOLE)).variance == 0


def test_corrected_mean_has_an_interval_if_draws_are_asked_for():
    found = bylevel.corrected_mean(small_panel(), 0, replicates=4000)
    assert (found.low, found.high) != (None, None)
    assert found.low < found.value < found.high
    assert found.human == "h1"
    assert bylevel.corrected_mean(small_panel()).human is None
    assert bylevel.corrected_mean(small_panel()).low is None
    again = bylevel.corrected_mean(small_panel(), 0, replicates=4000, seed=1)
    assert again == found != bylevel.corrected_mean(small_panel(), 0, replicates=4000, seed=2)


def test_corrected_mean_takes_an_item_that_one_human_rated_at_that_rating():
    rows = [(1, None, 0), (None, 2, 0), (0, 1, 0), *ROWS[3:]]
    found = bylevel.corrected_mean(small_panel(rows))
    assert found.value == pytest.approx((39 * 3.5 / 3 + 60 * 7 / 6 + 201 * 11 / 6) / 300)


def test_corrected_mean_says_why_it_is_missing():
    none = small_panel([(0, None, 0)] * 3 + ROWS[3:6] + [(2, None, 2)] * 3)
    reason = "no usable item in level 0, level 2"
    expected = bylevel.Corrected("h2", None, None, None, None, 462 / 300, reason)
    assert bylevel.corrected_mean(none, 1) == expected


def test_corrected_mean_has_no_variance_where_a_stratum_has_one_usable_item():
    one = small_panel([(0, None, 0)] * 2 + ROWS[2:6] + [(2, 2, 2)] + [(2, None, 2)] * 2)
    value = pytest.approx((39 * 0 + 60 * 3 / 3 + 201 * 2) / 300)
    reason = "only one usable item in level 0, level 2, so its spread is unknown"
    expected = bylevel.Corrected("h2", value, None, None, None, 462 / 300, reason)
    assert bylevel.corrected_mean(one, 1) == expected
    whole = (Stratum("level 0", 0, 1, 1), *STRATA[1:])
    alone = bylevel.corrected_mean(small_panel([ROWS[0], *ROWS[3:]], whole), 0)
    assert alone.variance == pytest.approx((60 / 262) ** 2 * (1 / 3) / 3 * (1 - 3 / 60))


@pytest.mark.parametrize("strata", [STRATA, WHOLE])
def test_bias_counts_items_with_both_scores_and_says_why_it_has_no_interval(strata):
    rows = [(0, None, 0)] * 3 + ROWS[3:5] + [(1, None, 1)] + ROWS[6:]
    panel = small_panel(rows, strata)
    found = {(one.level, one.human): one.bias for one in levels_of(panel)}
    nothing, not_asked = "no item with both scores", "no bootstrap was requested"
    assert found[0, "h2"] == Estimate(None, NoInterval("undefined", nothing))
    assert found[1, "h2"] == Estimate(0.5, NoInterval("not_asked", not_asked))
    drawn = {(one.level, one.human): one.bias for one in levels_of(panel, replicates=400)}
    assert drawn[0, "h2"] == found[0, "h2"]
    interval = drawn[2, "h2"].interval
    assert (interval.over, interval.units, interval.seed) == ("items", 3, 1)
    assert interval.replicates == 400
    assert levels_of(panel, replicates=400) == levels_of(panel, replicates=400)


@pytest.mark.parametrize("allocation", ["proportional", "balanced"])
def test_corrected_mean_is_unbiased_over_samples(allocation):
    found = [
        bylevel.corrected_mean(make_panel(seed, 400, 16, allocation=allocation), 0)
        for seed in range(150)
    ]
    expected = np.array(JUDGE) @ TRUE_GIVEN_JUDGE @ RATED_GIVEN_TRUE @ np.arange(3)
    values = [one.value for one in found]
    assert np.mean(values) == pytest.approx(expected, abs=3 * np.std(values) / 150**0.5)
