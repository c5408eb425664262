"""Words for one variant: drawn from a lexicon (`draw_names`), or written by hand (`Names`).

Every kind of word has its own random stream, and every entity a fixed seat in the list of people
and places, so that coverage and the number of distractors change no other name.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeVar

from app.errors import FieldError
from app.game.command import fold
from app.game.lexicon import Lexicon
from app.game.model import Dimension, Task

MAX_DISTRACTORS = 8
KINDS_OF_DISTRACTOR_ITEM = 4  # distractors choose among this many items ...
VALUES_OF_DISTRACTORS = 4  # ... and this many values of each of their two attributes

Streams = Callable[[str], Random]  # purpose -> its random stream, at the start

T = TypeVar("T")


class Seat(NamedTuple):
    """An entity's name and its place."""

    name: str
    place: str


@dataclass(frozen=True, slots=True)
class DistractorNames:
    """An entity that follows no pattern: its seat, two (label, value) attributes and an item."""

    seat: Seat
    attributes: tuple[tuple[str, str], ...]
    item: str


@dataclass(frozen=True, slots=True)
class Names:
    """All words of one variant.

    `words`: for each dimension of an attribute task, the word for each of its values, in order;
    item names are made of them and the `noun`. `weapon`: the one item of a procedural task.
    `cells`: seats of all cells, row by row; `seconds`: seats of the source cells' second entities
    (coverage 2 only). `distractor_shop` is used if there are distractors.
    """

    labels: tuple[str, str]
    classes: tuple[str, ...]
    roles: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    noun: str
    weapon: str
    ritual: str
    potion: str
    start: str
    shop: str
    distractor_shop: str
    cells: tuple[Seat, ...]
    seconds: tuple[Seat, ...] = ()
    distractors: tuple[DistractorNames, ...] = ()


def streams(task_name: str, seed: int, salt: str) -> Streams:
    """Return the random streams of a (task, seed): one per purpose, each at its start.

    Only `random()` is ever called: Python guarantees its numbers to stay the same.
    """

    def stream(purpose: str) -> Random:
        text = f"{salt}|{purpose}|{task_name}|{seed}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return Random(int.from_bytes(digest[:8], "big"))

    return stream


def pick(values: Sequence[T], rng: Random) -> T:
    """Return one of the values, all equally likely."""
    return values[int(rng.random() * len(values))]


def shuffled(values: Iterable[T], rng: Random) -> tuple[T, ...]:
    """Return the values in random order (Fisher-Yates), every order equally likely."""
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        found[last], found[other] = found[other], found[last]
    return tuple(found)


def item_name(words: Iterable[str], noun: str) -> str:
    """Join an item's words in the order of the dimensions, as in `colossal_crimson_spear`."""
    return "_".join((*words, noun))


def draw_names(
    task: Task, lexicon: Lexicon, stream: Streams, n_seconds: int, n_distractors: int
) -> Names:
    """Draw all words of a variant; `n_seconds`: how many source cells have a second entity.

    Raises: FieldError: names the pool that has too few words for this task.
    """
    attribute = task.family == "attribute"
    n_cells = task.n_class * task.n_role
    nouns = _take(lexicon, "nouns", 2, stream)
    traits = _take(lexicon, "traits", KINDS_OF_DISTRACTOR_ITEM + 1, stream)
    shops = _take(lexicon, "shops", 2, stream)
    seats = _seats(lexicon, stream, n_cells, n_seconds, n_distractors)
    items = tuple(item_name([trait], nouns[1]) for trait in traits[:-1])
    return Names(
        labels=(
            shuffled(lexicon.class_labels, stream("names/class_label"))[0],
            shuffled(lexicon.role_labels, stream("names/role_label"))[0],
        ),
        classes=_take(lexicon, "classes", task.n_class, stream),
        roles=_take(lexicon, "roles", task.n_role, stream),
        words=tuple(_words(lexicon, d, stream) for d in task.dimensions) if attribute else (),
        noun=nouns[0],
        weapon="" if attribute else item_name(traits[-1:], nouns[0]),
        ritual=_take(lexicon, "rituals", 1, stream)[0],
        potion=_take(lexicon, "potions", 1, stream)[0],
        start=_take(lexicon, "starts", 1, stream)[0],
        shop=shops[0],
        distractor_shop=shops[1],
        cells=seats[:n_cells],
        seconds=seats[n_cells + MAX_DISTRACTORS :],
        distractors=_distractors(lexicon, stream, items, seats[n_cells:][:n_distractors]),
    )


def _take(lexicon: Lexicon, field: str, count: int, stream: Streams) -> tuple[str, ...]:
    pool: tuple[str, ...] = getattr(lexicon, field)
    _check_enough(lexicon, field, len(pool), count)
    return shuffled(pool, stream(f"names/{field}"))[:count]


def _check_enough(lexicon: Lexicon, field: str, has: int, needs: int) -> None:
    if has < needs:
        problem = f"the lexicon {lexicon.name} has {has} words, but this variant needs {needs}"
        raise FieldError(field, problem)


def _words(lexicon: Lexicon, dimension: Dimension, stream: Streams) -> tuple[str, ...]:
    """Draw the words for a dimension's values; numbers stay visible, as in `size_3`."""
    pool = lexicon.dimension(dimension.name)
    field = f"dimensions.{dimension.name}"
    if dimension.numbered:
        label = shuffled(pool.labels, stream(f"names/{field}.labels"))[0]
        return tuple(f"{label}_{value}" for value in dimension.values)
    _check_enough(lexicon, f"{field}.words", len(pool.words), len(dimension.values))
    return shuffled(pool.words, stream(f"names/{field}.words"))[: len(dimension.values)]


def _seats(
    lexicon: Lexicon, stream: Streams, n_cells: int, n_seconds: int, n_distractors: int
) -> tuple[Seat, ...]:
    """Seat cells, then MAX_DISTRACTORS distractors, then second entities; some seats stay empty.

    No two seats share a first name, a last name or a place.
    """
    needs = n_cells + (MAX_DISTRACTORS + n_seconds if n_seconds else n_distractors)
    first, last, places = (
        _take(lexicon, field, needs, stream) for field in ("first_names", "last_names", "places")
    )
    return tuple(Seat(f"{f} {n}", p) for f, n, p in zip(first, last, places, strict=True))


def _distractors(
    lexicon: Lexicon, stream: Streams, items: tuple[str, ...], seats: tuple[Seat, ...]
) -> tuple[DistractorNames, ...]:
    """Give each distractor two values and an item, all drawn independently: no pattern.

    The same numbers are drawn in every lexicon and for every number of distractors.
    """
    pools = shuffled(lexicon.distractor_attributes, stream("names/distractor_labels"))[:2]
    attributes = tuple(
        (label, shuffled(values, stream(f"names/distractor_values/{place}")))
        for place, (label, values) in enumerate(pools)
    )
    rng = stream("distractors")
    found = []
    for seat in seats:
        of_entity = tuple(
            (label, pick(values[:VALUES_OF_DISTRACTORS], rng)) for label, values in attributes
        )
        found.append(DistractorNames(seat, of_entity, pick(items, rng)))
    return tuple(found)


def check_names(names: Iterable[tuple[str, str]]) -> None:
    """Refuse names that a command could not distinguish, given as pairs of (field, name).

    Raises: FieldError: names the field of the second name.
    """
    seen: dict[str, str] = {}
    for field, name in names:
        folded = fold(name)
        if not folded or folded in seen:
            other = seen.get(folded, "nothing")
            raise FieldError(field, f"{name!r} cannot be distinguished from {other!r} in a command")
        seen[folded] = name
