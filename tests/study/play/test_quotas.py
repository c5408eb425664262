"""Quotas are free fields: a change applies at once, to new and returning people."""

import pytest

from app.study.play import seats
from app.study.play.commands import NotActiveError
from tests.study.conftest import Crowd
from tests.study.desk import Desk

SHORT = {"practice": False, "episodes_per_block": 1}


@pytest.fixture
def desk(store):
    return Desk(store).make(people={"quota": 1}, options=SHORT, questions={"comment": False})


@pytest.fixture
def crowd(desk):
    return Crowd(desk.store, "autumn")


def test_a_raised_quota_lets_the_next_person_in(desk, crowd):
    crowd.come()
    assert crowd.person(crowd.come()).state == "over_quota"

    desk.publish(people__quota=2)

    assert crowd.person(crowd.come()).state == "active"


def test_a_lowered_quota_ends_no_one_and_lets_no_one_in(desk, crowd):
    desk.publish(people__quota=3)
    inside = [crowd.come(), crowd.come()]

    desk.publish(people__quota=1)

    assert [crowd.person(one).state for one in inside] == ["active"] * 2
    assert crowd.person(crowd.come()).state == "over_quota"


def test_who_returns_to_a_study_with_a_lowered_quota_gets_no_seat_back(desk, crowd):
    desk.publish(people__quota=3)
    away = crowd.read(crowd.come())
    seats.sweep(crowd.store, crowd.at(61))
    crowd.come(minutes=62)
    desk.publish(people__quota=1)

    with pytest.raises(NotActiveError):
        crowd.command(away, minutes=63, seq=1)


def test_a_cell_that_left_the_design_keeps_its_quota_for_those_who_return(desk, crowd):
    desk.publish(
        people__quota=9, blocks=[{"task": "A-Over", "seeds": [1], "quota": 1}], order="fixed"
    )
    away = crowd.read(crowd.come())
    seats.sweep(crowd.store, crowd.at(61))
    other = crowd.come(minutes=62)
    desk.publish(blocks=[{"task": "P-Comp", "seeds": [2]}])

    with pytest.raises(NotActiveError):
        crowd.command(away, minutes=63, seq=1)

    assert crowd.person(other).seat == "held"
    assert sum(crowd.taken().values()) == 1


def test_who_returns_is_counted_by_the_quotas_of_the_newest_version(desk, crowd):
    desk.publish(people__quota=3)
    away = crowd.read(crowd.come())
    seats.sweep(crowd.store, crowd.at(61))
    crowd.come(minutes=62)
    desk.publish(people__quota=1, blocks=[{"task": "P-Comp", "seeds": [2]}])

    with pytest.raises(NotActiveError):
        crowd.command(away, minutes=63, seq=1)

    assert sum(crowd.taken().values()) == 1
