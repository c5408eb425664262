"""The same draws, totalled in plain loops: every replicate, not only their spread."""

import numpy as np
import pytest

from app.scoring import bootstrap
from app.scoring.bootstrap import Block, Interval, NoInterval, Units

STRATA = [0, 2, 0, 2, 0, 2, 2]
CLUSTERS = [5, 5, 1, 1, 7, 3, 3]
VALUES = np.array([3.0, 1.0, 5.0, 2.0, 8.0, 4.0, 9.0])
FIRST = Block(np.stack([np.arange(7.0), VALUES], 1), np.array([0.1, 1, 0.2, 2, 0.3, 3, 4]))
SECOND = Block(VALUES[:, None] ** 2, np.array([0, 0.1, 1, 0, 1, 0.25, 0.3]))
NUMBER, SEED = 40, 3


def units(strata, clusters=None, mass=None):
    clusters = np.arange(len(strata)) if clusters is None else np.array(clusters)
    return Units(np.array(strata), clusters, None if mass is None else np.array(mass))


def rescaled(block, times, strata, real=None):
    """Return the totals (B, F) of units drawn `times` (B, U); strata keep their weight."""
    real = np.ones(len(strata), bool) if real is None else real
    found = np.zeros((len(times), block.features.shape[1]))
    for row, drawn in enumerate(times):
        for stratum in set(strata):
            here = np.array(strata) == stratum
            wanted = block.weights[here & real].sum()
            weights = (drawn * block.weights)[here]
            if wanted:
                scale = wanted / weights.sum() if weights.sum() else np.nan
                found[row] += weights @ block.features[here] * scale
    return found


def items_drawn(strata, number=NUMBER, seed=SEED):
    """Return how often each unit is drawn: n - 1 of the n of each stratum, stratum by stratum."""
    rng = np.random.default_rng(seed)
    times = np.zeros((number, len(strata)))
    for stratum in sorted(set(strata)):
        here = [n for n, of in enumerate(strata) if of == stratum]
        size = len(here)
        times[:, here] = rng.multinomial(max(1, size - 1), [1 / size] * size, size=number)
    return times


def clusters_drawn(clusters, number=NUMBER, seed=SEED):
    """Return how often each unit is drawn with its cluster; clusters are drawn in order of code."""
    names = sorted(set(clusters))
    times = np.random.default_rng(seed).multinomial(
        len(names), [1 / len(names)] * len(names), size=number
    )
    return times[:, [names.index(code) for code in clusters]]


DRAWN = {"items": items_drawn(STRATA), "clusters": clusters_drawn(CLUSTERS)}
OVER = pytest.mark.parametrize("over", ["items", "clusters"])


@OVER
def test_totals_of_every_replicate(over):
    """The first feature of the first block numbers the units: each is a group of its own."""
    found = bootstrap.replicates([FIRST, SECOND], units(STRATA, CLUSTERS), NUMBER, SEED, over)
    for block, totals in zip([FIRST, SECOND], found, strict=True):
        wanted = rescaled(block, DRAWN[over], STRATA)
        assert np.isnan(wanted).any() == (block is SECOND)
        assert totals == pytest.approx(wanted, nan_ok=True)


@OVER
def test_weights_of_every_unit_in_every_replicate(over):
    for block in (FIRST, SECOND):
        found = list(
            bootstrap.unit_weights(block.weights, units(STRATA, CLUSTERS), NUMBER, SEED, over)
        )
        assert [rows for rows, _ in found] == [slice(0, NUMBER)]
        each = Block(np.eye(7), block.weights)
        wanted = rescaled(each, DRAWN[over], STRATA)
        missing = np.isnan(wanted)
        assert found[0][1][~missing] == pytest.approx(wanted[~missing])
        for stratum in set(STRATA):
            here = np.array(STRATA) == stratum
            is_empty = ((DRAWN[over] * block.weights)[:, here] == 0).all(1)
            assert (np.isnan(found[0][1][:, here]).all(1) == is_empty).all()


def test_draws_are_over_items_unless_stated():
    found = bootstrap.replicates([FIRST], units(STRATA, CLUSTERS), NUMBER, SEED)[0]
    assert found == pytest.approx(rescaled(FIRST, DRAWN["items"], STRATA))
    (_, weights), *_ = bootstrap.unit_weights(FIRST.weights, units(STRATA, CLUSTERS), NUMBER, SEED)
    assert weights @ FIRST.features == pytest.approx(found)


