"""Moments as they are stored with every action: whole milliseconds since 1970."""

from datetime import UTC, datetime


def to_ms(moment: datetime) -> int:
    """Return whole milliseconds since 1970: never later than the moment itself."""
    return int(moment.timestamp() * 1000)


def from_ms(value: int) -> datetime:
    """Convert milliseconds since 1970 to an aware UTC time."""
    return datetime.fromtimestamp(value / 1000, UTC)
