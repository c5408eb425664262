"""How a text can be read: as it stands, and decoded. Everything is looked for in all readings.

Decoded are addresses (%40), HTML (&#64;), escapes (U+0040, and bytes after a backslash and x, an
equals sign or 0x), base64, base32 and hexadecimal.
"""

import re
from base64 import b32decode, urlsafe_b64decode
from collections.abc import Iterator
from html import unescape
from itertools import chain
from urllib.parse import unquote

TIMES = 2  # a text may be encoded twice
PLAIN_WORD = 16  # signs from which a word is decoded even if it looks like an ordinary one
CODED = re.compile(r"[A-Za-z0-9+/_-]{7,}")  # base64 of five characters, or hexadecimal of four
JOINTS = re.compile("[+/_-]")
IN_PAIRS = re.compile(
    r"(?<![^\W_])[0-9A-Fa-f]{2}(?:[ :.,-]{1,2}[0-9A-Fa-f]{2}){3,}(?![^\W_])"
)  # 45 72 69 6b 61
BYTE, POINT = r"(?:\\x|=|0x)[0-9A-Fa-f]{2}", r"(?:\\u\{?|U\+)[0-9A-Fa-f]{4,6}\}?"
BYTES = re.compile(f"{BYTE}(?:[ ,]?{BYTE})*")
POINTS = re.compile(f"{POINT}(?:[ ,]?{POINT})*")
HEX = re.compile("[0-9A-Fa-f]+")
NOT_HEX = re.compile(r"[^0-9A-Fa-f]|0x")
LAST_POINT = 0x10FFFF


def decoded(text: str, times: int = TIMES) -> Iterator[str]:
    """Yield a text, and what it becomes when it is decoded."""
    yield text
    if not times:
        return
    read = unescaped(text)
    parts = [read] if read != text else chain(words_decoded(text), pairs_decoded(text))
    for one in parts:
        yield from decoded(one, times - 1)


def unescaped(text: str) -> str:
    """Return a text with the characters that its escapes stand for."""
    if "%" in text or "&" in text:
        text = unescape(unquote(text))
    if "\\" in text or "=" in text or "0x" in text:
        text = BYTES.sub(lambda found: said(found[0]), text)
    if "\\u" in text or "U+" in text:
        text = POINTS.sub(lambda found: characters(found[0]), text)
    return text


def said(escapes: str) -> str:
    """Return what bytes in escapes say, or the escapes themselves."""
    try:
        return bytes.fromhex(NOT_HEX.sub("", escapes)).decode()
    except ValueError:
        return escapes


def characters(points: str) -> str:
    """Return the characters with code points in hexadecimal, or the points themselves."""
    found = [int(one, 16) for one in HEX.findall(points.replace("U", "").replace("u", ""))]
    if max(found) > LAST_POINT:
        return points
    text = "".join(map(chr, found))  # a character may be written as two surrogates
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def words_decoded(text: str) -> Iterator[str]:
    """Yield what words of base64, base32 or hexadecimal digits say."""
    for word in CODED.findall(text):
        if len(word) >= PLAIN_WORD or is_mixed(word):
            parts = [one for one in JOINTS.split(word) if len(one) < len(word)]
            for one in (word, *(part for part in parts if CODED.fullmatch(part))):
                yield from from_bytes(one)


def is_mixed(word: str) -> bool:
    """Return whether a word has digits among letters, or capital letters after small ones."""
    if any(map(str.isdigit, word)):
        return not word.isdigit()
    return not word.islower() and not word.isupper() and not word[1:].islower()


def pairs_decoded(text: str) -> Iterator[str]:
    """Yield what hexadecimal digits in pairs say, such as 45 72 69 6b 61."""
    for pairs in IN_PAIRS.findall(text):
        yield from readable(bytes.fromhex(NOT_HEX.sub("", pairs)))


def from_bytes(word: str) -> Iterator[str]:
    """Yield what a word of base64, base32 or hexadecimal digits says, if it says something."""
    plain = word.translate(str.maketrans("+/", "-_"))
    for decode, given in (
        (urlsafe_b64decode, f"{plain}{'=' * (-len(word) % 4)}"),
        (b32decode, f"{word.upper()}{'=' * (-len(word) % 8)}"),
        (bytes.fromhex, word),
    ):
        try:
            data = decode(given)
        except ValueError:
            continue
        yield from readable(data)


def readable(data: bytes) -> Iterator[str]:
    """Yield the text of some bytes, if all of it can be printed."""
    try:
        text = data.decode()
    except ValueError:
        return
    if text.strip().isprintable():
        yield text
