"""The four rule forms, on indices: what a task's rule gives, and every rule of a form that fits.

A *function* is a rule seen from outside: one output per cell, so a `Grid`. Two rules with
different tables but the same grid are one function. `functions` lists the functions of a form
without repeats and in a fixed order; `counting.py` counts them without listing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from app.game import families
from app.game.model import FORMS, Cell, Dimension, Grid, Output, Task

PLANE = 2  # number of dimensions that compositional and conditional rules are made of


def table(task: Task, name: str) -> tuple[int, ...]:
    """Return a rule table of plain integers, such as `class`, `regime`, `u` or `h`."""
    return cast("tuple[int, ...]", dict(task.tables)[name])


def base_table(task: Task) -> tuple[Output, ...]:
    """Return the base outputs by class of an override task."""
    return cast("tuple[Output, ...]", dict(task.tables)["base"])


@lru_cache(maxsize=256)
def output_space(task: Task) -> tuple[Output, ...]:
    """Return every output of the dimensions in index order, whether or not the rule reaches it."""
    return families.space_of(task.dimensions)


@lru_cache(maxsize=256)
def truth(task: Task) -> Grid:
    """Return the rule applied to every cell: `truth(task)[class][role]`."""
    rule = {
        "additive": _additive_output,
        "compositional": _compositional_output,
        "conditional": _conditional_output,
        "override": _override_output,
    }[task.form]
    return tuple(
        tuple(rule(task, class_, role) for role in range(task.n_role))
        for class_ in range(task.n_class)
    )


def reachable(task: Task) -> tuple[Output, ...]:
    """Return the distinct outputs that the rule gives, in index order."""
    given = {output for row in truth(task) for output in row}
    return tuple(output for output in output_space(task) if output in given)


def _additive_output(task: Task, class_: int, role: int) -> Output:
    return (table(task, "class")[class_] + table(task, "role")[role],)


def _compositional_output(task: Task, class_: int, role: int) -> Output:
    return (table(task, "class")[class_], table(task, "role")[role])


def _conditional_output(task: Task, class_: int, role: int) -> Output:
    regime = table(task, "regime")[class_]
    varying = table(task, f"regime_{regime}")[role]
    constant = table(task, "fixed")[regime]
    return (varying, constant) if task.varies[regime] == 0 else (constant, varying)


def _override_output(task: Task, class_: int, role: int) -> Output:
    if role == table(task, "u")[0]:
        return table(task, "h")
    return base_table(task)[class_]


def applicable(form: str, dimensions: Sequence[Dimension]) -> bool:
    """Tell whether rules of a form exist on an output space.

    Additive rules need exactly one dimension, a numbered one; compositional and conditional rules
    need two dimensions; override rules take any.
    """
    if form == "additive":
        return len(dimensions) == 1 and dimensions[0].numbered
    if form in {"compositional", "conditional"}:
        return len(dimensions) == PLANE
    return form in FORMS


def transpose_shown(shown: Mapping[Cell, Output]) -> dict[Cell, Output]:
    """Return the same outputs with class and role exchanged in every cell."""
    return {(role, class_): output for (class_, role), output in shown.items()}


def iter_functions(
    form: str,
    n_class: int,
    n_role: int,
    dimensions: Sequence[Dimension],
    shown: Mapping[Cell, Output],
    *,
    swapped: bool = False,
) -> Iterator[Grid]:
    """Yield the distinct functions of a form that agree with the shown cells.

    Args:
        form: one of FORMS.
        n_class: number of classes (rows).
        n_role: number of roles (columns).
        dimensions: the output space; values of a numbered dimension are consecutive and >= 0.
        shown: cell -> output; may be empty.
        swapped: class and role exchange their parts in the rule.

    Returns: grids[class][role], no two equal, always in the same order; empty where the form is
        not applicable. They can be very many for large grids with little shown:
        `counting.count_functions` tells how many.
    Source: game.md section 4 (1001, 729, 289500, 760, 19, 16, 768, 1012 with nothing shown).
    """
    if not applicable(form, dimensions):
        return iter(())
    if swapped:
        mirrored = iter_functions(form, n_role, n_class, dimensions, transpose_shown(shown))
        return (tuple(zip(*grid, strict=True)) for grid in mirrored)
    family = {
        "additive": families.additive,
        "compositional": families.compositional,
        "conditional": families.conditional,
        "override": families.override,
    }[form]
    return family(n_class, n_role, dimensions, shown)
