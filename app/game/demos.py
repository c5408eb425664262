"""Demonstrations: which ones a coverage shows, and how each was played in the world."""

from collections.abc import Sequence
from typing import TypeVar

from app.errors import FieldError
from app.game.model import COVERAGES, Command, Demonstration, Process, Step, Variant
from app.game.say import say
from app.game.world import build_world, replay

T = TypeVar("T")

# Shown share of the source cells at each coverage: numerator, denominator.
_SHARES = dict(zip(COVERAGES, ((0, 1), (1, 3), (2, 3), (1, 1), (2, 1)), strict=True))
_ROUNDING = 0.01  # tolerance for decimals, so that 0.33, 0.66 and 0.67 are accepted


def normal_coverage(coverage: str | float) -> str:
    """Return the one of COVERAGES that is meant; accepts decimals such as 0.33, 0.6667 or 1.0.

    Raises: FieldError: it is not a coverage.
    """
    text = str(coverage).strip()
    if text in COVERAGES:
        return text
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    for name, (part, whole) in _SHARES.items():
        if abs(value - part / whole) < _ROUNDING:
            return name
    raise FieldError("coverage", f"must be one of {', '.join(COVERAGES)}, not {text!r}")


def shown_cells(chosen: Sequence[T], coverage: str) -> tuple[T, ...]:
    """Return the source cells that are shown, given all of them in the order of choice.

    k = |source| x coverage, rounded half up; nested, since each takes the first k. At coverage 2
    all are shown (and all have a second entity, which is shown too).
    """
    part, whole = _SHARES[coverage]
    k = (2 * len(chosen) * part + whole) // (2 * whole)
    return tuple(chosen[:k])


def solutions(
    process: Process, shop: str, place: str, entity: str
) -> tuple[tuple[Command, ...], ...]:
    """List every solution without a wasted action, from a start that is neither place.

    Equal rituals are not permuted: the lists differ in how many come next to `buy` and how many on
    the other side of the journey. Demonstrations follow the first list, with all of them next to
    `buy`.
    """
    to_shop, buy = f"go {shop}", f"buy {process.item}"
    to_place, defeat = f"go {place}", f"defeat {entity}"
    activity = process.activity
    act = (f"{activity.verb} {activity.name}",) if activity else ()
    found = []
    for away in range(process.count + 1):
        beside = act * (process.count - away)
        if process.order == "after":
            found.append((to_shop, buy, *beside, to_place, *act * away, defeat))
        else:
            found.append((*act * away, to_shop, *beside, buy, to_place, defeat))
    return tuple(found)


def demonstration(
    variant: Variant, entity: str, process: Process, *, distractor: bool
) -> Demonstration:
    """Play the entity's solution in the world of the variant and record the answers.

    `variant` needs entities, items, activities and places; its demonstrations are ignored.

    Raises: FieldError: the world rejects the solution (the variant's names are at fault).
    """
    shop = next(item.shop for item in variant.items if item.name == process.item)
    commands = solutions(process, shop, variant.entity(entity).place, entity)[0]
    turns = replay(build_world(variant, entity, process, len(commands)), commands)
    if not turns[-1][1].success:
        raise FieldError("demonstrations", f"the world rejects the solution for {entity!r}")
    steps = (
        Step(command, say(observation))
        for command, (_, _, observation) in zip(commands, turns, strict=True)
    )
    return Demonstration(entity, distractor, tuple(steps))
