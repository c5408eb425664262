"""Whatever people do, in any order, quotas hold and the ledger adds up."""

import itertools
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from app.errors import StudyError
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.play import seats
from app.study.play.seats import TimedOutError
from tests.study.conftest import NOW, TINY, Crowd, balance

SEAT_MINUTES, UNTOUCHED_MINUTES = 60, 10
slugs = (f"law-{number}" for number in itertools.count())


@pytest.mark.long
@pytest.mark.parametrize(("quota", "cell_quota"), [(2, 2), (9, 1)])
@pytest.mark.long_on_postgres
def test_quotas_hold_and_the_ledger_adds_up_over_any_arrivals_dropouts_returns_and_finishes(
    store, quota, cell_quota
):
    run_state_machine_as_test(
        lambda: Seats(store, quota, cell_quota),
        settings=settings(
            max_examples=20,
            stateful_step_count=25,
            deadline=None,
            phases=[Phase.generate],  # shrinking against a database takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )


class Seats(RuleBasedStateMachine):
    """A study of two cells with two places in total; time only moves forward."""

    people = Bundle("people")

    def __init__(self, store, quota, cell_quota):
        super().__init__()
        slug, self.quota, self.cell_quota = next(slugs), quota, cell_quota
        people = {"quota": quota, "cell_quota": cell_quota}
        studies.create(store, check_study({**TINY, "slug": slug, "people": people}), NOW)
        self.crowd = Crowd(store, slug)
        self.minutes, self.known, self.acted, self.agreed = 0, {}, {}, {}

    def acts(self, token):
        """Record an action, which extends the seat."""
        self.acted[token] = self.minutes

    @rule(target=people, is_test=st.sampled_from([False, False, False, True]))
    def come(self, is_test):
        who = f"p{len(self.known)}"
        token = self.crowd.come(who, self.minutes, is_test=is_test)
        self.known[token] = who
        self.agreed[token] = self.minutes
        self.acts(token)
        return token

    @rule(token=people)
    def come_again(self, token):
        before = self.crowd.person(token)
        assert self.crowd.come(self.known[token], self.minutes, is_test=before.is_test) == token
        if before.state == "over_quota":
            self.agreed[token] = self.minutes
            self.acts(token)

    @rule(minutes=st.sampled_from([1, 20, 45, 61, 200, 1500]))
    def time_goes_on(self, minutes):
        self.minutes += minutes

    @rule(target=people, minutes=st.sampled_from([61, 90, 300]))
    def come_after_everybody_has_been_away(self, minutes):
        self.minutes += minutes
        return self.come(is_test=False)

    @rule(token=people)
    def fill_in_a_form(self, token):
        try:
            self.crowd.read(token, self.minutes)
        except StudyError as error:
            if isinstance(error, TimedOutError):
                seats.settle(self.crowd.store, token, self.crowd.at(self.minutes))
            return
        if self.crowd.person(token).state == "active":
            self.acts(token)

    @rule(token=people)
    def type_a_command(self, token):
        if self.play(token, "look"):
            self.acts(token)

    def play(self, token, raw):
        if self.crowd.person(token).state == "over_quota":
            return False  # they have nothing to play
        try:
            self.crowd.command(token, raw, self.minutes)
        except StudyError:
            return False
        return True

    @rule(token=people)
    def finish(self, token):
        before = self.crowd.person(token)
        if before.state != "active":
            return
        try:
            self.crowd.finish(token, self.minutes)
        except StudyError as error:
            if isinstance(error, TimedOutError):
                seats.settle(self.crowd.store, token, self.crowd.at(self.minutes))
            return
        assert self.crowd.person(token).state == "finished"

    @rule(token=people, state=st.sampled_from(["withdrawn", "technical", "failed_check"]))
    def leave(self, token, state):
        before = self.crowd.person(token)
        if before.state in {"active", "finished"}:
            with self.crowd.store.write() as db:
                seats.end(db, before.id, state, state, self.crowd.at(self.minutes))

    @rule()
    def sweep(self):
        seats.sweep(self.crowd.store, self.crowd.at(self.minutes))

    @invariant()
    def all_laws_hold(self):
        taken, lines, people = self.crowd.taken(), self.crowd.ledger(), self.crowd.people()
        assert max(taken.values(), default=0) <= self.cell_quota, taken
        assert sum(taken.values()) <= self.quota, taken  # each has one cell here
        assert balance(lines) == taken
        for row in people:
            self.seat_fits_state(row)
        if lines and lines[-1].event == "refused":  # the last event of any seat
            room = min(self.quota, 2 * self.cell_quota)
            assert sum(taken.values()) == room, "turned away, and yet there was a free seat"

    def seat_fits_state(self, row):
        """Every seat matches its holder's state; no one loses a seat that is still reserved."""
        fits = {"active": {"held", "released"}, "finished": {"done"}, "over_quota": {""}}
        wanted = {""} if row.is_test else fits.get(row.state, {"released"})
        assert row.seat in wanted, row
        touched = self.acted[row.token] > self.agreed[row.token]
        life = SEAT_MINUTES if touched else UNTOUCHED_MINUTES
        fresh = self.minutes - self.acted[row.token] < life
        assert not (row.state == "active" and fresh and row.seat == "released"), row


def test_a_storm_of_returns_arrivals_and_finishes_at_once_keeps_the_quota(make_crowd):
    """Real threads: the order of locks rules out deadlocks."""
    crowd = make_crowd(people={"quota": 6, "cell_quota": 4})
    vanished = [crowd.read(crowd.come(f"v{number}")) for number in range(6)]
    for token in vanished[:3]:
        crowd.win(token)
    chance = random.Random(5)
    actions = [partial(crowd.command, token, "look", 70) for token in vanished[3:] * 2]
    actions += [partial(crowd.explain, token, 70) for token in vanished[:3]]
    actions += [partial(crowd.come, f"n{number}", 70 + number) for number in range(12)]
    actions += [partial(seats.sweep, crowd.store, crowd.at(70))] * 3
    chance.shuffle(actions)

    with ThreadPoolExecutor(len(actions)) as pool:
        errors = Counter(pool.map(tried, actions))

    assert not errors.keys() - {None, "TimedOutError", "NotActiveError", "StaleSeqError"}, errors
    assert sum(crowd.taken().values()) == 6
    assert max(crowd.taken().values()) <= 4
    assert balance(crowd.ledger()) == crowd.taken()
    for row in crowd.people():
        assert row.seat in {"finished": {"done"}, "active": {"held", "released"}}.get(
            row.state, {"", "released"}
        )


def tried(action):
    try:
        action()
    except StudyError as error:
        return type(error).__name__
    return None
