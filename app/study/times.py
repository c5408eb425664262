"""Times as shown to researchers, in UTC."""

from datetime import UTC, datetime


def moment(value: datetime | None) -> str:
    """Format a time in UTC."""
    return "" if value is None else f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def from_ms(value: int | None) -> str:
    """Format milliseconds since 1970 as a time in UTC."""
    return "" if value is None else moment(datetime.fromtimestamp(value / 1000, UTC))
