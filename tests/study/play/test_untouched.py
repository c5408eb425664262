"""Seats that nobody uses give way to people with an ID, so strangers cannot keep a study full."""

from app.study.play import seats, untouched

ONE = {"blocks": [{"task": "A-Over", "seeds": [1]}], "people": {"quota": 3}}


def test_people_with_ids_get_in_although_strangers_hold_every_seat(make_crowd):
    crowd = make_crowd(**ONE)
    strangers = [crowd.come() for _ in range(3)]
    assert crowd.person(crowd.come()).state == "over_quota"

    known = [crowd.come(name, 1) for name in ("ann", "bob", "cy")]

    assert [crowd.person(one).seat for one in known] == ["held"] * 3
    assert [crowd.person(one).seat for one in strangers] == ["released"] * 3
    assert crowd.lines().count(("released", untouched.GAVE_WAY)) == 3
    assert crowd.person(crowd.come("dan", 2)).state == "over_quota"


def test_who_has_acted_or_has_an_id_keeps_the_seat(make_crowd):
    crowd = make_crowd(**ONE)
    reader, known = crowd.read(crowd.come(), 1), crowd.come("ann")
    stranger = crowd.come()

    crowd.come("bob", 2), crowd.come("cy", 2)

    found = [crowd.person(one).seat for one in (reader, known, stranger)]
    assert found == ["held", "held", "released"]
    assert [one.state for one in crowd.people()][-2:] == ["active", "over_quota"]


def test_the_first_to_come_gives_way_first_and_returns_to_a_free_seat(make_crowd):
    crowd = make_crowd(**ONE)
    first, second = crowd.come(), crowd.come(minutes=1)
    crowd.come("ann", 1), crowd.come("bob", 2)
    assert [crowd.person(one).seat for one in (first, second)] == ["released", "held"]

    with crowd.store.write() as db:
        seats.end(db, crowd.person(second).id, "withdrawn", "withdrawn", crowd.at(3))
    crowd.read(first, 4)

    assert crowd.person(first).seat == "held"


def test_nobody_gives_way_if_that_makes_no_room(make_crowd):
    blocks = [
        {"task": "A-Over", "seeds": [1], "quota": 1},
        {"task": "A-Add", "seeds": [2], "quota": 2},
    ]
    crowd = make_crowd(per_player=2, blocks=blocks)
    crowd.read(crowd.come("ann"))
    before = crowd.lines()

    assert crowd.person(crowd.come("bob", 1)).end_reason == "cells_full"
    assert crowd.lines() == [*before, ("refused", "cells_full")]
