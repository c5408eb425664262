"""E-mail addresses in texts, by their form: with signs, in brackets, between dashes, or in words.

The spellings are listed in docs/exports.md. What looks like an address in a sentence of a player
("look at snegli.iron") must not count, so "at" alone counts only before a common ending or provider
or after a name with a dot in it.
"""

import re
import unicodedata

from app.study.characters import visible
from app.study.readings import decoded

NAME = r"[^\W_](?:[\w-]{0,61}[^\W_])?"  # a part of a domain
OPEN, CLOSE = r"\s*[\[({<]\s*", r"\s*[\])}>]\s*"
SIDE = r"[-_/\\|*~.]+"  # on both sides of a word
AT, DOT = "(?:at|ät|arroba|klammeraffe)", "(?:dot|punkt|punto|point)"
WORDED_DOT = rf"(?:{OPEN}(?:{DOT}|\.){CLOSE}|\s*{SIDE}{DOT}{SIDE}\s*|\s+{DOT}\s+)"
ANY_DOT = rf"(?:{WORDED_DOT}|\s+\.\s+|\.)"
DOMAIN = rf"{NAME}(?:{ANY_DOT}{NAME})+"
SIGN = r"\s*(?:@\s*)+"
WORDED_AT = rf"(?:{OPEN}(?:{AT}|a|@){CLOSE}|\s*{SIDE}{AT}{SIDE}\s*|\s+(?:klammeraffe|arroba)\s+)"
SPOKEN_AT = r"\s+(?:at|ät)\s+"
NO_ARTICLE = r"(?!(?:the|this|that|these|those|an?|my|your|its|one|each|every|dem|der|den)\b)"
ENDING = (
    r"(?:com|org|net|edu|gov|info|io|example|ac\.uk|co\.uk|uk|de|ch|fr|es|nl|pl|ru|dk|fi|eu|cz|gr|pt"
    r"|br|jp|cn|kr|au|ca|tr|ir|eg|sa|ae)"
)
PROVIDER = r"(?:gmail|googlemail|hotmail|gmx|yahoo|protonmail|icloud|aol)"
ADDRESS = re.compile(
    rf"(?<=[\w\"'])(?:(?:{SIGN}|{WORDED_AT}){DOMAIN}"
    rf"|{SPOKEN_AT}{NO_ARTICLE}{NAME}(?:{WORDED_DOT}{NAME})+"
    rf"|{SPOKEN_AT}(?:{PROVIDER}\b|(?:{NAME}\.)+{ENDING}\b)"
    rf"|{SIGN}\[[\d.:a-f]+\])"
    rf"|\.[\w+-]{{1,64}}{SPOKEN_AT}{NAME}(?:\.{NAME})+",
    re.IGNORECASE,
)
LETTER = re.compile(r"[^\W\d_]|[^\w\s\x00-\x7f]")  # or an emoji


def holds_email(text: str) -> bool:
    """Return whether a text has something in the form of an e-mail address, spelt out or not."""
    return any(is_there(one) for one in decoded(text))


def is_there(text: str) -> bool:
    """Return whether a decoded text has an address."""
    text = visible(unicodedata.normalize("NFKC", text)).replace("\u3002", ".")
    if "@" in text and any(is_glued(word) for word in text.split()):
        return True
    return ADDRESS.search(text) is not None


def is_glued(word: str) -> bool:
    """Return whether a word has letters on both sides of an @."""
    before, _, after = word.partition("@")
    return bool(LETTER.search(before) and LETTER.search(after))
