"""Sentences that players read. Each is an English string that remembers what it is made of.

Everything but players' pages sees the string: logs, the database, models, researchers' pages. Only
when a player's page is rendered, `Speech.say` puts the same sentence into the page's language. No
imports from the rest of the application, so that every layer can word its own sentences.
"""

from collections.abc import Iterable, Mapping
from typing import Any


class Text(str):  # noqa: SLOT000 - it has values
    """An English sentence with the message and the values that it was made of.

    `message`: as the catalogues list it, with the values' names in braces. `plural`: the message
    for other counts than one, '' if there is none; the count is the value `n`. `parts`: texts that
    were joined with `separator`; then there is no message.
    """

    message: str = ""
    plural: str = ""
    values: Mapping[str, Any] = {}
    parts: tuple[str, ...] = ()
    separator: str = ""

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Text":
        """Return itself: a text never changes."""
        return self


class Number(int):
    """A number that is long enough for separators between its thousands."""


def phrase(message: str, /, **values: Any) -> Text:
    """Return a sentence; texts among the values are translated with it."""
    text = Text(filled(message, values))
    text.message, text.values = message, values
    return text


def phrases(one: str, many: str, n: int, /, **values: Any) -> Text:
    """Return a sentence with a number of things: `one` if n is 1, else `many`."""
    given = {"n": n, **values}
    text = Text(filled(one if n == 1 else many, given))
    text.message, text.plural, text.values = one, many, given
    return text


def joined(parts: Iterable[str], separator: str = " ") -> Text:
    """Return texts as one."""
    known = tuple(parts)
    text = Text(separator.join(known))
    text.parts, text.separator = known, separator
    return text


def filled(message: str, values: Mapping[str, Any]) -> str:
    """Return a message with its values in place of their names."""
    shown = {name: f"{v:,}" if isinstance(v, Number) else v for name, v in values.items()}
    return message.format(**shown) if shown else message
