"""Characters that look alike or cannot be seen: one table for commands, IDs and names."""

import re
import unicodedata
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
    (
        *(0x02D7, 0x058A, 0x05BE, 0x1400, 0x1806, *range(0x2010, 0x2016), 0x2043, 0x2212),
        *(0x2E17, 0x2E1A, 0x2E3A, 0x2E3B, 0x2E40, 0x2E5D, 0x301C, 0x3030, 0x30A0, 0xFE31, 0xFE32),
        *(0xFE58, 0xFE63, 0xFF0D, 0x10EAD),
    ),
    "-",
)
_LOW_LINES = dict.fromkeys((0x2017, 0x203F, 0xFE4D, 0xFE4E, 0xFE4F, 0xFF3F), "_")
_PLAIN = {**_DASHES, **_LOW_LINES}

# Letters of other scripts that look like Latin ones: each with the one that it is taken for.
CYRILLIC = dict(
    zip("аеорсухіјѕһԁԛԝкАВЕКМНОРСТУХІЈЅ", "aeopcyxijshdqwkABEKMHOPCTYXIJS", strict=True)
)
GREEK = dict(zip("οινρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oivpukABEZHIKMNOPTYX", strict=True))
# Taken for Latin ones only in IDs, not in a command: pairs of a letter and a Latin one.
_ROUGHLY = """
    вb гr з3 мm пn тt ьb З3 Ьb ӏl Ӏl αa βb εe ηn τt χx ωw γy ϲc ϹC օo սu ոn հh ցg ԼL ՕO ՍU
    ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk
    ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ıi ɑa ɡg
"""
_LATIN_FOR = str.maketrans({**{pair[0]: pair[1] for pair in _ROUGHLY.split()}, **CYRILLIC, **GREEK})


class _Bare(dict[int, str | None]):
    """Code point -> what remains of it: nothing, an ASCII digit, or the character itself."""

    def __missing__(self, code: int) -> str | None:
        sign = chr(code)
        value = unicodedata.numeric(sign, -1)
        kept: str | None = str(int(value)) if value in range(10) else sign
        if unicodedata.combining(sign) or _INVISIBLE.match(sign):
            kept = None
        return self.setdefault(code, kept)


_BARE = _Bare()


def bare(text: str) -> str:
    """Return a text without accents and invisible characters, with the digits 0-9 for all others.

    Circled, Chinese and Arabic digits are among them. The case stays.
    """
    return text if text.isascii() else unicodedata.normalize("NFKD", text).translate(_BARE)


def as_latin(text: str) -> str:
    """Return a text with Latin letters for the Cyrillic, Greek and other ones that look alike."""
    return text if text.isascii() else text.translate(_LATIN_FOR)


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
