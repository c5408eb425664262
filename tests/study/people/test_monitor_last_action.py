"""A person's last action in the monitor is the one that the study's clocks count."""

import itertools
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.game.practice import practice_variant
from app.store.people import accounts as account_rows
from app.study.people import accounts, manual_actions
from app.study.play import players
from app.study.tickets import new_ticket
from tests.study.conftest import NOW
from tests.study.people.monitored import Desk


def minutes_away(desk, minutes):
    (one,) = desk.facts(NOW + timedelta(minutes=minutes))["people"]
    return one["away_s"] / 60


@pytest.fixture
def practising(store):
    """A player at the practice; `play(minute, lines)` plays some of it."""
    desk = Desk(store, options={"practice": True})
    token, seq = desk.begin(), itertools.count(1)

    def play(minute, *lines):
        for line in lines:
            desk.table.act(token, -1, 0, next(seq), line, NOW + timedelta(minutes=minute))

    return desk, token, play


def test_winning_the_practice_is_an_action_also_before_it_is_left(practising):
    desk, _, play = practising
    play(50, *practice_variant().episodes[0].solutions[0])
    assert minutes_away(desk, 55) == 5


def test_practice_that_goes_on_after_it_was_left_by_hand_is_an_action(practising):
    desk, token, play = practising
    play(10, "look")
    by_hand(desk, token, "unstick", minute=20)
    play(50, "look")
    assert minutes_away(desk, 55) == 5


def test_being_carried_over_a_guardian_by_hand_is_no_action_of_ones_own(store):
    desk = Desk(store)
    token = desk.begin()
    desk.type(token, "look", gap=600)
    by_hand(desk, token, "unstick", minute=50)
    assert minutes_away(desk, 55) == 45


def by_hand(desk, token, action, minute):
    accounts.add(desk.store, "researcher", "researcher", NOW)
    with desk.store.read() as db:
        who = players.load(db, token).row.public_id
        account = db.execute(sa.select(account_rows.account.c.id)).scalar_one()
    at = NOW + timedelta(minutes=minute)
    manual_actions.act(desk.store, account, who, action, "They ask for it.", new_ticket(), at)
