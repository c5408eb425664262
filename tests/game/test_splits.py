"""Which cells a task may hold out."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import pytest

from app.errors import FieldError
from app.game.model import Cell, Task
from app.game.splits import all_splits, source_cells
from app.game.tasks import TASK_NAMES, TASKS

NUMBERS = {
    "A-Add": 6,
    "A-Comp": 6,
    "A-Cond": 36,
    "A-Over": 6,
    "P-Add": 4,
    "P-Comp": 4,
    "P-Cond": 8,
    "P-Over": 9,
}
PAPER = {  # the split drawn in the paper's figures
    "A-Add": ((0, 2), (1, 0), (2, 1)),
    "A-Comp": ((0, 2), (1, 0), (2, 1)),
    "A-Cond": ((0, 2), (1, 0), (2, 2), (3, 0)),
    "A-Over": ((1, 0), (1, 2)),
    "P-Add": ((1, 1),),
    "P-Comp": ((1, 1),),
    "P-Cond": ((3, 1),),
    "P-Over": ((1, 1), (1, 2), (1, 3)),
}
every_task = pytest.mark.parametrize("name", TASK_NAMES)


def with_tables(task: Task, **tables: tuple[int, ...]) -> Task:
    return replace(task, tables=tuple((dict(task.tables) | tables).items()))


@every_task
def test_splits_of_a_task_are_as_many_as_its_law_allows(name: str) -> None:
    splits = all_splits(TASKS[name])
    assert len(set(splits)) == len(splits) == NUMBERS[name]


def test_splits_of_the_eight_tasks_are_79() -> None:
    assert sum(len(all_splits(task)) for task in TASKS.values()) == 79


@every_task
def test_split_of_the_papers_figure_is_among_them(name: str) -> None:
    assert PAPER[name] in all_splits(TASKS[name])


@every_task
def test_split_is_sorted_and_source_is_the_rest_of_the_grid(name: str) -> None:
    task = TASKS[name]
    grid = list(product(range(task.n_class), range(task.n_role)))
    for gen_cells in all_splits(task):
        assert list(gen_cells) == sorted(set(gen_cells))
        source = source_cells(task, gen_cells)
        assert sorted((*source, *gen_cells)) == grid
        assert list(source) == sorted(source)


def latin_by_definition(gen: tuple[Cell, ...]) -> bool:
    return sorted(c for c, _ in gen) == [0, 1, 2] == sorted(r for _, r in gen)


def regime_by_definition(gen: tuple[Cell, ...]) -> bool:
    roles = dict(gen)
    one_a_class = sorted(c for c, _ in gen) == [0, 1, 2, 3]
    return one_a_class and roles[0] != roles[1] and roles[2] != roles[3]


@pytest.mark.parametrize(
    ("name", "lawful"),
    [
        ("A-Add", latin_by_definition),
        ("A-Comp", latin_by_definition),
        ("A-Cond", regime_by_definition),
    ],
)
def test_splits_are_all_sets_of_cells_that_satisfy_the_law(
    name: str, lawful: Callable[[tuple[Cell, ...]], bool]
) -> None:
    task = TASKS[name]
    columns = product(range(task.n_role), repeat=task.n_class)
    every = {tuple(enumerate(roles)) for roles in columns}
    assert set(all_splits(task)) == {gen for gen in every if lawful(gen)}


@pytest.mark.parametrize(("name", "u"), [("A-Over", 2), ("P-Over", 3)])
def test_held_out_class_keeps_one_ordinary_cell(name: str, u: int) -> None:
    task = TASKS[name]
    for gen_cells in all_splits(task):
        (class_,) = {c for c, _ in gen_cells}
        kept = [role for c, role in source_cells(task, gen_cells) if c == class_]
        assert len(kept) == 1
        assert kept != [u]


def test_any_one_holds_out_each_cell_once() -> None:
    assert all_splits(TASKS["P-Cond"]) == tuple((cell,) for cell in product(range(4), range(2)))


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        (replace(TASKS["A-Cond"], split_law="latin"), "as many classes as roles"),
        (replace(TASKS["A-Comp"], split_law="regime"), "conditional"),
        (replace(TASKS["A-Comp"], split_law="held_out_class"), "override"),
        (with_tables(replace(TASKS["P-Cond"], split_law="regime"), regime=(0, 0, 0, 1)), "roles"),
    ],
)
def test_law_that_does_not_exist_for_the_grid_is_refused(task: Task, problem: str) -> None:
    with pytest.raises(FieldError, match=problem) as caught:
        all_splits(task)
    assert caught.value.field == "split_law"


def test_largest_latin_grid_is_listed_and_larger_regimes_are_refused() -> None:
    square = replace(with_tables(TASKS["A-Comp"], **{"class": (0,) * 8}), n_class=8, n_role=8)
    assert len(all_splits(square)) == len(list(permutations(range(8))))
    wide = with_tables(TASKS["A-Cond"], regime=(0, 0, 0, 0, 1, 1, 1, 1))
    with pytest.raises(FieldError, match="more than 50000"):
        all_splits(replace(wide, n_class=8, n_role=8))
