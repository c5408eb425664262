"""The clocks: when they end, what suspends them, when a warning is due."""

from datetime import UTC, datetime, timedelta

import pytest

from app.study.design.spec_people import Clocks
from app.study.play import clocks
from app.study.play.clocks import Times

NOON = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
LIMITS = Clocks(
    seat_minutes=60, idle_minutes=30, session_hours=24, resume_hours=12, warn_minutes=10
)


def at(minutes):
    return NOON + timedelta(minutes=minutes)


def times(last=0, extended=None):
    return Times(NOON, at(last), None if extended is None else at(extended))


@pytest.mark.parametrize(("minutes", "stale"), [(59, False), (60, True)])
def test_a_seat_is_kept_for_its_minutes_from_the_last_action(minutes, stale):
    assert clocks.is_stale(times(last=100), LIMITS, at(100 + minutes)) is stale


@pytest.mark.parametrize(
    ("last", "now", "reason"),
    [
        (0, 12 * 60 - 1, ""),
        (0, 12 * 60, "resume_over"),
        (600, 12 * 60, ""),
        (1430, 24 * 60 - 1, ""),
        (1430, 24 * 60, "session_over"),
        (0, 36 * 60, "session_over"),
    ],
)
def test_a_part_ends_by_the_session_or_the_resume_window(last, now, reason):
    assert clocks.run_out(times(last=last), LIMITS, at(now)) == reason


def test_a_time_given_by_hand_moves_every_end_and_never_brings_one_forward():
    later, earlier = times(extended=3000), times(extended=5)

    assert clocks.seat_end(later, LIMITS) == at(3000)
    assert clocks.session_end(later, LIMITS) == at(3000)
    assert clocks.resume_end(later, LIMITS) == at(3000)
    assert clocks.seat_end(earlier, LIMITS) == at(10)
    assert clocks.session_end(earlier, LIMITS) == at(24 * 60)
    assert clocks.resume_end(earlier, LIMITS) == at(12 * 60)


def test_a_seat_lasts_shorter_until_the_first_action():
    assert clocks.seat_end(times(), LIMITS) == at(10)
    assert clocks.seat_end(times(last=1), LIMITS) == at(61)
    short = LIMITS.model_copy(update={"seat_minutes": 5})
    assert clocks.seat_end(times(), short) == at(5)


@pytest.mark.parametrize(("minutes", "away"), [(30, None), (31, 1860), (600, 36000)])
def test_being_away_counts_beyond_the_idle_limit_only(minutes, away):
    assert clocks.away_s(times(), LIMITS, at(minutes)) == away


def test_the_last_action_is_the_latest_of_consent_form_and_command():
    command = int(at(50).timestamp() * 1000) + 7

    assert clocks.last_action(NOON, None, None) == NOON
    assert clocks.last_action(NOON, at(20), None) == at(20)
    assert clocks.last_action(NOON, at(20), command) == at(50) + timedelta(milliseconds=7)
    assert clocks.last_action(NOON, at(60), command) == at(60)


@pytest.mark.parametrize(
    ("last", "now", "minutes", "in_s"),
    [
        (0, 0, 10, (12 * 60 - 10) * 60),
        (0, 12 * 60 - 10, 10, 0),
        (0, 12 * 60 - 1, 1, 0),
        (1439, 24 * 60 - 4, 4, 0),
    ],
)
def test_a_warning_is_due_some_minutes_before_the_first_end(last, now, minutes, in_s):
    warn = clocks.warning(times(last=last), LIMITS, at(now))

    assert (warn.minutes, warn.in_s) == (minutes, in_s)
    assert warn.end == at(12 * 60 if last == 0 else 24 * 60)


def test_without_warn_minutes_there_is_no_warning():
    limits = LIMITS.model_copy(update={"warn_minutes": 0})

    assert clocks.warning(times(), limits, at(12 * 60 - 1)) is None
