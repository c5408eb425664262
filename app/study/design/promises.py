"""Amounts of money in a pay text, to compare what players read with what the pay section pays."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from app.study.design.formula import whole_cents
from app.study.design.guardians import most_bonus
from app.study.design.spec import StudySpec

MINUTES_PER_HOUR = 60
CODES = "AUD CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY NOK NZD PLN SEK SGD USD ZAR"
DOLLARS = {"AUD", "CAD", "HKD", "NZD", "SGD", "USD"}
# as written, in lower case -> a code, `$` for any dollar, '' for several currencies
SIGNS = {"£": "GBP", "€": "EUR", "₹": "INR", "zł": "PLN", "fr.": "CHF", "$": "$", "¥": "", "kr": ""}
OWN_DOLLARS = {"us": "USD", "au": "AUD", "a": "AUD", "ca": "CAD", "c": "CAD", "hk": "HKD",
               "nz": "NZD", "s": "SGD"}  # fmt: skip
WORDS = {"pound": "GBP", "pounds": "GBP", "quid": "GBP", "dollar": "$", "dollars": "$",
         "euro": "EUR", "euros": "EUR"}  # fmt: skip
SMALL = ("pence", "p", "cents", "cent", "c")
UNITS = {
    **{code.lower(): code for code in CODES.split()},
    **SIGNS,
    **{f"{name}$": code for name, code in OWN_DOLLARS.items()},
}
ALL = {**UNITS, **WORDS, **dict.fromkeys(SMALL, "")}


def any_of(names: Iterable[str]) -> str:
    """Return a pattern for any of these units, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


THOUSANDS = "[.,'’\u00a0\u202f]"
NUMBER = (
    rf"((?:\d{{1,3}}(?:{THOUSANDS}\d{{3}})+|\d{{1,6}})(?:[.,]\d{{1,2}})?)"
    r"(?:[.,][-–—]+)?(?![\d.,]*\d)"
)
PARTS, NO_DIGIT = re.compile(r"(.*?)(?:[.,](\d{1,2}))?"), re.compile(r"\D")
BEFORE = re.compile(rf"(?<![A-Za-z])({any_of(UNITS)})\s?{NUMBER}", re.IGNORECASE)
AFTER = re.compile(rf"(?<![\d.,]){NUMBER}\s?({any_of(ALL)})(?!\w)", re.IGNORECASE)
# the second number of `GBP 4-6`, but not the time in `GBP 4-20 min`
UP_TO = re.compile(rf"[-–]{NUMBER}(?!\s?(?:min|h\b|hour|std|stund))", re.IGNORECASE)
HOURLY = re.compile(
    r"\s*(?:/|per|pro|je|an|each|a)\s*(?:(?:h|hr|hour|std|stunde)\b|60\s?min)"
    r"|\s*(?:في|لكل)\s*(?:ال)?ساعة",
    re.IGNORECASE,
)


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
    """Return the amounts in a text, in order: `GBP 4`, `£4.50`, `4 euros`, `50p`, `$9 an hour`.

    A range such as `£4-6` gives both of its amounts.
    """
    found = dict[int, Amount]()
    for match in BEFORE.finditer(text):
        found[match.start(2)] = amount_of(text, match[2], match[1], match.end())
        if more := UP_TO.match(text, match.end()):
            found[more.start(1)] = amount_of(text, more[1], match[1], more.end())
    for match in AFTER.finditer(text):
        found.setdefault(match.start(1), amount_of(text, match[1], match[2], match.end()))
    return [found[at] for at in sorted(found)]


def amount_of(text: str, number: str, unit: str, end: int) -> Amount:
    """Return one amount; `end`: where it ends in the text."""
    unit, found = unit.lower(), PARTS.fullmatch(number)
    whole, part = found.groups("0") if found else (number, "0")
    value = Decimal(f"{NO_DIGIT.sub('', whole)}.{part}")
    cents = whole_cents(value if unit in SMALL else value * 100)
    currency = ALL[unit]
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
    return Range(low, low + most_bonus(spec))
