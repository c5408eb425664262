"""Tasks whose first guardian tells nothing, because elimination alone always defeats it."""

import pytest

from app.game.expectation import episode_floors
from app.game.tasks import TASKS
from app.game.tiers import FLOORS
from app.study.design.check_item import LOOK
from app.study.design.checklist import checks
from app.study.design.guardians import guardians
from app.study.design.spec import check_study
from app.study.design.studies import make_variant
from app.study.design.task_advice import SHOWN_BY_ELIMINATION
from app.study.report.marks import CEILINGS


def study(task, **parts):
    blocks = [{"task": task, "seeds": "0-9", **parts.pop("block", {})}]
    return check_study({"slug": "s", "title": "S", "kind": "pilot", "blocks": blocks, **parts})


def best_floor(variants):
    """Return the best mean of a bot that does not work out the rule, over first episodes."""
    each = [dict(zip(FLOORS, episode_floors(one, 0), strict=True)) for one in variants]
    sums = {name: sum(one[name] for one in each) for name in FLOORS if name not in CEILINGS}
    return max(sums.values()) / len(each)


@pytest.mark.parametrize("task", TASKS)
def test_those_tasks_are_named_whose_best_floor_is_one(task):
    spec = study(task)
    floor = best_floor([make_variant(spec, cell) for cell in spec.cells()])
    assert (floor == 1) == (task in SHOWN_BY_ELIMINATION)
    found = [one for one in checks(spec) if one.name == "floors"]
    assert [one.level for one in found] == [LOOK] * (task in SHOWN_BY_ELIMINATION)


@pytest.mark.parametrize("parts", [{"kind": "bots"}, {"block": {"coverage": "1/3"}}])
def test_bots_and_fewer_accounts_are_not_warned_of(parts):
    assert "floors" not in {one.name for one in checks(study("A-Over", **parts))}


@pytest.mark.parametrize("task", TASKS)
def test_number_of_guardians_is_that_of_the_variants(task):
    spec = study(task)
    number = len(make_variant(spec, spec.cells()[3]).episodes)
    assert guardians(spec) == (number, number)
