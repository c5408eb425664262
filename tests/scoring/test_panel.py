"""A drawn sample as arrays: its weights, its strata, and what is refused."""

import numpy as np
import pytest

from app.scoring.panel import JudgedItem, PanelError, make
from bench.judged import SCALE
from tests.scoring.panels import ROWS, STRATA, small_panel


def test_weights_are_made_of_the_usable_items():
    rows = [(0, None, 0), *ROWS[1:]]
    panel = small_panel(rows)
    usable = (panel.human != -1).all(1)
    assert panel.weights(usable, pool=True).tolist() == [0, 19.5, 19.5, 20, 20, 20, 67, 67, 67]
    assert panel.drawn(usable)[0] == {
        "stratum": "level 0",
        "level": 0,
        "population": 39,
        "drawn": 3,
        "usable": 2,
    }


def test_usable_items_stand_for_their_whole_stratum_and_a_lost_stratum_is_named():
    rows = [(0, None, 0), (0, None, 0), *ROWS[2:6], *[(2, None, 2)] * 3]
    panel = small_panel([(1, None, 1) if row == (2, 2, 1) else row for row in rows])
    usable = (panel.human != -1).all(1)
    assert panel.weights(usable, pool=True).tolist() == [0, 0, 39, 30, 30, 0, 0, 0, 0]
    assert panel.weights(usable, pool=False).tolist() == [0, 0, 1, 1, 1, 0, 0, 0, 0]
    assert panel.unheard(usable) == ("level 2",)
    assert [one["usable"] for one in panel.drawn(usable)] == [1, 2, 0]


def test_scores_of_judges_become_codes_of_the_scale():
    panel = small_panel()
    assert (panel.scale, panel.judges) == (SCALE, ("judge",))
    assert panel.judge.tolist() == [[judge] for *_, judge in ROWS]


def test_ratings_of_an_item_without_weight_are_left_out():
    panel = small_panel()
    found = panel.ratings(panel.human, panel.humans, np.array([0, 0.5, 2, *[1] * 6]))
    assert sorted(set(found.item)) == list(range(1, 9))
    assert (found.items, found.raters) == (tuple(f"i{n}" for n in range(9)), ("h1", "h2"))
    assert (found.domain, found.strata) == (SCALE, ("level 0", "level 1", "level 2"))
    assert found.rater.tolist() == [0, 1] * 8
    assert found.value.tolist() == [score for row in ROWS[1:] for score in row[:2]]
    assert found.stratum.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert (found.cluster.tolist(), found.clusters[8]) == (list(range(9)), "c8")
    assert found.weight.tolist() == [1, 0.5, 2, *[1] * 6]  # item 0 has one, but no rating uses it


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "^There are no drawn items"),
        ([JudgedItem("a", "level 9", "c", "t", "s", {}, {})], "level 9"),
        ([JudgedItem("a", "level 0", "c", "t", "s", {"h": 7}, {})], "not on the scale"),
    ],
)
def test_panels_that_cannot_be_are_refused(items, words):
    with pytest.raises(PanelError, match=words):
        make(items, STRATA, SCALE)
