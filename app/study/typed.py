"""Remove invisible characters from typed text, before the game or a check reads it.

Phones, keyboards for right-to-left scripts and pasted text add them unasked. They must cost no one
an action. The engine never sees them, so commands stored earlier replay as they are.
"""

import re
from unicodedata import decimal

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
