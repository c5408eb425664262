"""Alpha's intervals put together from their parts, and the document made of a result."""

from dataclasses import replace

import numpy as np
import pytest

from app.scoring import alphareport, bootstrap, manyvalues, smoothing, student
from app.scoring.agreement import alpha, alphas, unit_coincidences
from app.scoring.alphareport import Result, refusal, result, table_alphas
from app.scoring.bootstrap import Block, Interval, NoInterval, Units
from app.scoring.longrows import Row, from_codes, from_rows

HOW = {"replicates": 40, "seed": 7}
FEW_VALUES = 31  # with 2,100 items: more than a table of values x values is made for


def make_ratings(number=48, clusters=24, single=(4, 5, 11), differ=3):
    """Two raters, who differ in every third item; the second one skips some."""
    return from_rows(
        [
            Row(f"i{n}", rater, (n + shift * (n % differ == 0)) % 3, 1.0 + n % 2, f"s{n % 2}", c)
            for n in range(number)
            for rater, shift in (("a", 0), ("b", 1))
            for c in [f"c{n % clusters}"]
            if not (rater == "b" and n in single)
        ],
        domain=(0, 1, 2, 3),
    )


def kept_of(ratings):
    """Return the units with a pair, as they are drawn, and which those are."""
    kept = np.bincount(ratings.item) == 2
    return Units(ratings.stratum[kept], ratings.cluster[kept]), kept


def span(values, over, units, reach, method="expanded percentile bootstrap"):
    tail = student.tail(reach)
    low, high = np.quantile(values, [tail, 1 - tail])
    low, high = pytest.approx(low), pytest.approx(high)
    return Interval(low, high, over, units, len(values), 7, 0, method=method)


@pytest.mark.parametrize("weighting", ["none", "scaled", "frequency"])
@pytest.mark.parametrize("level", ["ordinal", "ratio"])
def test_result_is_put_together_from_its_parts(level, weighting):
    ratings = make_ratings()
    found = alpha(ratings, level, weighting=weighting)
    units, kept = kept_of(ratings)
    weights = np.ones(45) if weighting == "none" else ratings.weight[kept]
    counts, drawn, method = ratings.counts()[kept], units, bootstrap.METHOD
    block = Block(unit_coincidences(counts), weights)
    if weighting != "none":
        method = smoothing.METHOD
        counts, drawn, more = smoothing.of_counts(counts, units, weights)
        block = Block(unit_coincidences(counts), more)
    spans = []
    for over, number in (("items", 45), ("clusters", 24)):
        (totals,) = bootstrap.replicates([block], drawn, 40, 7, over)
        reach = bootstrap.reach_of(units, weights, over)
        values = table_alphas(totals, found, weighting)
        spans.append(span(values, over, number, reach, method))
    made = result(ratings, level, weighting=weighting, **HOW)
    assert made == Result(found, spans[0], spans[1], ratings.hash())


@pytest.mark.parametrize("weighting", ["none", "scaled", "frequency"])
def test_result_of_many_values_is_put_together_from_its_parts(weighting):
    item = np.arange(2100)
    first, second = item % FEW_VALUES, (item + item % 3) % FEW_VALUES
    there = item % 5 > 0
    ratings = from_codes(
        np.append(item, item[there]),
        np.repeat([0, 1], [2100, there.sum()]),
        np.append(first, second[there]),
        tuple(range(FEW_VALUES)),
    )
    ratings.weight[:] = 1.0 + item % 2
    ratings.cluster[:] = item // 100
    assert manyvalues.is_fine(ratings)
    found = alpha(ratings, "interval", weighting=weighting)
    units, kept = kept_of(ratings)
    weights = np.ones(kept.sum()) if weighting == "none" else ratings.weight[kept]
    entries = manyvalues.entries(ratings, "interval")
    total = None if weighting == "frequency" else float(found.n_pairable_values)
    spans = []
    for over, number in (("items", 1680), ("clusters", 21)):
        drawn = list(bootstrap.unit_weights(weights, units, 4, 7, over))
        values = [manyvalues.alphas(entries, replicated, total) for _, replicated in drawn]
        reach = bootstrap.reach_of(units, weights, over)
        spans.append(span(np.concatenate(values), over, number, reach))
    made = result(ratings, "interval", weighting=weighting, replicates=4, seed=7)
    assert made == Result(found, spans[0], spans[1], ratings.hash())


def test_result_leaves_out_items_that_no_one_rated():
    ratings = make_ratings()
    more = replace(
        ratings,
        items=(*ratings.items, "unrated"),
        weight=np.append(ratings.weight, 5.0),
        stratum=np.append(ratings.stratum, 0),
        cluster=np.append(ratings.cluster, 0),
    )
    for weighting in ("none", "scaled"):
        how = {"weighting": weighting, **HOW}
        assert result(more, "ordinal", **how) == result(ratings, "ordinal", **how)


def test_result_of_text_is_that_of_its_codes():
    rows = [
        (f"i{n}", rater, n % 3 * (n % k > 0))
        for n in range(30)
        for k, rater in ((7, "a"), (5, "b"))
    ]
    text = result(from_rows([Row(i, r, "xyz"[v]) for i, r, v in rows]), "nominal", **HOW)
    codes = result(from_rows([Row(i, r, v) for i, r, v in rows]), "nominal", **HOW)
    assert (text.found.alpha, text.interval) == (codes.found.alpha, codes.interval)
    assert isinstance(text.interval, Interval)


