"""Word pools for every name a player reads. The data is in app/lexica/ and is checked here.

Variants are drawn from these pools (variant.py). No word occurs twice in a file, so names drawn
from different pools never collide.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import FieldError
from app.game.command import ARGUMENT_KINDS, BARE_VERBS, fold
from app.game.plain_json import load

# Minimum numbers of words: what the eight tasks need at coverage 2 with 8 distractors.
LEAST: Mapping[str, int] = {
    "classes": 4,
    "roles": 4,
    "nouns": 2,
    "traits": 5,
    "first_names": 29,
    "last_names": 29,
    "places": 29,
    "shops": 2,
    "starts": 1,
    "rituals": 1,
    "potions": 1,
}
LEAST_DIMENSIONS: Mapping[str, int] = {"size": 4, "color": 3}
LEAST_DISTRACTOR_LABELS = 2  # a distractor has two attributes
LEAST_DISTRACTOR_VALUES = 4  # each takes one of four values
NAMES_OF_PEOPLE = ("first_names", "last_names")
MAX_WORD = 24  # characters; names are made of up to three words

_WORD = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*")
_PERSON = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_RESERVED = frozenset(part for v in (*ARGUMENT_KINDS, *BARE_VERBS) for part in v.split("_"))


@dataclass(frozen=True, slots=True)
class DimensionWords:
    """Words of one item dimension. `labels`: pool for its name, which is shown before a number."""

    name: str
    labels: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The pools of one lexicon, each in file order (draws depend on it).

    `class_labels`, `role_labels`: pools for the two attribute labels. `distractor_attributes`:
    (label, its values) for entities that follow no pattern. `traits`: first part of the names of
    items that the rule does not distinguish. `starts`: neutral starting places.
    """

    name: str
    class_labels: tuple[str, ...]
    role_labels: tuple[str, ...]
    classes: tuple[str, ...]
    roles: tuple[str, ...]
    dimensions: tuple[DimensionWords, ...]
    distractor_attributes: tuple[tuple[str, tuple[str, ...]], ...]
    nouns: tuple[str, ...]
    traits: tuple[str, ...]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    places: tuple[str, ...]
    shops: tuple[str, ...]
    starts: tuple[str, ...]
    rituals: tuple[str, ...]
    potions: tuple[str, ...]

    def dimension(self, name: str) -> DimensionWords:
        """Return the words of a dimension.

        Raises: FieldError: the lexicon has no words for it.
        """
        for dimension in self.dimensions:
            if dimension.name == name:
                return dimension
        raise FieldError(f"dimensions.{name}", f"the lexicon {self.name} has no words for it")


