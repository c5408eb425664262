"""The texts that players read where the researcher has written none, in the study's language.

Blocks with `source: reference` are played under other rules, so they have other instructions.
Someone who plays one world reads of one world. A design that is stored keeps its texts.
"""

from functools import cache
from typing import Any

from app.languages.catalogue import ENGLISH, LANGUAGES, speech
from app.languages.text import phrase
from app.study.design.sources import OWN, REFERENCE
from app.study.design.spec_parts import DEFAULT_WORLDS, DEFAULTS

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
ONE_INSTRUCTIONS = phrase(
    """You will visit a world of **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians. Every account ends
   well. Some follow the rule, others follow no pattern.
2. You are then sent to a guardian that no account is about. Work out what it takes, and type
   commands to do it.
3. If you get it wrong, the attempt is over: you lose what you carried and try again.
4. **Every command costs one action**, even a mistyped one or a `check_` command. Fewer actions are
   better.
5. An attempt allows one purchase. To start over after a wrong one, go to the guardian and type
   `defeat` and its name. This attempt then fails, and you can buy something else.

Afterwards we ask you to write down the rule in your own words."""
)
ONE_REFERENCE_INSTRUCTIONS = phrase(
    """You will visit a world of **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians. Every account ends
   well. Some follow the rule, others follow no pattern.
2. You are then sent to a guardian that no account is about. Work out what it takes, and type
   commands to do it.
3. If `defeat` fails, nothing is undone: you keep what you carry, and what you have done still
   counts. Change what was wrong, and try again.
4. **Every command costs one action**, even a mistyped one or a `check_` command. Fewer actions are
   better.
5. You can buy several things, as long as you have coins for them.

Afterwards we ask you to write down the rule in your own words."""
)
ONE_STATED_INSTRUCTIONS = phrase(
    """You will read about a world of **guardians**. Every guardian has traits, and
what defeats it follows a hidden rule that depends on them.

1. Read the **accounts** of how earlier travellers defeated other guardians. Every account ends
   well. Some follow the rule, others follow no pattern.
2. You are then asked about a guardian that no account is about. Work out what it takes to defeat
   it, and say so in a form.
3. You have one answer for a guardian. The study continues whatever you answer.

Afterwards we ask you to write down the rule in your own words."""
)
ONE_CONSENT = phrase(
    """You are invited to play a short text game for research.

You will read accounts of how earlier travellers defeated guardians, play yourself by typing
commands, and then write down the rule you think lies behind them.

Taking part is voluntary. You can stop at any time by closing the page."""
)
ONE_STATED_CONSENT = phrase(
    """You are invited to take part in research about a short text game.

You will read accounts of how earlier travellers defeated guardians, say in a form what it takes to
defeat a guardian that no account is about, and then write down the rule you think lies behind them.

Taking part is voluntary. You can stop at any time by closing the page."""
)
DEMO_PAY = "Nothing: this is a demo."
STATED = "stated"  # all blocks are answered in a form


# (source, whether a player visits one world) -> what differs from `DEFAULTS`
OTHERS = {
    (OWN, False): {},
    (OWN, True): {"consent": ONE_CONSENT, "instructions": ONE_INSTRUCTIONS},
    (REFERENCE, False): {"instructions": INSTRUCTIONS},
    (REFERENCE, True): {"consent": ONE_CONSENT, "instructions": ONE_REFERENCE_INSTRUCTIONS},
    (STATED, False): {"consent": CONSENT, "instructions": STATED_INSTRUCTIONS},
    (STATED, True): {"consent": ONE_STATED_CONSENT, "instructions": ONE_STATED_INSTRUCTIONS},
}


@cache
def default_texts(
    language: str, source: str = OWN, *, is_one_world: bool = False
) -> dict[str, str]:
    """Return the default of each text in a language, for blocks of a source, or `STATED`.

    `is_one_world`: a player visits one world.
    """
    own = {**DEFAULTS, **OTHERS[source, is_one_world]}
    return {name: speech(language).say(text) for name, text in own.items()}


@cache
def all_defaults(name: str) -> frozenset[str]:
    """Return a text's defaults in every language."""
    return frozenset(
        default_texts(language, source, is_one_world=is_one)[name]
        for language in LANGUAGES
        for source, is_one in OTHERS
    )


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


def visits_one_world(data: dict[str, Any]) -> bool:
    """Tell whether a player of a study file visits one world."""
    return str(data.get("per_player", DEFAULT_WORLDS)).strip() == "1"


def is_stated(line: dict[str, Any]) -> bool:
    """Tell whether no one plays a study file's block."""
    return line.get("format") in ("direct", ["direct"], ("direct",))


def with_default_texts(data: Any) -> Any:
    """Return a study file with the defaults of its language for texts that no one has written.

    A default for another language, source or number of worlds counts as not written, because a
    design page sends the defaults that it shows.
    """
    if not isinstance(data, dict) or not isinstance(data.get("texts", {}), dict):
        return data
    language, texts = data.get("language", ENGLISH), data.get("texts", {})
    if not isinstance(language, str) or language not in LANGUAGES:
        return data
    source, is_one = source_in(data), visits_one_world(data)
    usual = (language, source, is_one) == (ENGLISH, OWN, False)
    if usual and not texts:
        return data
    own = default_texts(language, source, is_one_world=is_one)
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
