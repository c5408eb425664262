"""Clean typed text of characters that nobody sees, before the game or a check reads it.

Phones, keyboards for right-to-left scripts and pasted text add them unasked. They must cost nobody
an action. The engine never sees them, so commands stored earlier replay as they are.
"""

import re
from unicodedata import decimal

# Characters without a glyph: formatting and direction marks, soft hyphens, joiners, byte order
# marks, variation selectors, tags. None of them can be in a name, which has letters only.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
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
