"""Disagreement summed over every pair of ratings in plain loops, at each level of measurement."""

from itertools import permutations

import numpy as np
import pytest

from app.scoring import manyvalues
from app.scoring.longrows import BadValueError, Row, from_rows

VALUES = {"u1": (4, 4, 0), "u2": (10,), "u3": (0, 0), "u4": (2, 7), "u5": (7, 7, 2, 4)}
PAIRED = [values for values in VALUES.values() if len(values) > 1]
LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = np.array(
    [
        [1.0, 2.0, 3.0, 4.0],
        [0.1, 0.2, 0.05, 0.15],
        [0.0, 1.0, 0.0, 0.0],  # one value only
        [0.0, 0.0, 0.0, 0.0],  # nothing at all
        [0.0, 0.0, 1.0, 0.0],
        [0.25, 0.0, 0.0, 0.0],
    ]
)


def ratings(of=VALUES, domain=()):
    """Return rows in the order of the raters, so that those of a unit are apart."""
    rows = [
        Row(unit, f"r{n}", value)
        for n in range(max(map(len, of.values())))
        for unit, values in of.items()
        for value in values[n : n + 1]
    ]
    return from_rows(sorted(rows, key=lambda row: row.item != "u2"), domain=domain)


def distances(level, mass):
    """Return the squared distance of two values; `mass` is how often each value counts."""
    scale = sorted(mass)
    whole = sum(mass.values())

    def rank(value):
        return sum(mass[low] for low in scale if low < value) + mass[value] / 2 - whole / 2

    def apart(a, b):
        return {
            "nominal": float(a != b),
            "ordinal": (rank(a) - rank(b)) ** 2,
            "interval": ((a - b) / 5) ** 2,  # the scale from 0 to 10 has a radius of 5
            "ratio": ((a - b) / (a + b)) ** 2 if a + b else 0.0,
        }[level]

    return apart


def by_hand(level, weights, of=tuple(PAIRED)):
    """Return the disagreement within units, that of all pairs, and how often each value counts."""
    mass = dict.fromkeys((0, 2, 4, 7, 10), 0.0)
    for weight, values in zip(weights, of, strict=True):
        for value in values:
            mass[value] += weight
    apart = distances(level, mass)
    seen = sum(
        weight * sum(apart(a, b) for a, b in permutations(values, 2)) / (len(values) - 1)
        for weight, values in zip(weights, of, strict=True)
    )
    chance = sum(mass[a] * mass[b] * apart(a, b) for a in mass for b in mass)
    return seen, chance, mass


@pytest.mark.parametrize("values", [None, 11.0, 1.0])
@pytest.mark.parametrize("level", LEVELS)
def test_sums_of_every_replicate(level, values):
    found = manyvalues.sums(manyvalues.entries(ratings(), level), WEIGHTS, values)
    for n, weights in enumerate(WEIGHTS):
        seen, chance, mass = by_hand(level, weights)
        whole = sum(mass.values())
        total = max(2, whole if values is None else values)
        safe = whole or 1
        assert found.do[n] == pytest.approx(seen / safe)
        assert found.de[n] == pytest.approx(chance / safe**2 * total / (total - 1), abs=1e-12)
        assert found.varied[n] == (sum(number > 0 for number in mass.values()) > 1)
        if n == 0:
            counts = [
                number * (1 if values is None else values / whole) for number in mass.values()
            ]
            assert found.of_value == pytest.approx(counts)


@pytest.mark.parametrize("chunk", [1, 13, 27, 2_000_000])
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_every_replicate(monkeypatch, level, chunk):
    monkeypatch.setattr(manyvalues, "CHUNK", chunk)
    found = manyvalues.alphas(manyvalues.entries(ratings(), level), WEIGHTS, 11.0)
    wanted = []
    for weights in WEIGHTS:
        seen, chance, mass = by_hand(level, weights)
        whole = sum(mass.values())
        wanted.append(1 - seen / whole / (chance / whole**2 * 1.1) if chance > 0 else np.nan)
    assert np.isnan(wanted).tolist() == [False, False, True, True, False, False]
    assert found == pytest.approx(wanted, nan_ok=True)


