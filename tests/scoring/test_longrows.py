"""Long rows: what they become as arrays, which are refused and where, and their hash."""

import math
from dataclasses import replace

import numpy as np
import pytest

from app.scoring.longrows import (
    BadValueError,
    DoubleRatingError,
    RatingsError,
    Row,
    UnequalItemError,
    from_codes,
    from_rows,
)

ROWS = [
    Row("b", "y", 2.0, 3.0, "s2", "c1"),
    Row("a", "x", 0, 1.0, "s1", "c2"),
    Row("b", "x", 1, 3.0, "s2", "c1"),
]


def codes(*numbers):
    return np.array(numbers, np.intp)


def test_rows_become_codes_of_items_in_order_and_of_sorted_names():
    found = from_rows(ROWS)
    assert (found.items, found.raters, found.domain) == (("b", "a"), ("x", "y"), (0, 1, 2))
    assert [type(value) for value in found.domain] == [int, int, int]
    assert (found.item.tolist(), found.rater.tolist()) == ([0, 1, 0], [1, 0, 0])
    assert found.value.tolist() == [2, 0, 1]
    assert found.weight.tolist() == [3, 1]
    assert (found.strata, found.stratum.tolist()) == (("s1", "s2"), [1, 0])
    assert (found.clusters, found.cluster.tolist()) == (("c1", "c2"), [0, 1])
    assert found.counts().tolist() == [[0, 1, 1], [1, 0, 0]]


def test_values_are_those_of_the_scale_whether_used_or_not():
    assert from_rows([Row("a", "x", 1)], domain=(2, 1, 0)).domain == (0, 1, 2)
    assert from_rows([Row("a", "x", 1.5), Row("b", "x", 1.0)]).domain == (1, 1.5)
    assert from_rows([Row("a", "x", "no"), Row("b", "x", "maybe")]).domain == ("maybe", "no")


def test_ratings_are_weighted_if_items_count_differently():
    assert from_rows(ROWS).weighted
    assert not from_rows([Row("a", "x", 1, 2.0), Row("b", "x", 1, 2.0)]).weighted
    assert from_rows([Row("a", "x", 1, 2.0), Row("b", "x", 1, 2.5)]).weighted
    assert not from_rows([]).weighted


@pytest.mark.parametrize(
    ("row", "error", "words"),
    [
        (Row("b", "y", 2, 3.0, "s2", "c1"), DoubleRatingError, "rater y .* item b .line 4"),
        (Row("a", "y", 1, 2.0, "s1", "c2"), UnequalItemError, "weight 2.0 here and 1.0 in line 6"),
        (Row("a", "y", 1, 1.0, "s2", "c2"), UnequalItemError, "stratum s2 here and s1 in line 6"),
        (Row("a", "y", 1, 1.0, "s1", "c1"), UnequalItemError, "cluster c1 here and c2 in line 6"),
        (Row("", "x", 1), RatingsError, "item and rater"),
        (Row("c", "", 1), RatingsError, "item and rater"),
        (Row("c", "x", float("nan")), BadValueError, "finite"),
        (Row("c", "x", float("inf")), BadValueError, "finite"),
        (Row("c", "x", 3), BadValueError, "3 is not on the scale .0, 1, 2"),
        (Row("c", "x", 1, 0.0), BadValueError, "weight"),
        (Row("c", "x", 1, -1.0), BadValueError, "weight"),
        (Row("c", "x", 1, float("nan")), BadValueError, "weight"),
        (Row("c", "x", 1, float("inf")), BadValueError, "weight"),
    ],
    ids=str,
)
def test_a_row_that_cannot_be_is_refused_with_its_line(row, error, words):
    with pytest.raises(error, match=f"^line 9: .*{words}") as caught:
        from_rows([*ROWS, row], domain=(2, 1, 0), places=[4, 6, 7, 9], place="line")
    assert (type(caught.value), caught.value.place) == (error, 9)


def test_rows_are_numbered_from_one_unless_they_have_places():
    with pytest.raises(RatingsError, match=r"^row 2: ") as caught:
        from_rows([ROWS[0], Row("", "x", 1)])
    assert caught.value.place == 2
    with pytest.raises(BadValueError) as caught:
        from_rows([Row("a", "x", 1), Row("a", "y", "one")])
    assert caught.value.place == 0
    with pytest.raises(ValueError, match="shorter"):
        from_rows(ROWS, places=[1, 2])


