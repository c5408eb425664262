"""What the cells of a table mean: column names, missing values, numbers."""

import re
from collections.abc import Collection
from decimal import Decimal

# Texts of R, pandas, Python, SQL and spreadsheets that mean 'no value', in any case.
MISSING = frozenset({"na", "nan", "none", "null", "n/a", "#n/a", "<na>", ".", "?"})
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
WITH_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # 1,234: a thousand or a fraction
MOST_DIGITS = 19  # of a whole number
MOST_WHOLE = 2**53  # above, floats skip whole numbers


def fold(name: str) -> str:
    """Return a column name for comparison: `Participant id`, `participant_id`, `ParticipantId`."""
    return re.sub(r"[\W_]+", "", name.casefold())


def is_missing(text: str, missing: Collection[str] = MISSING) -> bool:
    """Tell whether a cell has no value. `missing`: texts that mean that, folded; exact numbers."""
    text = text.strip()
    if not text or text.casefold() in missing:
        return True
    return missing is not MISSING and exact(text) in missing


def read_number(text: str, *, commas: bool = False) -> float | None:
    """Return a number, or None if the text is not one: `1`, `1.0`, `01`, `+1`, `1e0`, `1,0` are 1.

    A comma is a decimal comma. `1,234` could also be a thousand, so it is a number only with
    `commas`: the table separates its columns by semicolons, as spreadsheets with decimal commas do.
    """
    text = text.strip()
    if WITH_COMMA.fullmatch(text) and (commas or not THOUSANDS.fullmatch(text)):
        text = text.replace(",", ".")
    return float(text) if NUMBER.fullmatch(text) else None


def number_fault(text: str) -> str:
    """Return why a text is not a number, and what would be right."""
    if THOUSANDS.fullmatch(text.strip()):
        whole, _, rest = text.strip().partition(",")
        return f"'{text}' could mean {whole}{rest} or {whole}.{rest}; write one of these"
    return f"'{text[:40]}' is not a number, such as 2 or 0.5"


def read_whole(text: str) -> int | None:
    """Return a whole number, or None: `7`, `7.0` (as pandas writes it) and `07` are 7."""
    text = text.strip()
    if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
        return int(text)
    found = read_number(text)
    if found is None or not found.is_integer() or abs(found) > MOST_WHOLE:
        return None
    return int(found)


def exact(text: str, *, commas: bool = False) -> str | None:
    """Return a number's shortest form without loss, the same for `1`, `1.0` and `01`, or None."""
    if read_number(text, commas=commas) is None:
        return None
    found = Decimal(text.strip().replace(",", ".")).normalize()
    whole = found.adjusted() < MOST_DIGITS and found == found.to_integral_value()
    return str(int(found)) if whole else str(found)


def fits_float(text: str) -> bool:
    """Tell whether a number in its exact form is the same as a float."""
    return read_number(text) is not None and Decimal(repr(float(text))) == Decimal(text)
