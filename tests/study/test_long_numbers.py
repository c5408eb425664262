"""Numbers that are longer than any bound are refused in words, whatever they begin with."""

import pytest

from app.study.agreement import planning
from app.study.export import coarse
from app.study.report import whatif
from app.web.design.cell_fields import CELLS
from app.web.design.parts import rearrange

LONG = [f"{zeros}{'9' * digits}" for zeros in ("", "0" * 12) for digits in (400, 5_000)]


@pytest.mark.parametrize("text", LONG)
@pytest.mark.parametrize("name", whatif.BOUNDS)
def test_assumption_of_a_plan(name, text):
    with pytest.raises(whatif.PlanFormError) as refused:
        whatif.read({name: text})
    assert [*refused.value.problems] == [name]


@pytest.mark.parametrize("text", LONG)
def test_number_of_the_planner_of_samples(text):
    problems = {}
    planning.read_whole({"seed": text}, "seed", problems)
    assert [*problems] == ["seed"]


@pytest.mark.parametrize("text", LONG)
def test_width_of_a_band(text):
    with pytest.raises(coarse.CoarseError):
        coarse.read("exact", [f"age={text}"], shuffled=False)


@pytest.mark.parametrize("text", LONG)
def test_number_of_a_line_to_move(text):
    part = {"blocks": [{"task": "a"}, {"task": "b"}]}
    assert rearrange(part, CELLS, f"up.blocks.{text}") == ""
    assert [one["task"] for one in part["blocks"]] == ["a", "b"]
