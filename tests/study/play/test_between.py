"""`between`: each person stays in one arm, and the arms fill evenly, whoever comes or leaves."""

from collections import Counter

import pytest

from app.store.play import episodes
from app.study.design.spec import CellSpec
from app.study.play import seats
from app.study.play.assignment import choose
from tests.study.conftest import TINY
from tests.study.play.test_seats import rush

TASKS = ("A-Add", "P-Comp")
CELLS = [CellSpec(task, seed, words) for task in TASKS for seed in (0, 1)
         for words in ("semantic", "nonce")]  # fmt: skip
LEXICA = {
    "blocks": [
        {"task": task, "seeds": [0], "lexicon": words}
        for task in TASKS
        for words in ("semantic", "nonce")
    ],
    "per_player": 2,
    "between": "lexicon",
}


def people(number, order, between="lexicon", full=()):
    """Return each person's cells, when all of them stay."""
    counts, found = Counter(), []
    for place in range(1, number + 1):
        cells = choose(CELLS, counts, 2, order, 7, place, full, between)
        counts.update(cell.key for cell in cells)
        found.append(cells)
    return found


@pytest.mark.parametrize("order", ["balanced", "latin", "fixed"])
@pytest.mark.parametrize("between", ["lexicon", "task"])
def test_everyone_stays_in_one_arm_and_arms_differ_by_one_person_at_most(order, between):
    arms = Counter()
    for cells in people(40, order, between):
        (own,) = {getattr(cell, between) for cell in cells}
        arms[own] += 1
        assert max(arms.values()) - min(arms.values()) <= 1 or len(arms) == 1
    assert sorted(arms.values()) == [20, 20]


def test_without_it_many_people_get_both():
    assert any(len({cell.lexicon for cell in cells}) == 2 for cells in people(40, "latin", "none"))


@pytest.mark.parametrize("order", ["balanced", "latin"])
def test_cells_of_an_arm_fill_evenly(order):
    counts = Counter(cell.key for cells in people(40, order) for cell in cells)

    assert set(counts.values()) == {10}


def test_each_task_comes_first_equally_often_in_each_arm_of_a_latin_square():
    first = Counter((cells[0].lexicon, cells[0].task) for cells in people(40, "latin"))

    assert set(first.values()) == {10}


def test_chance_decides_which_arm_is_first_of_two():
    starts = {choose(CELLS, {}, 2, "balanced", seed, 1, (), "lexicon")[0].lexicon
              for seed in range(20)}  # fmt: skip

    assert starts == {"semantic", "nonce"}


def test_an_arm_without_room_is_passed_over_and_without_any_no_one_gets_in():
    nonce = [cell.key for cell in CELLS if cell.lexicon == "nonce"]

    found = people(9, "balanced", full=nonce[:3])  # one cell left: too few for a person
    assert [[cell.lexicon for cell in cells] for cells in found] == [["semantic"] * 2] * 9
    semantic = [cell.key for cell in CELLS if cell.lexicon == "semantic"]
    assert people(1, "balanced", full=[*nonce[:3], *semantic[:3]]) == [[]]


def arms_of(crowd):
    """Return (arm, seat) of every person, from the stored blocks."""
    with crowd.store.read() as db:
        found = [
            ({block.lexicon for block in episodes.blocks_of(db, row.id)}, row)
            for row in crowd.people()
        ]
    return [(next(iter(arm)), row.seat) for arm, row in found if len(arm) == 1 or row.seat]


def test_people_who_enter_at_once_fill_both_arms_and_no_more_than_their_quotas(
    make_crowd, store_url
):
    crowd = make_crowd(**LEXICA, people={"cell_quota": 3})

    rush(store_url, "crowd", 12)

    states = Counter(row.state for row in crowd.people())
    assert states == {"active": 6, "over_quota": 6}
    assert Counter(arm for arm, _ in arms_of(crowd)) == {"semantic": 3, "nonce": 3}
    assert set(crowd.taken().values()) == {3}


def test_the_next_person_takes_the_arm_of_one_who_left(make_crowd):
    crowd = make_crowd(**LEXICA)
    for number in range(4):
        crowd.come(f"p{number}")
    left, _ = arms_of(crowd)[0]
    with crowd.store.write() as db:
        seats.end(db, crowd.people()[0].id, "withdrawn", "withdrawn", crowd.at(1))

    crowd.come("next", 2)

    assert arms_of(crowd)[-1][0] == left


def test_test_participants_are_balanced_among_themselves_and_move_no_one_else(make_crowd):
    crowd = make_crowd(blocks=[{"task": "A-Over", "seeds": "0-2"}])
    tests = [crowd.cell(crowd.come(is_test=True)) for _ in range(9)]

    assert set(Counter(tests).values()) == {3}
    assert not crowd.taken()
    real = [crowd.cell(crowd.come(f"p{number}")) for number in range(9)]
    assert set(Counter(real).values()) == {3}


def test_test_participants_start_with_different_guardians(make_crowd):
    crowd = make_crowd(blocks=TINY["blocks"][:1])

    def first(token):
        with crowd.store.read() as db:
            return crowd.episode(db, token).variant_episode

    assert len({first(crowd.come(is_test=True)) for _ in range(2)}) == 2


def test_a_full_study_still_takes_test_participants(make_crowd):
    crowd = make_crowd(people={"quota": 1, "cell_quota": 1})
    crowd.come("real")

    assert [crowd.person(crowd.come(is_test=True)).state for _ in range(4)] == ["active"] * 4
