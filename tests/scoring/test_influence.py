"""The influence of single items is the change that leaving them out makes."""

from dataclasses import replace

import pytest

from app.scoring import influence, judging
from app.scoring.panel import make
from app.scoring.sampling import Stratum
from bench.judged import SCALE
from tests.scoring.panels import ROWS, make_panel, small_panel

MISSING = [(0, None, 0), *ROWS[1:4], (None, 2, 1), *ROWS[4:], (1, 2, 2)]
WHOLE = tuple(Stratum(f"level {h}", h, n, n) for h, n in enumerate((2, 4, 5)))
LONE = [*ROWS[2:], (0, 1, 1)]
PANELS = {
    "drawn": (make_panel(3), (0, 50, -1)),
    "missing": (small_panel(MISSING), range(len(MISSING))),
    "whole": (small_panel([*ROWS[1:], *ROWS[4:7]], WHOLE), range(11)),
    "lone": (small_panel(LONE), range(len(LONE))),
}


def alphas(panel, level, *, pool):
    found = judging.coefficients(panel, level, pool=pool, replicates=0, seed=1)
    return found.human_human.found.alpha, found.judges[0].mean.value


@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("level", ["ordinal", "interval"])
@pytest.mark.parametrize("case", PANELS)
def test_influence_is_the_change_that_leaving_out_makes(case, level, pool):
    panel, looked_at = PANELS[case]
    whole = alphas(panel, level, pool=pool)
    found = influence.leave_one_out(panel, level, pool=pool)
    assert len(found) == len(panel.items)
    for one in (found[at] for at in looked_at):
        kept = [item for item in panel.items if item.id != one.item]
        without = alphas(make(kept, panel.strata, SCALE, panel.judges), level, pool=pool)
        changes = [left - all_in for left, all_in in zip(without, whole, strict=True)]
        assert [one.human_human, one.human_judge] == pytest.approx(changes, abs=1e-9)
    sizes = [max(abs(one.human_human), abs(one.human_judge)) for one in found]
    assert sizes == sorted(sizes, reverse=True)


def test_items_that_no_one_else_rated_have_no_influence_on_the_humans_agreement():
    each = influence.leave_one_out(small_panel(MISSING), "ordinal", pool=True)
    found = {one.item: one for one in each}
    assert (found["i0"].human_human, found["i4"].human_human) == (0, 0)


def test_items_of_equal_influence_stay_in_order():
    found = influence.leave_one_out(small_panel(ROWS * 12), "ordinal", pool=False)
    numbers = [int(one.item[1:]) for one in found if int(one.item[1:]) % 9 == 1]
    assert numbers == sorted(numbers)


def test_without_a_judge_the_humans_alone_decide_the_order():
    drawn = small_panel()
    items = [replace(item, judges={}) for item in drawn.items]
    found = influence.leave_one_out(make(items, drawn.strata, SCALE), "ordinal", pool=True)
    assert {one.human_judge for one in found} == {None}
    sizes = [abs(one.human_human) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_with_one_human_there_is_no_agreement_of_humans_to_change():
    rows = [(one, None, judge) for one, _, judge in ROWS]
    found = influence.leave_one_out(small_panel(rows), "ordinal", pool=True)
    assert {one.human_human for one in found} == {0}
    assert found[0].human_judge != 0
