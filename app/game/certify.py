"""Prove what the shown demonstrations say about a variant: do they identify the rule?

Prediction sets come from the shown source cells alone. Everything is exact: all rules of the
task's form are counted, and shares are fractions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from app.game.counting import count_functions, predictions
from app.game.model import Cell, Grid, Output, Task, Variant
from app.game.rivals import Fit, find_rivals, find_twins
from app.game.rules import table

CERTIFICATES_KEPT = 1024  # variants of one task, split and coverage share a certificate
AT_LEAST = 2  # roles per class (conditional), classes with the override (override)


@dataclass(frozen=True, slots=True)
class CellCertificate:
    """What the shown cells leave possible for one gen cell.

    `class_` and `role` are names, empty without a variant to name them.
    `predictions` in index order; `truth` is the answer that the game accepts.
    """

    cell: Cell
    class_: str
    role: str
    predictions: tuple[Output, ...]
    truth: Output


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof for one variant.

    `unique`: every gen cell has exactly one prediction, the truth. `rules_consistent`: number of
    distinct functions of the task's form that fit. `twins`, `rivals`: see rivals.py; at most
    MAX_LISTED per form and direction; `n_twins` and `n_rivals` count all. `conditions`: the
    paper's conditions by name. `share_determined`: share of gen cells with exactly one prediction.
    """

    unique: bool
    rules_consistent: int
    cells: tuple[CellCertificate, ...]
    twins: tuple[Fit, ...]
    rivals: tuple[Fit, ...]
    conditions: Mapping[str, bool]
    contextual_bias: Fraction
    share_determined: Fraction
    n_twins: int
    n_rivals: int


def certify(variant: Variant) -> Certificate:
    """Return the certificate of a variant, with classes and roles by name."""
    shown = shown_outputs(variant)
    certificate = certify_cells(variant.task, shown, variant.gen_cells, variant.grid)
    named = tuple(
        replace(one, class_=variant.classes[one.cell[0]], role=variant.roles[one.cell[1]])
        for one in certificate.cells
    )
    return replace(certificate, cells=named)


def shown_outputs(variant: Variant) -> dict[Cell, Output]:
    """Return the source cells that the variant's demonstrations show, with their outputs.

    Distractors have no cell, so they are left out.
    """
    cells = [variant.entity(demonstration.entity).cell for demonstration in variant.demonstrations]
    return {cell: variant.grid[cell[0]][cell[1]] for cell in cells if cell is not None}


def certify_cells(
    task: Task, shown: Mapping[Cell, Output], gen_cells: Sequence[Cell], grid: Grid
) -> Certificate:
    """Certify on indices; results are cached by arguments.

    Args:
        task: gives form, sizes, dimensions, and the tables that the conditions refer to.
        shown: what the player is shown, source cells only.
        gen_cells: the cells to predict.
        grid: the right answers; used for `truth` and comparisons with it, never for predictions.
    """
    certificate = _certify(task, tuple(sorted(shown.items())), tuple(gen_cells), grid)
    return replace(certificate, conditions=dict(certificate.conditions))


@lru_cache(maxsize=CERTIFICATES_KEPT)
def _certify(
    task: Task, pairs: tuple[tuple[Cell, Output], ...], gen_cells: tuple[Cell, ...], grid: Grid
) -> Certificate:
    shown = dict(pairs)
    frame = (task.form, task.n_class, task.n_role, task.dimensions, shown)
    cells = tuple(
        CellCertificate(cell, "", "", predictions(*frame, cell=cell), grid[cell[0]][cell[1]])
        for cell in gen_cells
    )
    twins = find_twins(task, shown, gen_cells, grid)
    rivals = find_rivals(task, shown, gen_cells, grid)
    return Certificate(
        unique=all(one.predictions == (one.truth,) for one in cells),
        rules_consistent=count_functions(*frame),
        cells=cells,
        twins=twins.listed,
        rivals=rivals.listed,
        conditions=graph_conditions(task, shown, gen_cells),
        contextual_bias=contextual_bias(shown, [one.truth for one in cells]),
        share_determined=Fraction(sum(len(one.predictions) == 1 for one in cells), len(cells)),
        n_twins=twins.total,
        n_rivals=rivals.total,
    )


