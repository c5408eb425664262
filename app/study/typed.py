"""Remove invisible characters from typed text, and refuse letters that only look right.

Phones, keyboards for right-to-left scripts and pasted text add them unasked. They must cost no one
an action. The engine never sees them, so commands stored earlier replay as they are.
"""

import re
from unicodedata import decimal

from app.game.command import InputError, clean
from app.languages.text import phrase

# Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, Unicode 14 to 16): formatting
# and direction marks, soft hyphens, joiners, byte order marks, fillers, variation selectors, tags.
DEFAULT_IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
# Marks of annotations, the place of an object, and Braille without a dot.
_BLANK = ((0xFFF9, 0xFFFC), (0x2800, 0x2800))
_INVISIBLE = re.compile(
    f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in (*DEFAULT_IGNORABLE, *_BLANK))}]"
)
# Hyphens that do not break, dashes, minus signs; the long ones are what `--` is corrected to.
_DASHES = dict.fromkeys(
    (*range(0x2010, 0x2016), 0x2043, 0x2212, 0x2E3A, 0x2E3B, 0xFE58, 0xFE63, 0xFF0D), "-"
)
_LOW_LINES = dict.fromkeys((0x2017, 0x203F, 0xFE4D, 0xFE4E, 0xFE4F, 0xFF3F), "_")
_PLAIN = {**_DASHES, **_LOW_LINES}

# Letters of other scripts that look like Latin ones: each with the one that it is taken for.
_CYRILLIC = dict(
    zip("аеорсухіјѕһԁԛԝкАВЕКМНОРСТУХІЈЅ", "aeopcyxijshdqwkABEKMHOPCTYXIJS", strict=True)
)
_GREEK = dict(zip("οινρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oivpukABEZHIKMNOPTYX", strict=True))
_LOOK_ALIKE = re.compile(f"[{''.join((*_CYRILLIC, *_GREEK))}]")
_LATIN = re.compile("[A-Za-z]")


class LookAlikeError(InputError):
    """A word of Latin letters has a Cyrillic or Greek letter in it, which no one can see."""

    code = "input/look_alike"

    def __init__(self, word: str, letter: str) -> None:
        values = {"word": word, "letter": {**_CYRILLIC, **_GREEK}[letter]}
        if letter in _CYRILLIC:
            message = phrase(
                "In {word}, a letter that looks like {letter} is a Cyrillic one. Please type the "
                "word again with Latin letters. No action was counted.",
                **values,
            )
        else:
            message = phrase(
                "In {word}, a letter that looks like {letter} is a Greek one. Please type the word "
                "again with Latin letters. No action was counted.",
                **values,
            )
        super().__init__(message)


def read_command(raw: str) -> str:
    """Return a command as it is stored: visible, as `clean` returns it.

    Raises: InputError: the text cannot be a command, or a letter in it only looks right.
    """
    text = clean(visible(raw))
    for word in re.split(r"[\W_]+", "" if text.isascii() else text):
        found = _LOOK_ALIKE.search(word)
        if found and _LATIN.search(word):
            raise LookAlikeError(word, found[0])
    return text


def plain_digits(text: str) -> str:
    """Return the text with the digits 0-9 for those of every other script, such as Arabic ones."""
    if text.isascii():
        return text
    return "".join(str(digit) if (digit := decimal(one, -1)) >= 0 else one for one in text)


def visible(text: str) -> str:
    """Return the text without invisible characters, with a plain `-` or `_` for every variant."""
    if text.isascii():
        return text
    return _INVISIBLE.sub("", text).translate(_PLAIN)
