"""Bonus formulas: arithmetic over named metrics and nothing else, giving integer cents."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any

from simpleeval import InvalidExpression, SimpleEval

from app.errors import StudyError

# the names in a bonus formula and their meaning; also in docs/study-file.md
METRICS: Mapping[str, str] = {
    "finished": "1 if the person finished, else 0",
    "episodes": "guardians ended",
    "successes": "guardians defeated",
    "success_rate": "successes / episodes; 0 if there are none",
    "ecsr": "mean norm_eff of played guardians that have ended (0 if lost); 0 if there are none",
    "norm_eff": "mean norm_eff of the played successes; 0 if there are none",
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
SYNTAX = "something is missing in it, or too much"  # Python's own words name a file
TRIED = (0.0, 1.0, 2.5)  # values of every metric with which a new formula is tried


class FormulaError(StudyError):
    """A bonus formula cannot be computed; the message says why."""

    code = "pay/formula"


class ZeroDivisorError(FormulaError):
    """The formula divides by zero for these metrics, though perhaps not for others."""

    code = "pay/zero_divisor"


def whole_cents(value: Decimal) -> int:
    """Round an amount of money to whole cents, halves up."""
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def bonus_cents(formula: str, metrics: Mapping[str, float], cap: int) -> int:
    """Return a formula's value in whole cents, between 0 and `cap`; '' gives 0.

    A formula may use numbers, + - * /, comparisons, `a if b else c`, min, max, floor, ceil, abs and
    the names in METRICS. Raises FormulaError for anything else, or if the result is not a number.
    """
    if not formula.strip():
        return 0
    machine = SimpleEval(operators=OPERATORS, functions=FUNCTIONS, names=dict(metrics))
    for node in (ast.Attribute, ast.Subscript):
        machine.nodes.pop(node)
    try:
        only = ast.parse(formula.strip(), mode="eval").body  # simpleeval ignores the rest
        value = Decimal(str(machine.eval(formula, only) + 0))
        return min(max(whole_cents(value), 0), cap)
    except ZeroDivisionError as error:
        raise ZeroDivisorError(f"The bonus formula divides by zero: {formula}") from error
    except (InvalidExpression, SyntaxError, TypeError, ValueError, InvalidOperation) as error:
        why = SYNTAX if isinstance(error, SyntaxError) else error
        names = "; ".join(f"{name}: {meaning}" for name, meaning in METRICS.items())
        raise FormulaError(
            f"The bonus formula cannot be computed ({why}).{meant(formula)} It can use "
            f"numbers, + - * /, comparisons, min, max, floor, ceil, abs and these names: {names}."
        ) from error
    except (OverflowError, RecursionError, MemoryError, AttributeError, KeyError) as error:
        raise FormulaError(f"The bonus formula cannot be computed: {formula}") from error


def meant(formula: str) -> str:
    """Return a sentence with the name that an unknown one in a formula is closest to, or ''."""
    known = (*METRICS, *FUNCTIONS)
    for name in re.findall(r"[A-Za-z_]\w*", formula):
        if name not in (*known, "if", "else") and (near := get_close_matches(name, known, 1)):
            return f" Instead of {name}, use {near[0]}."
    return ""


def check_formula(formula: str) -> None:
    """Try a formula with several values of the metrics. Raises FormulaError.

    A division by zero for some values is allowed: the payment of such a person reports it.
    """
    failed: list[ZeroDivisorError] = []
    for value in TRIED:
        try:
            bonus_cents(formula, dict.fromkeys(METRICS, value), 10**7)
        except ZeroDivisorError as error:
            failed.append(error)
    if len(failed) == len(TRIED):
        raise failed[0]
