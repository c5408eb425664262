"""The texts that players read where the researcher has written none, in the study's language.

Blocks with `source: reference` are played under other rules, so they have other instructions.
"""

from functools import cache
from typing import Any

from app.languages.catalogue import ENGLISH, LANGUAGES, speech
from app.languages.text import phrase
from app.study.design.sources import OWN, REFERENCE
from app.study.design.spec_parts import DEFAULTS

INSTRUCTIONS = phrase(
    """Each world has **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians of the same world. Every
   account ends well. Some follow the rule, others follow no pattern.
2. You are then sent to a guardian that no account is about. Work out what it takes, and type
   commands to do it.
3. If `defeat` fails, nothing is undone: you keep what you carry, and what you have done still
   counts. Change what was wrong, and try again.
4. **Every command costs one action**, even a mistyped one or a `check_` command. Fewer actions are
   better.
5. You can buy several things, as long as you have coins for them.

Afterwards we ask you to write down the rule in your own words."""
)


CONSENT = phrase(  # of studies in which no one plays
    """You are invited to take part in research about a short text game.

You will read accounts of how earlier travellers defeated guardians, say in a form what it takes to
defeat others, and then write down the rule you think lies behind them.

Taking part is voluntary. You can stop at any time by closing the page."""
)
STATED_INSTRUCTIONS = phrase(
    """Each world has **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians of the same world. Every
   account ends well. Some follow the rule, others follow no pattern.
2. You are then asked about a guardian that no account is about. Work out what it takes to defeat
   it, and say so in a form.
3. You answer once for each guardian. The study continues whatever you answer.

Afterwards we ask you to write down the rule in your own words."""
)
DEMO_PAY = "Nothing: this is a demo."
STATED = "stated"  # all blocks are answered in a form


@cache
def default_texts(language: str, source: str = OWN) -> dict[str, str]:
    """Return the default of each text in a language, for blocks of a source, or `STATED`."""
    stated = {"consent": CONSENT, "instructions": STATED_INSTRUCTIONS}
    others = {REFERENCE: {"instructions": INSTRUCTIONS}, STATED: stated}
    own = {**DEFAULTS, **others.get(source, {})}
    return {name: speech(language).say(text) for name, text in own.items()}


@cache
def all_defaults(name: str) -> frozenset[str]:
    """Return a text's defaults in every language."""
    both = ((language, source) for language in LANGUAGES for source in (OWN, REFERENCE, STATED))
    return frozenset(default_texts(*one)[name] for one in both)


def source_in(data: dict[str, Any]) -> str:
    """Return the source of a study file's blocks, which all have the same one.

    `STATED` if none of them is played.
    """
    blocks = data.get("blocks")
    lines = blocks if isinstance(blocks, (list, tuple)) else ()
    known = [line for line in lines if isinstance(line, dict)]
    if any(line.get("source") == REFERENCE for line in known):
        return REFERENCE
    return STATED if known and all(is_stated(line) for line in known) else OWN


def is_stated(line: dict[str, Any]) -> bool:
    """Tell whether no one plays a study file's block."""
    return line.get("format") in ("direct", ["direct"], ("direct",))


def with_default_texts(data: Any) -> Any:
    """Return a study file with the defaults of its language for texts that no one has written.

    A default of another language or source counts as not written, because a design page sends the
    defaults that it shows.
    """
    if not isinstance(data, dict) or not isinstance(data.get("texts", {}), dict):
        return data
    language, texts = data.get("language", ENGLISH), data.get("texts", {})
    if not isinstance(language, str) or language not in LANGUAGES:
        return data
    source = source_in(data)
    usual = (language, source) == (ENGLISH, OWN)
    if usual and not texts:
        return data
    own = default_texts(language, source)
    found = {
        name: str(own[name])  # plain text, which can be written as YAML
        for name in own
        if (is_default(name, texts[name]) if name in texts else not usual)
    }
    return {**data, "texts": {**texts, **found}} if found else data


def is_default(name: str, text: Any) -> bool:
    """Tell whether a text is the default in any language."""
    return isinstance(text, str) and plain(text) in all_defaults(name)


def plain(text: str) -> str:
    """Return a text as it is stored: without spaces around it and with LF for line ends."""
    return text.replace("\r\n", "\n").strip()
