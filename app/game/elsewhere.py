"""Actions in the world of another engine, with the codes and counters that every episode has.

Names that a player spells differently are passed on as that world writes them; all other words as
typed. Nothing here knows the engine itself.
"""

from collections.abc import Mapping
from typing import NamedTuple

from app.errors import FieldError
from app.game.command import BARE_VERBS, UNDERSTOOD, Typed
from app.game.model import Command, Engine, Variant

LONGEST = 128  # characters of a place, and of what is carried, as stored

# verb of an action that had an effect -> code
DONE: Mapping[str, str] = {
    "go": "moved",
    "get": "got",
    "buy": "bought",
    "perform": "performed",
    "drink": "drank",
    "defeat": "other_defeated",
    "rescue": "other_rescued",
    "check_inventory": "inventory",
    "check_location": "location",
}
Things = tuple[str, str | None, tuple[Command, ...], int]  # the first four fields of a state


class Result(NamedTuple):
    """What an action led to: the next state, an observation's code and parameters, the words."""

    things: Things
    code: str
    params: tuple[str, ...]
    ok: bool
    words: str


def engine_of(variant: Variant) -> Engine | None:
    """Return the engine of a variant; None is ours.

    Raises: FieldError: another engine has built the variant, but has not been added to it.
    """
    if variant.built and variant.engine is None:
        raise FieldError("engine", "is missing: another engine has built this variant")
    return variant.engine


def result(
    engine: Engine,
    goal: tuple[str, str],
    before: Things,
    typed: Typed,
    raw: str,
) -> Result:
    """Take a typed line as an action. `goal`: whom to defeat, and where."""
    location, _, did, _ = before
    verb, argument = named(typed, raw)
    found = engine.act(goal[0], did, verb, argument)
    if found.won:
        code = "defeated"
    elif found.ok:
        code = DONE.get(verb, "done")
    else:
        is_attempt = (verb, argument, location) == ("defeat", *goal)
        code = "failed" if is_attempt else "refused"
    if found.ok and verb not in BARE_VERBS:
        did = (*did, f"{verb} {argument}".strip())
    item = shortened(", ".join(found.carried)) or None
    things = (shortened(found.location), item, did, found.coins)
    return Result(things, code, (argument,), found.ok, found.words)


def named(typed: Typed, raw: str) -> tuple[str, str]:
    """Return verb and name: as the world writes them if they are understood, or as typed."""
    if typed.verb is not None and typed.status in (*UNDERSTOOD, "wrong_kind"):
        return typed.verb, typed.argument or ""
    verb, _, argument = raw.strip().partition(" ")
    return verb.lower(), argument.strip()


def shortened(text: str) -> str:
    """Return a text that fits into its column."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
