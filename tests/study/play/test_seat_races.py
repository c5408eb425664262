"""Two requests at once, in the order that would fail without each lock."""

from concurrent.futures import ThreadPoolExecutor, wait

from app.errors import StudyError
from app.store.play import clocks
from app.study.people import withdrawal
from app.study.play import seats
from app.study.play.seats import TimedOutError
from app.study.tickets import new_ticket

A_MOMENT = 0.5  # seconds, long enough for any request that is not blocked


def while_open(crowd, first, second, seconds=A_MOMENT):
    """Run `second` in another thread while the transaction of `first` is still open.

    Returns whether it was blocked until then, and its result or StudyError.
    """
    with ThreadPoolExecutor(1) as pool:
        with crowd.store.write() as db:
            first(db)
            later = pool.submit(tried, second)
            done, _ = wait([later], timeout=seconds)
        return not done, later.result(timeout=30)


def tried(action):
    try:
        return action()
    except TimedOutError as error:
        return error.reason
    except StudyError as error:
        return error.code


def released(crowd, *names):
    """Let people enter one after the other and lose their seats, in a study with one place."""
    tokens = []
    for number, name in enumerate(names):
        tokens.append(crowd.come(name, 100 * number))
        seats.sweep(crowd.store, crowd.at(100 * number + 61))
    return tokens, 100 * len(names)


def test_two_who_return_for_the_last_seat_are_served_one_after_the_other(crowd):
    (one, two), now = released(crowd, "one", "two")

    held_up, result = while_open(
        crowd,
        lambda db: seats.touch(db, crowd.person(one).id, crowd.at(now)),
        lambda: crowd.read(two, now),
    )

    assert (held_up, result) == (True, "seat_lost")
    assert sum(crowd.taken().values()) == 1
    assert crowd.taken() == crowd.balance()


def test_two_tabs_of_one_who_returns_take_one_seat_back_and_end_no_one(crowd):
    (token,), now = released(crowd, "one")

    held_up, _ = while_open(
        crowd,
        lambda db: seats.touch(db, crowd.person(token).id, crowd.at(now)),
        lambda: seats.settle(crowd.store, token, crowd.at(now)),
    )

    assert held_up
    assert (crowd.person(token).state, crowd.person(token).seat) == ("active", "held")
    assert crowd.lines().count(("reclaimed", "returned")) == 1


def test_an_arrival_never_waits_for_someone_who_acts_and_takes_nothing_from_them(crowd):
    busy = crowd.come("busy")

    held_up, late = while_open(
        crowd,
        lambda db: clocks.person(db, crowd.person(busy).id),
        lambda: crowd.come("late", 70),
        A_MOMENT if crowd.store.is_sqlite else 20,
    )

    assert held_up is crowd.store.is_sqlite  # which has only one writer at a time anyway
    if not held_up:
        assert crowd.person(late).state == "over_quota"
        assert crowd.person(busy).seat == "held"


def test_who_acts_while_their_seat_is_being_freed_waits_and_takes_it_back_or_not_at_all(crowd):
    token = crowd.come("slow")

    held_up, result = while_open(
        crowd,
        lambda db: seats.release(db, clocks.person(db, crowd.person(token).id), "x", crowd.at(70)),
        lambda: crowd.read(token, 70),
    )

    assert (held_up, result) == (True, token)
    assert crowd.person(token).seat == "held"
    assert crowd.taken() == crowd.balance()


def test_an_end_by_hand_and_a_finish_at_once_leave_one_outcome(crowd):
    token = crowd.read(crowd.come("one"))
    crowd.win(token)

    held_up, _ = while_open(
        crowd,
        lambda db: seats.end(db, crowd.person(token).id, "technical", "hand", crowd.at(1)),
        lambda: crowd.explain(token, 1),
    )

    row = crowd.person(token)
    assert held_up
    assert (row.state, row.code, row.seat) == ("technical", None, "released")
    assert crowd.taken() == crowd.balance() == {}


def test_an_end_by_hand_and_a_withdrawal_at_once_leave_one_outcome(crowd):
    token = crowd.read(crowd.come("one"))

    held_up, result = while_open(
        crowd,
        lambda db: seats.end(db, crowd.person(token).id, "technical", "hand", crowd.at(1)),
        lambda: withdrawal.withdraw(crowd.store, token, new_ticket(), crowd.at(1)),
    )

    row = crowd.person(token)
    assert (held_up, result) == (True, "player/not_active")
    assert (row.state, row.erased_at) == ("technical", None)
    assert crowd.lines() == [("claimed", "consent"), ("released", "hand")]