def test_unless_asked_units_count_once_and_there_is_no_interval():
    ratings = make_ratings()
    why = NoInterval("not_asked", "no bootstrap was requested")
    assert result(ratings, "ordinal") == Result(
        alpha(ratings, "ordinal", weighting="none"), why, why, ratings.hash()
    )
    usual = result(ratings, "ordinal", replicates=40)
    assert usual == result(
        ratings, "ordinal", weighting="none", clusters=True, replicates=40, seed=1
    )
    assert usual.interval.seed == 1
    assert isinstance(usual.cluster_interval, Interval)


def test_interval_over_clusters_may_be_left_out_or_impossible():
    asked = result(make_ratings(), "ordinal", clusters=False, **HOW)
    reason = "no interval over clusters was requested"
    assert asked.cluster_interval == NoInterval("clusters", reason)
    assert asked.interval == result(make_ratings(), "ordinal", **HOW).interval
    few = result(make_ratings(clusters=19), "ordinal", **HOW)
    assert few.cluster_interval.code == "clusters"
    assert few.cluster_interval.reason.startswith("19 clusters")


def test_draws_are_tracked():
    seen = []

    def track(steps, words, number):
        seen.append((words, number))
        return steps

    result(make_ratings(), "ordinal", track=track, **HOW)
    assert seen
    assert set(seen) == {("Drawing replicates", 1)}
    assert len(seen) == 3  # once for each stratum, and once for the clusters


@pytest.mark.parametrize("weighting", ["none", "scaled", "frequency"])
def test_replicates_are_rescaled_to_the_number_of_values_unless_they_are_frequencies(weighting):
    ratings = make_ratings()
    found = alpha(ratings, "ordinal")
    table = unit_coincidences(ratings.counts()).sum(0)
    totals = np.stack([table, table / 200, 0 * table, np.full(16, np.nan), 3 * table])
    values = table_alphas(totals, found, weighting)
    plain = alphas(totals.reshape(-1, 4, 4), np.arange(4.0), "ordinal")
    wanted = plain if weighting == "frequency" else [found.alpha] * 2 + [np.nan] * 2 + [found.alpha]
    assert values == pytest.approx(np.array(wanted), nan_ok=True)
    assert plain[4] != pytest.approx(plain[0])


@pytest.mark.parametrize(
    ("ratings", "replicates", "why"),
    [
        (make_ratings(10, single=()), 1, None),
        (
            make_ratings(10, single=()),
            0,
            NoInterval("not_asked", "no bootstrap was requested"),
        ),
        (
            make_ratings(10, single=(4,)),
            1,
            NoInterval("too_few_units", "9 units are too few (fewer than 10)"),
        ),
        (
            make_ratings(30, differ=99, single=(0,)),
            1,
            NoInterval("not_estimable", "not estimable: the raters never disagree"),
        ),
        (
            make_ratings(30, single=range(30)),
            1,
            NoInterval("undefined", "alpha is undefined, so it has no interval"),
        ),
    ],
)
def test_intervals_are_refused_for_a_reason(ratings, replicates, why):
    found = alpha(ratings, "ordinal")
    assert refusal(found, replicates) == why
    made = result(ratings, "ordinal", replicates=replicates)
    assert (made.interval == why) is (why is not None)
    assert (made.cluster_interval == why) is (why is not None)


def test_document_has_every_field_by_name():
    ratings = make_ratings()
    made = result(ratings, "ordinal", weighting="scaled", clusters=False, **HOW)
    found = made.found
    assert made.to_dict() == {
        "level": "ordinal",
        "domain": (0, 1, 2, 3),
        "raters": ("a", "b"),
        "n_raters": 2,
        "n_units": 48,
        "n_pairable": 45,
        "n_single": 3,
        "n_values": 93,
        "n_pairable_values": 90,
        "Do": found.observed,
        "De": found.expected,
        "counts": [
            {"value": value, "count": count}
            for value, count in zip((0, 1, 2, 3), found.counts, strict=True)
        ],
        "alpha": found.alpha,
        "status": "ok",
        "flags": (),
        "constant_raters": (),
        "weights": {
            "kind": "scaled",
            "total": found.weights.total,
            "effective_units": found.weights.effective_units,
        },
        "interval": {
            "low": made.interval.low,
            "high": made.interval.high,
            "over": "items",
            "units": 45,
            "replicates": 40,
            "seed": 7,
            "undefined": 0,
            "coverage": 0.95,
            "method": "expanded percentile bootstrap, smoothed",
        },
        "interval_reason": None,
        "cluster_interval": None,
        "cluster_interval_reason": {
            "code": "clusters",
            "reason": "no interval over clusters was requested",
            "undefined": 0,
        },
        "data_hash": ratings.hash(),
    }
    assert alphareport.interval_fields("it", made.interval)["it_reason"] is None


@pytest.mark.parametrize("weighting", ["none", "scaled"])
def test_one_draw_makes_no_interval(weighting):
    made = result(make_ratings(), "ordinal", weighting=weighting, replicates=1, seed=7)
    assert [one.code for one in (made.interval, made.cluster_interval)] == ["not_estimable"] * 2