def test_a_weight_below_one_is_a_weight():
    assert from_rows([Row("a", "x", 1, 0.5)]).weight.tolist() == [0.5]


def test_codes_become_ratings_whose_names_are_numbers():
    found = from_codes(codes(0, 0, 2), codes(0, 1, 1), codes(1, 0, 1), ("no", "yes"))
    assert (len(found.items), list(found.items)) == (3, ["0", "1", "2"])
    assert (found.items[1:], found.items[-1]) == (["1", "2"], "2")
    assert (found.raters, found.domain, found.strata) == (("0", "1"), ("no", "yes"), ("",))
    assert list(found.clusters) == ["0", "1", "2"]
    assert found.counts().tolist() == [[1, 1], [0, 0], [0, 1]]
    assert (found.weight.tolist(), found.weighted) == ([1, 1, 1], False)
    assert (found.stratum.tolist(), found.cluster.tolist()) == ([0, 0, 0], [0, 1, 2])
    empty = from_codes(codes(), codes(), codes(), (0, 1))
    assert (len(empty.items), empty.raters, empty.counts().shape) == (0, (), (0, 2))


def test_codes_and_rows_of_the_same_ratings_have_the_same_hash():
    rows = [Row("0", "0", 5, cluster="0"), Row("0", "1", 7, cluster="0")]
    found = from_codes(codes(0, 0), codes(0, 1), codes(0, 1), (5, 7))
    assert found.hash() == from_rows(rows).hash()


@pytest.mark.parametrize("value", [-1, 2])
def test_codes_outside_of_the_domain_are_refused(value):
    with pytest.raises(BadValueError, match="outside the domain"):
        from_codes(codes(0, 1), codes(0, 0), codes(0, value), ("no", "yes"))


def test_a_pair_of_codes_that_occurs_twice_is_refused_by_name():
    with pytest.raises(DoubleRatingError, match=r"^Rater 1 rated item 2 twice"):
        from_codes(codes(0, 2, 2, 2), codes(2, 1, 0, 1), codes(0, 0, 0, 0), (0,))


def test_more_cells_than_fit_in_memory_are_refused():
    found = from_codes(codes(10_000), codes(0), codes(0), range(10_001))
    with pytest.raises(BadValueError, match=r"^10001 items x 10001 different values"):
        found.counts()


def test_a_stored_hash_stays_the_same_in_every_later_version():
    stored = "98a1115ad7d5a91fded5d81ddfbea6a38765e7c8a008da78af9f090c5eb7d3a8"
    assert from_rows(ROWS).hash() == stored


def test_data_hash_ignores_order_and_covers_every_field():
    rows = [Row("a", "x", 1), Row("a", "y", 2), Row("b", "x", 1)]
    plain = from_rows(rows).hash()
    assert from_rows(rows[::-1]).hash() == plain
    others = [
        Row("b", "x", 2),
        Row("b", "z", 1),
        Row("c", "x", 1),
        Row("b", "x", 1, 2.0),
        Row("b", "x", 1, stratum="s"),
        Row("b", "x", 1, cluster="s"),
    ]
    assert len({plain, *(from_rows([*rows[:2], other]).hash() for other in others)}) == 7


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("value", 2.0**53, 2.0**53 + 2),
        ("value", -(2.0**53), -(2.0**53) - 2),
        ("value", 1e-150, 0.9e-150),
        ("value", -1e-150, -0.9e-150),
        ("value", 0.0, math.nan),
        ("weight", 1e-100, 0.9e-100),
        ("weight", 1e100, 1.1e100),
        ("weight", 1.0, 0.0),
        ("weight", 1.0, math.inf),
        ("weight", 1.0, math.nan),
    ],
)
def test_numbers_up_to_the_limits_are_taken_and_those_beyond_refused_by_row(field, good, bad):
    rows = [Row("u1", "a", 1.0), replace(Row("u2", "a", 1.0), **{field: good})]
    assert len(from_rows(rows).items) == 2
    with pytest.raises(BadValueError, match=r"^row 2: (a weight|the value) must be") as caught:
        from_rows([rows[0], replace(rows[1], **{field: bad})])
    assert caught.value.place == 2
