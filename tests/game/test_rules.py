"""The four forms: what the eight rules give, and every function of a form, listed and counted."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.game.counting import count_functions, predictions
from app.game.model import FORMS, Cell, Dimension, Grid, Output, Task
from app.game.rules import applicable, iter_functions, output_space, reachable, truth
from app.game.tasks import TASK_NAMES, TASKS

GRIDS: dict[str, list[list[int | tuple[int, int]]]] = {  # the paper's figures, words as indices
    "A-Add": [[4, 3, 2], [3, 2, 1], [2, 1, 0]],
    "A-Comp": [[(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)]],
    "A-Cond": [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 0), (0, 1), (0, 2)],
        [(0, 3), (1, 3), (2, 3)],
        [(0, 3), (1, 3), (2, 3)],
    ],
    "A-Over": [[0, 0, 3], [1, 1, 3], [2, 2, 3]],
    "P-Add": [[1, 2], [2, 3]],
    "P-Comp": [[(0, 0), (0, 1)], [(1, 0), (1, 1)]],
    "P-Cond": [[(0, 0), (1, 0)], [(0, 0), (1, 0)], [(1, 0), (1, 1)], [(1, 0), (1, 1)]],
    "P-Over": [
        [(0, 0), (0, 0), (0, 0), (1, 1)],
        [(1, 0), (1, 0), (1, 0), (1, 1)],
        [(0, 1), (0, 1), (0, 1), (1, 1)],
    ],
}


def functions(*of, swapped=False):
    return list(iter_functions(*of, swapped=swapped))


FAMILY_SIZES = {
    "A-Add": 1001,
    "A-Comp": 729,
    "A-Cond": 289500,
    "A-Over": 760,
    "P-Add": 19,
    "P-Comp": 16,
    "P-Cond": 768,
    "P-Over": 1012,
}
SMALL = [name for name in TASK_NAMES if name != "A-Cond"]
WORDS = Dimension("size", (0, 1, 2))
NUMBERS = Dimension("size", (1, 2, 3), numbered=True)
PLANES = [(Dimension("size", (0, 1, 2)), Dimension("color", (0, 1)))]

every_task = pytest.mark.parametrize("name", TASK_NAMES)


def frame(task: Task) -> tuple[str, int, int, tuple[Dimension, ...]]:
    return task.form, task.n_class, task.n_role, task.dimensions


def by_tables(task: Task) -> Iterator[Grid]:
    """Apply every table of the task's form, in the simplest way; many give the same grid."""
    every = {
        "additive": every_additive,
        "compositional": every_compositional,
        "conditional": every_conditional,
        "override": every_override,
    }[task.form]
    return every(range(task.n_class), range(task.n_role), [d.values for d in task.dimensions])


def every_additive(classes: range, roles: range, values: list[tuple[int, ...]]) -> Iterator[Grid]:
    parts = range(values[0][-1] + 1)
    for a in product(parts, repeat=len(classes)):
        for b in product(parts, repeat=len(roles)):
            if all(a[c] + b[r] in values[0] for c in classes for r in roles):
                yield tuple(tuple((a[c] + b[r],) for r in roles) for c in classes)


def every_compositional(
    classes: range, roles: range, values: list[tuple[int, ...]]
) -> Iterator[Grid]:
    for a in product(values[0], repeat=len(classes)):
        for b in product(values[1], repeat=len(roles)):
            yield tuple(tuple((a[c], b[r]) for r in roles) for c in classes)


def every_conditional(
    classes: range, roles: range, values: list[tuple[int, ...]]
) -> Iterator[Grid]:
    zero = [
        tuple((v, k) for v in vs) for k in values[1] for vs in product(values[0], repeat=len(roles))
    ]
    one = [
        tuple((k, v) for v in vs) for k in values[0] for vs in product(values[1], repeat=len(roles))
    ]
    for regime in product((0, 1), repeat=len(classes)):
        for rows in product(zero, one):
            yield tuple(rows[r] for r in regime)


def every_override(classes: range, roles: range, values: list[tuple[int, ...]]) -> Iterator[Grid]:
    space = list(product(*values))
    for base in product(space, repeat=len(classes)):
        for u, h in product(roles, space):
            yield tuple(tuple(h if r == u else base[c] for r in roles) for c in classes)


@every_task
def test_truth_is_the_papers_grid(name: str) -> None:
    drawn = [[o if isinstance(o, tuple) else (o,) for o in row] for row in GRIDS[name]]
    assert [list(row) for row in truth(TASKS[name])] == drawn


@every_task
def test_functions_without_demonstrations_are_as_many_as_the_specification_says(name: str) -> None:
    listed = functions(*frame(TASKS[name]), {})
    assert len(listed) == len(set(listed)) == FAMILY_SIZES[name]


@every_task
def test_functions_are_those_of_all_tables(name: str) -> None:
    assert set(functions(*frame(TASKS[name]), {})) == set(by_tables(TASKS[name]))


@every_task
def test_count_without_demonstrations_needs_no_list(name: str) -> None:
    assert count_functions(*frame(TASKS[name]), {}) == FAMILY_SIZES[name]