def test_entries_are_the_pairable_values_unit_by_unit():
    found = manyvalues.entries(ratings(), "nominal")
    assert found.level == "nominal"
    assert found.unit.tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3]
    assert found.value.tolist() == [2, 2, 0, 0, 0, 1, 3, 3, 3, 1, 2]
    assert found.size.tolist() == [3, 2, 2, 4]
    assert found.own.tolist() == pytest.approx([2, 0, 2, 10 / 3])
    assert found.numbers.tolist() == [0, 1, 2, 3, 4]
    assert found.apart.shape == (0, 0)
    assert found.width == 11


def test_width_is_that_of_the_values_if_they_are_more():
    found = manyvalues.entries(ratings(domain=range(20)), "nominal")
    assert found.width == 20


@pytest.mark.parametrize(
    ("level", "numbers"),
    [
        ("ordinal", [0, 1, 2, 3, 4]),
        ("interval", [-1, -0.6, -0.2, 0.4, 1]),
        ("ratio", [0, 2, 4, 7, 10]),
    ],
)
def test_numbers_of_the_values(level, numbers):
    assert manyvalues.entries(ratings(), level).numbers.tolist() == pytest.approx(numbers)


def test_interval_scale_that_does_not_begin_at_zero():
    found = manyvalues.entries(ratings({"u1": (3, 4), "u2": (9, 3)}), "interval")
    assert found.numbers.tolist() == pytest.approx([-1, -2 / 3, 1])


def test_interval_scale_of_one_value_has_no_distances():
    found = manyvalues.entries(ratings({"u1": (3, 3)}), "interval")
    assert (found.numbers.tolist(), found.own.tolist()) == ([0], [0])


def test_ratio_of_fractions_and_of_zeros_within_a_unit():
    """(0.2 / 0.4)^2 in both orders; 0 and 0.2 are as far apart as can be, in four of six pairs."""
    found = manyvalues.entries(ratings({"u1": (0.1, 0.3), "u4": (0.0, 0.2, 0.0)}), "ratio")
    assert found.own.tolist() == pytest.approx([2 / 4, 4 / 2])


def test_ratio_distances_of_values_or_summed_between_units():
    """Five values and four units: units are fewer. A second pair of units: as many as values."""
    between = manyvalues.entries(ratings(), "ratio")
    apart = distances("ratio", dict.fromkeys((0, 2, 4, 7, 10), 1.0))
    assert between.by_unit
    assert between.apart == pytest.approx(
        np.array([[sum(apart(a, b) for a in u for b in v) for v in PAIRED] for u in PAIRED])
    )
    more = {**VALUES, "u6": (2, 2)}
    of_values = manyvalues.entries(ratings(more), "ratio")
    assert not of_values.by_unit
    assert of_values.apart == pytest.approx(
        np.array([[apart(a, b) for b in (0, 2, 4, 7, 10)] for a in (0, 2, 4, 7, 10)])
    )
    found = manyvalues.sums(of_values, np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]), None)
    seen, chance, mass = by_hand("ratio", [1, 2, 3, 4, 5], [*PAIRED, (2, 2)])
    whole = sum(mass.values())
    assert (found.do[0], found.de[0]) == pytest.approx((seen / whole, chance / whole / (whole - 1)))


@pytest.mark.parametrize(("most", "refused"), [(3, True), (4, False)])
@pytest.mark.parametrize("level", LEVELS)
def test_most_units_or_values_of_ratio(monkeypatch, level, most, refused):
    """Four units and five values: the fewer count."""
    monkeypatch.setattr(manyvalues, "MOST_RATIO", most)
    if refused and level == "ratio":
        with pytest.raises(BadValueError):
            manyvalues.entries(ratings(), level)
    else:
        assert len(manyvalues.entries(ratings(), level).size) == 4


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_pair_nothing_is_counted(level):
    alone = manyvalues.entries(ratings({"u1": (3,), "u2": (4,)}), level)
    assert (len(alone.unit), len(alone.size), len(alone.own)) == (0, 0, 0)
    if level != "ordinal":  # of which alpha never asks
        found = manyvalues.sums(alone, np.zeros((1, 0)), None)
        assert (found.do.tolist(), found.de.tolist()) == ([0], [0])
        assert found.of_value.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("few", "dense", "fine"), [(4, 124, True), (5, 124, False), (4, 125, False)]
)
def test_values_are_many_above_both_limits(monkeypatch, few, dense, fine):
    """Five values of five items: a table of 5 x 5 x 5 cells."""
    monkeypatch.setattr(manyvalues, "FEW_VALUES", few)
    monkeypatch.setattr(manyvalues, "MOST_DENSE", dense)
    assert manyvalues.is_fine(ratings()) is fine
