"""How a text can be read: as it stands, and decoded from %40, &#64;, base64 or hexadecimal."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

TIMES = 2  # a text may be encoded twice
CODED = re.compile(r"[A-Za-z0-9+/_-]{16,}")  # base64 of 12 characters, or hexadecimal of 8


def decoded(text: str) -> Iterator[str]:
    """Yield a text, and what it becomes when it is decoded."""
    yield text
    for _ in range(TIMES):
        if "%" not in text and "&" not in text:
            break
        read = unescape(unquote(text))
        if read == text:
            break
        text = read
        yield text
    for word in CODED.findall(text):
        yield from from_bytes(word)


def from_bytes(word: str) -> Iterator[str]:
    """Yield what a word of base64 or hexadecimal digits says, if it says something in ASCII."""
    plain = word.translate(str.maketrans("+/", "-_"))
    for decode, given in (
        (urlsafe_b64decode, f"{plain}{'=' * (-len(word) % 4)}"),
        (bytes.fromhex, word),
    ):
        try:
            read = decode(given).decode("ascii")
        except ValueError:
            continue
        if read.strip().isprintable():
            yield read
