"""Generate the functions of each rule form that agree with the shown cells, without repeats.

Call them through `rules.py`; `counting.py` counts the same functions without listing them. Every
generator takes (n_class, n_role, dimensions, shown) and yields grids in a fixed order.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from app.game.model import Cell, Dimension, Grid, Output

Value = TypeVar("Value", int, Output)
Row = tuple[Output, ...]  # the outputs of one class, by role
Seen = Sequence[tuple[int, Output]]  # shown cells of some classes: (role, output)


def space_of(dimensions: Sequence[Dimension]) -> tuple[Output, ...]:
    """Return the product of the dimensions' values; the last dimension varies fastest."""
    return tuple(product(*(dimension.values for dimension in dimensions)))


def agreeing(values: Sequence[Value], given: Sequence[Value]) -> tuple[Value, ...]:
    """Return the values that equal every given one (all values if none is given)."""
    if not given:
        return tuple(values)
    first = given[0]
    return (first,) if first in values and all(other == first for other in given) else ()


def additive(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> Iterator[Grid]:
    """Yield sums; with the least role part set to 0, each function is one pair of parts."""
    values = dimensions[0].values
    allowed = frozenset(values)

    def fits(class_: int, role: int, total: int) -> bool:
        return total in allowed and shown.get((class_, role), (total,)) == (total,)

    def extend(by_role: tuple[int, ...], left: tuple[tuple[int, ...], ...]) -> Iterator[Grid]:
        role = len(by_role)
        if role == n_role:
            if min(by_role) == 0:
                for by_class in product(*left):
                    yield tuple(tuple((a + b,) for b in by_role) for a in by_class)
            return
        for b in range(values[-1] - values[0] + 1):
            narrowed = tuple(
                tuple(a for a in parts if fits(class_, role, a + b))
                for class_, parts in enumerate(left)
            )
            if all(narrowed):
                yield from extend((*by_role, b), narrowed)

    return extend((), (values,) * n_class)


def compositional_options(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the values left in dimension 0 for each class and in dimension 1 for each role."""
    by_class: list[list[int]] = [[] for _ in range(n_class)]
    by_role: list[list[int]] = [[] for _ in range(n_role)]
    for (class_, role), output in shown.items():
        by_class[class_].append(output[0])
        by_role[role].append(output[1])
    return (
        [agreeing(dimensions[0].values, given) for given in by_class],
        [agreeing(dimensions[1].values, given) for given in by_role],
    )


def compositional(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> Iterator[Grid]:
    """Yield pairs: dimension 0 by class, dimension 1 by role."""
    class_options, role_options = compositional_options(n_class, n_role, dimensions, shown)
    if not all(role_options):  # saves walking every choice by class for nothing
        return
    for by_class in product(*class_options):
        for by_role in product(*role_options):
            yield tuple(tuple((a, b) for b in by_role) for a in by_class)


def row_options(
    varying: int, n_role: int, dimensions: Sequence[Dimension], seen: Seen
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Return the values left for rows in which only dimension `varying` depends on the role.

    Returns: (values of the other, constant dimension; by role, values of the varying one).
    """
    constant = 1 - varying
    by_role: list[list[int]] = [[] for _ in range(n_role)]
    for role, output in seen:
        by_role[role].append(output[varying])
    return (
        agreeing(dimensions[constant].values, [output[constant] for _, output in seen]),
        [agreeing(dimensions[varying].values, given) for given in by_role],
    )


def _rows(varying: int, n_role: int, dimensions: Sequence[Dimension], seen: Seen) -> Iterator[Row]:
    constants, by_role = row_options(varying, n_role, dimensions, seen)
    for constant in constants:
        for chosen in product(*by_role):
            yield tuple((v, constant) if varying == 0 else (constant, v) for v in chosen)


def flat(row: Row) -> bool:
    """Tell whether a row gives every role the same output."""
    return all(output == row[0] for output in row)


def parties(n_class: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split the classes into two non-empty parties, class 0 in party 0.

    Each is a tuple by class: the number of its party, 0 or 1.
    """
    for bits in range(1, 2 ** (n_class - 1)):
        yield (0, *(bits >> shift & 1 for shift in range(n_class - 1)))


def seen_by(party: Sequence[int], number: int, shown: Mapping[Cell, Output]) -> Seen:
    """Return the shown (role, output) of the classes in one of the two parties."""
    return [(role, output) for (c, role), output in shown.items() if party[c] == number]


def conditional(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> Iterator[Grid]:
    """Yield functions whose classes share one row, then those with two different rows.

    A row in which neither dimension varies belongs to both regimes but is yielded once.
    """
    everything = seen_by((0,) * n_class, 0, shown)
    for row in _rows(0, n_role, dimensions, everything):
        yield (row,) * n_class
    for row in _rows(1, n_role, dimensions, everything):
        if not flat(row):
            yield (row,) * n_class
    for party in parties(n_class):
        first, second = seen_by(party, 0, shown), seen_by(party, 1, shown)
        for varying in (0, 1):
            for row, other in _row_pairs(varying, n_role, dimensions, (first, second)):
                repeated = varying == 1 and flat(row) and flat(other)
                if row != other and not repeated:
                    yield tuple(other if number else row for number in party)


def _row_pairs(
    varying: int, n_role: int, dimensions: Sequence[Dimension], seen: tuple[Seen, Seen]
) -> Iterator[tuple[Row, Row]]:
    """Yield pairs of a row of the regime where `varying` varies and a row of the other regime."""
    others = (1 - varying, n_role, dimensions, seen[1])
    if next(_rows(*others), None) is None:
        return
    for row in _rows(varying, n_role, dimensions, seen[0]):
        for other in _rows(*others):
            yield row, other


def override_options(
    u: int, n_class: int, space: Sequence[Output], shown: Mapping[Cell, Output]
) -> tuple[tuple[Output, ...], list[tuple[Output, ...]]]:
    """Return the outputs left for h and for each class's base if role `u` overrides."""
    h_given = [output for (_, role), output in shown.items() if role == u]
    base_given: list[list[Output]] = [[] for _ in range(n_class)]
    for (class_, role), output in shown.items():
        if role != u:
            base_given[class_].append(output)
    return agreeing(space, h_given), [agreeing(space, given) for given in base_given]


def override(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> Iterator[Grid]:
    """Yield base outputs by class under one override role; each grid for its first role only."""
    space = space_of(dimensions)
    for u in range(n_role):
        h_options, base_options = override_options(u, n_class, space, shown)
        if not h_options:  # saves walking every choice of bases for nothing
            continue
        for bases in product(*base_options):
            for h in h_options:
                grid = tuple(
                    tuple(h if role == u else base for role in range(n_role)) for base in bases
                )
                if not any(_overrides(grid, earlier) for earlier in range(u)):
                    yield grid


def _overrides(grid: Grid, u: int) -> bool:
    """Tell whether the grid can be read with role `u` as the override."""
    return all(row[u] == grid[0][u] for row in grid) and all(
        flat(row[:u] + row[u + 1 :]) for row in grid
    )
