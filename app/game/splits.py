"""Choose which cells to hold out: every source/gen split that a task's split law allows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import factorial, perm

from app.errors import FieldError
from app.game.model import Cell, Task
from app.game.rules import table

MAX_SPLITS = 50_000  # above 8! = 40320, the latin splits of the largest grid


@lru_cache(maxsize=256)
def all_splits(task: Task) -> tuple[tuple[Cell, ...], ...]:
    """Return the gen cells of every split that the task's law allows.

    latin: one gen cell in every row and every column. regime: one gen cell per class, and the
    classes of a regime miss different roles. held_out_class: one class keeps a single source cell,
    not of the override role; its other cells are gen. any_one: any single cell is gen.

    Returns: one sorted tuple of gen cells per split; the order is always the same.
    Raises: FieldError: the law does not apply to this grid, or allows too many splits.
    Source: game.md section 4; 6, 6, 36, 6, 4, 4, 8 and 9 splits for the eight tasks.
    """
    check_law(task)
    law = {
        "latin": _latin,
        "regime": _regime,
        "held_out_class": _held_out_class,
        "any_one": _any_one,
    }[task.split_law]
    return tuple(tuple(sorted(gen_cells)) for gen_cells in law(task))


def source_cells(task: Task, gen_cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells that are not gen, class by class."""
    held_out = frozenset(gen_cells)
    return tuple(cell for cell in _cells(task) if cell not in held_out)


def check_law(task: Task) -> None:
    """Refuse a split law that does not apply to the task's grid.

    Raises: FieldError: on `split_law`.
    """
    if task.split_law == "latin" and task.n_class != task.n_role:
        raise FieldError("split_law", "latin needs as many classes as roles")
    if task.split_law == "regime":
        _check_regimes(task)
    if task.split_law == "held_out_class" and task.form != "override":
        raise FieldError("split_law", "held_out_class needs an override rule")
    if _count(task) > MAX_SPLITS:
        raise FieldError("split_law", f"allows more than {MAX_SPLITS} splits of this grid")


def _check_regimes(task: Task) -> None:
    if task.form != "conditional":
        raise FieldError("split_law", "regime needs a conditional rule")
    if max(len(classes) for classes in _regimes(task)) > task.n_role:
        problem = "regime needs at least as many roles as classes in a regime"
        raise FieldError("split_law", problem)


def _count(task: Task) -> int:
    """Return the number of splits under the two laws where it grows fast, otherwise 1."""
    if task.split_law == "latin":
        return factorial(task.n_class)
    if task.split_law == "regime":
        first, second = _regimes(task)
        return perm(task.n_role, len(first)) * perm(task.n_role, len(second))
    return 1


def _cells(task: Task) -> Iterator[Cell]:
    return product(range(task.n_class), range(task.n_role))


def _regimes(task: Task) -> tuple[list[int], list[int]]:
    regime = table(task, "regime")
    return (
        [class_ for class_ in range(task.n_class) if regime[class_] == 0],
        [class_ for class_ in range(task.n_class) if regime[class_] == 1],
    )


def _latin(task: Task) -> Iterator[tuple[Cell, ...]]:
    for roles in permutations(range(task.n_role)):
        yield tuple(enumerate(roles))


def _regime(task: Task) -> Iterator[tuple[Cell, ...]]:
    first, second = _regimes(task)
    for missing_first in permutations(range(task.n_role), len(first)):
        for missing_second in permutations(range(task.n_role), len(second)):
            yield (
                *zip(first, missing_first, strict=True),
                *zip(second, missing_second, strict=True),
            )


def _held_out_class(task: Task) -> Iterator[tuple[Cell, ...]]:
    override = table(task, "u")[0]
    for class_, kept in product(range(task.n_class), range(task.n_role)):
        if kept != override:
            yield tuple((class_, role) for role in range(task.n_role) if role != kept)


def _any_one(task: Task) -> Iterator[tuple[Cell, ...]]:
    for cell in _cells(task):
        yield (cell,)
