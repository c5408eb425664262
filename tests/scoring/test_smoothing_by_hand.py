"""Made-up items one by one: scores, mass, and the item that each takes its stratum from."""

import numpy as np
import pytest

from app.scoring import smoothing
from app.scoring.bootstrap import Block, Units
from app.scoring.panel import JudgedItem, make
from app.scoring.sampling import Stratum

SCALE = (0, 1)
STRATA = (
    Stratum("a low", 0, 30, 2),
    Stratum("b low", 0, 30, 2),
    Stratum("high", 1, 30, 2),
)
ITEMS = (
    ("high", (1, None), (1, 0)),
    ("a low", (0, 0), (0, 1)),
    ("a low", (1, None), (0, 1)),
    ("b low", (1, 0), (0, None)),
    ("b low", (1, 1), (0, 1)),
    ("b low", (0, 0), (0, None)),
    ("high", (1, None), (1, 1)),
    ("high", (0, 0), (1, 1)),  # left out
)
KEPT = np.array([True] * 7 + [False])


@pytest.fixture(scope="module")
def panel():
    """Two levels, the first of two strata; the second judge is the same throughout in neither."""
    items = [
        JudgedItem(
            f"i{n}",
            stratum,
            f"c{n // 2}",
            "A-Add",
            "players",
            {f"h{at}": score for at, score in enumerate(humans) if score is not None},
            {f"j{at}": score for at, score in enumerate(judges) if score is not None},
        )
        for n, (stratum, humans, judges) in enumerate(ITEMS)
    ]
    return make(items, STRATA, SCALE, ("j0", "j1"))


def made_of(panel):
    return smoothing.made_up(panel, KEPT, panel.human, panel.judge)


def patterns(*spread):
    """Return rows of scores in which every pattern stands for the columns that are None."""
    rows: list[tuple[int, ...]] = [()]
    for score in spread:
        rows = [(*row, one) for row in rows for one in (SCALE if score is None else (score,))]
    return rows


# One entry for each set of scores that an item of a stratum has: the first such item, how many of
# the level's items are alike, and their scores: the judges', then the humans'.
LOW = [
    (2, 1, (0, None, None, -1)),
    (1, 1, (0, None, None, None)),
    (3, 2, (0, -1, None, None)),
    (4, 1, (0, None, None, None)),
]
HIGH = [(0, 2, (1, None, None, -1))]


def test_every_made_up_item(panel):
    made = made_of(panel)
    scores, mass, like = [], [], []
    for level in (LOW, HIGH):
        items = sum(number for _, number, _ in level)
        for one, number, spread in level:
            rows = patterns(*spread)
            scores += rows
            mass += [2 / 3 * number / items / len(rows)] * len(rows)
            like += [one] * len(rows)
    assert np.hstack([made.judge, made.human]).tolist() == list(map(list, scores))
    assert made.mass == pytest.approx(mass)
    assert made.like.tolist() == like


def test_units_and_blocks_join_the_made_up_items_to_the_others(panel):
    made = made_of(panel)
    units = made.units(panel)
    assert units.strata.tolist() == [*panel.stratum, *panel.stratum[made.like]]
    assert units.clusters.tolist() == [*panel.cluster, *panel.cluster[made.like]]
    assert units.mass.tolist() == [*[1.0] * 8, *made.mass]
    weights = np.arange(8.0)
    features = np.arange(16.0).reshape(8, 2)
    theirs = -np.arange(2.0 * len(made.like)).reshape(-1, 2)
    block = made.block(Block(features, weights), theirs)
    assert block.features.tolist() == [*features.tolist(), *theirs.tolist()]
    assert block.weights.tolist() == [*weights, *weights[made.like]]


def test_humans_who_all_agree_are_spread_and_a_judge_who_does_not_vary_is_not(panel):
    """One kept item: every column is the same throughout, but only the judges' stay."""
    kept = np.arange(8) == 4
    made = smoothing.made_up(panel, kept, panel.human, panel.judge)
    assert made.judge.tolist() == [[0, 1]] * 4
    assert made.human.tolist() == list(map(list, patterns(None, None)))