def contextual_bias(shown: Mapping[Cell, Output], answers: Sequence[Output]) -> Fraction:
    """Return the chance of being right at the first try by copying one of the distinct outputs.

    Args:
        shown: source cells shown, with their outputs.
        answers: the right output of each gen cell, at least one.

    Returns: mean over the answers of 1[answer is shown] / number of distinct outputs shown; 0 if
        nothing is shown.
    Source: game.md section 4; the paper, section on contextual bias.
    """
    distinct = frozenset(shown.values())
    if not distinct:
        return Fraction(0)
    return Fraction(sum(answer in distinct for answer in answers), len(distinct) * len(answers))


def graph_conditions(
    task: Task, shown: Mapping[Cell, Output], gen_cells: Sequence[Cell]
) -> dict[str, bool]:
    """Return the identifiability conditions of the paper for the task's form, by name.

    Source: the paper's appendix, Identifiability Conditions; `every_value_shown` is the second
    condition of its section of that name.
    """
    if task.form == "conditional":
        return _conditional_conditions(task, shown)
    if task.form == "override":
        return _override_conditions(task, shown, gen_cells)
    classes, roles = {c for c, _ in shown}, {r for _, r in shown}
    return {
        "bipartite_connected": _connected(task, shown),
        "every_value_shown": len(classes) == task.n_class and len(roles) == task.n_role,
    }


def _connected(task: Task, shown: Mapping[Cell, Output]) -> bool:
    """Tell whether the shown cells connect all classes and all roles."""
    classes, roles = {0}, set[int]()
    for _ in range(task.n_class + task.n_role):  # each round reaches another node or is the last
        roles |= {r for c, r in shown if c in classes}
        classes |= {c for c, r in shown if r in roles}
    return len(classes) == task.n_class and len(roles) == task.n_role


def _conditional_conditions(task: Task, shown: Mapping[Cell, Output]) -> dict[str, bool]:
    regime = table(task, "regime")
    seen = {(regime[class_], role) for class_, role in shown}
    return {
        "two_roles_per_class": all(
            sum(c == class_ for c, _ in shown) >= AT_LEAST for class_ in range(task.n_class)
        ),
        "every_role_in_each_regime": len(seen) == len(set(regime)) * task.n_role,
    }


def _override_conditions(
    task: Task, shown: Mapping[Cell, Output], gen_cells: Sequence[Cell]
) -> dict[str, bool]:
    u = table(task, "u")[0]
    withheld = [class_ for class_, role in gen_cells if role == u]
    return {
        "base_shown_for_every_class": len({c for c, r in shown if r != u}) == task.n_class,
        "override_shown_for_two_classes": len({c for c, r in shown if r == u}) >= AT_LEAST,
        "override_withheld_for_one_class": len(withheld) == 1,
        "base_withheld_for_that_class": len(withheld) == 1
        and any(c == withheld[0] and r != u for c, r in gen_cells),
    }


def describe_output(variant: Variant, output: Output) -> str:
    """Return an output in words: an item's name, or a process such as `drink after`.

    The number of activities follows (`perform before x2`) only where the rule decides it.

    Raises: KeyError: the variant has no such output.
    """
    process = dict(variant.outputs)[output]
    if process.activity is None:
        return process.item
    words = f"{process.activity.verb} {process.order}"
    counted = any(dimension.name == "count" for dimension in variant.task.dimensions)
    return f"{words} x{process.count}" if counted else words


def certificate_to_dict(variant: Variant, certificate: Certificate) -> dict[str, Any]:
    """Return a certificate in words, ready for JSON; fractions become floats."""

    def words(outputs: Sequence[Output]) -> list[str]:
        return [describe_output(variant, output) for output in outputs]

    return {
        "unique": certificate.unique,
        "rules_consistent": certificate.rules_consistent,
        "cells": [
            {
                "class": one.class_,
                "role": one.role,
                "predictions": words(one.predictions),
                "truth": describe_output(variant, one.truth),
            }
            for one in certificate.cells
        ],
        "twins": [
            {"predictions": words(fit.predictions), "right": fit.right} for fit in certificate.twins
        ],
        "n_twins": certificate.n_twins,
        "rivals": [
            {"form": fit.form, "swapped": fit.swapped, "predictions": words(fit.predictions)}
            for fit in certificate.rivals
        ],
        "n_rivals": certificate.n_rivals,
        "conditions": dict(certificate.conditions),
        "contextual_bias": float(certificate.contextual_bias),
        "share_determined": float(certificate.share_determined),
    }
