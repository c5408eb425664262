"""Each rule of seats by itself: what is claimed, refused, released, settled and counted."""

from datetime import timedelta

import pytest

from app.store.play import clocks, participants, progress
from app.study.design.spec import check_study
from app.study.design.spec_people import Clocks
from app.study.play import seats
from app.study.play.seats import NoRoomError, Room, TimedOutError
from tests.study.conftest import NOW, TINY

OVER, ADD = "A-Over/1/semantic/1", "A-Add/2/semantic/1"


def spec_of(**changes):
    return check_study({**TINY, **changes})


def room(crowd, **changes):
    with crowd.store.read() as db:
        return seats.room(db, crowd.id, spec_of(**changes))


def row_of(crowd, token):
    """Return a person's times, seat and study file."""
    with crowd.store.write() as db:
        return clocks.person(db, crowd.person(token, db).id)


def put(crowd, token, **values):
    with crowd.store.write() as db:
        participants.change(db, crowd.person(token, db).id, values)


@pytest.mark.parametrize(
    ("people", "full", "cells", "takes"),
    [
        (None, (), (OVER,), True),
        (1, (), (OVER, ADD), True),
        (0, (), (OVER,), False),
        (-1, (), (OVER,), False),
        (None, (ADD,), (OVER,), True),
        (None, (ADD,), (OVER, ADD), False),
        (0, (ADD,), (ADD,), False),
    ],
)
def test_room_takes_a_person_if_study_and_every_cell_have_a_seat(people, full, cells, takes):
    free = Room(1, people, frozenset(full), {})
    assert free.takes(cells) is takes
    assert free.is_full is (people is not None and people < 1)


def test_room_counts_held_and_done_seats_against_the_quotas(make_crowd):
    crowd = make_crowd()
    crowd.finish(crowd.come())
    crowd.come()
    gone = crowd.come()
    with crowd.store.write() as db:
        seats.end(db, crowd.person(gone, db).id, "technical", "x", crowd.at(1))
    taken = crowd.taken()
    assert sum(taken.values()) == 2
    assert room(crowd) == Room(
        crowd.id, None, frozenset(), taken | {crowd.cell(gone): taken.get(crowd.cell(gone), 0)}
    )
    assert room(crowd, people={"quota": 3}).people == 1
    assert room(crowd, people={"quota": 1}).people == -1
    full = {cell for cell, number in taken.items() if number >= 1}
    assert room(crowd, people={"cell_quota": 1}).full == full
    assert room(crowd, people={"cell_quota": 9}).full == frozenset()


def test_seats_that_are_not_free_are_not_claimed(crowd):
    person, full = crowd.person(crowd.come()).id, Room(crowd.id, 0, frozenset(), {})
    with crowd.store.write() as db, pytest.raises(NoRoomError) as caught:
        seats.claim(db, full, person, [OVER], crowd.at(1))
    assert caught.value.code == "seats/no_room"
    assert crowd.lines() == [("claimed", "consent")]


def test_lines_of_the_ledger_say_who_which_cells_and_when(crowd):
    token = crowd.come("ann")
    crowd.come("late", 1)
    with crowd.store.write() as db:
        seats.end(db, crowd.person(token, db).id, "technical", "hand", crowd.at(2))
    own, late = crowd.person(token).id, crowd.people()[1].id
    cell = f'["{crowd.cell(token)}"]'
    found = [(one.participant_id, one.event, one.at) for one in crowd.ledger()]
    assert found == [
        (own, "claimed", crowd.at(0)),
        (late, "refused", crowd.at(1)),
        (own, "released", crowd.at(2)),
    ]
    assert [one.cells for one in crowd.ledger()] == [cell, "[]", cell]
    row = crowd.person(token)
    assert (row.state, row.end_reason, row.ended_at) == ("technical", "hand", crowd.at(2))


def test_a_finished_person_keeps_the_seat_and_a_second_finish_changes_nothing(crowd):
    token = crowd.come()
    for _ in range(2):
        with crowd.store.write() as db:
            seats.done(db, crowd.person(token, db).id, crowd.at(5))
    assert crowd.person(token).seat == "done"
    assert crowd.lines() == [("claimed", "consent"), ("done", "finished")]
    with crowd.store.write() as db:
        assert seats.release(db, row_in(db, crowd, token), "erased", crowd.at(6))
        assert not seats.release(db, row_in(db, crowd, token), "erased", crowd.at(7))
        with pytest.raises(TimedOutError) as caught:
            seats.done(db, crowd.person(token, db).id, crowd.at(8))
    assert caught.value.reason == "seat_lost"
    assert crowd.lines()[2:] == [("released", "erased")]


def row_in(db, crowd, token):
    return clocks.person(db, crowd.person(token, db).id)


def test_clocks_run_from_consent_or_from_arrival_where_no_one_consents(crowd):
    token = crowd.come(minutes=3)
    put(crowd, token, created_at=crowd.at(1), consented_at=crowd.at(2), seen_at=crowd.at(4))
    assert seats.times_of(row_of(crowd, token)) == (crowd.at(2), crowd.at(4), None)
    put(crowd, token, consented_at=None, seen_at=None, extended_until=crowd.at(9))
    assert seats.times_of(row_of(crowd, token)) == (crowd.at(1), crowd.at(1), crowd.at(9))


