"""Amounts of money in a pay text, to compare what players read with what the pay section pays."""

import re
from dataclasses import dataclass
from decimal import Decimal

from app.study.design.formula import whole_cents
from app.study.design.spec import StudySpec

MINUTES_PER_HOUR = 60
CODES = "AUD|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|INR|JPY|NOK|NZD|PLN|SEK|SGD|USD|ZAR"
DOLLARS = {"AUD", "CAD", "HKD", "NZD", "SGD", "USD"}
SIGNS = {"£": "GBP", "€": "EUR"}
WORDS = {"pound": "GBP", "pounds": "GBP", "dollar": "$", "dollars": "$", "euro": "EUR",
         "euros": "EUR"}  # fmt: skip
SMALL = ("pence", "p", "cents", "cent", "c")
NUMBER = r"(\d{1,6}(?:[.,]\d{1,2})?)(?![\d.,]*\d)"
BEFORE = re.compile(rf"(?<![A-Za-z])({CODES}|[£$€])\s?{NUMBER}")
AFTER = re.compile(
    rf"(?<![\d.,]){NUMBER}\s?((?:{CODES}|(?i:{'|'.join((*WORDS, *SMALL))}))\b|[£$€])"
)
HOURLY = re.compile(r"\s*(?:/|per|an|each|a)\s*(?:h|hr|hour)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money in a text. `currency`: a code, `$` for any dollar, '' if unknown."""

    cents: int
    currency: str
    hourly: bool


@dataclass(frozen=True, slots=True)
class Range:
    """What finishing pays at the expected time, in cents: without a bonus, and with the highest."""

    low: int
    high: int


def amounts_in(text: str) -> list[Amount]:
    """Return the amounts in a text, in order: `GBP 4`, `£4.50`, `4 euros`, `50p`, `$9 an hour`."""
    found = dict[int, Amount]()
    for match in BEFORE.finditer(text):
        found[match.start(2)] = amount_of(text, match[2], match[1], match.end())
    for match in AFTER.finditer(text):
        found.setdefault(match.start(1), amount_of(text, match[1], match[2], match.end()))
    return [found[at] for at in sorted(found)]


def amount_of(text: str, number: str, unit: str, end: int) -> Amount:
    """Return one amount; `end`: where it ends in the text."""
    value = Decimal(number.replace(",", "."))
    cents = whole_cents(value if unit.lower() in SMALL else value * 100)
    small = unit.lower() in SMALL
    currency = "" if small else SIGNS.get(unit) or WORDS.get(unit.lower(), unit)
    return Amount(cents, currency, HOURLY.match(text, end) is not None)


def is_foreign(amount: Amount, own: str) -> bool:
    """Tell whether an amount is in another currency than the study's."""
    if amount.currency == "$":
        return own not in DOLLARS
    return amount.currency not in {"", own}


def promised(amount: Amount, minutes: int) -> int:
    """Return an amount for the whole study, in cents."""
    if not amount.hourly:
        return amount.cents
    return whole_cents(Decimal(amount.cents * minutes) / MINUTES_PER_HOUR)


def paid(spec: StudySpec) -> Range:
    """Return what the pay section pays for finishing in the expected time."""
    pay = spec.payment
    minutes = min(spec.texts.minutes, pay.max_paid_minutes)
    low = pay.base_cents + whole_cents(Decimal(minutes * pay.hourly_cents) / MINUTES_PER_HOUR)
    return Range(low, low + (pay.bonus_cap_cents if pay.bonus else 0))
