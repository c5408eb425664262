"""The texts that players read where the researcher has written none, in the study's language."""

from functools import cache
from typing import Any

from app.languages.catalogue import ENGLISH, LANGUAGES, speech
from app.study.design.spec_parts import DEFAULTS


@cache
def default_texts(language: str) -> dict[str, str]:
    """Return the default of each text in a language."""
    return {name: speech(language).say(text) for name, text in DEFAULTS.items()}


@cache
def all_defaults(name: str) -> frozenset[str]:
    """Return a text's default in every language."""
    return frozenset(default_texts(language)[name] for language in LANGUAGES)


def with_default_texts(data: Any) -> Any:
    """Return a study file with the defaults of its language for texts that no one has written.

    A default of another language counts as not written, because a design page sends the defaults
    that it shows.
    """
    if not isinstance(data, dict) or not isinstance(data.get("texts", {}), dict):
        return data
    language, texts = data.get("language", ENGLISH), data.get("texts", {})
    if not isinstance(language, str) or language not in LANGUAGES:
        return data
    if language == ENGLISH and not texts:
        return data
    own = default_texts(language)
    found = {
        name: own[name]
        for name in own
        if (is_default(name, texts[name]) if name in texts else language != ENGLISH)
    }
    return {**data, "texts": {**texts, **found}} if found else data


def is_default(name: str, text: Any) -> bool:
    """Tell whether a text is the default in any language."""
    return isinstance(text, str) and plain(text) in all_defaults(name)


def plain(text: str) -> str:
    """Return a text as it is stored: without spaces around it and with LF for line ends."""
    return text.replace("\r\n", "\n").strip()
