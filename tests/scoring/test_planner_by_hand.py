"""The planner's parts, each against figures computed by hand."""

import numpy as np
import pytest

from app.scoring import agreement, planner
from app.scoring.longrows import Row, from_rows
from app.scoring.planner import DESIGNS, SIMULATED, Assumed, Plan, PlanError, Precision, plan

SURE = {0: (0, 1), 1: (2, 1), 2: (2, 0)}  # judge level: what the two raters say, without chance
CHANCES = np.zeros((3, 3, 3))
for _level, _pair in SURE.items():
    CHANCES[(_level, *_pair)] = 1.0


def test_chances_of_two_scores_by_hand():
    """A rater is right in 0.8, the judge in 0.75: 0.75 x 0.8 x 0.8 + 0.25 x 0.2 x 0.2 = 0.49."""
    found = planner._joint(2, Assumed(0.75, 0.8))
    assert found == pytest.approx(
        np.array([[[0.49, 0.16], [0.16, 0.19]], [[0.19, 0.16], [0.16, 0.49]]])
    )


def test_chances_of_three_scores_by_hand():
    """A rater mistakes a score for the one beside it; the middle one has two of them."""
    found = planner._joint(3, Assumed(0.5, 0.8))
    truth = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    given = np.array([[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8]])
    for level in range(3):
        for first in range(3):
            for second in range(3):
                by_hand = sum(truth[level] * given[:, first] * given[:, second])
                assert found[level, first, second] == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("caps", "size", "by", "given"),
    [
        ([9, 9], 0, [1, 1], [0, 0]),
        ([9, 9], 1, [1, 1], [1, 0]),
        ([9, 9], 6, [2, 1], [4, 2]),
        ([9, 9, 0], 18, [1, 1, 0], [9, 9, 0]),
        ([10, 20, 70], 7, [10, 20, 70], [0, 1, 6]),
        ([2, 50, 60], 60, [1, 1, 1], [2, 29, 29]),
        ([2, 3, 60], 60, [1, 1, 1], [2, 3, 55]),
        ([2, 25, 100], 60, [1, 1, 1], [2, 25, 33]),
        ([5, 6, 7, 8], 4, [7, 5, 7, 7], [2, 0, 1, 1]),
        ([1, 2] * 20, 5, [1, 2] * 20, [0, 1] * 5 + [0] * 30),
    ],
)
def test_shares_by_hand(caps, size, by, given):
    found = planner._share(np.array(caps, float), size, np.array(by, float))
    assert found.tolist() == given


@pytest.mark.parametrize(
    ("design", "size", "drawn"),
    [
        ("equal", 99, [28, 5, 17, 16, 26, 7]),
        ("source_balanced", 99, [17, 16, 17, 16, 17, 16]),
        ("proportional", 99, [6, 1, 9, 9, 57, 17]),
        ("equal", 600, [100, 20, 120, 120, 184, 56]),
        ("source_balanced", 600, [100, 20, 120, 120, 120, 120]),
    ],
)
def test_allocations_by_hand(design, size, drawn):
    counts = np.array([100.0, 20, 150, 150, 900, 280])
    found = planner._allocate(counts, np.array([0, 0, 1, 1, 2, 2]), size, design)
    assert found.tolist() == drawn


@pytest.mark.parametrize("design", ["equal", "source_balanced"])
def test_levels_that_the_pool_lacks_get_nothing(design):
    found = planner._allocate(np.array([3.0, 5.0]), np.array([1, 3]), 6, design)
    assert found.tolist() == [3, 3]


@pytest.mark.parametrize("level", agreement.LEVELS)
def test_estimates_are_alphas_of_the_weighted_sample(level):
    """With raters who never err by chance, every sample is the same; weights are N_h / n_h."""
    of_level = np.array([0, 0, 1, 2, 2])
    counts = np.array([8.0, 4.0, 10.0, 6.0, 9.0])
    drawn = np.array([2.0, 0.0, 1.0, 3.0, 1.0])
    weights = [8 * (1 + 4 / 8) / 2, None, 10 / 1, 6 / 3, 9 / 1]  # nobody of the second is drawn
    numbers = np.array([0.0, 1.0, 5.0])
    found = planner._simulate(
        drawn, counts, of_level, CHANCES, numbers, level, 3, np.random.default_rng(1)
    )
    chosen = [(of_level[c], weights[c]) for c in range(5) for _ in range(int(drawn[c]))]

    def by_rows(side):
        rows = [
            Row(f"i{n}", rater, float(numbers[value]), weight)
            for n, (judged, weight) in enumerate(chosen)
            for rater, value in zip("ab", side(judged, *SURE[judged]), strict=True)
        ]
        return agreement.alpha(from_rows(rows), level, weighting="scaled").alpha

    human = by_rows(lambda _, one, two: (one, two))
    judge = (by_rows(lambda j, one, _: (j, one)) + by_rows(lambda j, _, two: (j, two))) / 2
    assert [part.shape for part in found] == [(3,)] * 3
    for part, expected in zip(found, (human, judge, human - judge), strict=True):
        assert part == pytest.approx(np.full(3, expected))


def test_every_sample_is_drawn_by_itself():
    chances = planner._joint(3, Assumed())
    rng = np.random.default_rng(1)
    drawn = np.array([9.0, 9.0, 9.0])
    found = planner._simulate(
        drawn, drawn, np.arange(3), chances, np.arange(3.0), "ordinal", 5, rng
    )
    assert [len(set(part.tolist())) for part in found] == [5, 5, 5]


