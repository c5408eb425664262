"""Telephone numbers in texts, by their form: with blanks, dashes, dots, slashes and brackets.

The spellings are listed in docs/exports.md. Numbers of the game must not count: coins, steps,
lists of them ("120 130 145"), years, dates and times, decimals, round numbers, and counting.
What is too short or too plain to count is still a long number for the report.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from app.study.characters import bare, visible
from app.study.readings import decoded

LEAST, MOST = 7, 15  # digits of a number; ITU-T E.164 allows 15
CUED = 6  # digits that are enough after a word such as "call"
BARE = 10  # digits in a row, without anything before or between them
GROUPED = 9  # digits in groups, without a zero or a plus before them
ABROAD, AT_HOME = 8, 9  # digits after a plus; after a zero, in one group
DIALLED = 13  # digits of a number that begins with a zero
PAIRS = 10  # digits of a number in pairs, as in France, or with a blank after each
HUNDREDS = 3  # digits of the numbers that players list
KINDS_OF_DIGITS = 3  # fewer are no number that anyone has
BETWEEN = r"[ \t\xa0()./\\_-]{0,3}"
NUMBER = re.compile(rf"(?<![\w.,])(?:\(?\+|\()?{BETWEEN}\d(?:{BETWEEN}\d){{5,}}(?![^\W_])")
LONG_NUMBER = re.compile(r"(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){6,}(?!\w)")
DECIMAL = re.compile(r"(?<![\d.,])(?:0|[1-9]\d{0,2})\.\d{5,}(?![.,]?\d)")
DATE_OR_TIME = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d)(?:[T ]\d)?"
    r"|\b\d{1,2}:\d\d(?::\d\d)?\b"
)
YEAR = re.compile("(?:19|20)[0-9]{2}")
AMERICAN = re.compile(r"(?:1[ .-]?)?\(?[2-9]\d\d\)?[ ./-]{0,2}[2-9]\d\d[ .-]\d{4}")
CUE = re.compile(
    r"(?:\b(?:tele(?:phone|fon)|phone|mobile?|cell|call|dial|text me|ring|fax|whats ?app|signal|"
    r"telegram|handy(?:nummer)?|my number|meine nummer|ruf|anrufen)\b|\btel\b|هاتف|اتصل|جوال)"
    r"[^\d\n]{0,20}$",
    re.IGNORECASE,
)
DIGITS = """
    zero one two three four five six seven eight nine
    null eins zwei drei vier fünf sechs sieben acht neun
    صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة
"""
SPOKEN = {  # as `plain` leaves them
    **{bare(word): str(at % 10) for at, word in enumerate(DIGITS.split())},
    **dict(zip(("oh", "nought", "zwo", "fuenf", "اثنين"), "00252", strict=True)),
}
WORD = "|".join(SPOKEN)
IN_WORDS = re.compile(rf"\b(?:{WORD})(?:[\s,.-]+(?:{WORD})){{{LEAST - 1},}}\b", re.IGNORECASE)
ANY_WORD = re.compile(WORD, re.IGNORECASE)
DIGIT = re.compile("[0-9]")
LOOK_ALIKE = re.compile(r"(?<![^\W_])(?=[OoIl|]*\d)[\dOoIl|]{3,}(?![^\W_])")
AS_DIGITS = str.maketrans("OoIl|", "00111")


def holds_phone(text: str) -> bool:
    """Return whether a text has something in the form of a telephone number."""
    return any(is_there(one) for one in decoded(text))


def holds_long_number(text: str) -> bool:
    """Return whether a text has a number of seven digits or more, whatever it means."""
    return any(LONG_NUMBER.search(DATE_OR_TIME.sub("", plain(one))) for one in decoded(text))


def plain(text: str) -> str:
    """Return a text with the digits 0-9 and a plain dash, without keycaps."""
    return bare(visible(text)).replace("\u20e3", "")


def is_there(text: str) -> bool:
    """Return whether a decoded text has a telephone number."""
    text = plain(text)
    if any(map(is_dialled, IN_WORDS.findall(text))):
        return True
    if not DIGIT.search(text):
        return False
    text = LOOK_ALIKE.sub(lambda found: as_digits(found[0]), text)
    text = DECIMAL.sub(" ; ", DATE_OR_TIME.sub(" ; ", text))
    return any(is_phone(found[0], text[: found.start()]) for found in NUMBER.finditer(text))


def as_digits(word: str) -> str:
    """Return a word with digits for letters that look like them."""
    return word.translate(AS_DIGITS)


def is_dialled(words: str) -> bool:
    """Return whether digits in words are a number, not someone counting."""
    digits = [SPOKEN[one.casefold()] for one in ANY_WORD.findall(words)]
    return len(digits) <= MOST and not is_counted(digits)


def is_phone(number: str, before: str) -> bool:
    """Return whether digits in groups have the form of a telephone number. `before`: the text."""
    groups = re.findall("[0-9]+", number)
    digits = "".join(groups)
    if len(digits) > MOST or len(set(digits)) < KINDS_OF_DIGITS or is_no_number(groups):
        return False
    if CUE.search(before) and len(digits) >= CUED:
        return True
    return any(one(number, groups, digits) for one in (is_abroad, is_at_home, is_other))


def is_no_number(groups: list[str]) -> bool:
    """Return whether groups of digits are round numbers, years, or single digits in a list."""
    if len(groups) == 1:
        return groups[0].endswith("000")
    if max(map(len, groups)) == 1:
        return len(groups) < BARE or is_counted(groups)
    round_ones = all(one.endswith("0") for one in groups)
    return round_ones or all(YEAR.fullmatch(one) for one in groups)


def is_counted(digits: Iterable[str]) -> bool:
    """Return whether each digit is as much larger than the one before: someone counts."""
    return len({int(after) - int(before) for before, after in pairwise(digits)}) == 1


def is_abroad(number: str, groups: list[str], digits: str) -> bool:
    """Return whether a number has a plus, or two zeros, before its country code."""
    has_sign = "+" in number or (groups[0].startswith("00") and len(groups[0]) != HUNDREDS)
    return has_sign and len(digits) >= ABROAD


def is_at_home(number: str, groups: list[str], digits: str) -> bool:
    """Return whether a number begins with a zero, as within many countries."""
    if not digits.startswith("0") or len(digits) > DIALLED:
        return False
    if len(groups) == 1:
        return len(digits) >= AT_HOME
    if groups[0] == "0" and len(groups[1]) > 1 and "(" not in number and "/" not in number:
        return False  # a list of numbers: 0 100 200
    if all(one.startswith("0") for one in groups) and len(groups[0]) > 1:
        return False  # a list of numbers: 001 002 003
    if {len(one) for one in groups} in ({1}, {2}):
        return len(digits) >= PAIRS
    return len(digits) >= LEAST and max(map(len, groups)) >= HUNDREDS


def is_other(number: str, groups: list[str], digits: str) -> bool:
    """Return whether digits in a row, or in groups as in America, are too many for the game."""
    if AMERICAN.fullmatch(number.strip()):
        return True
    if len(groups) == 1:
        return len(digits) >= BARE
    return len(digits) >= GROUPED and max(map(len, groups)) > HUNDREDS
