"""The paper's eight grids, rebuilt with its words and splits."""

import json
from pathlib import Path

import pytest

from app.game.certify import certify, describe_output
from app.game.model import Variant
from app.game.names import Names, Seat
from app.game.splits import all_splits
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import build

FACTS = json.loads((Path(__file__).parents[1] / "data/paper_facts.json").read_text("utf-8"))
WORDS = {  # by dimension; the paper names no weapon, so all are spears here
    "A-Add": (("size_0", "size_1", "size_2", "size_3", "size_4"),),
    "A-Comp": (("colossal", "long", "standard"), ("crimson", "grey", "purple")),
    "A-Cond": (("crimson", "silver", "white"), ("short", "great", "colossal", "long")),
    "A-Over": (("standard", "long", "colossal", "great"),),
}


def rebuild(name: str) -> Variant:
    task, grid = TASKS[name], FACTS["grids"][name]
    names = Names(
        labels=("class", "role"),
        classes=tuple(grid["rows"]),
        roles=tuple(grid["cols"]),
        words=WORDS.get(name, ()),
        noun="spear",
        weapon="iron_spear",
        ritual="moon_rite",
        potion="sage_tonic",
        start="crossroads",
        shop="armory",
        distractor_shop="bazaar",
        cells=tuple(Seat(f"Guardian {i}", f"keep_{i}") for i in range(task.n_class * task.n_role)),
    )
    return build(task, names, [(c, r) for c, r in grid["gen"]])


def expected(name: str, cell: str) -> str:
    """Return how the game writes what a cell of the paper's grid says."""
    if name == "A-Add":
        return f"size_{cell}_spear"
    return cell.replace(" ", "_") + "_spear" if name.startswith("A") else cell


@pytest.mark.parametrize("name", TASK_NAMES)
def test_rebuilt_grid_is_the_papers_cell_by_cell(name: str) -> None:
    variant, grid = rebuild(name), FACTS["grids"][name]
    worded = [[describe_output(variant, output) for output in row] for row in variant.grid]
    assert worded == [[expected(name, cell) for cell in row] for row in grid["cells"]]


@pytest.mark.parametrize("name", TASK_NAMES)
def test_split_of_the_paper_is_allowed_and_identifies_the_rule(name: str) -> None:
    variant = rebuild(name)
    gen = [(c, r) for c, r in FACTS["grids"][name]["gen"]]
    assert list(variant.gen_cells) == gen
    assert variant.gen_cells in all_splits(variant.task)
    assert certify(variant).unique


@pytest.mark.parametrize("name", TASK_NAMES)
def test_demonstrations_of_the_rebuilt_grid_follow_its_cells(name: str) -> None:
    """What was bought, drunk and performed is what the paper's cell says."""
    variant, grid = rebuild(name), FACTS["grids"][name]
    assert len(variant.demonstrations) == FACTS["tasks"][name]["n_source"]
    for account in variant.demonstrations:
        class_, role = variant.entity(account.entity).cell or (-1, -1)
        did = [
            s.command.split(" ")
            for s in account.steps
            if s.command.split(" ")[0] not in ("go", "defeat")
        ]
        verbs = [verb for verb, _ in did]
        cell = grid["cells"][class_][role]
        if name.startswith("A"):
            assert did == [["buy", expected(name, cell)]]
        else:
            verb, order, *count = cell.split(" ")
            acts = [verb] * (int(count[0][1:]) if count else 1)
            assert verbs == ([*acts, "buy"] if order == "before" else ["buy", *acts])


@pytest.mark.parametrize("name", ["A-Cond", "P-Cond"])
def test_regimes_are_the_papers(name: str) -> None:
    assert dict(TASKS[name].tables)["regime"] == tuple(FACTS["grids"][name]["regime"])


@pytest.mark.parametrize("name", ["A-Over", "P-Over"])
def test_override_role_is_the_papers(name: str) -> None:
    assert dict(TASKS[name].tables)["u"] == (FACTS["grids"][name]["override_col"],)
