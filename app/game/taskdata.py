"""Read a task from JSON, with a named error for every fault, and write it back.

```json
{"name": "P-Add", "family": "procedural", "form": "additive", "n_class": 2, "n_role": 2,
 "dimensions": [{"name": "count", "values": [1, 2, 3], "numbered": true}],
 "tables": {"class": [1, 2], "role": [0, 1]}, "varies": [0, 0],
 "fixed": {"activity": 0, "order": 0}, "split_law": "any_one", "n_tries": 3}
```
Leave out `varies` unless the form is conditional, `fixed` in attribute tasks, and `numbered` when
it is false. For the tables of each form, see `model.Task`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Any

from app.errors import FieldError
from app.game.counting import count_functions
from app.game.fieldcheck import choice, integer, items, mapping, need
from app.game.model import FAMILIES, FORMS, SPLIT_LAWS, Cell, Dimension, Output, Task
from app.game.plain_json import load
from app.game.rules import PLANE, applicable, truth
from app.game.splits import all_splits, source_cells
from app.game.tasktables import read_tables

SIZES = (2, 8)  # least and greatest number of classes and of roles
MAX_VALUES = 16  # most values of a dimension, and the largest count of activities
MAX_NUMBER = 99  # largest numbered size
PRICE = 30  # coins for an item, the same for all
COINS = 1000  # coins a player starts with
MOST_TRIES = 10**6  # a bound on the number itself; the coins pay for far fewer
SPLITS_PROVED = 128  # most splits that are proved identifiable when a task is read

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}")
_NAMES = {"attribute": ("size", "color"), "procedural": ("activity", "order", "count")}
_KEYS = tuple(Task.__dataclass_fields__)
_WORDS = {"activity": (0, 1), "order": (0, 1)}  # the only values of these two dimensions


def parse_task(text: str) -> Task:
    """Read a task from JSON text.

    Raises: FieldError: `field` is the path of the fault, such as `tables.regime`, or `task` if the
        text is not a JSON object.
    """
    data = load(text, "task")
    if not isinstance(data, dict):
        raise FieldError("task", "must be a JSON object")
    return task_from_dict(data)


def task_to_dict(task: Task) -> dict[str, Any]:
    """Return the task as plain lists and dicts, ready for JSON; `task_from_dict` reads it back."""
    return {
        "name": task.name,
        "family": task.family,
        "form": task.form,
        "n_class": task.n_class,
        "n_role": task.n_role,
        "dimensions": [
            {"name": d.name, "values": list(d.values), "numbered": d.numbered}
            for d in task.dimensions
        ],
        "tables": {
            name: [list(e) if isinstance(e, tuple) else e for e in entries]
            for name, entries in task.tables
        },
        "varies": list(task.varies),
        "fixed": dict(task.fixed),
        "split_law": task.split_law,
        "n_tries": task.n_tries,
    }


def task_from_dict(data: Mapping[str, Any]) -> Task:
    """Build a task from what `task_to_dict` writes, checking everything.

    Raises: FieldError: a field is missing, unknown, of the wrong type or out of bounds; a table
        has the wrong length or values outside its dimension; the split law does not apply to the
        grid or has a split that leaves the rule open; n_tries items cost too much.
    """
    for key in data:
        if key not in _KEYS:
            raise FieldError(str(key), f"is not a field of a task; use {', '.join(_KEYS)}")
    family = choice(data, "family", FAMILIES)
    form = choice(data, "form", FORMS)
    n_class = integer(need(data, "n_class"), "n_class", *SIZES)
    n_role = integer(need(data, "n_role"), "n_role", *SIZES)
    dimensions = _dimensions(need(data, "dimensions"), family)
    if not applicable(form, dimensions):
        raise FieldError("dimensions", _misfit(form))
    varies = _varies(data, form)
    task = Task(
        name=_name(data),
        family=family,
        form=form,
        n_class=n_class,
        n_role=n_role,
        dimensions=dimensions,
        tables=read_tables(need(data, "tables"), form, (n_class, n_role), dimensions, varies),
        varies=varies,
        fixed=_fixed(data.get("fixed", {}), family, dimensions),
        split_law=choice(data, "split_law", SPLIT_LAWS),
        n_tries=_n_tries(data),
    )
    _check_splits(task)
    return task


def _name(data: Mapping[str, Any]) -> str:
    value = need(data, "name")
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise FieldError(
            "name", "must be 1 to 40 letters, digits and hyphens, not beginning with a hyphen"
        )
    return value


def _n_tries(data: Mapping[str, Any]) -> int:
    n_tries = integer(need(data, "n_tries"), "n_tries", 2, MOST_TRIES)
    if n_tries * PRICE > COINS:
        raise FieldError("n_tries", f"{n_tries} items at {PRICE} coins cost more than {COINS}")
    return n_tries


def _varies(data: Mapping[str, Any], form: str) -> tuple[int, int]:
    if form != "conditional":
        if data.get("varies", [0, 0]) != [0, 0]:
            raise FieldError("varies", "is for conditional rules only: leave it out")
        return (0, 0)
    given = items(need(data, "varies"), "varies", 2)
    first, second = (integer(value, f"varies[{i}]", 0, 1) for i, value in enumerate(given))
    if first == second:
        raise FieldError("varies", "the two regimes must vary different dimensions")
    return (first, second)


def _misfit(form: str) -> str:
    if form == "additive":
        return "additive rules need exactly one dimension, a numbered one"
    return f"{form} rules need {PLANE} dimensions"


def _dimensions(given: Any, family: str) -> tuple[Dimension, ...]:
    names = _NAMES[family]
    listed = items(given, "dimensions")
    if not 1 <= len(listed) <= len(names):
        raise FieldError("dimensions", f"must have 1 to {len(names)} entries, not {len(listed)}")
    dimensions = tuple(
        _dimension(mapping(one, f"dimensions[{i}]"), f"dimensions[{i}].", names)
        for i, one in enumerate(listed)
    )
    if len({d.name for d in dimensions}) < len(dimensions):
        raise FieldError("dimensions", "names a dimension twice")
    return dimensions


def _dimension(data: dict[str, Any], path: str, names: Sequence[str]) -> Dimension:
    for key in data:
        if key not in (fields := ("name", "values", "numbered")):
            words = f"is not a field of a dimension; use {', '.join(fields)}"
            raise FieldError(path + key, words)
    name = need(data, "name", path)
    if name not in names:
        raise FieldError(path + "name", f"must be one of {', '.join(names)}")
    numbered = data.get("numbered", False)
    if not isinstance(numbered, bool):
        raise FieldError(path + "numbered", "must be true or false")
    if numbered != (name == "count") and name != "size":
        raise FieldError(path + "numbered", "must be true for count, false for words")
    values = items(need(data, "values", path), path + "values")
    return Dimension(name, _values(values, path + "values", name, numbered), numbered)


def _values(given: list[Any], path: str, name: str, numbered: bool) -> tuple[int, ...]:
    if not SIZES[0] <= len(given) <= MAX_VALUES:
        raise FieldError(path, f"must have {SIZES[0]} to {MAX_VALUES} entries, not {len(given)}")
    least, greatest = (1, MAX_VALUES) if name == "count" else (0, MAX_NUMBER)
    values = tuple(integer(v, f"{path}[{i}]", least, greatest) for i, v in enumerate(given))
    start = values[0] if numbered else 0
    if values != tuple(range(start, start + len(values))):
        raise FieldError(path, "must go up by 1" + ("" if numbered else ", from 0"))
    if name in _WORDS and values != _WORDS[name]:
        raise FieldError(path, f"must be 0 and 1 for {name}")
    return values


def _fixed(given: Any, family: str, dimensions: Sequence[Dimension]) -> tuple[tuple[str, int], ...]:
    data = mapping(given, "fixed")
    used = {dimension.name for dimension in dimensions}
    needed = [n for n in _NAMES[family] if n not in used] if family == "procedural" else []
    for key in data:
        if key not in needed:
            words = f"use {', '.join(needed)}" if needed else "remove it"
            raise FieldError(
                f"fixed.{key}", f"is unknown, or already a dimension of the rule; {words}"
            )
    bounds = {"activity": (0, 1), "order": (0, 1), "count": (1, MAX_VALUES)}
    return tuple(
        (name, integer(need(data, name, "fixed."), f"fixed.{name}", *bounds[name]))
        for name in needed
    )


@lru_cache(maxsize=256)
def _check_splits(task: Task) -> None:
    """Refuse a law that does not apply to the grid or leaves the rule open at a gen cell.

    Checks all splits or, where there are more, SPLITS_PROVED spread evenly over them: every
    variant is certified again later. If as many functions fit the source cells as fit source and
    gen cells together, then all that fit give the right answers.
    """
    splits = all_splits(task)
    if not splits:
        raise FieldError("split_law", "allows no split of this grid")
    rule = truth(task)
    for gen_cells in splits[:: ceil(len(splits) / SPLITS_PROVED)]:
        source = {(c, r): rule[c][r] for c, r in source_cells(task, gen_cells)}
        whole = source | {(c, r): rule[c][r] for c, r in gen_cells}
        if _count(task, source) != _count(task, whole):
            cells = ", ".join(f"class {c} role {r}" for c, r in gen_cells)
            raise FieldError("split_law", f"holding out {cells} leaves more than one rule possible")


def _count(task: Task, shown: Mapping[Cell, Output]) -> int:
    return count_functions(task.form, task.n_class, task.n_role, task.dimensions, shown)