def test_cells_of_the_last_level_that_are_not_drawn_are_left_out():
    drawn, counts = np.array([4.0, 2.0, 0.0]), np.array([8.0, 4.0, 3.0])
    given = (CHANCES, np.arange(3.0), "nominal", 2)
    found = planner._simulate(drawn, counts, np.arange(3), *given, np.random.default_rng(1))
    fewer = planner._simulate(drawn[:2], counts[:2], np.arange(2), *given, np.random.default_rng(1))
    assert np.array_equal(found, fewer)


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_truth_of_a_pool_by_hand(level):
    """A quarter is of level 0, a quarter of 1, half of 2, whose number is 5; alpha of shares."""
    counts, of_level = np.array([2.0, 2, 4]), np.array([0, 1, 2])
    human, judge = planner._truth(counts, of_level, CHANCES, np.array([0.0, 1.0, 5.0]), level)
    apart = (lambda a, b: float(a != b)) if level == "nominal" else (lambda a, b: (a - b) ** 2)

    def of(pairs):
        seen = sum(apart(*pair) for pair in pairs) / 4
        flat = [value for pair in pairs for value in pair]
        return 1 - seen / (sum(apart(a, b) for a in flat for b in flat) / 64)

    assert human == pytest.approx(of([(0, 1), (5, 1), (5, 0), (5, 0)]), abs=1e-8)
    both = of([(0, 0), (1, 5), (5, 5), (5, 5)]), of([(0, 1), (1, 1), (5, 0), (5, 0)])
    assert judge == pytest.approx(sum(both) / 2, abs=1e-8)


@pytest.mark.parametrize(("undefined", "width"), [(0, 0.95), (50, 0.95), (51, None)])
def test_width_is_that_of_the_middle_unless_a_twentieth_is_undefined(undefined, width):
    values = np.full(1000, np.nan)
    values[undefined:] = np.linspace(1, 2, 1000 - undefined)
    found = planner._width(values)
    assert found == (None if width is None else pytest.approx(width))


def test_enough_is_the_smallest_size_of_the_design_that_is_narrow_enough():
    rows = [
        Precision(design, size, (size,), width, 0.0, 0.0)
        for design, size, width in (
            ("equal", 10, None),
            ("equal", 20, 0.31),
            ("equal", 40, 0.1),
            ("equal", 30, 0.3),
            ("proportional", 15, 0.1),
        )
    ]
    found = [planner._enough(rows, design, 0.3) for design in DESIGNS]
    assert found == [30, 15, None]


def test_plan_tries_each_size_and_design_in_turn_with_one_seed():
    pool = {(7, "b"): 5, (0, "a"): 3, (3, "a"): 0, (0, "b"): 4, (7, "a"): 8}
    assumed, scale = Assumed(0.7, 0.8), (0, 1, 3, 7, 8)
    how = {"scale": scale, "assumed": assumed, "seed": 5, "simulated": 30, "level": "ratio"}
    counts, of_level = np.array([3.0, 4.0, 8.0, 5.0]), np.array([0, 0, 3, 3])
    given = (planner._joint(5, assumed), np.array(scale, float), "ratio")
    rng, rows = np.random.default_rng(5), []
    for size in (6, 20):
        for design in DESIGNS:
            drawn = planner._allocate(counts, of_level, size, design)
            found = planner._simulate(drawn, counts, of_level, *given, 30, rng)
            levels = (int(sum(drawn[:2])), 0, 0, int(sum(drawn[2:])), 0)
            rows.append(Precision(design, size, levels, *map(planner._width, found)))
    human, judge = planner._truth(counts, of_level, *given)
    enough = {design: planner._enough(rows, design, 0.9) for design in DESIGNS}
    assert None not in [row.human_human for row in rows]
    assert plan(pool, 0.9, sizes=(30, 6, 25), **how) == Plan(
        scale, (7, 0, 0, 13, 0), 0.9, assumed, 5, 30, human, judge, tuple(rows), enough
    )


def test_plan_of_a_small_pool_has_the_usual_settings():
    pool = {(0, "a"): 2, (1, "a"): 2, (2, "a"): 2}
    found = plan(pool, 0.2)
    assert (found.seed, found.simulated, found.levels) == (1, SIMULATED, (0, 1, 2))
    assert found.assumed == Assumed(0.75, 0.85)
    assert found == plan(
        pool, 0.2, scale=(0, 1, 2), assumed=Assumed(0.75, 0.85), seed=1, level="ordinal"
    )
    assert [row.size for row in found.rows] == [6] * 3


@pytest.mark.parametrize(
    ("changed", "good"),
    [
        ({"pool": {}}, False),
        ({"pool": {(0, "a"): 0}}, False),
        ({"pool": {(0, "a"): 5, (1, "a"): -1}}, False),
        ({"pool": {(0, "a"): 5, (1, "a"): 0}}, True),
        ({"pool": {(0, "a"): 5, (3, "a"): 1}}, False),
        ({"wished": 0}, False),
        ({"wished": 0.01}, True),
        ({"wished": 1.99}, True),
        ({"wished": 2}, False),
        ({"scale": (0,)}, False),
        ({"scale": (0, 1)}, True),
        ({"assumed": Assumed(0, 0.5)}, False),
        ({"assumed": Assumed(0.5, 0)}, False),
        ({"assumed": Assumed(1, 0.5)}, True),
        ({"assumed": Assumed(0.5, 1)}, True),
        ({"assumed": Assumed(1.01, 0.5)}, False),
        ({"assumed": Assumed(0.5, 1.01)}, False),
    ],
)
def test_only_pools_and_assumptions_that_make_sense_are_planned(changed, good):
    given = {"pool": {(0, "a"): 5}, "wished": 0.2, "sizes": (4,), "simulated": 5} | changed
    if good:
        assert len(plan(**given).rows) == 3
        return
    with pytest.raises(PlanError):
        plan(**given)