@every_task
def test_functions_contain_the_truth_when_all_is_shown_and_nothing_else(name: str) -> None:
    rule = truth(TASKS[name])
    shown = {(c, r): output for c, row in enumerate(rule) for r, output in enumerate(row)}
    assert functions(*frame(TASKS[name]), shown) == [rule]


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_functions_that_fit_shown_cells_are_the_fitting_ones_of_all(data: st.DataObject) -> None:
    task = TASKS[data.draw(st.sampled_from(SMALL))]
    cells = list(product(range(task.n_class), range(task.n_role)))
    outputs = st.sampled_from(output_space(task))
    shown = data.draw(st.dictionaries(st.sampled_from(cells), outputs, max_size=5))
    fitting = [
        grid
        for grid in functions(*frame(task), {})
        if all(grid[c][r] == output for (c, r), output in shown.items())
    ]
    assert sorted(functions(*frame(task), shown)) == sorted(fitting)
    for cell in cells:
        given_there = {grid[cell[0]][cell[1]] for grid in fitting}
        assert predictions(*frame(task), shown, cell=cell) == tuple(sorted(given_there))


def grids_of(sizes: tuple[int, int], space: list[Output]) -> st.SearchStrategy[dict[Cell, Output]]:
    cells = list(product(range(sizes[0]), range(sizes[1])))
    return st.dictionaries(st.sampled_from(cells), st.sampled_from(space), max_size=5)


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_count_is_the_length_of_the_list_on_any_small_grid(data: st.DataObject) -> None:
    sizes = data.draw(st.tuples(st.integers(2, 4), st.integers(2, 3)))
    dimensions = data.draw(st.sampled_from([(WORDS,), (NUMBERS,), *PLANES]))
    form = data.draw(st.sampled_from(FORMS))
    shown = data.draw(grids_of(sizes, list(product(*(d.values for d in dimensions)))))
    for swapped in (False, True):
        listed = functions(form, *sizes, dimensions, shown, swapped=swapped)
        assert count_functions(form, *sizes, dimensions, shown, swapped=swapped) == len(listed)
        assert len(set(listed)) == len(listed)


@given(st.data())
@settings(deadline=None)
def test_swapped_functions_are_the_mirror_image(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(["compositional", "conditional", "override"]))
    shown = data.draw(grids_of((2, 3), list(product((0, 1, 2), (0, 1)))))
    mirrored = {(r, c): output for (c, r), output in shown.items()}
    straight = functions(form, 3, 2, PLANES[0], mirrored)
    swapped = functions(form, 2, 3, PLANES[0], shown, swapped=True)
    assert swapped == [tuple(zip(*grid, strict=True)) for grid in straight]
    assert all(grid[c][r] == output for grid in swapped for (c, r), output in shown.items())


def test_swapped_additive_functions_are_the_same_functions() -> None:
    straight = functions("additive", 2, 3, (NUMBERS,), {})
    assert set(functions("additive", 2, 3, (NUMBERS,), {}, swapped=True)) == set(straight)


@pytest.mark.parametrize(
    ("dimensions", "forms"),
    [
        ((WORDS,), {"override"}),
        ((NUMBERS,), {"additive", "override"}),
        (PLANES[0], {"compositional", "conditional", "override"}),
        ((NUMBERS, Dimension("color", (0, 1))), {"compositional", "conditional", "override"}),
        ((WORDS, *PLANES[0]), {"override"}),
    ],
)
def test_forms_apply_to_the_output_spaces_they_are_made_for(
    dimensions: tuple[Dimension, ...], forms: set[str]
) -> None:
    assert {form for form in FORMS if applicable(form, dimensions)} == forms


def test_form_that_does_not_apply_has_no_functions() -> None:
    assert functions("additive", 2, 2, (WORDS,), {}) == []
    assert count_functions("additive", 2, 2, (WORDS,), {}) == 0
    assert functions("nonsense", 2, 2, (WORDS,), {}) == []


@pytest.mark.parametrize("form", ["compositional", "conditional", "override"])
def test_listing_on_the_largest_grid_ends_at_once_when_one_cell_contradicts(form: str) -> None:
    space = (Dimension("size", tuple(range(16))), Dimension("color", tuple(range(16))))
    shown = {(0, 0): (0, 0), (0, 1): (1, 1), (0, 2): (2, 2), (1, 0): (3, 3)}
    assert next(iter_functions(form, 8, 8, space, shown), None) is None


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("form", "fits"), [("compositional", False), ("override", True)])
def test_listing_on_a_vast_grid_passes_by_choices_that_cannot_be_completed(
    form: str, fits: bool
) -> None:
    space = (Dimension("size", tuple(range(16))), Dimension("color", tuple(range(16))))
    shown = {(0, 0): (0, 0), (1, 0): (0, 1)}  # role 0 neither overrides nor has one color
    assert (next(iter_functions(form, 12, 8, space, shown), None) is not None) is fits


def test_outputs_are_listed_in_index_order() -> None:
    assert output_space(TASKS["A-Over"]) == ((0,), (1,), (2,), (3,))
    assert output_space(TASKS["P-Comp"]) == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert reachable(TASKS["A-Cond"]) == ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3))
    assert reachable(TASKS["P-Cond"]) == ((0, 0), (1, 0), (1, 1))
