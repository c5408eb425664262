"""Pay: a base, time, and a bonus by a formula over named metrics, in integer cents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from app.study.design.formula import FormulaError, bonus_cents, whole_cents
from app.study.design.spec_people import Pay

MS_PER_MINUTE = 60_000
MINUTES_PER_HOUR = 60


@dataclass(frozen=True, slots=True)
class Payment:
    """What one person is paid, in cents of the study's currency.

    `bonus_problem`: why the formula gave this person no bonus ('' = it was computed).
    """

    base_cents: int
    time_cents: int
    bonus_cents: int
    bonus_problem: str = ""

    @property
    def total_cents(self) -> int:
        """Return the sum."""
        return self.base_cents + self.time_cents + self.bonus_cents


def active_minutes(moments_ms: Iterable[int], idle_minutes: int) -> float:
    """Return the minutes a person was active; a longer gap counts as the idle limit.

    Args:
        moments_ms: times of all stored actions in milliseconds, in any order.
        idle_minutes: the study's idle limit.
    """
    times = sorted(moments_ms)
    limit = idle_minutes * MS_PER_MINUTE
    gaps = (later - earlier for earlier, later in pairwise(times))
    return sum(min(gap, limit) for gap in gaps) / MS_PER_MINUTE


def payment(pay: Pay, metrics: Mapping[str, float]) -> Payment:
    """Return what a person is paid. Base and bonus require finishing; time is capped."""
    finished = bool(metrics["finished"])
    minutes = Decimal(str(min(metrics["minutes"], pay.max_paid_minutes)))
    time = whole_cents(minutes * pay.hourly_cents / MINUTES_PER_HOUR)
    bonus, problem = 0, ""
    if finished:
        try:
            bonus = bonus_cents(pay.bonus, metrics, pay.bonus_cap_cents)
        except FormulaError as error:  # such as a division by zero for this person only
            problem = error.message
    return Payment(pay.base_cents if finished else 0, time, bonus, problem)
