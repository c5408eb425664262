"""The planner: simulated widths match real samples, and allocations match their definition."""

import numpy as np
import pytest

from app.scoring import planner
from app.scoring.planner import Assumed, PlanError, plan

POOL = {(0, "a"): 100, (0, "b"): 20, (1, "a"): 150, (1, "b"): 150, (2, "a"): 900, (2, "b"): 280}


def make_plan(**more):
    return plan(POOL, 0.2, sizes=(60, 99, 300), seed=3, simulated=1000, **more)


def rows_of(found, design):
    return {row.size: row for row in found.rows if row.design == design}


def test_width_shrinks_with_the_square_root_of_the_size():
    found = rows_of(make_plan(), "equal")
    assert found[300].human_human / found[60].human_human == pytest.approx(0.2**0.5, rel=0.2)


def test_allocations_share_the_levels_as_named():
    found = make_plan()
    assert rows_of(found, "equal")[99].per_level == (33, 33, 33)
    assert rows_of(found, "source_balanced")[99].per_level == (33, 33, 33)
    ideal = 99 * np.array([120, 300, 1180]) / 1600
    assert np.abs(rows_of(found, "proportional")[99].per_level - ideal).max() < 1


def test_level_that_is_too_small_is_taken_whole_and_the_others_get_the_rest():
    found = rows_of(make_plan(), "equal")[300]
    assert found.per_level == (100, 100, 100)
    few = plan({(0, "a"): 9, (1, "a"): 500, (2, "a"): 500}, 0.2, sizes=(99,), simulated=50)
    assert few.rows[0].per_level == (9, 45, 45)


def test_enough_is_the_smallest_size_that_reaches_the_width():
    found = make_plan()
    for design in planner.DESIGNS:
        reached = [
            row.size for row in found.rows if row.design == design and row.human_human <= 0.2
        ]
        assert found.enough[design] == min(reached, default=None)
    assert plan(POOL, 0.001, sizes=(60,), simulated=50).enough["equal"] is None


def test_perfect_raters_and_judge_agree_fully():
    found = make_plan(assumed=Assumed(1.0, 1.0))
    assert (found.human_human, found.human_judge) == (pytest.approx(1), pytest.approx(1))
    assert {row.human_human for row in found.rows} == {0}


def test_expected_coefficients_follow_the_error_model():
    better, worse = (make_plan(assumed=Assumed(0.8, rater)) for rater in (0.95, 0.7))
    assert better.human_human > worse.human_human
    assert better.human_judge > worse.human_judge


def test_same_seed_gives_the_same_plan():
    assert make_plan() == make_plan()


def test_size_above_the_pool_is_the_pool():
    found = plan({(0, "a"): 20, (2, "a"): 30}, 0.2, sizes=(30, 900), simulated=50)
    assert sorted({row.size for row in found.rows}) == [30, 50]


def test_simulated_width_is_the_spread_of_drawn_samples():
    """Draw items from the error model one by one, estimate with our alpha, and compare."""
    from app.scoring import agreement, longrows

    rng = np.random.default_rng(1)
    chances = planner._joint(3, Assumed())
    weights = np.repeat([120 / 33, 300 / 33, 1180 / 33], 33)
    found = []
    for _ in range(400):
        cells = np.concatenate([rng.choice(9, 33, p=chances[level].ravel()) for level in range(3)])
        ratings = longrows.from_rows(
            longrows.Row(f"i{n}", rater, int(value), float(weights[n]))
            for n, cell in enumerate(cells)
            for rater, value in (("a", cell // 3), ("b", cell % 3))
        )
        found.append(agreement.alpha(ratings, "ordinal", weighting="scaled").alpha)
    low, high = np.quantile(found, [0.025, 0.975])
    width = rows_of(make_plan(), "equal")[99].human_human
    assert width == pytest.approx(high - low, rel=0.15)


@pytest.mark.parametrize(
    ("pool", "wished", "assumed"),
    [
        ({}, 0.2, None),
        ({(0, "a"): -1, (1, "a"): 3}, 0.2, None),
        ({(7, "a"): 1}, 0.2, None),
        (POOL, 0, None),
        (POOL, 0.2, Assumed(0, 0.5)),
    ],
)
def test_plans_from_nothing_are_refused(pool, wished, assumed):
    with pytest.raises(PlanError):
        plan(pool, wished, assumed=assumed)
