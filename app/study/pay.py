"""What people are paid: base, time, and a bonus by a formula over named metrics. Integer cents."""

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import pairwise
from typing import Any

from simpleeval import InvalidExpression, SimpleEval

from app.errors import StudyError
from app.study.specpeople import Pay

# what a bonus formula may name, and what it means; docs/study-file.md repeats it
METRICS: Mapping[str, str] = {
    "finished": "1 if the person finished, else 0",
    "episodes": "guardians ended",
    "successes": "guardians defeated",
    "success_rate": "successes / episodes, 0 without any",
    "ecsr": "mean over played guardians that ended of norm_eff, failures count 0; 0 without any",
    "norm_eff": "mean norm_eff of the played successes, 0 without any",
    "explanations": "rule forms sent",
    "minutes": "active minutes (gaps longer than the idle limit count as the limit)",
}
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
}
MS_PER_MINUTE = 60_000
MINUTES_PER_HOUR = 60


class FormulaError(StudyError):
    """A bonus formula that cannot be computed; the message says why."""

    code = "pay/formula"


@dataclass(frozen=True, slots=True)
class Payment:
    """What one person gets, in cents of the study's currency."""

    base_cents: int
    time_cents: int
    bonus_cents: int

    @property
    def total_cents(self) -> int:
        """Return the sum."""
        return self.base_cents + self.time_cents + self.bonus_cents


def whole_cents(value: Decimal) -> int:
    """Return a sum of money as whole cents, halves rounded up."""
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def bonus_cents(formula: str, metrics: Mapping[str, float], cap: int) -> int:
    """Return a formula's value as whole cents within 0 and `cap`; '' is 0.

    Only numbers, + - * /, comparisons, `a if b else c`, min, max, floor, ceil, abs and the names
    of METRICS. Raises FormulaError: anything else, or no number comes out.
    """
    if not formula.strip():
        return 0
    machine = SimpleEval(operators=OPERATORS, functions=FUNCTIONS, names=dict(metrics))
    try:
        value = Decimal(str(machine.eval(formula) + 0))
        return min(max(whole_cents(value), 0), cap)
    except ZeroDivisionError as error:
        raise FormulaError(f"The bonus formula divides by zero: {formula}") from error
    except (InvalidExpression, SyntaxError, TypeError, ValueError, InvalidOperation) as error:
        names = ", ".join(METRICS)
        raise FormulaError(
            f"The bonus formula cannot be computed ({error}). It may use numbers, + - * /, "
            f"comparisons, min, max, floor, ceil, abs and: {names}."
        ) from error
    except (OverflowError, RecursionError, MemoryError, AttributeError, KeyError) as error:
        raise FormulaError(f"The bonus formula cannot be computed: {formula}") from error


def check_formula(formula: str) -> None:
    """Try a formula on nobody's and on somebody's metrics. Raises FormulaError."""
    for value in (0.0, 1.0):
        bonus_cents(formula, dict.fromkeys(METRICS, value), 10**7)


def active_minutes(moments_ms: Iterable[int], idle_minutes: int) -> float:
    """Return the minutes somebody was active; a longer gap counts as the idle limit.

    Args:
        moments_ms: times of all stored actions, milliseconds, in any order.
        idle_minutes: the study's idle limit.
    """
    times = sorted(moments_ms)
    limit = idle_minutes * MS_PER_MINUTE
    gaps = (later - earlier for earlier, later in pairwise(times))
    return sum(min(gap, limit) for gap in gaps) / MS_PER_MINUTE


def payment(pay: Pay, metrics: Mapping[str, float]) -> Payment:
    """Return what a person gets. Base and bonus need a finish; time is paid to the cap."""
    finished = bool(metrics["finished"])
    minutes = Decimal(str(min(metrics["minutes"], pay.max_paid_minutes)))
    time = whole_cents(minutes * pay.hourly_cents / MINUTES_PER_HOUR)
    bonus = bonus_cents(pay.bonus, metrics, pay.bonus_cap_cents) if finished else 0
    return Payment(pay.base_cents if finished else 0, time, bonus)
