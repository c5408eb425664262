"""How many people share the same answers: k-anonymity, l-diversity and small cells."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

SMALL = 5  # a cell of fewer people is small
Person = Mapping[str, str]  # attribute -> value, '' = none


def describe(people: Sequence[Person]) -> dict[str, Any]:
    """Return k, the people in small classes, and each attribute's cells and diversity.

    A class holds the people with the same values of every attribute; k is the size of the
    smallest. An attribute's `l` is the least number of its values among people who share all
    others: with 1, anyone who knows the others knows it too. People `alone` are not counted in
    `in_small_classes`.
    """
    names = sorted({name for one in people for name in one})
    classes = Counter(tuple(one.get(name, "") for name in names) for one in people)
    return {
        "people": len(people),
        "attributes": names,
        "k": min(classes.values(), default=0),
        "classes": len(classes),
        "alone": sum(size for size in classes.values() if size == 1),
        "in_small_classes": sum(size for size in classes.values() if 1 < size < SMALL),
        "by_attribute": [attribute(name, names, people) for name in names],
    }


def attribute(name: str, names: Sequence[str], people: Sequence[Person]) -> dict[str, Any]:
    """Return one attribute's values, its small cells and its l."""
    cells = Counter(one.get(name, "") for one in people)
    values = defaultdict[tuple[str, ...], set[str]](set)
    for one in people:
        others = tuple(one.get(other, "") for other in names if other != name)
        values[others].add(one.get(name, ""))
    return {
        "name": name,
        "values": len(cells),
        "smallest": min(cells.values(), default=0),
        "small_cells": sum(size < SMALL for size in cells.values()),
        "l": min((len(found) for found in values.values()), default=0),
    }
