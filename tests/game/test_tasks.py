"""The eight tasks compared with the paper's figures; JSON; relabelled activities and orders."""

import json
from pathlib import Path
from random import Random

import pytest

from app.game.model import Grid
from app.game.rules import output_space, reachable, truth
from app.game.splits import all_splits, source_cells
from app.game.tasks import (
    TASK_NAMES,
    TASKS,
    has_fixed_ref_length,
    max_ref_length,
    parse_task,
    permute_task,
    task_from_dict,
    task_to_dict,
)

FACTS = json.loads((Path(__file__).parents[1] / "data/paper_facts.json").read_text("utf-8"))
PROCEDURAL = ("P-Add", "P-Comp", "P-Cond", "P-Over")

every_task = pytest.mark.parametrize("name", TASK_NAMES)


class Coins(Random):
    """Answers `random()` from a list and nothing else."""

    def __init__(self, *answers: float) -> None:
        super().__init__()
        self.answers = list(answers)

    def random(self) -> float:
        return self.answers.pop(0)


@every_task
def test_task_has_the_papers_sizes(name: str) -> None:
    task, facts = TASKS[name], FACTS["tasks"][name]
    gen = all_splits(task)[0]
    sizes = {
        "family": task.family,
        "form": task.form,
        "n_class": task.n_class,
        "n_role": task.n_role,
        "n_source": len(source_cells(task, gen)),
        "n_gen": len(gen),
        "n_tries": task.n_tries,
    }
    assert sizes == {key: facts[key] for key in sizes}


@every_task
def test_output_space_has_the_papers_size(name: str) -> None:
    facts = FACTS["tasks"][name]
    task = TASKS[name]
    size = len(reachable(task)) if name == "P-Cond" else len(output_space(task))
    assert size == facts["output_space"]  # P-Cond: the paper counts the three it reaches
    assert len(reachable(task)) == facts.get("n_reachable", facts["output_space"])


def test_tasks_are_the_eight_in_the_papers_order() -> None:
    assert tuple(FACTS["tasks"]) == TASK_NAMES
    assert [task.name for task in TASKS.values()] == list(TASK_NAMES)


@pytest.mark.parametrize(
    ("name", "longest", "fixed"),
    [("A-Add", 4, True), ("A-Cond", 4, True), ("P-Add", 7, False), ("P-Comp", 5, True)],
)
def test_ref_length_is_shown_before_the_answer_only_where_it_reveals_nothing(
    name: str, longest: int, fixed: bool
) -> None:
    assert max_ref_length(TASKS[name]) == longest
    assert has_fixed_ref_length(TASKS[name]) is fixed


@every_task
def test_task_read_back_from_json_is_the_same(name: str) -> None:
    text = json.dumps(task_to_dict(TASKS[name]), sort_keys=True)
    assert parse_task(text) == TASKS[name]


def test_task_with_optional_fields_left_out_is_the_same() -> None:
    data = task_to_dict(TASKS["A-Comp"])
    del data["varies"], data["fixed"]
    for dimension in data["dimensions"]:
        del dimension["numbered"]
    assert task_from_dict(data) == TASKS["A-Comp"]


def relabelled(grid: Grid, exchanged: tuple[bool, bool]) -> Grid:
    return tuple(
        tuple(
            tuple(1 - v if flip else v for v, flip in zip(output, exchanged, strict=True))
            for output in row
        )
        for row in grid
    )


@pytest.mark.parametrize("name", ["P-Comp", "P-Cond", "P-Over"])
@pytest.mark.parametrize("exchanged", [(a, b) for a in (False, True) for b in (False, True)])
def test_permuted_task_gives_the_exchanged_outputs(name: str, exchanged: tuple[bool, bool]) -> None:
    coins = Coins(*(0.4999 if flip else 0.5 for flip in exchanged))
    permuted = permute_task(TASKS[name], coins)
    assert truth(permuted) == relabelled(truth(TASKS[name]), exchanged)
    assert (permuted == TASKS[name]) is not any(exchanged)


def test_permuted_additive_task_keeps_its_counts_and_changes_what_is_fixed() -> None:
    permuted = permute_task(TASKS["P-Add"], Coins(0.0, 0.9))
    assert permuted.fixed == (("activity", 1), ("order", 0))
    assert truth(permuted) == truth(TASKS["P-Add"])


@every_task
def test_permuting_draws_twice_whatever_the_task(name: str) -> None:
    coins = Coins(0.1, 0.1, 0.1)
    permuted = permute_task(TASKS[name], coins)
    assert coins.answers == [0.1]
    assert (permuted == TASKS[name]) is (name not in PROCEDURAL)


@pytest.mark.parametrize("name", PROCEDURAL)
def test_permuted_task_is_a_valid_task_of_its_form_and_splits(name: str) -> None:
    for coins in ((0.1, 0.1), (0.1, 0.9), (0.9, 0.1)):
        permuted = permute_task(TASKS[name], Coins(*coins))
        assert task_from_dict(task_to_dict(permuted)) == permuted
        assert permuted.form == TASKS[name].form
        assert all_splits(permuted) == all_splits(TASKS[name])


def test_permuted_override_can_be_each_of_the_four_processes() -> None:
    pairs = [(a, b) for a in (0.1, 0.9) for b in (0.1, 0.9)]
    overrides = {truth(permute_task(TASKS["P-Over"], Coins(*pair)))[0][3] for pair in pairs}
    assert overrides == {(0, 0), (0, 1), (1, 0), (1, 1)}
