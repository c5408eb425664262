"""Everything a player may see before the first action, and nothing else.

The rule, the answers, the split, the seed and the names of task and lexicon are left out. All
listings are alphabetical, so that their order reveals nothing. Pages, the terminal and models all
show this view.
"""

from dataclasses import dataclass
from typing import NamedTuple

from app.game.command import ARGUMENT_KINDS
from app.game.model import Demonstration, Episode, Step, Variant
from app.game.tasks import has_fixed_ref_length
from app.game.world import used_verbs
from app.languages.text import phrase, phrases

Attributes = tuple[tuple[str, str], ...]  # (label, value), in the order they are shown

_NUMBER_WORDS = (
    phrase("no"),
    phrase("one"),
    phrase("two"),
    phrase("three"),
    phrase("four"),
    phrase("five"),
    phrase("six"),
    phrase("seven"),
    phrase("eight"),
    phrase("nine"),
    phrase("ten"),
    phrase("eleven"),
    phrase("twelve"),
)


class GoalView(NamedTuple):
    """Whom to defeat. `item`: the item that the goal says to buy, None where it is hidden."""

    entity: str
    place: str
    attributes: Attributes
    text: str
    item: str | None


class Tale(NamedTuple):
    """One account of an earlier traveller's win; `number` counts from 1 in the shown order."""

    number: int
    entity: str
    place: str
    attributes: Attributes
    steps: tuple[Step, ...]


class Person(NamedTuple):
    """One guardian of the world listing."""

    name: str
    place: str
    attributes: Attributes


class Ware(NamedTuple):
    """One item of the world listing; `price` in coins."""

    name: str
    shop: str
    price: int


class ShownActivity(NamedTuple):
    """What can be performed or drunk here."""

    verb: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What one player sees of one episode. All sequences but `tales` are alphabetical.

    Another engine's lists keep their order.

    `verbs`: (verb, what it asks for or ''), as help lists them. `labels`: those of all attributes,
    meaningless ones included. `budget`: in actions, None where it is hidden or there is none;
    `budget_text` says which in words. `starts_over`: an attempt allows one purchase, and a failed
    one is undone.
    """

    goal: GoalView
    tales: tuple[Tale, ...]
    people: tuple[Person, ...]
    items: tuple[Ware, ...]
    activities: tuple[ShownActivity, ...]
    places: tuple[str, ...]
    labels: tuple[str, ...]
    verbs: tuple[tuple[str, str], ...]
    budget: int | None
    budget_text: str
    start: str
    coins: int
    starts_over: bool = True


def player_view(
    variant: Variant, episode_index: int, *, budget_shown: bool | None = None
) -> PlayerView:
    """Return what a player of this episode (index from 0) may see.

    `budget_shown`: False hides the budget; None and True show it where it reveals nothing.
    """
    episode = variant.episodes[episode_index]
    people = [Person(e.name, e.place, e.attributes) for e in variant.entities]
    budget, budget_text = _budget(variant, episode, wanted=budget_shown is not False)
    return PlayerView(
        goal=_goal(variant, episode),
        tales=tuple(_tale(variant, n, d) for n, d in enumerate(variant.demonstrations, 1)),
        people=tuple(people if variant.built else sorted(people)),
        items=tuple(sorted(Ware(i.name, i.shop, i.price) for i in variant.items)),
        activities=tuple(sorted(ShownActivity(a.verb, a.name) for a in variant.activities)),
        places=tuple(sorted(variant.places)),
        labels=tuple(sorted({label for e in variant.entities for label, _ in e.attributes})),
        verbs=tuple((verb, ARGUMENT_KINDS.get(verb, "")) for verb in used_verbs(variant)),
        budget=budget,
        budget_text=budget_text,
        start=variant.start,
        coins=variant.coins,
        starts_over=not variant.built,
    )


def _goal(variant: Variant, episode: Episode) -> GoalView:
    entity = variant.entity(episode.entity)
    item = episode.process.item if variant.task.family == "procedural" else None
    return GoalView(entity.name, entity.place, entity.attributes, episode.goal, item)


def _tale(variant: Variant, number: int, demonstration: Demonstration) -> Tale:
    entity = variant.entity(demonstration.entity)
    return Tale(number, entity.name, entity.place, entity.attributes, demonstration.steps)


def _budget(variant: Variant, episode: Episode, *, wanted: bool) -> tuple[int | None, str]:
    """Return the budget to show and its words.

    Where the count of activities is part of the answer, so is the budget: then the words give only
    the number of tries, which holds for every guardian.
    """
    if episode.budget is None:
        return None, phrase("There is no limit here: take as many actions as you like.")
    if not wanted:
        return None, phrase("The number of your actions is limited.")
    if not has_fixed_ref_length(variant.task):
        tries = episode.budget // episode.ref_length if variant.built else episode.n_tries
        words = _NUMBER_WORDS[tries] if tries < len(_NUMBER_WORDS) else str(tries)
        return None, phrase(
            "You have actions enough for about {number} full attempts.", number=words
        )
    return episode.budget, phrases(
        "You have {n} actions. Every command counts as one.",
        "You have {n} actions. Every command counts as one.",
        episode.budget,
    )


def text_view(view: PlayerView) -> str:
    """Write the view as plain text, in four sections with headings."""
    sections = (
        ("THE WORLD", _world_lines(view)),
        ("ACCOUNTS OF EARLIER TRAVELLERS", _tale_lines(view)),
        ("COMMANDS", _command_lines(view)),
        ("YOUR GOAL", [view.goal.text, view.budget_text]),
    )
    return "\n\n".join("\n".join((heading, *lines)) for heading, lines in sections)


def _attributes(attributes: Attributes) -> str:
    return ", ".join(f"{label}: {value}" for label, value in attributes)


def _world_lines(view: PlayerView) -> list[str]:
    lines = ["Guardians:"]
    lines += [f"  {p.name} ({_attributes(p.attributes)}) at {p.place}" for p in view.people]
    lines.append("Items:")
    lines += [f"  {i.name} at {i.shop} for {i.price} coins" for i in view.items]
    for verb, name in view.activities:
        lines.append(f"{ARGUMENT_KINDS[verb].capitalize()}: {name}")
    lines.append(f"Places: {', '.join(view.places)}")
    lines.append(f"You begin at {view.start} with {view.coins} coins.")
    return lines


def _tale_lines(view: PlayerView) -> list[str]:
    lines = ["Every account ends in victory. Some share a hidden pattern, others follow none."]
    for tale in view.tales:
        lines.append(
            f"{tale.number}. {tale.entity} ({_attributes(tale.attributes)}) at {tale.place}"
        )
        for step in tale.steps:
            lines += [f"  > {step.command}", f"  {step.message}"]
    return lines


def _command_lines(view: PlayerView) -> list[str]:
    lines = [f"  {verb} <{what}>" if what else f"  {verb}" for verb, what in view.verbs]
    if view.starts_over:
        lines.append("One purchase is all an attempt allows. A defeat that fails ends the attempt,")
        lines.append("and the next one begins where you stand.")
    return lines
