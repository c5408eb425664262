"""The checklist on the order of tasks: how many people will begin with each of them."""

import re
from collections import Counter

import pytest

from app.study.design.check_item import FINE, LOOK
from app.study.design.spec import check_study
from app.study.design.studies import find
from app.study.people.first_tasks import first_tasks
from app.study.play import players
from tests.study.story import Story

TWO = [{"task": "A-Comp", "seeds": "0-3"}, {"task": "P-Over", "seeds": "0-3"}]
FEWER = [TWO[0], {"task": "P-Over", "seeds": [0]}]  # its one cell is never the emptiest


def items(**parts):
    base = {"slug": "two", "title": "Two", "blocks": TWO, "per_player": 2, "people": {"quota": 24}}
    return first_tasks(check_study({**base, **parts}))


def test_latin_square_lets_half_of_the_people_begin_with_each_task():
    (found,) = items(order="latin")

    assert (found.level, "color 12, Process with an exception 12." in found.found) == (FINE, True)


def test_task_with_fewer_cells_is_hardly_ever_first_in_balanced_order():
    (found,) = items(blocks=FEWER)

    assert (found.level, found.path) == (LOOK, "order")
    (first, second) = map(int, re.findall(r"(\d+)(?:, Process|\.$)", found.found))
    assert (first > 20, second < 4, first + second) == (True, True, 24)


@pytest.mark.parametrize("parts", [{"per_player": 1}, {"order": "fixed"}, {"blocks": TWO[:1]}])
def test_order_that_is_no_question_is_not_mentioned(parts):
    assert items(**parts) == []


def test_people_begin_as_the_checklist_says(store):
    story = Story(store, order="balanced", blocks=FEWER, per_player=2, people={"quota": 6})
    with store.read() as db:
        (found,) = first_tasks(find(db, "story").spec)
    tokens = [story.enter() for _ in range(6)]
    with store.read() as db:
        first = Counter(players.load(db, token).blocks[0].task for token in tokens)

    assert f"color {first['A-Comp']}, Process with an exception {first['P-Over']}." in found.found
