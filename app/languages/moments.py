"""Dates and times that players read. Apart from texts, because the game must not know any time."""

from datetime import datetime

from app.languages.text import Text


class Moment(Text):
    """A time of day on a date; `at` is aware, UTC."""

    at: datetime


def moment(at: datetime) -> Moment:
    """Return a time, such as `28 November 2026, 12:00`."""
    text = Moment(f"{at:%d %B %Y, %H:%M}")
    text.at = at
    return text
