"""Made-up items: which scores they have, how much they weigh, and that intervals widen by them."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from app.scoring import bootstrap, judging, smoothing
from app.scoring.agreement import alphas, unit_coincidences
from app.scoring.bootstrap import Units
from app.scoring.panel import MISSING, counts_of, make
from app.scoring.sampling import Stratum
from bench.judged import SCALE
from tests.scoring.panels import ROWS, STRATA, coefficients, make_panel, small_panel


def made_up_of(panel, kept=None):
    kept = np.ones(len(panel.items), bool) if kept is None else kept
    return smoothing.made_up(panel, kept, panel.human, panel.judge)


def test_each_level_gets_two_thirds_of_an_item_spread_over_all_patterns_of_the_humans():
    panel = small_panel()
    made = made_up_of(panel)
    assert len(made.mass) == 3 * 9
    for level in SCALE:
        here = made.judge[:, 0] == level
        assert made.mass[here].sum() == pytest.approx(2 / 3)
        assert np.ptp(made.mass[here]) == 0
        assert sorted(map(tuple, made.human[here])) == [(a, b) for a in SCALE for b in SCALE]
        assert set(panel.stratum[made.like[here]]) == {level}


def test_missing_ratings_stay_missing_in_proportion():
    panel = small_panel([(0, None, 0), *ROWS[1:]])
    made = made_up_of(panel)
    alone = (made.human == MISSING).any(1)
    assert alone.sum() == 3  # one free score: three patterns
    assert made.mass[alone].sum() == pytest.approx(2 / 3 / 3)  # one of the three items of level 0
    assert (made.human[alone, 1] == MISSING).all()


def test_judge_whose_level_varies_within_a_stratum_is_spread_as_well():
    one = (Stratum("all items", 0, 300, 9),)
    items = [replace(item, stratum="all items") for item in small_panel().items]
    made = made_up_of(make(items, one, SCALE, ("judge",)))
    assert Counter(made.judge[:, 0].tolist()) == dict.fromkeys(SCALE, 9)
    assert made.mass.sum() == pytest.approx(2 / 3)


def test_items_that_are_left_out_get_no_made_up_ones():
    panel = small_panel()
    made = made_up_of(panel, panel.stratum == 1)
    assert set(made.judge[:, 0].tolist()) == {1}
    assert len(made_up_of(panel, np.zeros(9, bool)).mass) == 0


def test_many_raters_get_a_bounded_number_of_patterns():
    panel = make_panel(2)
    human = np.tile(panel.human, (1, 5))
    made = smoothing.made_up(panel, np.ones(len(panel.items), bool), human, panel.judge)
    assert len(made.mass) == 3 * smoothing.MOST
    assert made.mass.sum() == pytest.approx(2)


@pytest.mark.parametrize(
    ("over", "made_up", "near"), [("items", 0.45, 0.03), ("clusters", 0.5, 0.1)]
)
def test_draws_keep_each_stratums_weight_and_hold_the_made_up_share(over, made_up, near):
    """Ten items of weight 2 and half a made-up one, which nine of ten items draw less often."""
    real, mass = np.ones((10, 1)), np.array([1.0] * 10 + [0.5])
    units = Units(np.zeros(11, int), np.arange(11), mass)
    features = np.column_stack([np.append(real, 0.0), np.append(0 * real, 1.0)])
    block = bootstrap.Block(features, np.full(11, 2.0))
    (found,) = bootstrap.replicates([block], units, 40_000, 1, over)
    assert np.allclose(found.sum(1), 20)
    assert found[:, 1].mean() / 20 == pytest.approx(made_up / (10 + made_up), rel=near)


def test_made_up_items_widen_draws_from_small_strata_no_more_than_from_a_large_one():
    """Forty equal items and a made-up one of another score, in one stratum or ten of four.

    The variance of their share of the whole: p (1 - p) / the number of draws, in each stratum.
    """
    spread = []
    for strata in (1, 10):
        codes = np.append(np.arange(40) % strata, np.arange(strata))
        mass = np.append(np.ones(40), np.full(strata, 1 / 2 / strata))
        features = np.append(np.zeros(40), np.ones(strata))[:, None]
        block = bootstrap.Block(features, np.full(40 + strata, 1 / 40))
        units = Units(codes, np.arange(40 + strata), mass)
        (found,) = bootstrap.replicates([block], units, 60_000, 1)
        part = mass[40] * (40 // strata - 1) / (40 // strata)
        p = part / (40 / strata + part)
        spread.append(float(found.var()))
        assert spread[-1] == pytest.approx(p * (1 - p) / (40 - strata), rel=0.04)
    assert spread[0] == pytest.approx(spread[1], rel=0.05)


def test_difference_may_be_higher_if_the_heaviest_level_shows_no_human_disagreement():
    """Nine of ten items stand for little of the pool; those of the last level agree by chance."""
    strata = [Stratum(one.name, one.level, one.population, 12) for one in STRATA]
    rows = [(a, b, j) for a, b, j in ROWS[:6]] * 4 + [(2, 2, 2)] * 11 + [(1, 1, 2)]
    panel = small_panel(rows, strata)
    (judge,) = coefficients(panel, pool=True, replicates=4000).judges
    assert judge.difference.interval.method == smoothing.METHOD
    sets = judging._compared(panel.human, panel.judge)
    weights = panel.weights(np.ones(len(rows), bool), pool=True)
    plain = [bootstrap.Block(unit_coincidences(counts_of(scores, 3)), weights) for scores in sets]
    drawn = bootstrap.replicates(plain, panel.units, 4000, 1)
    found = [alphas(one.reshape(-1, 3, 3), np.arange(3.0), "ordinal") for one in drawn]
    low, high = np.nanquantile(found[0] - (found[1] + found[2]) / 2, [0.025, 0.975])
    assert judge.difference.interval.low < low
    assert judge.difference.interval.high - judge.difference.interval.low > 1.1 * (high - low)
