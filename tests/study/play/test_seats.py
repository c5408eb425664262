"""Seats: atomic claims, expiry, returns, and a ledger that adds up."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.store.db import Store
from app.study.design.library import Library
from app.study.play import enrol, seats
from app.study.play.arrival import Arrival
from app.study.play.commands import NotActiveError
from app.study.play.seats import TimedOutError
from app.study.tickets import new_ticket
from tests.study.conftest import NOW

OVER, ADD = "A-Over/1/semantic/1", "A-Add/2/semantic/1"


def rush(store_url, slug, number):
    """Let several people press Start at the same time; return the outcome of each."""
    store = Store(store_url, write_timeout_s=120)
    library = Library()

    def come(_):
        return enrol.agree(store, library, slug, Arrival(), new_ticket(), NOW)

    with ThreadPoolExecutor(number) as pool:
        tokens = list(pool.map(come, range(number)))
    store.dispose()
    return tokens


@pytest.mark.long
def test_two_hundred_threads_for_the_last_seat_give_it_to_one(make_crowd, store_url):
    crowd = make_crowd(people={"quota": 3})
    crowd.come(), crowd.come()

    tokens = rush(store_url, "crowd", 200)

    states = [crowd.person(token).state for token in tokens]
    assert (states.count("active"), states.count("over_quota")) == (1, 199)
    assert sum(crowd.taken().values()) == 3
    assert crowd.taken() == crowd.balance()
    assert crowd.lines().count(("refused", "study_full")) == 199


@pytest.mark.long
def test_two_hundred_threads_for_the_last_seats_of_cells_fill_each_cell_exactly(
    make_crowd, store_url
):
    crowd = make_crowd(people={"cell_quota": 5})

    tokens = rush(store_url, "crowd", 200)

    assert crowd.taken() == {OVER: 5, ADD: 5}
    assert crowd.balance() == {OVER: 5, ADD: 5}
    assert sum(crowd.person(token).state == "active" for token in tokens) == 10


def test_a_person_with_two_cells_holds_a_seat_in_each_and_counts_once(make_crowd):
    crowd = make_crowd(per_player=2, people={"quota": 2})

    crowd.come(), crowd.come(), crowd.come()

    assert crowd.taken() == {OVER: 2, ADD: 2}
    assert [one.seat for one in crowd.people()] == ["held", "held", ""]


def test_a_player_gets_no_seat_when_one_of_two_cells_is_full(make_crowd):
    blocks = [{"task": "A-Over", "seeds": [1], "quota": 1}, {"task": "A-Add", "seeds": [2]}]
    crowd = make_crowd(per_player=2, blocks=blocks)
    crowd.come()

    token = crowd.come()

    assert crowd.person(token).end_reason == "cells_full"
    assert crowd.lines()[-1] == ("refused", "cells_full")
    assert crowd.taken() == {OVER: 1, ADD: 1}


def test_a_full_cell_is_left_out_and_the_others_fill(make_crowd):
    blocks = [{"task": "A-Over", "seeds": [1], "quota": 1}, {"task": "A-Add", "seeds": [2]}]
    crowd = make_crowd(blocks=blocks, order="fixed")

    for _ in range(3):
        crowd.come()

    assert crowd.taken() == {OVER: 1, ADD: 2}


def test_who_finds_the_study_full_is_recorded_without_code_and_did_not_take_part(crowd):
    crowd.read(crowd.come(), 1)

    row = crowd.person(crowd.come("late"))

    assert (row.state, row.end_reason, row.code, row.seat) == ("over_quota", "study_full", None, "")
    assert row.consented_at is None


def test_who_was_turned_away_gets_a_free_seat_later_under_the_same_link(crowd):
    first = crowd.read(crowd.come(), 1)
    late = crowd.come("late")
    with crowd.store.write() as db:
        seats.end(db, crowd.person(first).id, "withdrawn", "withdrawn", crowd.at(5))

    again = crowd.come("late", 10)

    assert again == late
    assert (crowd.person(late).state, crowd.person(late).end_reason) == ("active", "")
    assert len(crowd.people()) == 2


def test_a_vanished_persons_seat_goes_to_the_next_who_asks(crowd):
    vanished = crowd.read(crowd.come(), minutes=1)

    early, late = crowd.come(minutes=60), crowd.come(minutes=61)

    assert crowd.person(early).state == "over_quota"
    assert crowd.person(late).state == "active"
    assert (crowd.person(vanished).state, crowd.person(vanished).seat) == ("active", "released")
    assert ("released", "expired") in crowd.lines()
    assert crowd.taken() == crowd.balance()


def test_seat_of_a_person_who_only_consented_goes_to_the_next_after_ten_minutes(crowd):
    stranger = crowd.come()

    early, late = crowd.come(minutes=9), crowd.come(minutes=10)

    assert crowd.person(early).state == "over_quota"
    assert crowd.person(late).state == "active"
    assert crowd.person(stranger).seat == "released"


def test_untouched_seat_is_kept_in_an_empty_study_and_taken_back_after_a_sweep(make_crowd):
    crowd = make_crowd(people={"quota": 9}, clocks={"untouched_minutes": 3})
    slow = crowd.come()
    seats.sweep(crowd.store, crowd.at(2))
    assert crowd.person(slow).seat == "held"
    seats.sweep(crowd.store, crowd.at(3))
    assert crowd.person(slow).seat == "released"
    crowd.read(slow, minutes=20)
    assert crowd.person(slow).seat == "held"


def test_every_command_makes_a_seat_last_longer(crowd):
    busy = crowd.read(crowd.come(), 1)
    crowd.command(busy, minutes=50)

    assert crowd.person(crowd.come(minutes=100)).state == "over_quota"
    assert crowd.person(crowd.come(minutes=110)).state == "active"


def test_every_form_makes_a_seat_last_longer(crowd):
    busy = crowd.come()
    crowd.read(busy, 50)

    assert crowd.person(crowd.come(minutes=100)).state == "over_quota"
    assert crowd.person(crowd.come(minutes=110)).state == "active"


def test_a_stale_seat_that_no_one_wants_stays_with_its_owner(crowd):
    slow = crowd.read(crowd.come(), 1)

    crowd.command(slow, minutes=300)

    assert crowd.person(slow).seat == "held"
    assert [event for event, _ in crowd.lines()] == ["claimed"]


def test_a_returning_person_takes_a_released_seat_back_with_the_next_command(crowd):
    away = crowd.read(crowd.come(), 1)
    seats.sweep(crowd.store, crowd.at(61))
    assert crowd.person(away).seat == "released"

    crowd.command(away, minutes=90)

    assert crowd.person(away).seat == "held"
    assert crowd.lines() == [
        ("claimed", "consent"),
        ("released", "expired"),
        ("reclaimed", "returned"),
    ]
    assert crowd.taken() == crowd.balance()


def test_a_returning_person_takes_a_released_seat_back_with_the_next_form(crowd):
    away = crowd.come()
    seats.sweep(crowd.store, crowd.at(61))

    crowd.read(away, 90)

    assert crowd.person(away).seat == "held"


def test_a_command_after_the_seat_went_to_someone_else_is_not_stored_and_ends_the_part(crowd):
    away = crowd.read(crowd.come(), 1)
    crowd.come(minutes=61)

    with pytest.raises(NotActiveError):
        crowd.command(away, minutes=90, seq=1)

    row = crowd.person(away)
    assert (row.state, row.end_reason, row.code) == ("timed_out", "seat_lost", None)
    with crowd.store.read() as db:
        assert not crowd.turns(db, away)
    assert crowd.taken() == crowd.balance()


def test_a_form_after_the_seat_went_to_someone_else_is_refused_and_settled(crowd):
    away = crowd.come()
    crowd.come(minutes=61)

    with pytest.raises(TimedOutError):
        crowd.read(away, 90)
    seats.settle(crowd.store, away, crowd.at(90))

    assert crowd.person(away).state == "timed_out"
    assert crowd.person(away).instructions_at is None


def test_finishing_keeps_the_seat_for_good_in_the_same_transaction(crowd):
    token = crowd.come()
    crowd.finish(token)

    assert (crowd.person(token).state, crowd.person(token).seat) == ("finished", "done")
    assert crowd.lines()[-1] == ("done", "finished")
    assert crowd.person(crowd.come(minutes=5000)).state == "over_quota"
