"""The game itself: (world, state, command) -> (state, observation). Pure and total.

A state is the fold of an episode's commands, so any episode can be rebuilt from its log. Until a
`defeat` at the guardian (or the end of the budget) nothing here reads what the guardian requires:
that keeps the answer from leaking.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.errors import GameError
from app.game import elsewhere
from app.game.command import (
    ARGUMENT_KINDS,
    BARE_VERBS,
    UNDERSTOOD,
    Typed,
    Vocabulary,
    build_vocabulary,
    clean,
    parse,
)
from app.game.model import Engine, Item, Process, Variant

# Codes of actions that did something; every other code is a refusal or a misread command.
EFFECTIVE = frozenset(
    {
        "moved",
        "bought",
        "performed",
        "drank",
        "failed",
        "defeated",
        "inventory",
        "empty_hands",
        "location",
    }
)


_make = tuple.__new__


class DoneError(GameError):
    """The episode is over; it takes no more actions."""

    code = "game/done"

    def __init__(self) -> None:
        super().__init__("This journey is over, so nothing more can be done in it.")


class State(NamedTuple):
    """The state of an episode; all of it is public.

    `item`: the item carried. `did`: the consequential actions (buy, perform, drink) of this
    attempt as canonical lines, in order. `attempt`: counts from 1; `attempt` - 1 have failed.
    `done` without `success`: the budget is used up.
    """

    location: str
    item: str | None
    did: tuple[str, ...]
    coins: int
    actions_used: int
    attempt: int
    done: bool
    success: bool

    @property
    def attempts(self) -> int:
        """Finished attempts: failed `defeat`s at the guardian, plus the one that succeeded."""
        return self.attempt - 1 + self.success


class Observation(NamedTuple):
    """The world's answer to one action, as a code with parameters (words: say.py).

    `ok`: the action did something (as does a `defeat` that ends an attempt). `attempt`: the one of
    the action; a failing `defeat` belongs to the attempt it ends. `words`: another engine's.
    """

    code: str
    params: tuple[str, ...]
    ok: bool
    done: bool
    success: bool
    attempt: int
    words: str | None = None


@dataclass(frozen=True, slots=True)
class World:
    """One guardian to defeat in one variant, prepared for fast steps.

    `right`: the only sequence of consequential actions that succeeds. It is unique, since there is
    one activity, all of it before or all of it after `buy`; journeys may come anywhere in
    between. `budget`: in actions, None = no limit. `verbs`: those useful here.
    """

    vocabulary: Vocabulary
    lines: Mapping[str, Typed]
    items: Mapping[str, Item]
    entity: str
    place: str
    right: tuple[str, ...]
    start: str
    coins: int
    budget: int | None
    verbs: tuple[str, ...]
    engine: Engine | None = None


def used_verbs(variant: Variant) -> tuple[str, ...]:
    """List the verbs that are useful in this world, as help shows them."""
    activities = [a.verb for a in variant.activities]
    named = [v for v in ARGUMENT_KINDS if v in ("go", "buy", "defeat") or v in activities]
    return (*named, *BARE_VERBS)


def build_world(
    variant: Variant, entity_name: str, process: Process, budget: int | None = None
) -> World:
    """Prepare a world in which a process defeats an entity.

    Raises: KeyError: there is no entity or item of that name; FieldError: its engine is missing.
    """
    items = {item.name: item for item in variant.items}
    buy = (f"buy {items[process.item].name}",)
    acts: tuple[str, ...] = ()
    if process.activity is not None:
        acts = (f"{process.activity.verb} {process.activity.name}",) * process.count
    vocabulary = build_vocabulary(variant)
    return World(
        vocabulary=vocabulary,
        lines=vocabulary.lines,
        items=items,
        entity=entity_name,
        place=variant.entity(entity_name).place,
        right=buy + acts if process.order == "after" else acts + buy,
        start=variant.start,
        coins=variant.coins,
        budget=budget,
        verbs=used_verbs(variant),
        engine=elsewhere.engine_of(variant),
    )


def episode_world(variant: Variant, episode_index: int) -> World:
    """Prepare the world of one of the variant's episodes (index from 0)."""
    episode = variant.episodes[episode_index]
    return build_world(variant, episode.entity, episode.process, episode.budget)


def start(world: World) -> State:
    """Return the state before the first action."""
    return State(world.start, None, (), world.coins, 0, 1, done=False, success=False)