def test_made_up_items_are_drawn_by_their_mass_and_keep_no_weight():
    """Two of three units are drawn, made-up ones two thirds as often as their mass says.

    Groups are drawn in the order of their columns: here that of the units.
    """
    mass = [1.0, 1.0, 0.25, 1.0, 0.5]
    block = Block(np.arange(5.0)[:, None], np.full(5, 2.0))
    found = bootstrap.replicates([block], units([0] * 5, mass=mass), NUMBER, SEED)[0]
    shares = np.array([1.0, 1.0, 1 / 6, 1.0, 1 / 3]) / 3.5
    times = np.random.default_rng(SEED).multinomial(2, shares, size=NUMBER)
    wanted = rescaled(block, times, [0] * 5, np.array(mass) == 1)
    assert found == pytest.approx(wanted)


def test_made_up_items_join_the_clusters_drawn_as_often_as_their_mass():
    """Two strata, each with made-up items; two of the first stratum's are alike."""
    strata = [0, 1, 0, 1, 0, 0, 0, 1]
    clusters = [0, 0, 1, 1, 0, 0, 1, 1]
    mass = [1.0, 1.0, 1.0, 1.0, 0.5, 0.25, 0.75, 0.5]
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 7.0])
    block = Block(np.stack([values, np.ones(8)], 1), np.full(8, 3.0))
    how = units(strata, clusters, mass)
    found = bootstrap.replicates([block], how, NUMBER, SEED, "clusters")[0]
    rng = np.random.default_rng(SEED)
    times = np.zeros((NUMBER, 8))
    times[:, :4] = rng.multinomial(2, [0.5, 0.5], size=NUMBER)[:, [0, 0, 1, 1]]
    times[:, [5, 6]] = rng.poisson([0.75, 0.75], (NUMBER, 2))
    times[:, [7]] = rng.poisson([0.5], (NUMBER, 1))
    assert found == pytest.approx(rescaled(block, times, strata, np.array(mass) == 1))


@pytest.mark.parametrize(
    ("strata", "joined"),
    [
        ([0, 1, 2], [0, 0, 0]),
        ([0, 0, 1, 2, 2, 4, 4], [0, 0, 4, 2, 2, 4, 4]),
        ([1, 0, 1, 2], [1, 0, 1, 0]),
        ([0, 0, 1, 1], [0, 0, 1, 1]),
        ([3], [3]),
    ],
)
def test_strata_of_one_unit_join_each_other_or_else_the_last(strata, joined):
    n = len(strata)
    block = Block(np.arange(float(n))[:, None], np.arange(1.0, n + 1))
    found = bootstrap.replicates([block], units(strata), NUMBER, SEED)[0]
    assert found == pytest.approx(rescaled(block, items_drawn(joined), joined))
    (_, weights), *_ = bootstrap.unit_weights(block.weights, units(strata), NUMBER, SEED)
    assert weights @ block.features == pytest.approx(found)


def test_made_up_items_do_not_make_a_stratum_of_one_unit_larger():
    """Stratum 1 has one unit of the sample, so it joins stratum 0, and its made-up one with it."""
    block = Block(np.arange(4.0)[:, None], np.ones(4))
    mass = [1.0, 1.0, 1.0, 0.5]
    found, joined = (
        bootstrap.replicates([block], units(strata, mass=mass), NUMBER, SEED)[0]
        for strata in ([0, 0, 1, 1], [0, 0, 0, 0])
    )
    assert (found == joined).all()


def test_stratum_that_a_block_cannot_use_adds_nothing():
    weights = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    block = Block(np.arange(6.0)[:, None], weights)
    strata = [0, 0, 0, 1, 1, 1]
    found = bootstrap.replicates([block], units(strata), NUMBER, SEED)[0]
    assert found == pytest.approx(rescaled(block, items_drawn(strata), strata))


class Seen:
    """Progress that is reported: the words and the number of steps of each pass."""

    def __init__(self):
        self.passes = []

    def __call__(self, steps, words, number):
        steps = list(steps)
        assert len(steps) == number
        self.passes.append((words, number))
        return steps


