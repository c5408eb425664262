"""Alpha of small cases by its definition, in fractions, and every field of the result."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from app.scoring import manyvalues
from app.scoring.agreement import (
    LEVELS,
    Alpha,
    Weights,
    alpha,
    alphas,
    coincidences,
    disagreement,
    scores,
    unit_coincidences,
)
from app.scoring.longrows import BadValueError, Row, from_codes, from_rows

UNITS = [  # the values of each unit, of raters a, b, ...; None = missing
    (0, 0, 0.25),
    (0.25, 0.5, None),
    (None, 3, 3),
    (0, 0, 0),
    (0.5, 3, 0.5, 0),
    (3, None, None),
    (0.25, 0.25),
]
WEIGHTS = (2, 1, 4, 1, 3, 7, 2)
MINE = {"none": [1] * 7, "scaled": WEIGHTS, "frequency": WEIGHTS}


def rows_of(units, weights=None):
    return [
        Row(f"u{n}", "abcd"[rater], value, float(weights[n] if weights else 1))
        for n, unit in enumerate(units)
        for rater, value in enumerate(unit)
        if value is not None
    ]


def with_unrated(ratings):
    """Return the same ratings with one more item that nobody rated."""
    return replace(
        ratings,
        items=(*ratings.items, "unrated"),
        weight=np.append(ratings.weight, 5.0),
        stratum=np.append(ratings.stratum, 0),
        cluster=np.append(ratings.cluster, 0),
    )


def squared(level, values, counts, first, second):
    """Return the squared distance of two values, as Krippendorff defines it."""
    a, b = Fraction(first), Fraction(second)
    if level == "nominal":
        return Fraction(a != b)
    if level == "interval":
        return (a - b) ** 2
    if level == "ratio":
        return ((a - b) / (a + b)) ** 2 if a + b else Fraction(0)
    low, high = sorted((a, b))
    between = sum(counts[value] for value in values if low <= value <= high)
    return (between - (counts[first] + counts[second]) / Fraction(2)) ** 2


def by_definition(level, weighting):
    """Return the counts of values, Do and De."""
    kept = [
        ([value for value in unit if value is not None], Fraction(weight))
        for unit, weight in zip(UNITS, MINE[weighting], strict=True)
    ]
    kept = [(values, weight) for values, weight in kept if len(values) > 1]
    number = sum(len(values) for values, _ in kept)
    if weighting == "scaled":
        factor = number / sum(len(values) * weight for values, weight in kept)
        kept = [(values, weight * Fraction(factor)) for values, weight in kept]
    domain = sorted({value for values, _ in kept for value in values})
    counts = {v: sum(w * values.count(v) for values, w in kept) for v in domain}
    total = sum(counts.values())
    seen = sum(
        weight / (len(values) - 1) * squared(level, domain, counts, *pair)
        for values, weight in kept
        for pair in permutations(values, 2)
    )
    chance = sum(
        counts[a] * counts[b] * squared(level, domain, counts, a, b) for a in domain for b in domain
    )
    return tuple(counts.values()), seen / total, chance / (total * (total - 1))


@pytest.mark.parametrize("weighting", MINE)
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_what_its_definition_gives(level, weighting):
    ratings = with_unrated(from_rows(rows_of(UNITS, WEIGHTS)))
    counts, seen, chance = map(np.float64, by_definition(level, weighting))
    found = alpha(ratings, level, weighting=weighting)
    assert found.counts == pytest.approx(counts, rel=1e-12)
    assert found.observed == pytest.approx(seen, rel=1e-12)
    assert found.expected == pytest.approx(chance, rel=1e-12)
    assert found.alpha == pytest.approx(1 - seen / chance, rel=1e-12)


@pytest.mark.parametrize(
    ("weighting", "weights"),
    [
        ("none", None),
        ("scaled", Weights("scaled", 13.0, 13**2 / 35)),
        ("frequency", Weights("frequency", 13.0, 13**2 / 35)),
    ],
)
def test_result_says_what_was_counted(weighting, weights):
    found = alpha(with_unrated(from_rows(rows_of(UNITS, WEIGHTS))), "ratio", weighting=weighting)
    assert (found.level, found.domain) == ("ratio", (0, 0.25, 0.5, 3))
    assert found.raters == ("a", "b", "c", "d")
    assert (found.n_units, found.n_pairable, found.n_single) == (7, 6, 1)
    assert (found.n_values, found.n_pairable_values) == (17, 16)
    assert (found.status, found.flags, found.constant_raters) == ("ok", ("too_few_units",), ())
    assert found.weights == weights


@pytest.mark.parametrize(
    ("units", "domain", "counts", "numbers", "status"),
    [
        ([], (), (), (0, 0, 0, 0, 0), "no_data"),
        ([(0,), (None, 3)], (0, 3), (0, 0), (2, 0, 2, 2, 0), "no_pairable_units"),
        ([(3, 3), (0,)], (0, 3), (0, 2), (2, 1, 1, 3, 2), "undefined_no_variation"),
    ],
)
@pytest.mark.parametrize("weighting", MINE)
def test_result_without_an_alpha_says_why(units, domain, counts, numbers, status, weighting):
    found = alpha(from_rows(rows_of(units)), "interval", weighting=weighting)
    compared = counts == (0, 2)
    flags = ("too_few_units", "low_prevalence") if compared else ()
    weights = Weights(weighting, 1.0, 1.0) if compared and weighting != "none" else None
    apart = 0.0 if compared else None
    raters = tuple("ab"[: len(units)])
    shown: list[Any] = ["interval", domain, raters, *numbers, apart, apart, counts]
    assert found == Alpha(*[*shown, None, status, flags, (), weights])


def test_a_value_of_little_weight_still_varies():
    found = alpha(from_rows(rows_of([(0, 0), (1, 1)], (999, 1))), "nominal", weighting="scaled")
    assert found.counts == pytest.approx((3.996, 0.004))
    assert (found.alpha, found.status) == (1, "ok")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("weighting", MINE)
def test_many_values_give_the_same_as_a_table_of_values(level, weighting):
    """2,100 items with 31 values take the way without a table."""
    item = np.arange(2100)
    rater = np.repeat([0, 1], 2100)
    second = (item + item % 3) % 31
    ratings = from_codes(np.tile(item, 2), rater, np.append(item % 31, second), tuple(range(31)))
    ratings = replace(ratings, weight=1.0 + item % 4)
    assert manyvalues.is_fine(ratings)
    weights = np.ones(2100) if weighting == "none" else ratings.weight
    table = coincidences(ratings.counts(), weights)
    if weighting == "scaled":
        table *= 4200 / table.sum()
    found = alpha(ratings, level, weighting=weighting)
    assert found.counts == pytest.approx(table.sum(1))
    assert found.alpha == pytest.approx(alphas(table, scores(ratings.domain, level), level))


@pytest.mark.parametrize("level", LEVELS)
def test_tables_of_any_shape_each_have_their_own_alpha(level):
    counts = from_rows(rows_of(UNITS)).counts()
    each = unit_coincidences(counts).reshape(-1, 4, 4)
    numbers = scores((0, 0.25, 0.5, 3), level)
    whole, flat = each.sum(0), 3 * each[3]  # the fourth unit has one value only
    tables = np.array([[whole, flat, each[0]], [0 * whole, whole, each[0] + each[1]]])
    found = alphas(tables, numbers, level)
    alone = [[float(alphas(table, numbers, level)) for table in row] for row in tables]
    assert np.array_equal(found, np.array(alone), equal_nan=True)
    assert np.isnan(found).tolist() == [[False, True, False], [True, False, False]]
    assert [part.tolist() for part in disagreement(0 * whole, numbers, level)] == [0.0, 0.0]


def test_coincidences_of_a_unit_are_its_pairs_by_one_less_than_its_values():
    found = unit_coincidences(np.array([[2.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 2.0]]))
    assert found.tolist() == [[1, 1, 1, 0], [0] * 4, [0] * 4, [0, 0, 0, 2]]
    weighted = coincidences(np.array([[2.0, 1.0], [0.0, 2.0]]), np.array([3.0, 5.0]))
    assert weighted.tolist() == [[3, 3], [3, 10]]


@pytest.mark.parametrize(
    ("units", "named"),
    [
        ([(0, 0), (0, 1)], ("a",)),
        ([(0, 0), (0, 1), (1, None)], ("a",)),  # what nobody else rated does not count
        ([(0, 0), (0, 1), (None, 0, 0)], ("a",)),  # a third rater of one unit
        ([(0, 0), (0, 1), (1, 0)], ()),
        ([(0, 0), (0, 0)], ()),  # nothing varies
        ([(0, 1), (0, 1), (None, None, 0)], ("a", "b")),
    ],
)
def test_raters_of_one_value_are_named(units, named):
    found = alpha(from_rows(rows_of(units), domain=(0, 1)), "ordinal")
    assert found.constant_raters == named
    assert ("rater_constant" in found.flags) is bool(named)


@pytest.mark.parametrize(("number", "flags"), [(1, True), (9, True), (10, False)])
def test_fewer_than_ten_units_are_flagged(number, flags):
    units = [(0, 1), (1, 1)] * 5
    found = alpha(from_rows(rows_of(units[:number])), "nominal")
    assert found.flags == (("too_few_units",) if flags else ()) + (
        ("rater_constant",) if number > 1 else ()
    )


@pytest.mark.parametrize(("others", "flagged"), [([(0, 2)] * 2, False), ([(0, 2), (0, 1)], True)])
def test_one_value_above_four_fifths_is_flagged(others, flagged):
    found = alpha(from_rows(rows_of([(1, 1)] * 8 + others)), "nominal")
    assert found.flags == (("low_prevalence",) if flagged else ())


def test_every_unit_counts_once_unless_a_weighting_is_given():
    ratings = from_rows(rows_of(UNITS, WEIGHTS))
    assert alpha(ratings, "nominal") == alpha(ratings, "nominal", weighting="none")
    assert alpha(ratings, "nominal") != alpha(ratings, "nominal", weighting="scaled")


@pytest.mark.parametrize(
    ("values", "level", "fits"),
    [
        (("a", "b"), "nominal", True),
        (("a", "b"), "ordinal", False),
        (("a", "b"), "ratio", False),
        ((0, 0.25), "ratio", True),
        ((-0.25, 2), "ratio", False),
        ((-0.25, 2), "interval", True),
        ((1, 2), "nominell", False),
    ],
)
def test_values_fit_a_level_or_are_refused(values, level, fits):
    ratings = from_rows(rows_of([values]))
    if fits:
        assert alpha(ratings, level).status == "ok"
        return
    with pytest.raises(BadValueError):
        alpha(ratings, level)


@pytest.mark.parametrize(("weights", "whole"), [((2, 3), True), ((2, 1.5), False)])
def test_only_frequencies_have_to_be_whole(weights, whole):
    ratings = from_rows(rows_of([(0, 1), (1, 1)], weights))
    assert alpha(ratings, "nominal", weighting="scaled").status == "ok"
    if whole:
        assert alpha(ratings, "nominal", weighting="frequency").status == "ok"
        return
    with pytest.raises(BadValueError):
        alpha(ratings, "nominal", weighting="frequency")
