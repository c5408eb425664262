"""Every fault in a task's JSON is refused with the name of the field."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import FieldError
from app.game.lexicon import parse_lexicon
from app.game.splits import all_splits
from app.game.tasks import TASKS, parse_task, task_from_dict, task_to_dict

MISSING = object()


def edited(name: str, path: str, value: Any) -> dict[str, Any]:
    """Return a task's JSON with the value at a dotted path replaced, added or removed."""
    data = task_to_dict(TASKS[name])
    inner: Any = data
    *folders, last = path.split(".")
    for folder in folders:
        inner = inner[int(folder) if folder.isdecimal() else folder]
    if value is MISSING:
        del inner[last]
    else:
        inner[last] = value
    return data


FAULTS: list[tuple[str, str, Any, str]] = [
    *[("A-Cond", key, MISSING, key) for key in task_to_dict(TASKS["A-Cond"]) if key != "fixed"],
    ("A-Add", "colour", 1, "colour"),
    ("A-Add", "name", "", "name"),
    ("A-Add", "name", "../etc", "name"),
    ("A-Add", "name", "A-Add\n", "name"),
    ("A-Add", "name", 7, "name"),
    ("A-Add", "family", "social", "family"),
    ("A-Add", "form", "modular", "form"),
    ("A-Add", "form", ["additive"], "form"),
    ("A-Add", "n_class", 1, "n_class"),
    ("A-Add", "n_class", 9, "n_class"),
    ("A-Add", "n_role", 3.0, "n_role"),
    ("A-Add", "n_role", True, "n_role"),
    ("A-Add", "n_role", "3", "n_role"),
    ("A-Add", "dimensions", {}, "dimensions"),
    ("A-Add", "dimensions", [], "dimensions"),
    ("A-Add", "dimensions", [7], "dimensions[0]"),
    ("A-Add", "form", "compositional", "dimensions"),
    ("A-Comp", "form", "additive", "dimensions"),
    ("A-Add", "dimensions.0.name", "weight", "dimensions[0].name"),
    ("A-Add", "dimensions.0.name", "count", "dimensions[0].name"),
    ("A-Add", "dimensions.0.unit", "m", "dimensions[0].unit"),
    ("A-Add", "dimensions.0.numbered", 1, "dimensions[0].numbered"),
    ("A-Add", "dimensions.0.values", 5, "dimensions[0].values"),
    ("A-Add", "dimensions.0.values", [0], "dimensions[0].values"),
    ("A-Add", "dimensions.0.values", list(range(17)), "dimensions[0].values"),
    ("A-Add", "dimensions.0.values", [0, 1, 2, 4], "dimensions[0].values"),
    ("A-Add", "dimensions.0.values", [0, 1, "2"], "dimensions[0].values[2]"),
    ("A-Add", "dimensions.0.values", [-1, 0, 1, 2, 3, 4], "dimensions[0].values[0]"),
    ("A-Comp", "dimensions.1.name", "size", "dimensions"),
    ("A-Comp", "dimensions.0.values", [1, 2, 3], "dimensions[0].values"),
    ("A-Comp", "dimensions.1.numbered", True, "dimensions[1].numbered"),
    ("P-Add", "dimensions.0.numbered", False, "dimensions[0].numbered"),
    ("P-Add", "dimensions.0.values", [0, 1, 2], "dimensions[0].values[0]"),
    ("P-Comp", "dimensions.0.values", [0, 1, 2], "dimensions[0].values"),
    ("A-Add", "tables", [], "tables"),
    ("A-Add", "tables.role", MISSING, "tables.role"),
    ("A-Add", "tables.u", [1], "tables.u"),
    ("A-Add", "tables.class", [2, 1], "tables.class"),
    ("A-Add", "tables.class", [2, 1, 0, 0], "tables.class"),
    ("A-Add", "tables.class", [2, 1, -1], "tables.class[2]"),
    ("A-Add", "tables.class", [3, 1, 0], "tables"),
    ("P-Add", "tables.class", [0, 1], "tables"),
    ("A-Comp", "tables.role", [0, 1, 3], "tables.role[2]"),
    ("A-Comp", "tables.role", [0, 1, None], "tables.role[2]"),
    ("A-Comp", "tables.role", [0, True, 2], "tables.role[1]"),
    ("A-Cond", "tables.regime", [0, 0, 1, 2], "tables.regime[3]"),
    ("A-Cond", "tables.regime", [1, 1, 1, 1], "tables.regime"),
    ("A-Cond", "tables.fixed", [3, 3], "tables.fixed[0]"),
    ("A-Cond", "tables.regime_1", [0, 1, 3], "tables.regime_1[2]"),
    ("A-Over", "tables.base", [[0], [1]], "tables.base"),
    ("A-Over", "tables.base", [[0], [1], 2], "tables.base[2]"),
    ("A-Over", "tables.base", [[0], [1], [4]], "tables.base[2][0]"),
    ("P-Over", "tables.h", [1], "tables.h"),
    ("P-Over", "tables.h", [1, 2], "tables.h[1]"),
    ("A-Over", "tables.u", [3], "tables.u[0]"),
    ("A-Over", "tables.u", [0, 1], "tables.u"),
    ("A-Cond", "varies", [0, 0], "varies"),
    ("A-Cond", "varies", [1, 0, 0], "varies"),
    ("A-Cond", "varies", [2, 0], "varies[0]"),
    ("A-Comp", "varies", [0, 1], "varies"),
    ("A-Add", "fixed", {"count": 1}, "fixed.count"),
    ("P-Comp", "fixed", {}, "fixed.count"),
    ("P-Comp", "fixed", {"count": 0}, "fixed.count"),
    ("P-Comp", "fixed", {"count": 1, "order": 0}, "fixed.order"),
    ("P-Add", "fixed", [["activity", 0]], "fixed"),
    ("P-Add", "fixed", {"activity": 2, "order": 0}, "fixed.activity"),
    ("A-Add", "split_law", "random", "split_law"),
    ("A-Cond", "split_law", "latin", "split_law"),
    ("A-Comp", "split_law", "regime", "split_law"),
    ("A-Comp", "split_law", "held_out_class", "split_law"),
    ("A-Add", "n_tries", 1, "n_tries"),
    ("A-Add", "n_tries", 34, "n_tries"),
    ("A-Add", "n_tries", 10**400, "n_tries"),
    ("A-Add", "n_tries", 2.5, "n_tries"),
]


