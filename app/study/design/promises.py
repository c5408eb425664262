"""Amounts of money in a pay text, to compare what players read with what the pay section pays."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from app.study.characters import plain_digits
from app.study.design.currencies import ALL, CODES, DOLLARS, SMALL, UNITS, WORDS
from app.study.design.formula import whole_cents
from app.study.design.guardians import most_bonus
from app.study.design.spec import StudySpec

MINUTES_PER_HOUR = 60


def any_of(names: Iterable[str]) -> str:
    """Return a pattern for any of these units, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


THOUSANDS = "[.,'’\u00a0\u202f]"
NUMBER = (
    rf"((?:\d{{1,3}}(?:{THOUSANDS}\d{{3}})+|\d{{1,6}})(?:[.,]\d{{1,2}})?)"
    r"(?:[.,][-–—]+)?(?![\d.,]*\d)"
)
PARTS, NO_DIGIT = re.compile(r"(.*?)(?:[.,](\d{1,2}))?"), re.compile(r"\D")
CAPITALS = f"(?-i:{any_of(CODES)})"
NAMES = [*UNITS, *WORDS, *SMALL]
BEFORE = re.compile(rf"(?<![A-Za-z])({any_of(UNITS)}|{CAPITALS})\s?{NUMBER}", re.IGNORECASE)
AFTER = re.compile(rf"(?<![\d.,]){NUMBER}\s?({any_of(NAMES)}|{CAPITALS})(?!\w)", re.IGNORECASE)
# money without a figure that can be read, such as `four pounds`
MONEY = re.compile(rf"(?<!\w)(?:{any_of([*UNITS, *WORDS])}|{CAPITALS})(?!\w)", re.IGNORECASE)
# What a study writes if it pays nothing: at the beginning, or anywhere in the text.
NOTHING = re.compile(
    r"\W*(?:(?:nothing|none|no|not|nil|zero|n/?a|nichts|nein|null|keine?|entfällt)\b"
    r"|لا\b|بدون|(?:[a-z]{3}|[£$€¥])?\s*0[.,]?0*\s*(?:[a-z]{3}|[£$€¥])?\W*$)",
    re.IGNORECASE,
)
UNPAID = re.compile(
    r"\b(?:unpaid|voluntary|volunteers?"
    r"|no (?:\w+ )?(?:pay|payment|money|reward|compensation|remuneration)"
    r"|(?:not|never) (?:be |get )?(?:paid|rewarded|compensated)|nothing is paid"
    r"|(?:cannot|can't|can’t|not|never|won't|won’t|don't|don’t) (?:\w+ )?pay"
    r"|without (?:any )?(?:pay|payment|compensation)"
    r"|unbezahlt|unentgeltlich|ehrenamtlich|freiwillig\w*|nicht (?:bezahlt|vergütet|entlohnt)"
    r"|(?:keine?n?|ohne) (?:\w+ )?(?:geld|bezahlung|vergütung|lohn|entgelt|entschädigung))\b"
    r"|لا شيء|لا (?:يوجد|توجد|أجر|ندفع|مقابل)|لن (?:\w+ )?(?:ندفع|يدفع|يُدفع|تتقاضى|تحصل)"
    r"|(?:بدون|بلا|دون) (?:أجر|مقابل|دفع)|غير مدفوع|مجان|تطوع|طوعي",
    re.IGNORECASE,
)
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
    found, text = dict[int, Amount](), plain_digits(text)
    for match in BEFORE.finditer(text):
        found[match.start(2)] = amount_of(text, match[2], match[1], match.end())
        if more := UP_TO.match(text, match.end()):
            found[more.start(1)] = amount_of(text, more[1], match[1], more.end())
    for match in AFTER.finditer(text):
        found.setdefault(match.start(1), amount_of(text, match[1], match[2], match.end()))
    return [found[at] for at in sorted(found)]


def says_unpaid(text: str) -> bool:
    """Tell whether a pay text says that nothing is paid; not if it names an amount above 0."""
    is_paid = any(one.cents for one in amounts_in(text))
    return not is_paid and bool(NOTHING.match(plain_digits(text)) or UNPAID.search(text))


def names_money(text: str) -> bool:
    """Tell whether a text names a currency, with or without a figure."""
    return MONEY.search(text) is not None


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
