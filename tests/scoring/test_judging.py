"""A judge compared with humans: coefficients, their intervals and differences."""

import numpy as np
import pytest

from app.scoring import judging
from app.scoring.agreement import LEVELS, alpha
from app.scoring.bootstrap import Interval
from app.scoring.sampling import Stratum
from bench.judged import SCALE
from tests.scoring.panels import ROWS, coefficients, make_panel, small_panel


@pytest.mark.parametrize(
    ("pool", "human_human", "first", "second"),
    [(False, 0.787555, 0.920746, 0.685185), (True, 0.655538, 0.889213, 0.573762)],
)
def test_both_rows_of_the_reference_case(pool, human_human, first, second):
    found = coefficients(small_panel(), pool=pool)
    (judge,) = found.judges
    assert found.human_human.found.alpha == pytest.approx(human_human, abs=6e-7)
    assert judge.each["h1"].found.alpha == pytest.approx(first, abs=6e-7)
    assert judge.each["h2"].found.alpha == pytest.approx(second, abs=6e-7)
    assert judge.mean.value == pytest.approx((first + second) / 2, abs=6e-7)
    assert judge.difference.value == pytest.approx(human_human - (first + second) / 2, abs=1e-6)


def test_stratum_without_a_usable_item_is_named():
    rows = [(0, None, 0)] * 3 + ROWS[3:]
    found = coefficients(small_panel(rows), pool=True)
    assert found.unheard == ("level 0",)
    assert found.human_human.found.n_single == 3


def test_intervals_over_items_and_over_clusters_surround_the_coefficients():
    found = coefficients(make_panel(), pool=True, replicates=1000)
    (judge,) = found.judges
    for one in (found.human_human, *judge.each.values()):
        assert one.interval.low < one.found.alpha < one.interval.high
    for figure in (judge.mean, judge.difference):
        assert figure.interval.low < figure.value < figure.interval.high
        assert isinstance(figure.cluster_interval, Interval)


@pytest.mark.parametrize("replicates", [0, 300])
def test_levels_of_measurement_together_are_what_each_is_alone(replicates):
    panel = make_panel(3)
    how = {"pool": True, "replicates": replicates, "seed": 1}
    together = judging.coefficients_at(panel, LEVELS, **how)
    assert together == {level: judging.coefficients(panel, level, **how) for level in LEVELS}
    assert len({found.human_human.found.alpha for found in together.values()}) == 4


def test_paired_difference_is_steadier_than_unpaired_would_be():
    found = coefficients(make_panel(), pool=False, replicates=4000)
    (judge,) = found.judges
    wide = [one.interval.high - one.interval.low for one in (found.human_human, judge.mean)]
    paired = judge.difference.interval.high - judge.difference.interval.low
    assert paired < 0.9 * (wide[0] ** 2 + wide[1] ** 2) ** 0.5


def test_judge_that_is_one_of_the_humans_differs_by_the_others_only():
    rows = [(j, two, j) for _, two, j in ROWS] * 4
    strata = [Stratum(f"level {h}", h, 100, 12) for h in SCALE]
    found = coefficients(small_panel(rows, strata), pool=False, replicates=300)
    (judge,) = found.judges
    assert judge.each["h1"].interval.code == "not_estimable"
    assert judge.each["h2"].found.alpha == found.human_human.found.alpha
    assert isinstance(judge.mean.interval, Interval)


def test_figures_without_replicates_have_no_interval_even_where_a_pair_never_disagrees():
    rows = [(j, two, j) for _, two, j in ROWS]
    (judge,) = coefficients(small_panel(rows), pool=False).judges
    assert judge.each["h1"].interval.code == "not_estimable"
    assert judge.mean.interval.code == "not_asked"


def test_mask_keeps_the_weights_of_the_whole_sample():
    panel = make_panel()
    mask = np.array([item.task == "A-Add" for item in panel.items])
    found = judging.coefficients(panel, "ordinal", pool=True, replicates=0, seed=1, mask=mask)
    kept = panel.weights(np.ones(len(mask), bool), pool=True) * mask
    expected = alpha(panel.ratings(panel.human, panel.humans, kept), "ordinal", weighting="scaled")
    assert found.human_human.found.alpha == pytest.approx(expected.alpha)
    assert found.human_human.found.n_pairable == mask.sum()
