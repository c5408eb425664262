"""Blinding indices in fractions, and intervals put together from their parts."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from app.scoring import blinding, bootstrap, posterior
from app.scoring.blinding import NO_GUESSES, ONE_ARM, Index, PooledIndex
from app.scoring.bootstrap import Block, Interval, NoInterval

Z = 1.959963984540054
UNDEFINED = NoInterval("undefined", "the coefficient is undefined, so it has no interval")
TABLES = [  # guesses (first, second, don't know) by arms
    ((3, 2), (1, 4), (4, 2)),
    ((6, 0), (1, 2), (3, 5)),
    ((0, 5), (3, 0), (1, 1)),
    ((5, 0), (0, 0), (1, 4)),
    ((0, 0), (0, 3), (2, 3)),
]


def james(table):
    """Return James's index in fractions: don't know + half of wrong by wrong expected by chance."""
    total = sum(map(sum, table))
    share = [[Fraction(cell) / total for cell in row] for row in table]
    unknown = sum(share[2])
    wrong = share[0][1] + share[1][0]
    (a, b), (c, d) = share[:2]
    chance = (a + b) * (b + d) + (c + d) * (a + c)
    return unknown + (wrong * (1 - unknown) ** 2 / chance / 2 if chance else 0)


def james_error(table):
    """Return its error by the delta method, from slopes over a very small step upwards."""
    step, total = Fraction(1, 10**12), sum(map(sum, table))
    mean, square = Fraction(0), Fraction(0)
    for row, column in product(range(3), range(2)):
        more = [list(line) for line in table]
        more[row][column] += step
        slope = (james(more) - james(table)) / step
        share = Fraction(table[row][column], total)
        mean, square = mean + share * slope, square + share * slope**2
    return float((square - mean**2) * total) ** 0.5


@pytest.mark.parametrize("table", TABLES)
def test_james_index_and_error_are_those_of_its_definition(table):
    found = blinding.indices(np.array(table, float)).james
    value, error = float(james(table)), james_error(table)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.error == pytest.approx(error, rel=1e-5, abs=1e-9)
    assert found.low == pytest.approx(value - Z * error, rel=1e-5)
    assert found.high == pytest.approx(value + Z * error, rel=1e-5)
    assert found.reason is None


def test_bangs_index_by_hand():
    """Of 8 guesses on the first arm, 3 are right and 1 is wrong: 2 / 8, variance 0.4375 / 8."""
    first, second = blinding.indices(np.array(TABLES[0], float)).bang
    assert (first.value, second.value) == (0.25, 0.25)
    assert first.error == pytest.approx((0.4375 / 8) ** 0.5)
    assert second.error == pytest.approx(((0.25 + 0.1875 + 0.25) / 8) ** 0.5)
    assert (first.low, first.high) == (0.25 - Z * first.error, 0.25 + Z * first.error)
    assert (first.reason, second.reason) == (None, None)


@pytest.mark.parametrize("arm", [0, 1])
def test_an_arm_without_guesses_has_no_index(arm):
    counts = np.array(TABLES[0], float)
    counts[:, arm] = 0
    found = blinding.indices(counts)
    assert found.james == Index(None, None, None, None, ONE_ARM)
    assert found.bang[arm] == Index(None, None, None, None, NO_GUESSES)
    assert found.bang[1 - arm].value == 0.25


def test_many_tables_at_once_have_the_indices_of_each():
    """Shares count as well: replicates need not be whole."""
    tables = np.array([*TABLES, *TABLES], float)
    tables[5:] /= 20
    tables[2, :, 0] = 0
    tables[8, :, 1] = 0
    found = blinding.values(tables)
    each = [blinding.indices(table) for table in tables]
    wanted = [[one.james.value, one.bang[0].value, one.bang[1].value] for one in each]
    assert found == pytest.approx(np.array(wanted, float), nan_ok=True)
    assert np.isnan(found).sum() == 4
    assert found[0, 0] == pytest.approx(float(james(TABLES[0])))
    assert found[5] == pytest.approx(found[0])


def guessed(number):
    """Return (number, 3, 2): the items' arms alternate by two; each has one or two guesses."""
    table = np.zeros((number, 3, 2))
    for item in range(number):
        arm = item // 2 % 2
        table[item, item * item % 3, arm] += 1
        table[item, item % 5 % 3, arm] += item % 9 > 0
    table[7] = 0  # nobody guessed this one
    return table


