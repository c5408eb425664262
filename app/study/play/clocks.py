"""The clocks of a study, each by name: pure functions of times and of the study file's `clocks`.

Every clock runs from the last action (a command or a form) but the session's, which runs from
consent. A time set by hand (`extended`) lifts all of them until then.
"""

import math
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from app.study.design.spec_people import Clocks

SESSION_OVER, RESUME_OVER = "session_over", "resume_over"


class Times(NamedTuple):
    """When a person consented, last did something, and until when a researcher extended them."""

    consented: datetime
    last: datetime
    extended: datetime | None = None


class Warn(NamedTuple):
    """A warning: when the part ends, minutes left when it is shown, seconds until it is due."""

    end: datetime
    minutes: int
    in_s: int


def last_action(consented: datetime, seen: datetime | None, turn_ms: int | None) -> datetime:
    """Return the latest of consent, last form and last command (milliseconds since 1970)."""
    found = consented if seen is None else max(consented, seen)
    return found if turn_ms is None else max(found, from_ms(turn_ms))


def from_ms(value: int) -> datetime:
    """Return milliseconds since 1970 as an aware time, UTC."""
    return datetime.fromtimestamp(value / 1000, UTC)


def later(end: datetime, extended: datetime | None) -> datetime:
    """Return a clock's end, moved by hand or not."""
    return end if extended is None else max(end, extended)


def seat_end(times: Times, clocks: Clocks) -> datetime:
    """Return until when the person's seats are kept for them."""
    return later(times.last + timedelta(minutes=clocks.seat_minutes), times.extended)


def session_end(times: Times, clocks: Clocks) -> datetime:
    """Return when the session is over, however busy the person is."""
    return later(times.consented + timedelta(hours=clocks.session_hours), times.extended)


def resume_end(times: Times, clocks: Clocks) -> datetime:
    """Return until when the person may come back."""
    return later(times.last + timedelta(hours=clocks.resume_hours), times.extended)


def part_end(times: Times, clocks: Clocks) -> datetime:
    """Return when the person's part ends if they do nothing more."""
    return min(session_end(times, clocks), resume_end(times, clocks))


def run_out(times: Times, clocks: Clocks, now: datetime) -> str:
    """Return which clock has ended the person's part (a stable code), or ''."""
    if now >= session_end(times, clocks):
        return SESSION_OVER
    return RESUME_OVER if now >= resume_end(times, clocks) else ""


def is_stale(times: Times, clocks: Clocks, now: datetime) -> bool:
    """Tell whether somebody else may have the person's seats."""
    return now >= seat_end(times, clocks)


def away_s(times: Times, clocks: Clocks, now: datetime) -> int | None:
    """Return how long the person was away, seconds, if longer than the idle limit; else None."""
    away = now - times.last
    return int(away.total_seconds()) if away > timedelta(minutes=clocks.idle_minutes) else None


def warning(times: Times, clocks: Clocks, now: datetime) -> Warn | None:
    """Return the warning before the person's part ends; None = the study gives none."""
    if not clocks.warn_minutes:
        return None
    end = part_end(times, clocks)
    due = end - timedelta(minutes=clocks.warn_minutes)
    left = min(end - now, timedelta(minutes=clocks.warn_minutes))
    in_s = math.ceil(max(timedelta(0), due - now).total_seconds())
    return Warn(end, max(0, int(left.total_seconds() // 60)), in_s)