def test_an_action_is_noted_while_the_part_is_under_way_only(crowd):
    token = crowd.come()
    with crowd.store.write() as db:
        seats.touch(db, crowd.person(token, db).id, crowd.at(40))
    row = crowd.person(token)
    assert (row.seen_at, row.resume_count, row.longest_gap_s) == (crowd.at(40), 1, 40 * 60)
    with crowd.store.write() as db:
        seats.end(db, row.id, "technical", "hand", crowd.at(41))
        seats.touch(db, row.id, crowd.at(99))
    assert crowd.person(token).seen_at == crowd.at(40)


def test_a_command_is_refused_where_the_seat_is_gone_or_a_clock_has_run_out(crowd):
    token = crowd.read(crowd.come())
    limits = Clocks(session_hours=2, resume_hours=1)
    with crowd.store.write() as db:
        row = progress.to_play(db, token, 0, 0)
    late = crowd.at(0) + timedelta(minutes=59)
    with crowd.store.write() as db:
        seats.before_command(db, row, limits, None, late)
    assert crowd.person(token).resume_count == 1
    for minutes, turn, reason in [
        (60, None, "resume_over"),
        (61, None, "resume_over"),
        (120, 119, "session_over"),
    ]:
        turn_ms = None if turn is None else int(crowd.at(turn).timestamp() * 1000)
        with crowd.store.write() as db, pytest.raises(TimedOutError) as caught:
            seats.before_command(db, row, limits, turn_ms, crowd.at(minutes))
        assert caught.value.reason == reason
    crowd.command(token, minutes=50)  # then a new episode, of which no command is known yet
    with crowd.store.write() as db:
        seats.before_command(db, row, limits, None, crowd.at(100))
    put(crowd, token, seat="released")
    with crowd.store.write() as db:
        row = progress.to_play(db, token, 0, 0)
    with crowd.store.write() as db, pytest.raises(TimedOutError) as caught:
        seats.before_command(db, row, limits, None, crowd.at(1))
    assert caught.value.reason == "seat_lost"


def test_settling_does_only_what_is_due(crowd):
    seats.settle(crowd.store, "nobody's token", crowd.at(0))
    token = crowd.come()
    seats.settle(crowd.store, token, crowd.at(30))
    assert (crowd.person(token).state, crowd.person(token).seat) == ("active", "held")
    put(crowd, token, seat="released")
    seats.settle(crowd.store, token, crowd.at(30))
    assert (crowd.person(token).state, crowd.person(token).seat) == ("active", "held")
    with crowd.store.write() as db:
        seats.end(db, crowd.person(token, db).id, "technical", "hand", crowd.at(31))
    seats.settle(crowd.store, token, crowd.at(9000))
    assert crowd.person(token).end_reason == "hand"
    assert crowd.person(token).ended_at == crowd.at(31)


def test_settling_ends_a_part_whose_time_is_over(crowd):
    token = crowd.come()
    seats.settle(crowd.store, token, crowd.at(9000))
    row = crowd.person(token)
    assert (row.state, row.end_reason, row.seat) == ("timed_out", "session_over", "released")
    assert row.ended_at == crowd.at(9000)


def test_a_sweep_counts_who_was_timed_out_and_whose_seat_was_freed(make_crowd):
    crowd = make_crowd(clocks={"session_hours": 2})
    without, with_seat, stale, busy = (crowd.come(minutes=at) for at in (0, 0, 60, 119))
    seats.sweep(crowd.store, crowd.at(11))
    put(crowd, with_seat, seat="held")
    assert crowd.person(without).seat == "released"
    tracked = []

    def track(things, what, total):
        tracked.append((list(things), what, total))
        return things

    counted = seats.sweep(crowd.store, crowd.at(120), track)
    assert counted == {"studies": 1, "timed_out": 2, "released": 2}
    assert tracked == [([crowd.id], "Sweeping studies", 1)]
    assert [crowd.person(one).seat for one in (stale, busy)] == ["released", "held"]
    assert crowd.lines()[-1] == ("released", "expired")


def test_a_sweep_of_nothing_counts_nothing(store, make_crowd):
    nothing = {"timed_out": 0, "released": 0}
    assert seats.sweep(store, NOW) == {"studies": 0, **nothing}
    crowd = make_crowd()
    with store.write() as db:
        assert dict(seats.sweep_study(db, crowd.id, NOW)) == nothing


@pytest.mark.parametrize(
    ("reason", "seat", "done"),
    [
        ("", "held", []),
        ("expired", "held", ["released"]),
        ("session_over", "held", ["timed_out", "released"]),
        ("session_over", "done", ["timed_out", "released"]),
        ("session_over", "released", ["timed_out"]),
    ],
)
def test_what_is_due_is_carried_out_and_reported(crowd, reason, seat, done):
    token = crowd.come()
    put(crowd, token, seat=seat)
    with crowd.store.write() as db:
        assert seats.carry_out(db, row_in(db, crowd, token), reason, crowd.at(9)) == done
    row = crowd.person(token)
    assert row.seat == ("released" if done else seat)
    assert row.end_reason == (reason if reason == "session_over" else "")
