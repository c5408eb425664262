"""Times as researchers read them, UTC."""

from datetime import UTC, datetime


def moment(value: datetime | None) -> str:
    """Return a time for people to read, UTC."""
    return "" if value is None else f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def from_ms(value: int | None) -> str:
    """Return milliseconds since 1970 as a time for people to read, UTC."""
    return "" if value is None else moment(datetime.fromtimestamp(value / 1000, UTC))