def parse_lexicon(text: str) -> Lexicon:
    """Read a lexicon file (JSON) and check every word of it.

    Raises: FieldError: names the field, such as `places[3]`, and says what is wrong with it.
    """
    data = _load(text)
    _fields(data, "lexicon", ("name", "labels", "dimensions", "distractor_attributes", *LEAST))
    name = data["name"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise FieldError("name", "use up to 40 of a-z, 0-9, - and _, beginning with a letter")
    labels = _object(data["labels"], "labels")
    _fields(labels, "labels", ("class", "role"))
    lexicon = Lexicon(
        name=name,
        class_labels=_pool(labels["class"], "labels.class", 1),
        role_labels=_pool(labels["role"], "labels.role", 1),
        dimensions=_dimensions(data["dimensions"]),
        distractor_attributes=_distractor_attributes(data["distractor_attributes"]),
        **{field: _pool(data[field], field, least) for field, least in LEAST.items()},
    )
    _check_distinct(lexicon)
    return lexicon


def _load(text: str) -> dict[str, Any]:
    return _object(load(text, "lexicon"), "lexicon")


def _object(data: object, field: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FieldError(field, "must be an object with named fields")
    return data


def _fields(data: Mapping[str, Any], field: str, wanted: Iterable[str]) -> None:
    """Refuse missing and unknown fields by name."""
    wanted = tuple(wanted)
    for name in wanted:
        if name not in data:
            raise FieldError(name if field == "lexicon" else f"{field}.{name}", "is missing")
    for name in data:
        if name not in wanted:
            raise FieldError(
                name if field == "lexicon" else f"{field}.{name}",
                f"is not a field here; use {', '.join(wanted)}",
            )


def _pool(data: object, field: str, least: int) -> tuple[str, ...]:
    if not isinstance(data, list):
        raise FieldError(field, "must be a list of words")
    for index, word in enumerate(data):
        _check_word(word, f"{field}[{index}]", person=field in NAMES_OF_PEOPLE)
    if len(data) < least:
        raise FieldError(field, f"must have at least {least} words, not {len(data)}")
    return tuple(data)


def _check_word(word: object, field: str, *, person: bool = False) -> None:
    """Refuse a word that could not be typed or could be mistaken for something else."""
    if not isinstance(word, str) or not word:
        raise FieldError(field, "must be a word")
    if len(word) > MAX_WORD:
        raise FieldError(field, f"must have at most {MAX_WORD} characters, not {len(word)}")
    if not (_PERSON if person else _WORD).fullmatch(word):
        letters = "letters only" if person else "letters only, with single _ between words"
        raise FieldError(field, f"{word!r} must be {letters}")
    if unicodedata.normalize("NFC", word) != word:
        raise FieldError(field, f"{word!r} must be written with composed characters (NFC)")
    if person and not word[0].isupper():
        raise FieldError(field, f"{word!r} must begin with a capital letter")
    if not person and word != word.lower():
        raise FieldError(field, f"{word!r} must be in lower case")
    if fold(word).replace(" ", "") != word.casefold().replace("_", ""):
        raise FieldError(field, f"{word!r} begins with a word that is ignored in commands")
    for part in word.casefold().split("_"):
        if part in _RESERVED or part in ("to", "the"):
            raise FieldError(field, f"{word!r} contains {part!r}, which is used in commands")


def _dimensions(data: object) -> tuple[DimensionWords, ...]:
    dimensions = _object(data, "dimensions")
    for name in LEAST_DIMENSIONS:
        if name not in dimensions:
            raise FieldError(f"dimensions.{name}", "is missing")
    found = []
    for name, entry in dimensions.items():
        field = f"dimensions.{name}"
        if not _NAME.fullmatch(name):
            raise FieldError(field, "use up to 40 of a-z, 0-9, - and _, beginning with a letter")
        _fields(_object(entry, field), field, ("labels", "words"))
        labels = _pool(entry["labels"], f"{field}.labels", 1)
        words = _pool(entry["words"], f"{field}.words", LEAST_DIMENSIONS.get(name, 1))
        found.append(DimensionWords(name, labels, words))
    return tuple(found)


def _distractor_attributes(data: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    field = "distractor_attributes"
    attributes = _object(data, field)
    if len(attributes) < LEAST_DISTRACTOR_LABELS:
        raise FieldError(field, f"needs at least {LEAST_DISTRACTOR_LABELS} labels")
    found = []
    for label, values in attributes.items():
        _check_word(label, f"{field}.{label}")
        found.append((label, _pool(values, f"{field}.{label}", LEAST_DISTRACTOR_VALUES)))
    return tuple(found)


def _check_distinct(lexicon: Lexicon) -> None:
    """Refuse a repeated word, or a long one that looks like a made-up name."""
    words = list(_all_words(lexicon))
    seen: dict[str, str] = {}
    for field, word in words:
        first = seen.setdefault(fold(word), field)
        if first != field:
            raise FieldError(field, f"{word!r} is already used at {first}")
    ends = {fold(word) for word in (*lexicon.nouns, *lexicon.last_names)}
    for field, word in words:
        if "_" in word and fold(word).rsplit(" ", 1)[-1] in ends:
            raise FieldError(field, f"{word!r} ends like the name of an item or a person")


def _all_words(lexicon: Lexicon) -> Iterable[tuple[str, str]]:
    """Yield (field, word) for every word of the file."""
    pools = [
        ("labels.class", lexicon.class_labels),
        ("labels.role", lexicon.role_labels),
        *((field, getattr(lexicon, field)) for field in LEAST),
    ]
    for entry in lexicon.dimensions:
        pools.append((f"dimensions.{entry.name}.labels", entry.labels))
        pools.append((f"dimensions.{entry.name}.words", entry.words))
    for label, values in lexicon.distractor_attributes:
        yield f"distractor_attributes.{label}", label
        pools.append((f"distractor_attributes.{label}", values))
    for field, pool in pools:
        for index, word in enumerate(pool):
            yield f"{field}[{index}]", word