def step(world: World, state: State, typed: Typed, raw: str = "") -> tuple[State, Observation]:
    """Take one action, understood or not: each costs one. `raw`: as typed, for other engines.

    Raises: DoneError: the episode is over.
    """
    _, _, _, _, used, attempt, done, _ = state
    if done:
        raise DoneError
    verb, argument, status, _ = typed
    words = None
    if world.engine is not None:
        goal = world.entity, world.place
        things, code, params, ok, words = elsewhere.result(
            world.engine, goal, state[:4], typed, raw
        )
    elif status in UNDERSTOOD:
        things, code, params = _ACTIONS[verb](world, state, argument or "")
        ok = code in EFFECTIVE
    else:
        things, code, params, ok = state[:4], status, _misread(world, typed), False
    used += 1
    success = code == "defeated"
    done = success or (world.budget is not None and used >= world.budget)
    upcoming = attempt + 1 if code == "failed" else attempt
    # Made as plain tuples are: a named tuple's own constructor takes as long as the action itself.
    return (
        _make(State, (*things, used, upcoming, done, success)),
        _make(Observation, (code, params, ok, done, success, attempt, words)),
    )


def play(world: World, state: State, raw: str) -> tuple[Typed, State, Observation]:
    """Read one line and take it as an action.

    Raises: InputError: the text cannot be a command; DoneError: the episode is over.
    """
    typed = world.lines.get(raw)  # typed as the world writes it: nothing to clean or to parse
    if typed is None:
        typed = parse(world.vocabulary, clean(raw))
    after, observation = step(world, state, typed, raw)
    return typed, after, observation


def replay(world: World, raws: Iterable[str]) -> list[tuple[Typed, State, Observation]]:
    """Play a whole log from the start; returns one entry per line."""
    state, turns = start(world), []
    for raw in raws:
        turn = play(world, state, raw)
        state = turn[1]
        turns.append(turn)
    return turns


# What one action leads to: the first four fields of the next state, a code, its parameters.
_Things = tuple[str, str | None, tuple[str, ...], int]
_Outcome = tuple[_Things, str, tuple[str, ...]]


def _misread(world: World, typed: Typed) -> tuple[str, ...]:
    """Return the parameters for a command that was not understood."""
    verb = typed.verb
    if verb is None:
        return (", ".join(world.verbs),)
    if typed.status == "extra_argument":
        return (f"{verb} {typed.argument}" if typed.argument else verb,)
    if typed.status == "wrong_kind":
        return (typed.argument or "", ARGUMENT_KINDS[verb])
    return (verb, ARGUMENT_KINDS[verb])


def _go(_world: World, state: State, place: str) -> _Outcome:
    location, item, did, coins, _, _, _, _ = state
    if place == location:
        return state[:4], "already_there", (place,)
    return (place, item, did, coins), "moved", (place,)


def _buy(world: World, state: State, name: str) -> _Outcome:
    location, carried, did, coins, _, _, _, _ = state
    item = world.items[name]
    if carried is not None:
        return state[:4], "already_bought", (carried, world.entity, world.place)
    if item.shop != location:
        return state[:4], "not_sold_here", (name, item.shop)
    if item.price > coins:
        return state[:4], "too_dear", (name, str(item.price), str(coins))
    left = coins - item.price
    return (
        (location, name, (*did, f"buy {name}"), left),
        "bought",
        (name, str(item.price), str(left)),
    )


def _perform(_world: World, state: State, name: str) -> _Outcome:
    location, item, did, coins, _, _, _, _ = state
    return (location, item, (*did, f"perform {name}"), coins), "performed", (name,)


def _drink(_world: World, state: State, name: str) -> _Outcome:
    location, item, did, coins, _, _, _, _ = state
    return (location, item, (*did, f"drink {name}"), coins), "drank", (name,)


def _defeat(world: World, state: State, name: str) -> _Outcome:
    """Try to defeat someone: the only place that reads the answer."""
    location, _, did, coins, _, _, _, _ = state
    if name != world.entity:
        return state[:4], "other_entity", (name, world.entity)
    if location != world.place:
        return state[:4], "entity_not_here", (name, world.place)
    if did == world.right:
        return state[:4], "defeated", (name,)
    return (location, None, (), coins), "failed", (name,)


def _get(_world: World, state: State, _name: str) -> _Outcome:
    return state[:4], "nothing_to_get", ()


def _rescue(_world: World, state: State, _name: str) -> _Outcome:
    return state[:4], "nobody_to_rescue", ()


def _check_inventory(_world: World, state: State, _name: str) -> _Outcome:
    if state.item is None:
        return state[:4], "empty_hands", (str(state.coins),)
    return state[:4], "inventory", (state.item, str(state.coins))


def _check_location(_world: World, state: State, _name: str) -> _Outcome:
    return state[:4], "location", (state.location,)


_ACTIONS: Mapping[str | None, Callable[[World, State, str], _Outcome]] = {
    "go": _go,
    "buy": _buy,
    "get": _get,
    "defeat": _defeat,
    "rescue": _rescue,
    "perform": _perform,
    "drink": _drink,
    "check_inventory": _check_inventory,
    "check_location": _check_location,
}
