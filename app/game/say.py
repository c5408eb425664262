"""Put an observation into the words a player reads. Any changed word means a new version.

The words say what happened and what the player can do next, in the same form for every item and
guardian. None of them depends on what a guardian requires, except the outcome of a `defeat`.
"""

from collections.abc import Callable, Mapping
from string import Formatter

from app.game.model import Variant
from app.game.world import Observation

ENGINE_NAME = "hjstudy"
REFERENCE_NAME = "herosjourney"  # the engine of variants that the authors' package has built
ENGINE_VERSION = "1"  # of the rules and every word below: an episode keeps the one it began with

# code -> (names of the parameters, in the order of Observation.params; words)
WORDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    # journeys and purchases
    "moved": (("place",), "You travel to {place}."),
    "already_there": (("place",), "You are at {place} already."),
    "bought": (
        ("item", "price", "coins"),
        "You buy {item} for {price} coins. You have {coins} coins left.",
    ),
    "already_bought": (
        ("item", "entity", "place"),
        (
            "You carry {item} already, and one purchase is all an attempt allows. To start over, "
            "finish this attempt: defeat {entity} at {place}."
        ),
    ),
    "not_sold_here": (("item", "shop"), "Nobody here sells {item}. It is sold at {shop}."),
    "too_dear": (
        ("item", "price", "coins"),
        "{item} costs {price} coins, and you have {coins}.",
    ),
    # rituals and potions
    "performed": (("ritual",), "You perform {ritual}."),
    "drank": (("potion",), "You drink {potion}."),
    # the guardian
    "defeated": (("entity",), "{entity} yields, and the road is free. The day is yours!"),
    "failed": (
        ("entity",),
        (
            "{entity} holds firm. Something was missing, wrong or out of order. What you carried "
            "and all you did is undone; a new attempt begins where you stand."
        ),
    ),
    "entity_not_here": (("entity", "place"), "{entity} is not here, but waits at {place}."),
    "other_entity": (
        ("entity", "goal"),
        "You have no quarrel with {entity}. Your goal is to defeat {goal}.",
    ),
    # looking around
    "inventory": (("item", "coins"), "You carry {item} and {coins} coins."),
    "empty_hands": (("coins",), "You carry nothing but {coins} coins."),
    "location": (("place",), "You are at {place}."),
    # understood, but of no use here
    "nothing_to_get": ((), "Nothing lies about to be picked up. Things are bought here."),
    "nobody_to_rescue": ((), "Nobody here needs rescuing."),
    # not understood
    "unknown_verb": (("verbs",), "That is not something to do here. You can: {verbs}."),
    "missing_argument": (("verb", "kind"), "Which {kind}? Type {verb} and then the name."),
    "unknown_name": (("verb", "kind"), "No {kind} of that name is known here."),
    "wrong_kind": (("name", "kind"), "{name} is not the name of any {kind}."),
    "extra_argument": (("line",), "One thing at a time, please. Perhaps: {line}"),
}

# Added when the budget is used up; after a failed last attempt no new one begins.
ENDING = " That was the last of your actions: the journey ends here, with the guardian undefeated."
LAST_FAILURE = "{entity} holds firm. Something was missing, wrong or out of order."


def _compile(names: tuple[str, ...], words: str) -> Callable[[tuple[str, ...]], str]:
    """Return what puts parameters into words: `%`, twice as fast, if they come in that order."""
    in_order = words.replace("%", "%%").format(**dict.fromkeys(names, "%s"))
    if [name for _, name, _, _ in Formatter().parse(words) if name] == list(names):
        return in_order.__mod__
    by_name = words.format
    return lambda params: by_name(**dict(zip(names, params, strict=True)))


_READY = {code: _compile(names, words) for code, (names, words) in WORDS.items()}
_READY_AT_LAST = {code: _compile(names, words + ENDING) for code, (names, words) in WORDS.items()}
_READY_AT_LAST["failed"] = _compile(("entity",), LAST_FAILURE + ENDING)
_READY_AT_LAST["defeated"] = _READY["defeated"]


def engine_name(variant: Variant) -> str:
    """Return the name of the engine in whose world a variant is played."""
    return REFERENCE_NAME if variant.built else ENGINE_NAME


def is_worded_here(engine: str, version: str) -> bool:
    """Tell whether words of an engine's version can be made anew: all but ours of other versions.

    Other engines are only played at the version that built the variant.
    """
    return engine != ENGINE_NAME or version == ENGINE_VERSION


def say(observation: Observation) -> str:
    """Put an observation into words; another engine has its own.

    Raises: KeyError for a code that this version of the engine does not know.
    """
    code, params, _, done, _, _, words = observation
    if words is not None:
        return words
    ready = _READY_AT_LAST if done else _READY
    return ready[code](params)
