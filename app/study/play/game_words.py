"""What the game says, as sentences that can be translated.

The words themselves belong to the engine's version and are stored with each turn and each account.
A stored sentence is never changed: a page in another language says the same thing from its code and
its values, and an English page shows what is stored.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from app.game import command, practice, say
from app.languages.text import Text, joined, phrase

PIECE = re.compile(r"\{(\w+)\}")
# the commands that help lists, which pages in other languages explain
COMMANDS = (
    *("go", "buy", "defeat", *command.ACTIVITY_KINDS),
    *command.BARE_VERBS,
)
KINDS = frozenset(command.ARGUMENT_KINDS.values())
WHOLE = (practice.practice_variant().episodes[0].goal, *sorted(KINDS))
MOST_SENTENCES = 4096


def pattern_of(message: str) -> re.Pattern[str]:
    """Return what recognises a message with its values filled in."""
    pieces = PIECE.split(message)
    found = [f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)]
    return re.compile("".join(found), re.DOTALL)


PATTERNS = {message: pattern_of(message) for _, message in say.WORDS.values()}


def text_of(message: str, values: Mapping[str, str], *, is_last: bool = False) -> Text:
    """Return a message of the game with its values; the name of a kind of thing is translated."""
    known = {name: phrase(v) if v in KINDS else v for name, v in values.items()}
    text = phrase(message, **known)
    return joined((text, phrase(say.ENDING.strip()))) if is_last else text


def sentence(code: str, params: tuple[str, ...], stored: str, *, done: bool) -> str:
    """Return a turn's answer, translatable; what is stored, if our engine words it differently."""
    names, message = say.WORDS.get(code, ((), ""))
    if not message or len(names) != len(params):
        return stored
    if code == "failed" and done:
        message = say.LAST_FAILURE
    is_last = done and code != "defeated"
    text = text_of(message, dict(zip(names, params, strict=False)), is_last=is_last)
    return text if text == stored else stored


@lru_cache(maxsize=MOST_SENTENCES)
def as_said(text: str) -> str:
    """Return a sentence of an account, or the practice's goal, translatable."""
    if text in WHOLE:
        return phrase(text)
    for message, pattern in PATTERNS.items():
        found = pattern.fullmatch(text)
        if found:
            return text_of(message, found.groupdict())
    return text
