"""hjstudy doctor: a clock that is wrong is found, also where the database shares it."""

from datetime import UTC, datetime, timedelta

import pytest

from app.store.play import clock_readings
from app.study import clock_check, doctor, second_look
from tests.study.story import Story

DAY_MS = 86_400_000


def play(store, **ago):
    """Play a study some time ago; return the time of the newest action."""
    story = Story(store)
    story.clock = datetime.now(UTC) - timedelta(**ago)
    story.enter()
    return story.clock


def trusted(store, boot, days=0):
    """Store a trusted reading, by a clock that was some days behind."""
    with store.write() as db:
        offset_ms = second_look.read().offset_ms - days * DAY_MS
        clock_readings.put(db, boot, offset_ms, None, None)


def judged(store):
    return clock_check.check(store, datetime.now(UTC))


def test_clock_that_agrees_is_fine(store):
    assert judged(store).state == "ok"  # nothing is stored yet
    play(store, hours=1)
    trusted(store, second_look.boot_name())
    assert judged(store).state == "ok"


def test_clock_that_is_behind_the_newest_action_is_a_problem(store):
    newest = play(store, days=-3)
    found = judged(store)
    assert (found.state, "set back" in found.text) == ("problem", True)
    assert f"{newest:%Y-%m-%d %H:%M}" in found.text
    assert doctor.clock(store).state == "problem"


@pytest.mark.parametrize("boot", ["", "an earlier one"])
def test_clock_far_ahead_that_nothing_has_confirmed_is_a_warning(store, boot):
    play(store, days=40, hours=1)
    trusted(store, boot or second_look.boot_name(), days=40)
    found = judged(store)
    assert (found.state, "40 days after the newest action" in found.text) == ("warning", True)


def test_restart_is_fine(store):
    play(store, hours=5)
    trusted(store, "an earlier one")
    assert judged(store).state == "ok"


def test_clock_of_a_study_that_was_not_played_for_long_is_fine(store):
    play(store, days=40)
    trusted(store, second_look.boot_name())
    assert judged(store).state == "ok"


def test_clock_that_differs_from_the_databases_is_a_problem(store):
    for apart, state in ((30, "ok"), (90, "problem"), (-90, "problem")):
        found = clock_check.check(store, datetime.now(UTC) + timedelta(seconds=apart))
        assert found.state == state
    assert "s apart" in found.text
