"""The eight tasks of the paper as data, and the length of their processes.

Dimensions are in the order in which the paper writes them in its grids: `crimson short` is
(color, size) in A-Cond, `colossal crimson` is (size, color) in A-Comp.
Source: game.md section 3; the paper's appendix, Task Instantiation Details.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import cast

from app.game.model import Dimension, Output, Task
from app.game.rules import base_table, table, truth
from app.game.taskdata import parse_task, task_from_dict, task_to_dict
from app.game.tasktables import entry_places

__all__ = [
    "TASKS",
    "TASK_NAMES",
    "has_fixed_ref_length",
    "max_ref_length",
    "parse_task",
    "permute_task",
    "task_from_dict",
    "task_to_dict",
]

_ACTIVITY = Dimension("activity", (0, 1))
_ORDER = Dimension("order", (0, 1))
_NO_REGIMES = (0, 0)
_ONCE = (("count", 1),)

_EIGHT = (
    Task(
        name="A-Add",
        family="attribute",
        form="additive",
        n_class=3,
        n_role=3,
        dimensions=(Dimension("size", (0, 1, 2, 3, 4), numbered=True),),
        tables=(("class", (2, 1, 0)), ("role", (2, 1, 0))),
        varies=_NO_REGIMES,
        fixed=(),
        split_law="latin",
        n_tries=5,
    ),
    Task(
        name="A-Comp",
        family="attribute",
        form="compositional",
        n_class=3,
        n_role=3,
        dimensions=(Dimension("size", (0, 1, 2)), Dimension("color", (0, 1, 2))),
        tables=(("class", (0, 1, 2)), ("role", (0, 1, 2))),
        varies=_NO_REGIMES,
        fixed=(),
        split_law="latin",
        n_tries=9,
    ),
    Task(
        name="A-Cond",
        family="attribute",
        form="conditional",
        n_class=4,
        n_role=3,
        dimensions=(Dimension("color", (0, 1, 2)), Dimension("size", (0, 1, 2, 3))),
        tables=(
            ("regime", (0, 0, 1, 1)),
            ("fixed", (0, 3)),
            ("regime_0", (0, 1, 2)),
            ("regime_1", (0, 1, 2)),
        ),
        varies=(1, 0),
        fixed=(),
        split_law="regime",
        n_tries=6,
    ),
    Task(
        name="A-Over",
        family="attribute",
        form="override",
        n_class=3,
        n_role=3,
        dimensions=(Dimension("size", (0, 1, 2, 3)),),
        tables=(("base", ((0,), (1,), (2,))), ("u", (2,)), ("h", (3,))),
        varies=_NO_REGIMES,
        fixed=(),
        split_law="held_out_class",
        n_tries=4,
    ),
    Task(
        name="P-Add",
        family="procedural",
        form="additive",
        n_class=2,
        n_role=2,
        dimensions=(Dimension("count", (1, 2, 3), numbered=True),),
        tables=(("class", (1, 2)), ("role", (0, 1))),
        varies=_NO_REGIMES,
        fixed=(("activity", 0), ("order", 0)),
        split_law="any_one",
        n_tries=3,
    ),
    Task(
        name="P-Comp",
        family="procedural",
        form="compositional",
        n_class=2,
        n_role=2,
        dimensions=(_ACTIVITY, _ORDER),
        tables=(("class", (0, 1)), ("role", (0, 1))),
        varies=_NO_REGIMES,
        fixed=_ONCE,
        split_law="any_one",
        n_tries=4,
    ),
    Task(
        name="P-Cond",
        family="procedural",
        form="conditional",
        n_class=4,
        n_role=2,
        dimensions=(_ACTIVITY, _ORDER),
        tables=(
            ("regime", (0, 0, 1, 1)),
            ("fixed", (0, 1)),
            ("regime_0", (0, 1)),
            ("regime_1", (0, 1)),
        ),
        varies=(0, 1),
        fixed=_ONCE,
        split_law="any_one",
        n_tries=3,
    ),
    Task(
        name="P-Over",
        family="procedural",
        form="override",
        n_class=3,
        n_role=4,
        dimensions=(_ACTIVITY, _ORDER),
        tables=(("base", ((0, 0), (1, 0), (0, 1))), ("u", (3,)), ("h", (1, 1))),
        varies=_NO_REGIMES,
        fixed=_ONCE,
        split_law="held_out_class",
        n_tries=4,
    ),
)

TASKS: Mapping[str, Task] = MappingProxyType({task.name: task for task in _EIGHT})
TASK_NAMES: tuple[str, ...] = tuple(TASKS)

_HALF = 0.5
_BASE_NODES = 4  # go, buy, go, defeat


def max_ref_length(task: Task) -> int:
    """Return the largest ref_length (nodes of the goal network) of any cell."""
    if task.family == "attribute":
        return _BASE_NODES
    fixed = dict(task.fixed)
    if "count" in fixed:
        return _BASE_NODES + fixed["count"]
    place = [dimension.name for dimension in task.dimensions].index("count")
    return _BASE_NODES + max(output[place] for row in truth(task) for output in row)


def has_fixed_ref_length(task: Task) -> bool:
    """Tell whether ref_length is the same for every answer, so that a budget reveals nothing."""
    return all(dimension.name != "count" for dimension in task.dimensions)


def permute_task(task: Task, rng: Random) -> Task:
    """Return the task with its activities and its orders relabelled at random, in the same form.

    Each of the two is exchanged with probability 1/2; this always takes two draws of
    `rng.random()`. Attribute tasks have neither and are returned unchanged.
    """
    exchanged = {name for name in ("activity", "order") if rng.random() < _HALF}

    def relabel(name: str, value: int) -> int:
        return 1 - value if name in exchanged else value

    names = [dimension.name for dimension in task.dimensions]
    places = entry_places(task.form, task.n_class, task.n_role, task.varies)

    def entries(name: str, given: Sequence[int]) -> tuple[int, ...]:
        if name not in places:
            return tuple(given)
        return tuple(relabel(names[at], v) for at, v in zip(places[name], given, strict=True))

    def outputs(given: Sequence[Output]) -> tuple[Output, ...]:
        return tuple(tuple(map(relabel, names, output)) for output in given)

    tables: list[tuple[str, tuple[int, ...] | tuple[Output, ...]]] = []
    for name, given in task.tables:
        if name == "base":
            tables.append((name, outputs(base_table(task))))
        elif name == "h":
            tables.append((name, outputs([table(task, "h")])[0]))
        else:
            tables.append((name, entries(name, cast("tuple[int, ...]", given))))
    fixed = tuple((name, relabel(name, value)) for name, value in task.fixed)
    return replace(task, tables=tuple(tables), fixed=fixed)
