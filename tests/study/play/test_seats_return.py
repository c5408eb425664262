"""Expired seats, returning people, changed quotas, and people who cannot take part."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.db import Store
from app.store.play import participants
from app.study.design import studies
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


def test_a_released_seat_cannot_be_kept_for_good(crowd):
    token = crowd.come()
    seats.sweep(crowd.store, crowd.at(61))

    with pytest.raises(TimedOutError), crowd.store.write() as db:
        seats.done(db, crowd.person(token, db).id, crowd.at(62))

    assert crowd.person(token).seat == "released"


def test_a_person_without_a_seat_cannot_finish(crowd):
    token = crowd.read(crowd.come())
    crowd.win(token)
    crowd.come(minutes=61)

    with pytest.raises(TimedOutError):
        crowd.explain(token, 62)

    assert crowd.person(token).code is None
    assert sum(crowd.taken().values()) == 1


@pytest.mark.parametrize(
    "state", ["screened_out", "failed_check", "withdrawn", "technical", "timed_out"]
)
def test_every_other_end_frees_the_seat_with_its_reason(crowd, state):
    token = crowd.come()

    with crowd.store.write() as db:
        seats.end(db, crowd.person(token).id, state, "why", crowd.at(3))

    row = crowd.person(token)
    assert (row.state, row.end_reason, row.ended_at) == (state, "why", crowd.at(3))
    assert crowd.lines()[-1] == ("released", "why")
    assert crowd.taken() == crowd.balance() == {}


def test_ending_twice_frees_the_seat_once(crowd):
    token = crowd.come()

    for state in ("technical", "withdrawn"):
        with crowd.store.write() as db:
            seats.end(db, crowd.person(token).id, state, state, crowd.at(3))

    assert crowd.lines() == [("claimed", "consent"), ("released", "technical")]


def test_an_end_that_is_rolled_back_leaves_seat_and_ledger_alone(crowd):
    token = crowd.come()

    def end_and_fail():
        with crowd.store.write() as db:
            seats.end(db, crowd.person(token, db).id, "technical", "why", crowd.at(3))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        end_and_fail()

    assert crowd.person(token).state == "active"
    assert crowd.taken() == crowd.balance() != {}


def test_test_people_take_no_seat_and_count_nowhere(crowd):
    real = crowd.come()
    before = (crowd.taken(), crowd.lines())

    previews = [crowd.come(is_test=True) for _ in range(3)]

    assert [crowd.person(one).state for one in previews] == ["active"] * 3
    assert [crowd.person(one).seat for one in previews] == [""] * 3
    assert (crowd.taken(), crowd.lines()) == before
    crowd.finish(previews[0])
    assert crowd.person(previews[0]).state == "finished"
    assert (crowd.taken(), crowd.lines()) == before
    assert crowd.person(real).seat == "held"


def test_balanced_cells_fill_where_people_left(make_crowd):
    crowd = make_crowd()
    tokens = [crowd.come() for _ in range(6)]
    assert crowd.taken() == {OVER: 3, ADD: 3}
    gone = [one for one in tokens if crowd.cell(one) == ADD][:2]
    for token in gone:
        with crowd.store.write() as db:
            seats.end(db, crowd.person(token, db).id, "withdrawn", "withdrawn", crowd.at(1))

    cells = [crowd.cell(crowd.come(minutes=2)) for _ in range(2)]

    assert cells == [ADD, ADD]


def test_closing_a_study_never_ends_people_and_lets_them_back_to_their_seat(crowd):
    away = crowd.come()
    seats.sweep(crowd.store, crowd.at(61))
    studies.set_state(crowd.store, "crowd", "closed")

    seats.sweep(crowd.store, crowd.at(62))
    crowd.finish(away, 70)

    assert crowd.person(away).state == "finished"


def test_the_session_ends_however_busy_a_person_is(make_crowd):
    crowd = make_crowd(clocks={"session_hours": 2, "resume_hours": 24})
    busy = crowd.read(crowd.come())
    for minutes in (40, 80, 119):
        crowd.command(busy, minutes=minutes)

    with pytest.raises(NotActiveError):
        crowd.command(busy, minutes=120)

    assert crowd.person(busy).end_reason == "session_over"
    assert crowd.taken() == crowd.balance() == {}


def test_the_resume_window_runs_from_the_last_action(make_crowd):
    crowd = make_crowd(clocks={"session_hours": 48, "resume_hours": 2})
    slow = crowd.read(crowd.come())
    crowd.command(slow, minutes=100)
    crowd.command(slow, minutes=219)

    with pytest.raises(NotActiveError):
        crowd.command(slow, minutes=339)

    assert crowd.person(slow).end_reason == "resume_over"


def test_sweep_ends_whose_clocks_ran_out_and_frees_stale_seats_in_all_studies(make_crowd):
    one = make_crowd(clocks={"session_hours": 2})
    two = make_crowd(slug="other")
    gone, stale = one.come(), two.come()

    counted = seats.sweep(one.store, one.at(125))

    assert counted == {"studies": 2, "timed_out": 1, "released": 2}
    assert (one.person(gone).state, one.person(gone).end_reason) == ("timed_out", "session_over")
    assert (two.person(stale).state, two.person(stale).seat) == ("active", "released")
    assert seats.sweep(one.store, one.at(125)) == {"studies": 2, "timed_out": 0, "released": 0}


def test_a_time_given_by_hand_lifts_every_clock(make_crowd):
    crowd = make_crowd(clocks={"session_hours": 2, "resume_hours": 2}, people={"quota": 1})
    token = crowd.read(crowd.come())
    with crowd.store.write() as db:
        values = {"extended_until": crowd.at(24 * 60)}
        participants.change(db, crowd.person(token, db).id, values)

    assert seats.sweep(crowd.store, crowd.at(1000))["timed_out"] == 0
    assert crowd.person(crowd.come(minutes=1000)).state == "over_quota"
    crowd.command(token, minutes=1439)
    with pytest.raises(NotActiveError):
        crowd.command(token, minutes=1440)


def test_coming_back_is_counted_after_the_idle_limit_only(crowd):
    token = crowd.read(crowd.come(), 30)
    crowd.command(token, minutes=60)
    assert (crowd.person(token).resume_count, crowd.person(token).longest_gap_s) == (0, 0)

    crowd.command(token, minutes=91)
    crowd.command(token, minutes=92)

    assert (crowd.person(token).resume_count, crowd.person(token).longest_gap_s) == (1, 31 * 60)


def test_the_longest_time_away_is_kept_over_commands_and_forms(crowd):
    token = crowd.come()
    crowd.read(token, 45)
    crowd.win(token, 80)
    crowd.explain(token, 120)

    assert crowd.person(token).resume_count == 3
    assert crowd.person(token).longest_gap_s == 45 * 60


def test_a_restarted_server_still_knows_when_the_last_command_came(crowd):
    token = crowd.read(crowd.come())
    crowd.command(token, minutes=20)
    crowd.table.live.__init__()  # as after a restart: nothing in memory

    crowd.command(token, minutes=60)

    assert crowd.person(token).longest_gap_s == 40 * 60


def test_people_of_a_named_study_are_refused_before_anything_is_made(make_crowd):
    old = make_crowd(slug="pilot")
    new = make_crowd(people={"exclude_studies": ["pilot"]})
    old.come("ann")

    row = new.person(new.come("ann"))

    assert (row.state, row.end_reason, row.seat) == ("screened_out", "former_participant", "")
    assert row.consented_at is None
    assert new.lines() == [("refused", "former_participant")]
    assert new.person(new.come("ben")).state == "active"


def test_who_only_declined_or_was_turned_away_there_may_take_part_here(make_crowd):
    old = make_crowd(slug="pilot", people={"quota": 1})
    new = make_crowd(people={"exclude_studies": ["pilot"]})
    enrol.decline(old.store, "pilot", Arrival("prolific_pid", "ann"), new_ticket(), NOW)
    old.come("bob")
    old.come("cleo")

    assert new.person(new.come("ann")).state == "active"
    assert new.person(new.come("cleo")).state == "active"
    assert new.person(new.come("bob")).state == "screened_out"


def test_a_command_costs_no_more_statements_than_to_look_and_to_store(crowd):
    token = crowd.read(crowd.come())
    crowd.command(token)
    seen = []
    engine = crowd.store._writer
    sa.event.listen(engine, "before_cursor_execute", lambda *args: seen.append(args[2]))

    crowd.table.act(token, 0, 0, 2, "look", NOW + timedelta(seconds=1))

    assert len(seen) == (2 if crowd.store.is_sqlite else 3), seen  # PostgreSQL locks the episode
