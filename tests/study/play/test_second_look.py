"""A server clock that jumps ends no one's part without a second look; one set back is flagged."""

from datetime import UTC, datetime, timedelta

import pytest

from app.study import second_look
from app.study.play import seats
from app.study.play.commands import Extras
from app.study.second_look import Reading
from tests.study.story import NOON, Story, rows

MINUTE = 60_000
WALL = int(NOON.timestamp() * 1000)


@pytest.fixture
def ask(store):
    """Ask whether a time is trusted: minutes of the wall clock and since the boot."""

    def ask(wall, since, boot="one"):
        reading = Reading(boot, WALL + wall * MINUTE, since * MINUTE)
        with store.read() as db:
            doubts = second_look.doubts(db, reading)
        with store.write() as db:
            trusts = second_look.trusts(db, reading)
        assert doubts != trusts
        return trusts

    return ask


def test_steady_clock_is_trusted(ask):
    assert all(ask(at, 50 + at) for at in (0, 1, 600, 9000))


@pytest.mark.parametrize("jump", [5000, -5000])
def test_jump_is_trusted_after_ten_minutes(ask, jump):
    assert ask(0, 50)
    trusted = [ask(jump + at, 50 + at) for at in (1, 2, 10, 12, 13)]
    assert trusted == [False, False, False, True, True]


def test_clock_that_is_set_right_again_has_changed_nothing(ask):
    assert ask(0, 50)
    assert not ask(5000, 51)
    assert ask(2, 52)
    assert not ask(5000, 70)  # a new jump waits anew


def test_another_jump_waits_again(ask):
    assert ask(0, 50)
    assert not ask(5000, 51)
    assert not ask(9000, 70)
    assert ask(9012, 82)


@pytest.mark.parametrize("ahead", [0, 60 * 24 * 3, 5000, -5000])  # a restart, a weekend, wrong ones
def test_machine_that_has_booted_waits_and_is_trusted_without_anyone_doing_anything(ask, ahead):
    assert ask(0, 50)
    trusted = [ask(ahead + at, at, boot="two") for at in (1, 2, 10, 11, 12, 600)]
    assert trusted == [False, False, False, True, True, True]


def test_clock_that_is_set_right_after_the_boot_waits_from_then_on(ask):
    assert ask(0, 50)
    trusted = [ask(wall, since, boot="two") for wall, since in ((5001, 1), (8, 8), (12, 12))]
    assert trusted == [False, False, False]
    assert ask(18, 18, boot="two")
    assert not ask(5019, 19, boot="two")  # and a later jump waits like any other


def test_machine_that_boots_does_not_make_others_wait(ask):
    assert ask(0, 50)
    assert not ask(7, 1, boot="two")
    assert ask(8, 58)


def test_wrong_time_that_is_stored_in_the_meantime_confirms_nothing(store, monkeypatch):
    story = Story(store)
    token = story.enter()
    clocks(monkeypatch, 0, 50)
    assert second_look.passed(store)
    clocks(monkeypatch, 9000, 1, "two")
    story.clock = NOON + timedelta(hours=9000)
    story.enter()
    seats.sweep(store, story.clock)
    assert story.person(token).state == "active"


def clocks(monkeypatch, hours, since, boot="one"):
    """Set the wall clock, in hours from noon, and the minutes since boot; return the time."""
    wall = WALL + int(hours * 60 * MINUTE)
    monkeypatch.setattr(second_look, "read", lambda: Reading(boot, wall, since * MINUTE))
    return NOON + timedelta(hours=hours)


def test_jump_ends_no_one_until_it_is_confirmed(store, monkeypatch):
    story = Story(store)
    token = story.enter()

    seats.sweep(store, clocks(monkeypatch, 0, 50))
    ahead = clocks(monkeypatch, 9000, 51)
    assert seats.sweep(store, ahead)["timed_out"] == 0
    seats.settle(store, token, ahead)
    assert story.person(token).state == "active"
    confirmed = clocks(monkeypatch, 9000.25, 66)  # 15 minutes later
    assert seats.sweep(store, confirmed)["timed_out"] == 1


def test_clock_that_was_set_back_is_flagged_in_timing(store):
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, "look", "look")
    assert {row["clock_back_ms"] for row in rows(store, "timing")} <= {"0", ""}
    story.clock -= timedelta(seconds=20)
    story.type(token, 0, 0, "look", first=3)
    (flagged,) = [row for row in rows(store, "timing") if row["clock_back_ms"] not in {"0", ""}]
    assert flagged["episode_id"].endswith("-w1-g1")
    assert int(flagged["clock_back_ms"]) > 19_000


def test_clock_set_back_during_a_pause_is_seen_by_the_browsers_clock(store):
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, "look")
    now = story.now()
    story.table.act(token, 0, 0, 2, "look", now, Extras(None, 300_000, 0))
    (flagged,) = [row for row in rows(store, "timing") if row["clock_back_ms"] not in {"0", ""}]
    assert flagged["clock_back_ms"] == str(300_000 - 1000)


@pytest.mark.parametrize(
    ("pause_s", "think_ms", "flagged"),
    [
        (60, 59_900, "0"),
        (60, None, ""),  # no script: a clock set back by less than the pause leaves no trace
        (1, None, ""),  # nor does this one, if the pause was longer than it seems
        (60, 20_000, ""),  # a page was loaded during the pause
        (60, 90_000, "30000"),
        (-60, None, "60000"),  # an earlier time is seen without a script
    ],
)
def test_pause_that_no_second_clock_measured_is_not_reported_as_seen(
    store, pause_s, think_ms, flagged
):
    story = Story(store)
    token = story.enter()
    now = story.now()
    story.table.act(token, 0, 0, 1, "look", now)  # what is before the first action does not count
    then = now + timedelta(seconds=pause_s)
    story.table.act(token, 0, 0, 2, "look", then, Extras(None, think_ms, 0))
    (found,) = [row for row in rows(store, "timing") if row["episode_id"].endswith("-w1-g1")]
    assert found["clock_back_ms"] == flagged


def test_wall_clock_is_compared_with_the_time_since_boot():
    reading = second_look.read()
    assert reading.since_boot_ms > 0
    assert abs(reading.wall_ms / 1000 - datetime.now(UTC).timestamp()) < 60
    assert second_look.boot_name()