@pytest.mark.parametrize(
    ("over", "chunk", "passes"),
    [
        ("items", 1, [40, 40]),
        ("items", 12, [10, 14]),  # 4 replicates of 3 groups, 3 of 4
        ("items", 4_000_000, [1, 1]),
        ("clusters", 12, [14]),  # 3 of 4 clusters
    ],
)
def test_drawing_in_pieces_gives_the_same_replicates(monkeypatch, over, chunk, passes):
    whole = bootstrap.replicates([FIRST], units(STRATA, CLUSTERS), NUMBER, SEED, over)[0]
    monkeypatch.setattr(bootstrap, "CHUNK", chunk)
    seen = Seen()
    pieces = bootstrap.replicates([FIRST], units(STRATA, CLUSTERS), NUMBER, SEED, over, seen)[0]
    assert pieces == pytest.approx(whole)
    assert seen.passes == [("Drawing replicates", steps) for steps in passes]


@pytest.mark.parametrize(
    ("weights", "chunk", "stops"),
    [(7, 2, [1, 2, 3, 4, 5]), (7, 15, [2, 4, 5]), (7, 40, [5]), (1, 2, [2, 4, 5])],
)
def test_weights_come_some_replicates_at_a_time(monkeypatch, weights, chunk, stops):
    monkeypatch.setattr(bootstrap, "CHUNK", chunk)
    seen, of = Seen(), np.ones(weights)
    found = list(bootstrap.unit_weights(of, units([0] * weights), 5, SEED, "items", seen))
    assert [rows.stop for rows, _ in found] == stops
    assert [rows.start for rows, _ in found] == [0, *stops[:-1]]
    assert [len(times) for _, times in found] == list(np.diff([0, *stops]))
    assert seen.passes == [("Drawing replicates", len(stops))]


def test_alike_units_are_drawn_as_one_group(monkeypatch):
    """One group of four: a piece of 4 holds all 4 replicates, and 1 if the units were apart."""
    monkeypatch.setattr(bootstrap, "CHUNK", 4)
    seen = Seen()
    alike = Block(np.ones((4, 1)), np.ones(4))
    found = bootstrap.replicates([alike], units([0] * 4), 4, SEED, "items", seen)[0]
    assert (found == 4).all()
    assert seen.passes == [("Drawing replicates", 1)]


def test_totals_of_the_sample():
    block = Block(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 0.5]))
    assert block.totals.tolist() == [11.5, 22.0]


@pytest.mark.parametrize(
    ("clusters", "reason"),
    [
        (range(5), "every cluster has one item, so the interval over items is enough"),
        ([*range(19), 0], "19 clusters are too few (fewer than 20)"),
        ([*range(20), 0], None),
    ],
)
def test_reason_for_no_interval_over_clusters(clusters, reason):
    assert units([0] * len(clusters), clusters).cluster_reason == reason


def test_undefined_coefficient_has_no_interval():
    found = bootstrap.percentile(np.linspace(0, 1, 11), None, "items", 7, 99)
    assert found == NoInterval("undefined", "the coefficient is undefined, so it has no interval")


def test_undefined_replicates_are_counted_and_left_out():
    values = np.append(np.linspace(0, 1, 1001), np.nan)
    found = bootstrap.percentile(values, 0.5, "clusters", 7, 99)
    assert found == Interval(pytest.approx(0.025), pytest.approx(0.975), "clusters", 99, 1002, 7, 1)
    assert bootstrap.percentile(np.append(values, [np.nan] * 99), 0.5, "items", 7, 99) == (
        NoInterval(
            "undefined_replicates",
            "the coefficient is undefined in 100 of 1101 replicates (more than 5%)",
            100,
        )
    )


def test_exactly_a_twentieth_may_be_undefined():
    found = bootstrap.percentile(np.append(np.arange(19.0), np.nan), 0.5, "items", 7, 99)
    assert isinstance(found, Interval)


def test_replicates_that_are_all_alike_give_no_interval():
    found = bootstrap.percentile(np.array([0.5] * 99 + [np.nan]), 0.5, "items", 7, 99)
    assert found == NoInterval("not_estimable", "not estimable: no replicate differs", 1)
