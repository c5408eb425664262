"""What the monitor says about the speed of entries."""

from datetime import timedelta

import pytest

from app.study.design.spec import check_study
from app.study.play import pace, rule_form
from app.study.tickets import new_ticket
from tests.study.conftest import NOW, TINY
from tests.study.people.monitored import Desk


def entries(desk, minutes=0):
    return desk.facts(NOW + timedelta(minutes=minutes))["entries"]


def test_ten_entries_at_once_are_unusually_fast_and_the_untouched_are_counted(store):
    desk = Desk(store)
    tokens = [desk.enter() for _ in range(9)]
    desk.enter(is_test=True)
    assert not entries(desk, 1)["is_fast"]
    tokens.append(desk.enter())
    later = NOW + timedelta(seconds=30)
    rule_form.leave(desk.store, tokens[0], "instructions", new_ticket(), later)
    found = entries(desk, 1)
    assert (found["recent"], found["untouched"], found["is_fast"]) == (10, 9, True)
    assert not entries(desk, 11)["is_fast"]


@pytest.mark.long_on_postgres
def test_steady_flow_is_not_unusually_fast(store):
    desk = Desk(store)
    for minute in range(0, 120, 2):
        desk.enter(at=NOW + timedelta(minutes=minute))
    for second in range(0, 300, 30):
        desk.enter(at=NOW + timedelta(minutes=121, seconds=second))
    found = entries(desk, 127)
    assert (found["recent"] >= 10, found["is_fast"]) == (True, False)
    assert 4 <= found["usual"] <= 6


def test_people_who_wait_are_counted_by_address(store):
    desk = Desk(store, people={"burst": 3})
    spec = check_study({**TINY, "people": {"burst": 3}})
    for source, number in (("one", 5), ("two", 4), ("three", 2)):
        for _ in range(number):
            pace.take(store, 1, spec, source, NOW)
    found = entries(desk)
    assert (found["waiting"], found["networks"]) == (3, 2)
