"""Times as shown to researchers, in UTC."""

from datetime import UTC, datetime

from app.moments import from_ms


def moment(value: datetime | None) -> str:
    """Format a time in UTC."""
    return "" if value is None else f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def iso(value: datetime | None) -> str:
    """Format a time in UTC as in exports."""
    return "" if value is None else f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def moment_of_ms(value: int | None) -> str:
    """Format milliseconds since 1970 as a time in UTC."""
    return "" if value is None else moment(from_ms(value))
