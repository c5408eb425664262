"""Count the functions of a form that fit the shown cells, and predict, without listing them.

Listing is too slow where little is shown (A-Cond has 289500 functions), but the forms factor into
independent choices, so a few multiplications count their functions. The tests compare every count
with the length of the list.
"""

from collections.abc import Mapping, Sequence
from math import prod

from app.game.families import (
    agreeing,
    compositional_options,
    override_options,
    parties,
    row_options,
    seen_by,
    space_of,
)
from app.game.model import Cell, Dimension, Output
from app.game.rules import applicable, transpose_shown

TWO_ROLES = 2  # with two columns, either can be read as the override, so readings overlap more


def count_functions(
    form: str,
    n_class: int,
    n_role: int,
    dimensions: Sequence[Dimension],
    shown: Mapping[Cell, Output],
    *,
    swapped: bool = False,
) -> int:
    """Return the number of `rules.iter_functions` for the same arguments (0 if not applicable)."""
    if not applicable(form, dimensions):
        return 0
    if swapped:
        return count_functions(form, n_role, n_class, dimensions, transpose_shown(shown))
    count = {
        "additive": _additive,
        "compositional": _compositional,
        "conditional": _conditional,
        "override": _override,
    }[form]
    return count(n_class, n_role, dimensions, shown)


def predictions(
    form: str,
    n_class: int,
    n_role: int,
    dimensions: Sequence[Dimension],
    shown: Mapping[Cell, Output],
    *,
    cell: Cell,
) -> tuple[Output, ...]:
    """Return the outputs that fitting functions give for one cell, in index order.

    Empty if no function fits.
    """
    return tuple(
        output
        for output in space_of(dimensions)
        if shown.get(cell, output) == output
        and count_functions(form, n_class, n_role, dimensions, {**shown, cell: output})
    )


def _compositional(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> int:
    by_class, by_role = compositional_options(n_class, n_role, dimensions, shown)
    return prod(map(len, by_class)) * prod(map(len, by_role))


def _conditional(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> int:
    """Count functions with one row for all classes, then those with two different rows."""
    space = space_of(dimensions)

    def rows(party: Sequence[int], number: int) -> tuple[int, int, int]:
        """Return the numbers of rows of either regime, and of flat rows (both regimes)."""
        seen = seen_by(party, number, shown)
        numbers = []
        for varying in (0, 1):
            constants, by_role = row_options(varying, n_role, dimensions, seen)
            numbers.append(len(constants) * prod(map(len, by_role)))
        flat = agreeing(space, [output for _, output in seen])
        return numbers[0], numbers[1], len(flat)

    zeros, ones, all_flat = rows((0,) * n_class, 0)
    total = zeros + ones - all_flat
    for party in parties(n_class):
        first, second = rows(party, 0), rows(party, 1)
        # flat pairs belong to both orders of the regimes; two equal rows were counted above
        total += first[0] * second[1] + first[1] * second[0] - first[2] * second[2] - all_flat
    return total


def _override(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> int:
    """Count by override role, then subtract the functions that can be read with several."""
    space = space_of(dimensions)
    total = 0
    for u in range(n_role):
        h_options, base_options = override_options(u, n_class, space, shown)
        total += len(h_options) * prod(map(len, base_options))
    if n_role == TWO_ROLES:
        columns = [[o for (_, role), o in shown.items() if role == u] for u in range(n_role)]
    else:
        columns = [list(shown.values())]
    both = prod(len(agreeing(space, column)) for column in columns)
    return total - both * (n_role - 1)


def _additive(
    n_class: int, n_role: int, dimensions: Sequence[Dimension], shown: Mapping[Cell, Output]
) -> int:
    """Count pairs of parts whose least role part is 0, by their greatest role part `d`.

    The class parts then range from the least value to the greatest value less `d`. Shown cells
    tie parts together; each tied group has only one free number, its shift.
    """
    values = dimensions[0].values
    if any(output[0] not in values for output in shown.values()):
        return 0
    groups = _tied_groups(n_class, n_role, shown)
    if groups is None:
        return 0
    low, high = values[0], values[-1]
    total = 0
    for d in range(high - low + 1):
        for sign, least, greatest in ((1, 0, d), (-1, 1, d), (-1, 0, d - 1), (1, 1, d - 1)):
            total += sign * prod(
                _shifts(group, (low, high - d), (least, greatest)) for group in groups
            )
    return total


Node = tuple[str, int]  # ("class", index) or ("role", index)
Group = tuple[list[int], list[int]]  # parts of the classes and of the roles that are tied


def _tied_groups(n_class: int, n_role: int, shown: Mapping[Cell, Output]) -> list[Group] | None:
    """Return the connected groups of the shown cells, each with its first part set to 0.

    Within a group, class parts move up together as role parts move down. None if the shown sums
    contradict each other.
    """
    sums = {(("class", c), ("role", r)): output[0] for (c, r), output in shown.items()}
    parts: dict[Node, int] = {}
    groups: list[Group] = []
    for start in [*(("class", c) for c in range(n_class)), *(("role", r) for r in range(n_role))]:
        if start not in parts:
            members = _tied_to(start, sums, parts)
            by_kind = [[parts[m] for m in members if m[0] == k] for k in ("class", "role")]
            groups.append((by_kind[0], by_kind[1]))
    consistent = all(parts[one] + parts[other] == total for (one, other), total in sums.items())
    return groups if consistent else None


def _tied_to(
    start: Node, sums: Mapping[tuple[Node, Node], int], parts: dict[Node, int]
) -> list[Node]:
    """Return every node tied to `start` by shown sums; their parts are written into `parts`."""
    parts[start] = 0
    members = [start]
    for node in members:  # grows during the loop
        for (one, other), total in sums.items():
            if node in (one, other):
                neighbour = other if node == one else one
                if neighbour not in parts:
                    parts[neighbour] = total - parts[node]
                    members.append(neighbour)
    return members


def _shifts(group: Group, class_bounds: tuple[int, int], role_bounds: tuple[int, int]) -> int:
    """Return how many shifts keep a group's class and role parts within their bounds."""
    by_class, by_role = group
    lows, highs = [], []
    if by_class:
        lows.append(class_bounds[0] - min(by_class))
        highs.append(class_bounds[1] - max(by_class))
    if by_role:
        lows.append(max(by_role) - role_bounds[1])
        highs.append(min(by_role) - role_bounds[0])
    return max(0, min(highs) - max(lows) + 1)
