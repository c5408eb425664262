"""Replicates: what is drawn, which totals are kept, when there is no interval."""

import numpy as np
import pytest

from app.scoring import bootstrap
from app.scoring.alphareport import result
from app.scoring.bootstrap import Block, Interval, NoInterval, Units
from app.scoring.longrows import Row, from_rows


def block(values, weights=None):
    values = np.asarray(values, float)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    return Block(np.stack([values, np.ones(len(values))], 1), weights)


def units(strata, clusters=None):
    clusters = range(len(strata)) if clusters is None else clusters
    return Units(np.array(strata), np.array(clusters))


def make_ratings(n, *, clusters=None, disagree=3, strata=1, weights=(1.0,)):
    return from_rows(
        Row(
            f"i{i}",
            rater,
            (i + (shift if i % disagree == 0 else 0)) % 3,
            weights[i % strata % len(weights)],
            f"s{i % strata}",
            f"c{i % clusters}" if clusters else f"i{i}",
        )
        for i in range(n)
        for rater, shift in (("a", 0), ("b", 1))
    )


@pytest.mark.parametrize("over", ["items", "clusters"])
def test_every_replicate_keeps_the_total_of_each_stratum(over):
    strata = [0] * 9 + [1] * 5
    marks = Block(np.eye(2)[strata], np.array([2.0] * 9 + [7.0] * 5))
    found = bootstrap.replicates([marks], units(strata, [n % 4 for n in range(14)]), 500, 1, over)[
        0
    ]
    kept = found[~np.isnan(found).any(1)]
    assert len(kept) > 450
    assert np.allclose(kept, [18.0, 35.0])


@pytest.mark.parametrize("size", [2, 3, 30])
def test_variance_of_a_mean_is_the_textbooks_even_in_small_strata(size):
    values = np.arange(size) ** 2.0
    found = bootstrap.replicates([block(values)], units([0] * size), 40_000, 1)[0]
    means = found[:, 0] / found[:, 1]
    assert means.mean() == pytest.approx(values.mean(), rel=0.03)
    assert means.var() == pytest.approx(values.var(ddof=1) / size, rel=0.05)


def test_strata_of_one_unit_are_drawn_together():
    found = bootstrap.replicates([block([0, 4, 8])], units([0, 1, 2]), 200, 1)[0]
    assert np.ptp(found[:, 0]) > 0
    joined = bootstrap.replicates([block([0, 0, 0, 9])], units([0, 0, 0, 1]), 200, 1)[0]
    assert np.ptp(joined[:, 0]) > 0


def test_blocks_share_their_draws():
    values = np.arange(12.0)
    first, second = bootstrap.replicates([block(values), block(2 * values)], units([0] * 12), 99, 5)
    assert np.allclose(2 * first[:, 0], second[:, 0])


def test_replicate_without_a_usable_unit_of_a_stratum_is_undefined():
    weights = [1, 1, 1, 1, 0, 0, 0, 3]
    found = bootstrap.replicates([block(np.ones(8), weights)], units([0] * 4 + [1] * 4), 2000, 1)[0]
    share = np.isnan(found[:, 0]).mean()
    assert share == pytest.approx(0.75**3, abs=0.03)


def test_cluster_draws_keep_the_units_of_a_cluster_together():
    clusters = np.arange(60) // 3
    values = clusters.astype(float)
    over_items, over_clusters = (
        np.std(
            bootstrap.replicates([block(values)], units([0] * 60, clusters), 4000, 1, over)[0][:, 0]
        )
        for over in ("items", "clusters")
    )
    assert over_clusters == pytest.approx(over_items * 3**0.5, rel=0.1)


@pytest.mark.parametrize(("undefined", "code"), [(50, None), (51, "undefined_replicates")])
def test_more_than_a_twentieth_undefined_gives_no_interval(undefined, code):
    values = np.linspace(0, 1, 1000)
    values[:undefined] = np.nan
    found = bootstrap.percentile(values, 0.5, "items", 1, 99)
    assert found.undefined == undefined
    assert getattr(found, "code", None) == code


def test_percentile_interval_holds_the_middle_95_percent():
    found = bootstrap.percentile(np.linspace(0, 1, 1001), 0.5, "items", 7, 99)
    assert found == Interval(pytest.approx(0.025), pytest.approx(0.975), "items", 99, 1001, 7, 0)


def test_perfect_agreement_is_not_estimable():
    rows = [Row(f"i{i}", rater, i % 3) for i in range(30) for rater in "ab"]
    found = result(from_rows(rows), "ordinal", replicates=200)
    assert found.found.alpha == 1
    assert found.interval == NoInterval("not_estimable", "not estimable: the raters never disagree")


def test_few_units_have_no_interval():
    assert result(make_ratings(9), "ordinal", replicates=200).interval.code == "too_few_units"
    assert isinstance(result(make_ratings(10), "ordinal", replicates=200).interval, Interval)


@pytest.mark.parametrize(
    ("clusters", "words"), [(19, "19 clusters are too few"), (None, "every cluster has one")]
)
def test_few_clusters_or_single_items_have_only_the_interval_over_items(clusters, words):
    found = result(make_ratings(60, clusters=clusters), "ordinal", replicates=200)
    assert isinstance(found.interval, Interval)
    assert words in found.cluster_interval.reason


def test_twenty_clusters_have_both_intervals():
    found = result(make_ratings(60, clusters=20, disagree=7), "ordinal", replicates=200)
    assert (found.cluster_interval.over, found.cluster_interval.units) == ("clusters", 20)


def test_interval_narrows_with_more_items():
    few, many = (result(make_ratings(n), "ordinal", replicates=2000).interval for n in (50, 800))
    assert (many.high - many.low) < 0.35 * (few.high - few.low)


def test_interval_of_weighted_alpha_surrounds_it_and_differs_from_the_unweighted():
    ratings = make_ratings(90, strata=4, weights=(1.0, 2.0, 9.0, 30.0), disagree=7)
    weighted = result(ratings, "ordinal", weighting="scaled", replicates=2000)
    plain = result(ratings, "ordinal", replicates=2000)
    assert weighted.interval.low < weighted.found.alpha < weighted.interval.high
    assert weighted.interval != plain.interval
