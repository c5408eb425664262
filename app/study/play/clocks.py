"""The clocks of a study: pure functions of times and of `clocks` in the study file.

Every clock runs from the last action (a command or a form), except that of the session, which
runs from consent. An extension by a researcher (`extended`) suspends all of them until then.
"""

import math
from datetime import datetime, timedelta
from typing import NamedTuple

from app.languages.text import phrase
from app.moments import from_ms
from app.study.design.spec_people import Clocks

SESSION_OVER, RESUME_OVER = "session_over", "resume_over"
OVER = phrase("The time for your part in this study is over, so nothing was stored.")


class Times(NamedTuple):
    """When a person consented and was last active, and when a researcher's extension ends."""

    consented: datetime
    last: datetime
    extended: datetime | None = None


class Warn(NamedTuple):
    """A warning: when the part ends, minutes left when shown, seconds until it is due."""

    end: datetime
    minutes: int
    in_s: int


def last_action(consented: datetime, seen: datetime | None, turn_ms: int | None) -> datetime:
    """Return the latest of consent, last form and last command (in milliseconds since 1970)."""
    found = consented if seen is None else max(consented, seen)
    return found if turn_ms is None else max(found, from_ms(turn_ms))


def later(end: datetime, extended: datetime | None) -> datetime:
    """Return a clock's end, or the end of the extension if that is later."""
    return end if extended is None else max(end, extended)


def is_untouched(times: Times) -> bool:
    """Tell whether someone has done nothing since they agreed."""
    return times.last <= times.consented


def seat_end(times: Times, clocks: Clocks) -> datetime:
    """Return when the person's seats stop being reserved: sooner if they have only consented."""
    minutes = clocks.seat_minutes
    if is_untouched(times):
        minutes = min(minutes, clocks.untouched_minutes)
    return later(times.last + timedelta(minutes=minutes), times.extended)


def session_end(times: Times, clocks: Clocks) -> datetime:
    """Return when the session ends, even if the person is active."""
    return later(times.consented + timedelta(hours=clocks.session_hours), times.extended)


def resume_end(times: Times, clocks: Clocks) -> datetime:
    """Return the latest time at which the person can come back."""
    return later(times.last + timedelta(hours=clocks.resume_hours), times.extended)


def part_end(times: Times, clocks: Clocks) -> datetime:
    """Return when the person's part ends if they stay inactive."""
    return min(session_end(times, clocks), resume_end(times, clocks))


def run_out(times: Times, clocks: Clocks, now: datetime) -> str:
    """Return the stable code of the clock that has run out, or ''."""
    if now >= session_end(times, clocks):
        return SESSION_OVER
    return RESUME_OVER if now >= resume_end(times, clocks) else ""


def is_stale(times: Times, clocks: Clocks, now: datetime) -> bool:
    """Tell whether the person's seats may go to someone else."""
    return now >= seat_end(times, clocks)


def away_s(times: Times, clocks: Clocks, now: datetime) -> int | None:
    """Return how many seconds the person was away, or None if within the idle limit."""
    away = now - times.last
    return int(away.total_seconds()) if away > timedelta(minutes=clocks.idle_minutes) else None


def warning(times: Times, clocks: Clocks, now: datetime) -> Warn | None:
    """Return the warning before the person's part ends, or None if the study gives none."""
    if not clocks.warn_minutes:
        return None
    end = part_end(times, clocks)
    due = end - timedelta(minutes=clocks.warn_minutes)
    left = min(end - now, timedelta(minutes=clocks.warn_minutes))
    in_s = math.ceil(max(timedelta(0), due - now).total_seconds())
    return Warn(end, max(0, int(left.total_seconds() // 60)), in_s)