def test_a_judge_is_fixed_by_each_level_on_its_own(panel):
    """In both levels the first judge is fixed, at different scores; the second in one of them."""
    kept = np.isin(np.arange(8), (0, 1, 2, 6))
    made = smoothing.made_up(panel, kept, panel.human, panel.judge)
    low = made.judge[:, 0] == 0
    assert made.judge[low].tolist() == [[0, 1]] * (2 + 4)
    assert sorted(set(made.judge[~low, 1].tolist())) == [0, 1]


@pytest.mark.parametrize("most", [8, 7])
def test_patterns_beyond_the_most_are_drawn(panel, monkeypatch, most):
    """Of two items, the first has two free scores of two values, the second three."""
    monkeypatch.setattr(smoothing, "MOST", most)
    kept = np.isin(np.arange(8), (3, 4))
    made = smoothing.made_up(panel, kept, panel.human, panel.judge)
    drawn = np.random.default_rng(3).integers(2, size=(7, 3)).tolist()
    every = list(map(list, patterns(None, None, None)))
    free = np.column_stack([made.judge[4:, 1], made.human[4:]])
    assert made.human[:4].tolist() == list(map(list, patterns(None, None)))
    assert free.tolist() == (every if most == 8 else drawn)
    assert made.mass == pytest.approx([1 / 3 / 4] * 4 + [1 / 3 / most] * most)


def test_nothing_kept_gives_nothing(panel):
    made = smoothing.made_up(panel, np.zeros(8, bool), panel.human, panel.judge)
    assert (made.human.shape, made.judge.shape) == ((0, 2), (0, 2))
    assert (made.mass.shape, made.like.shape) == ((0,), (0,))
    assert len(made.units(panel).strata) == 8


def test_groups_take_the_place_of_the_judges_levels(panel):
    """One group: its items have scores 0 and 1 of the first judge, so those are spread as well."""
    kept = np.isin(np.arange(8), (1, 4, 6))
    one = smoothing.made_up(panel, kept, panel.human, panel.judge, 0.5, np.zeros(8, int))
    assert one.mass.sum() == pytest.approx(0.5)
    assert sorted(set(one.judge[:, 0].tolist())) == [0, 1]
    of_levels = smoothing.made_up(panel, kept, panel.human, panel.judge, 0.5)
    assert of_levels.mass.sum() == pytest.approx(1.0)


def test_made_up_units_without_a_panel_have_as_many_values_as_the_others_of_their_stratum():
    """Two strata; in the second, one of three units has three values: a third of the mass."""
    counts = np.array([[2.0, 0], [1, 1], [2, 0], [0, 2], [1, 2]])
    units = Units(np.array([0, 0, 1, 1, 1]), np.array([0, 4, 1, 2, 3]))
    weights = np.array([1.0, 3.0, 5.0, 6.0, 8.0])
    more, made, weight = smoothing.of_counts(counts, units, weights)
    pairs = [[2, 0], [1, 1], [1, 1], [0, 2]]
    threes = [[3, 0], [2, 1], [2, 1], [1, 2], [2, 1], [1, 2], [1, 2], [0, 3]]
    assert more.tolist() == [*counts.tolist(), *pairs, *pairs, *threes]
    assert made.strata.tolist() == [0, 0, 1, 1, 1] + [0] * 4 + [1] * 12
    assert made.clusters.tolist() == [0, 4, 1, 2, 3] + [0] * 4 + [1] * 4 + [3] * 8
    assert made.mass == pytest.approx([1] * 5 + [1 / 6] * 4 + [1 / 9] * 4 + [1 / 36] * 8)
    assert weight.tolist() == [1, 3, 5, 6, 8] + [2] * 4 + [5.5] * 4 + [8] * 8
