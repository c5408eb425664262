"""Estimates of the report with their intervals, or the reason for none."""

from typing import Any

from app.scoring.agreement import FEW_UNITS
from app.scoring.alphareport import interval_fields
from app.scoring.bootstrap import NoInterval
from app.scoring.confusion import Estimate


def estimate_fields(found: Estimate, without: NoInterval | None = None) -> dict[str, Any]:
    """Return an estimate with its interval; `without`: why it has none."""
    drawn = found.interval if without is None or found.value is None else without
    return {"value": found.value, **interval_fields("interval", drawn)}


def too_few(items: int) -> NoInterval | None:
    """Return why so few items have no interval, as for alpha; None = they are enough."""
    if items >= FEW_UNITS:
        return None
    words = f"{items} units are too few (fewer than {FEW_UNITS})"
    return NoInterval("too_few_units", words)
