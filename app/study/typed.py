"""Read commands without invisible characters, and refuse letters that only look right.

Phones, keyboards for right-to-left scripts and pasted text add them unasked. They must cost no one
an action. The engine never sees them, so commands stored earlier replay as they are.
"""

import re

from app.game.command import InputError, clean
from app.languages.text import phrase
from app.study.characters import CYRILLIC, GREEK, visible

_LOOK_ALIKE = re.compile(f"[{''.join((*CYRILLIC, *GREEK))}]")
_LATIN = re.compile("[A-Za-z]")


class LookAlikeError(InputError):
    """A word of Latin letters has a Cyrillic or Greek letter in it, which no one can see."""

    code = "input/look_alike"

    def __init__(self, word: str, letter: str) -> None:
        values = {"word": word, "letter": {**CYRILLIC, **GREEK}[letter]}
        if letter in CYRILLIC:
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
