"""Draws of shares: Beta distributions by hand, kept totals, intervals that hold their estimate."""

import numpy as np
import pytest
from scipy import stats

from app.scoring import posterior
from app.scoring.bootstrap import Block, NoInterval

HALF = 0.5


def of_hits(hits, size, weight=1.0):
    """Return block and mass of a yes-no score, with half a made-up item for each."""
    features = np.repeat([[1.0], [0.0], [1.0], [0.0]], [hits, size - hits, 1, 1], axis=0)
    mass = np.append(np.ones(size), [HALF, HALF])
    return Block(features, np.full(size + 2, weight)), mass


@pytest.mark.parametrize("hits", [0, 3])
def test_a_share_is_drawn_from_jeffreys_beta_distribution(hits):
    block, mass = of_hits(hits, 10)
    drawn = posterior.replicates(block, np.zeros(12, int), mass, 100_000, 1)[:, 0] / 10
    for share in (0.025, 0.5, 0.975):
        wanted = stats.beta.ppf(share, hits + 0.5, 10 - hits + 0.5)
        assert np.quantile(drawn, share) == pytest.approx(wanted, abs=0.005)


def test_interval_of_jeffreys_is_that_of_the_textbook():
    """Brown, Cai & DasGupta (2001), table 5: 2 of 10 gives 0.044 to 0.503."""
    block, mass = of_hits(2, 10)
    drawn = posterior.replicates(block, np.zeros(12, int), mass, 200_000, 1)[:, 0] / 10
    found = posterior.interval(drawn, 0.2, 10, 1)
    assert (found.low, found.high) == pytest.approx((0.044, 0.503), abs=0.003)
    assert (found.method, found.units) == (posterior.METHOD, 10)


def test_groups_keep_their_weight_and_units_without_weight_count_nothing():
    features = np.column_stack([np.arange(7.0), np.ones(7)])
    weights = np.array([2.0, 2.0, 0.0, 5.0, 5.0, 2.0, 5.0])
    groups, mass = np.array([0, 0, 0, 1, 1, 0, 1]), np.array([1, 1, 1, 1, 1, 0.3, 0.3])
    drawn = posterior.replicates(Block(features, weights), groups, mass, 500, 3)
    assert np.allclose(drawn[:, 1], 14)
    assert np.ptp(drawn[:, 0]) > 1
    alone = Block(features[:, :1], np.where(groups == 1, weights, 0.0))
    only = posterior.replicates(alone, groups, mass, 500, 3)[:, 0]
    assert (only >= 30).all()
    assert (only <= 60).all()


def test_a_heavier_item_weighs_more():
    features = np.array([[1.0], [0.0]] * 20)
    drawn = posterior.replicates(
        Block(features, np.array([3.0, 1.0] * 20)), np.zeros(40, int), np.ones(40), 4000, 1
    )
    assert drawn.mean() / 80 == pytest.approx(0.75, abs=0.01)


def test_an_interval_holds_its_estimate():
    drawn = np.linspace(0.1, 0.9, 1001)
    assert posterior.interval(drawn, 0.0, 5, 1).low == 0.0
    assert posterior.interval(drawn, 1.0, 5, 1).high == 1.0
    inner = posterior.interval(drawn, 0.5, 5, 1)
    assert (inner.low, inner.high) == pytest.approx((0.12, 0.88))
    assert posterior.interval(drawn, None, 5, 1).code == "undefined"
    assert isinstance(posterior.interval(np.full(9, 0.5), 0.5, 5, 1), NoInterval)


@pytest.mark.parametrize("prior", [0.5, 1 / 3])
def test_answers_have_as_much_of_a_made_up_item_each_in_every_group(prior):
    """Made-up items of any mass: two say yes and one no in the first group, only no in the second.

    The second group weighs twice as much, and one of its items is not used.
    """
    hits = np.array([1.0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0])
    groups = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1])
    weights = np.array([1.0, 1, 1, 3, 3, 0, 0, 1, 1, 1, 3])
    mass = np.array([1.0] * 7 + [0.2, 0.3, 0.1, 0.9])
    drawn = posterior.answers(hits, weights, groups, mass, 100_000, 1, prior)
    for share in (0.025, 0.5, 0.975):
        wanted = stats.beta.ppf(share, 2 + prior, 1 + prior) * 3 / 9
        assert np.quantile(drawn, share) == pytest.approx(wanted, abs=0.004)
    assert mass.tolist()[7:] == [0.2, 0.3, 0.1, 0.9]


def test_an_interval_may_reach_further_than_the_middle():
    drawn = np.linspace(0, 1, 1001)
    found = posterior.interval(drawn, 0.5, 5, 1, reach=2.5, method="own")
    assert (found.low, found.high) == pytest.approx(tuple(stats.norm.cdf([-2.5, 2.5])))
    assert found.method == "own"


def test_draws_depend_on_the_seed_alone_and_not_on_items_without_weight():
    block, mass = of_hits(3, 10)
    more = Block(np.vstack([block.features, [[7.0]]]), np.append(block.weights, 0.0))
    first, again, unused = (
        posterior.replicates(one, np.zeros(len(mine), int), mine, 50, 4)
        for one, mine in ((block, mass), (block, mass), (more, np.append(mass, 1.0)))
    )
    assert np.array_equal(first, again)
    assert np.array_equal(first, unused)
    hits = block.features[:, 0]
    shares = [posterior.answers(hits, block.weights, np.zeros(12, int), mass, 50, 4) for _ in "ab"]
    assert np.array_equal(*shares)


def test_small_weights_count_and_each_total_has_its_own_scale():
    block, mass = of_hits(3, 10, weight=0.01)
    groups = np.zeros(12, int)
    one = posterior.replicates(block, groups, mass, 50, 4)
    assert (one > 0).all()
    both = Block(np.hstack([block.features, 5 * block.features]), block.weights)
    two = posterior.replicates(both, groups, mass, 50, 4)
    assert np.allclose(two, np.hstack([one, 5 * one]))


def test_made_up_items_of_three_groups_are_scaled_once():
    hits = np.tile([1.0, 0, 1, 0], 3)
    groups, mass = np.repeat([0, 1, 2], 4), np.tile([1.0, 1, 0.2, 0.3], 3)
    drawn = posterior.answers(hits, np.ones(12), groups, mass, 100_000, 1, 0.5)
    variance = 3 * (2 / 6) ** 2 * stats.beta.var(1.5, 1.5)
    assert drawn.var() == pytest.approx(variance, rel=0.02)


def test_an_interval_says_what_was_drawn_and_with_which_seed():
    drawn = np.linspace(0, 1, 1001)
    made = posterior.interval(drawn, 0.5, 5, 7)
    assert (made.over, made.seed) == ("items", 7)
    assert posterior.interval(drawn, 0.5, 5, 7, over="authors").over == "authors"