def spans(table, authors, over, size, replicates, seed):
    """Return the intervals of the three indices, over items or authors."""
    prior = {"items": 1 / 2, "clusters": 1 / 3}[over]
    units = {}
    for item, (guesses, author) in enumerate(zip(table, authors, strict=True)):
        if guesses.any():
            arm = item // 2 % 2
            key = (arm, author if over == "clusters" else item)
            units[key] = units.get(key, 0) + guesses[:, arm]
    listed, mass, of = [], [], []
    for arm in (0, 1):
        own = [one for (which, _), one in sorted(units.items()) if which == arm]
        listed += [*own, *(np.eye(3) * np.mean([one.sum() for one in own]))]
        mass += [1.0] * len(own) + [prior] * 3
        of += [arm] * (len(own) + 3)
    rows, arms = np.array(listed), np.array(of)
    features = np.zeros((len(rows), 3, 2))
    features[np.arange(len(rows)), :, arms] = rows / rows.sum(1, keepdims=True)
    block = Block(features.reshape(-1, 6), rows.sum(1))
    totals = posterior.replicates(block, arms, np.array(mass), replicates, seed)
    drawn = [blinding.values(one.reshape(1, 3, 2))[0] for one in totals]
    lows, highs = np.quantile(drawn, [0.025, 0.975], axis=0)
    freedom = len(units) - 2  # James's index sums over both arms
    tail = stats.norm.cdf(-stats.t.ppf(0.975, freedom))
    lows[0], highs[0] = np.quantile([one[0] for one in drawn], [tail, 1 - tail])
    points = blinding.values(table.sum(0)[None])[0]
    name = blinding.METHOD[over]
    return [
        Interval(
            pytest.approx(min(low, point)),
            pytest.approx(max(high, point)),
            *(over, size, replicates, seed, 0),
            method=method,
        )
        for low, high, point, method in zip(
            lows, highs, points, (f"{name}, expanded", name, name), strict=True
        )
    ]


def test_pooled_guesses_are_put_together_from_their_parts():
    table = guessed(64)
    authors = [f"author {n % 21}" for n in range(64)]
    found = blinding.pooled(table, authors, replicates=50, seed=6)
    items = spans(table, authors, "items", 63, 50, 6)
    clusters = spans(table, authors, "clusters", 21, 50, 6)
    points = blinding.indices(table.sum(0))
    for n, (one, point) in enumerate(
        zip((found.james, *found.bang), (points.james, *points.bang), strict=True)
    ):
        assert one == PooledIndex(point.value, None, items[n], clusters[n])


@pytest.mark.parametrize("few_authors", [False, True])
def test_authors_of_one_text_or_few_authors_have_no_interval_of_their_own(few_authors):
    authors = [f"author {n % 19 if few_authors else n}" for n in range(64)]
    found = blinding.pooled(guessed(64), authors, replicates=50, seed=6)
    for one in (found.james, *found.bang):
        assert isinstance(one.interval, Interval)
        assert one.cluster_interval.code == "clusters"
        words = "19 clusters" if few_authors else "every cluster"
        assert one.cluster_interval.reason.startswith(words)