@pytest.mark.parametrize(
    ("name", "path", "value", "field"),
    FAULTS,
    ids=[f"{i}-{fault[0]}-{fault[1]}" for i, fault in enumerate(FAULTS)],
)
def test_faulty_task_is_refused_by_the_name_of_its_field(
    name: str, path: str, value: Any, field: str
) -> None:
    with pytest.raises(FieldError) as caught:
        parse_task(json.dumps(edited(name, path, value)))
    assert caught.value.field == field


TEXTS = ["", "{", "[]", "7", '"A-Add"', "null", "[" * 100_000, "1" * 5000, "\x00", '{"a":}']


@pytest.mark.parametrize("text", TEXTS, ids=[text[:9] for text in TEXTS])
def test_text_that_is_not_a_json_object_is_refused_as_the_task(text: str) -> None:
    with pytest.raises(FieldError) as caught:
        parse_task(text)
    assert caught.value.field == "task"


def test_regime_of_one_class_whose_held_out_cell_stays_open_is_refused() -> None:
    data = edited("P-Cond", "tables.regime", [0, 0, 0, 1])
    with pytest.raises(FieldError, match="class 3 role 0 leaves more than one rule") as caught:
        task_from_dict(data)
    assert caught.value.field == "split_law"


def test_square_of_two_without_a_common_cell_is_refused() -> None:
    data = task_to_dict(TASKS["P-Add"]) | {"split_law": "latin"}
    with pytest.raises(FieldError, match="leaves more than one rule") as caught:
        task_from_dict(data)
    assert caught.value.field == "split_law"


def test_most_tries_that_the_coins_pay_for_are_accepted() -> None:
    assert task_from_dict(edited("A-Add", "n_tries", 33)).n_tries == 33


def test_largest_square_task_is_accepted() -> None:
    table_of_eight = list(range(8))
    data = task_to_dict(TASKS["A-Comp"]) | {
        "name": "A-Large",
        "n_class": 8,
        "n_role": 8,
        "dimensions": [{"name": n, "values": list(range(16))} for n in ("size", "color")],
        "tables": {"class": table_of_eight, "role": table_of_eight},
    }
    assert len(all_splits(task_from_dict(data))) == 40320


FIELDS = tuple(task_to_dict(TASKS["P-Over"]))


@given(
    st.sampled_from(FIELDS),
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5),
)
def test_any_value_in_any_field_is_accepted_or_refused_as_a_field(field: str, value: Any) -> None:
    data = task_to_dict(TASKS["P-Over"]) | {field: value}
    try:
        task = task_from_dict(data)
    except FieldError as error:
        named = error.field
    else:
        named = field if task_to_dict(task) == data else ""
    assert named


@pytest.mark.parametrize("read", [parse_task, parse_lexicon])
@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ('{"name": "a", "family": "b",\n "name": "c"}', "name", "twice (line 2)"),
        ('{"labels":\n {"class": [], "class": ["x"]}}', "labels.class", "twice (line 2)"),
        ('{"a": [[0], {}, {"n": "n", "n":\n 1}]}', "a.2.n", "twice (line 1)"),
        ('{"x": {"a, {": 1}, "y": "x",\n\n "a\\u0062": "", "ab": 2}', "ab", "twice (line 3)"),
        ('{"name": NaN}', "NaN", "not a number"),
        ('{"name": -Infinity}', "-Infinity", "not a number"),
        ('{"name": ' + "[" * 100_000 + "]" * 100_000 + "}", None, "levels"),
        ('{"name": ' + "9" * 5000 + "}", None, "too large: 99999999999999999999..."),
        ('{"name": 1e999}', None, "too large: 1e999"),
    ],
)
def test_json_with_a_second_meaning_or_without_end_is_refused(
    read: Callable[[str], object], text: str, field: str | None, words: str
) -> None:
    with pytest.raises(FieldError) as caught:
        read(text)
    assert words in caught.value.problem
    assert field in {None, caught.value.field}
