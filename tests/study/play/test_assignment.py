"""Which cells a person gets, by pure functions of counts, seed and place."""

from collections import Counter

import pytest

from app.study.design.spec import CellSpec
from app.study.play.assignment import choose, guardian_order

TASKS = ("A-Add", "A-Comp", "A-Cond", "A-Over")
CELLS = [CellSpec(task, seed) for task in TASKS for seed in (0, 1)]
KEYS = [cell.key for cell in CELLS]


def keys(order, counts=None, per_player=1, place=1, full=()):
    chosen = choose(CELLS, counts or {}, per_player, order, 7, place, full)
    return [cell.key for cell in chosen]


@pytest.mark.parametrize("order", ["balanced", "latin", "fixed"])
def test_a_full_cell_is_given_to_no_one(order):
    full = {KEYS[0], KEYS[3]}

    for place in range(1, 30):
        found = keys(order, per_player=6, place=place, full=full)
        assert sorted(found) == sorted(set(KEYS) - full)


@pytest.mark.parametrize("order", ["balanced", "latin", "fixed"])
def test_no_one_can_play_when_fewer_cells_than_blocks_have_room(order):
    assert keys(order, per_player=3, full=set(KEYS[:6])) == []
    assert len(keys(order, per_player=2, full=set(KEYS[:6]))) == 2


def test_balanced_takes_the_emptiest_cells_of_other_tasks_first():
    counts = dict.fromkeys(KEYS, 5) | {KEYS[2]: 0, KEYS[3]: 1, KEYS[6]: 2}

    assert keys("balanced", counts, per_player=2) == [KEYS[2], KEYS[6]]


def test_balanced_over_many_people_fills_every_cell_alike():
    counts = Counter()
    for place in range(1, 81):
        counts.update(keys("balanced", counts, per_player=3, place=place))

    assert max(counts.values()) - min(counts.values()) <= 1


def test_latin_lets_every_task_come_first_equally_often():
    first = Counter(keys("latin", per_player=4, place=place)[0][:6] for place in range(1, 41))

    assert set(first.values()) == {10}


def test_latin_keeps_the_order_of_the_other_tasks_when_one_is_full():
    full = {key for key in KEYS if key.startswith("A-Comp")}
    order = [key.split("/")[0] for key in keys("latin", per_player=3, place=2, full=full)]

    assert order == ["A-Cond", "A-Over", "A-Add"]


def test_fixed_takes_the_first_cells_with_room():
    assert keys("fixed", per_player=2, full={KEYS[0]}) == [KEYS[1], KEYS[2]]


def test_guardians_turn_so_that_each_comes_first_equally_often():
    assert [guardian_order(3, first, None) for first in range(3)] == [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
    ]
    assert guardian_order(3, 4, 2) == [1, 2]


def test_latin_over_a_whole_square_puts_every_task_at_every_place_equally_often():
    orders = [
        [key.split("/")[0] for key in keys("latin", per_player=4, place=place)]
        for place in range(1, 9)
    ]

    assert {tuple(sorted(order)) for order in orders} == {TASKS}
    for at in range(4):
        assert Counter(order[at] for order in orders) == dict.fromkeys(TASKS, 2)