@pytest.mark.parametrize(("number", "few"), [(20, True), (23, False)])
def test_fewer_than_ten_guessed_items_of_a_source_have_no_interval(number, few):
    """One of the second source's first ten items has no guess."""
    found = blinding.pooled(guessed(number), [str(n) for n in range(number)], replicates=9, seed=1)
    why = NoInterval("too_few_units", "9 items of one source are too few (fewer than 10)")
    assert isinstance(found.bang[0].interval, Interval)
    for one in (found.james, found.bang[1]):
        assert (one.interval == why) is few
        assert isinstance(one.interval, Interval) is not few
    assert found.james.cluster_interval.code == "clusters"
    assert isinstance(found.james.value, float)


def test_few_items_of_many_raters_have_no_interval_over_authors_either(monkeypatch):
    monkeypatch.setattr(bootstrap, "LEAST_CLUSTERS", 2)
    found = blinding.pooled(guessed(10), list("aabbccddee"), replicates=9, seed=1)
    assert found.james.cluster_interval.code == "too_few_units"
    assert "authors of one source" in found.james.cluster_interval.reason
    many = blinding.pooled(guessed(44), [str(n // 2) for n in range(44)], replicates=9, seed=1)
    assert many.james.cluster_interval.over == "clusters"


def test_one_raters_guesses_are_drawn_with_half_a_guess_more_of_each_kind():
    """Bang's index of the first source is right - wrong: a Dirichlet distribution by hand."""
    counts = np.array([[8.0, 2.0], [3.0, 5.0], [1.0, 5.0]])
    james, first, second = blinding.alone(counts, replicates=60_000, seed=1)
    rng = np.random.default_rng(2)
    shares = rng.dirichlet([8.5, 3.5, 1.5], 60_000)
    wanted = np.quantile(shares[:, 0] - shares[:, 1], [0.025, 0.975])
    assert [first.low, first.high] == pytest.approx(wanted, abs=0.01)
    assert (first.over, first.units, first.method) == ("items", 24, blinding.METHOD["items"])
    other = rng.dirichlet([2.5, 5.5, 5.5], 60_000)
    tables = 12 * np.stack([shares, other], 2)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 22))
    wanted = np.quantile(blinding.values(tables)[:, 0], [tail, 1 - tail])
    assert [james.low, james.high] == pytest.approx(wanted, abs=0.004)
    assert james.method == "Dirichlet draws, half an item per guess, expanded"
    wanted = np.quantile(other[:, 1] - other[:, 0], [0.025, 0.975])
    assert [second.low, second.high] == pytest.approx(wanted, abs=0.01)
    assert {one.seed for one in (james, first, second)} == {1}
    few = blinding.alone(counts - [[3, 0], [0, 0], [0, 0]], replicates=90, seed=1)
    assert [getattr(one, "code", "") for one in few] == ["too_few_units", "too_few_units", ""]
    none = blinding.alone(np.zeros((3, 2)), replicates=90, seed=1)
    assert none == (UNDEFINED,) * 3


def test_without_replicates_no_interval_was_asked_for():
    authors = [f"author {n % 21}" for n in range(64)]
    found = blinding.pooled(guessed(64), authors, replicates=0, seed=6)
    why = NoInterval("not_asked", "no bootstrap was requested")
    for one in (found.james, *found.bang):
        assert (one.interval, one.cluster_interval) == (why, why)


def test_guesses_on_one_arm_have_one_index_only():
    table = guessed(64)
    table[:, :, 1] = 0
    authors = [f"author {n % 21}" for n in range(64)]
    found = blinding.pooled(table, authors, replicates=20, seed=6)
    assert found.james == PooledIndex(None, ONE_ARM, UNDEFINED, UNDEFINED)
    assert found.bang[1] == PooledIndex(None, NO_GUESSES, UNDEFINED, UNDEFINED)
    assert isinstance(found.bang[0].interval, Interval)
    none = blinding.pooled(np.zeros((0, 3, 2)), (), replicates=20, seed=6)
    assert none.james == found.james
    assert none.bang == (found.bang[1],) * 2
