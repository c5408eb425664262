"""Who rates what: k distinct raters per item, balanced, all pairs occur; orders are complete."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.study.rating.matrix import MatrixError, Turn, assign, order

designs = st.tuples(st.integers(1, 6), st.integers(0, 60), st.integers(0, 10**9)).flatmap(
    lambda d: st.tuples(st.just(d[0]), st.integers(1, d[0]), st.just(d[1]), st.just(d[2]))
)


@given(designs)
def test_every_item_gets_exactly_k_distinct_raters_and_loads_differ_by_one_at_most(design):
    raters, k, number, seed = design
    found = assign(range(number), raters, k, seed)
    assert [len(set(one)) for one in found] == [k] * number
    load = Counter(rater for one in found for rater in one)
    assert max((load[r] for r in range(raters)), default=0) <= 1 + min(
        load[r] for r in range(raters)
    )


def test_all_pairs_of_raters_meet_about_equally_often():
    found = assign(range(120), 4, 2, 3)
    met = Counter(pair for one in found for pair in combinations(one, 2))
    assert sorted(met) == list(combinations(range(4), 2))
    assert max(met.values()) - min(met.values()) <= 2


def test_same_seed_gives_the_same_matrix_another_seed_another():
    assert assign(range(50), 3, 2, 1) == assign(range(50), 3, 2, 1)
    assert assign(range(50), 3, 2, 1) != assign(range(50), 3, 2, 2)


@pytest.mark.parametrize("k", [0, 3])
def test_a_k_that_the_raters_cannot_give_is_refused(k):
    with pytest.raises(MatrixError):
        assign([1], 2, k, 1)


@given(st.integers(0, 60), st.integers(0, 50), st.integers(0, 10**9))
def test_an_order_holds_every_item_once_and_the_wished_share_twice(number, percent, seed):
    turns = order(range(number), percent, seed, 0)
    firsts = [one.item for one in turns if not one.repeat]
    again = [one.item for one in turns if one.repeat]
    assert sorted(firsts) == list(range(number))
    assert len(again) == len(set(again)) == min(number // 2, (number * percent + 50) // 100)
    assert all(turns.index(Turn(item, 1)) > turns.index(Turn(item)) for item in again)
    assert set(firsts[: number // 2]) >= set(again)


def test_raters_get_orders_of_their_own():
    orders = [[one.item for one in order(range(30), 0, 5, rater)] for rater in range(3)]
    assert len({tuple(one) for one in orders}) == 3
