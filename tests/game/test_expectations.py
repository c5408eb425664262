from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial
from pathlib import Path

import pytest

from app.errors import FieldError
from app.game.bots import BOTS, FLOORS, expected, floors, tiers, win_chances
from app.game.certify import certify
from app.game.expectation import expectation, norm_eff, slipping, trying
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import COVERAGES, Variant
from app.game.practice import practice_variant
from app.game.rules import reachable
from app.game.tasks import TASK_NAMES, TASKS
from app.game.tiers import prior_chances
from app.game.variant import generate, with_answer
from app.scoring import efficiency

LEXICON = Path(__file__).parents[2] / "app" / "lexica" / "semantic.json"
ENUMERATOR = {
    "A-Add": Fraction(77, 240),
    "A-Comp": Fraction(4609, 20160),
    "A-Cond": Fraction(29, 100),
    "A-Over": Fraction(13, 36),
    "P-Comp": Fraction(13, 36),
    "P-Cond": Fraction(5, 12),
    "P-Over": Fraction(13, 36),
}
ENUMERATOR_P_ADD = {  # by count: ecsr, success
    1: (Fraction(203, 528), Fraction(2, 3)),
    2: (Fraction(359, 858), Fraction(1)),
    3: (Fraction(889, 1872), Fraction(1)),
}


@cache
def lexicon() -> Lexicon:
    return parse_lexicon(LEXICON.read_text("utf-8"))


@cache
def make(task: str, seed: int, coverage: str = "1", *, permute: bool = False) -> Variant:
    return generate(TASKS[task], seed, lexicon(), coverage, permute_outputs=permute)


def episodes(
    *tasks: str, seeds: Iterable[int] = range(6), coverages: Iterable[str] = ("1",)
) -> list[tuple[Variant, int]]:
    return [
        (variant, index)
        for task in tasks
        for seed in seeds
        for coverage in coverages
        for variant in [make(task, seed, coverage)]
        for index in range(len(variant.episodes))
    ]


def test_norm_eff_every_figure_within_a_budget_equals_the_score_of_scoring():
    for ref_length in range(4, 9):
        for n_tries in range(2, 10):
            for actions in range(ref_length, ref_length * n_tries + 1):
                exact = norm_eff(actions, ref_length, n_tries)
                assert float(exact) == efficiency.norm_eff(actions, ref_length, n_tries)


@pytest.mark.parametrize("task", ENUMERATOR)
def test_expected_enumerator_is_the_figure_of_the_task_in_every_cell(task):
    found = {expected("enumerator", *episode) for episode in episodes(task)}
    assert {(one.ecsr, one.success) for one in found} == {(ENUMERATOR[task], Fraction(1))}


def test_expected_enumerator_p_add_is_the_figure_of_the_hidden_count():
    found = {}
    for variant, index in episodes("P-Add", seeds=range(12)):
        one = expected("enumerator", variant, index)
        found[variant.episodes[index].process.count] = one.ecsr, one.success
    assert found == ENUMERATOR_P_ADD


@pytest.mark.parametrize("task", TASK_NAMES)
def test_expected_oracle_is_one(task):
    assert {expected("oracle", *episode).ecsr for episode in episodes(task)} == {1}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_expected_inducer_full_coverage_is_one(task):
    assert {expected("inducer", *episode).ecsr for episode in episodes(task)} == {1}


def test_expected_ecsr_is_success_times_norm_eff_or_nothing_won():
    for name in BOTS:
        for variant, index in episodes(*TASK_NAMES, seeds=range(2)):
            one = expected(name, variant, index)
            assert one.ecsr == one.success * (one.norm_eff or 0)
            assert (one.norm_eff is None) == (one.success == 0)


def test_expected_answer_never_shown_leaves_the_copycat_nothing():
    for variant, index in episodes("A-Comp", "P-Comp"):
        assert expected("copycat", variant, index).success == 0


@pytest.mark.parametrize("coverage", COVERAGES)
@pytest.mark.parametrize("task", TASK_NAMES)
def test_copycat_first_attempt_succeeds_with_contextual_bias(task, coverage):
    for seed in range(4):
        variant = make(task, seed, coverage)
        chances = []
        for index, episode in enumerate(variant.episodes):
            group = next(iter(tiers("copycat", variant, index)), ())
            chances.append(Fraction(episode.output in group, max(1, len(group))))
        assert sum(chances) / len(chances) == certify(variant).contextual_bias


def test_copycat_first_attempt_chance_is_that_of_a_win_without_a_detour():
    for variant, index in episodes(*TASK_NAMES, seeds=range(3)):
        group = tiers("copycat", variant, index)[0]
        episode = variant.episodes[index]
        at_once = win_chances("copycat", variant, index).get(episode.ref_length, 0)
        assert at_once == Fraction(episode.output in group, len(group))


def test_eliminator_p_comp_is_given_the_answer_by_what_is_not_shown():
    assert {expected("eliminator", *episode).ecsr for episode in episodes("P-Comp")} == {1}


def test_eliminator_tries_the_least_shown_output_first():
    for variant, index in episodes(*TASK_NAMES, coverages=("1/3", "1", "2")):
        shown = Counter(
            variant.grid[cell[0]][cell[1]]
            for demonstration in variant.demonstrations
            if (cell := variant.entity(demonstration.entity).cell) is not None
        )
        ranks = [{shown[o] for o in group} for group in tiers("eliminator", variant, index)]
        assert all(len(rank) == 1 for rank in ranks)
        assert [min(rank) for rank in ranks] == sorted(min(rank) for rank in ranks)


def test_neighbour_tries_same_class_then_same_role_then_the_rest():
    variant = make("A-Comp", 0)
    for index, (class_, role) in enumerate(variant.gen_cells):
        row = {variant.grid[class_][r] for r in range(3) if r != role}
        column = {variant.grid[c][role] for c in range(3) if c != class_}
        first, second, rest = tiers("neighbour", variant, index)
        assert (set(first), set(second)) == (row, column)
        assert set(rest) == set(reachable(variant.task)) - row - column


def test_neighbour_output_of_both_neighbours_is_tried_once_with_the_class():
    for variant, index in episodes("A-Over", "P-Over", "A-Add"):
        tried = [output for group in tiers("neighbour", variant, index) for output in group]
        assert len(tried) == len(set(tried)) == len(reachable(variant.task))


def test_prior_chances_latin_split_follows_how_often_the_grid_has_an_output():
    ninths = {(0,): 1, (1,): 2, (2,): 3, (3,): 2, (4,): 1}
    assert prior_chances(TASKS["A-Add"]) == {o: Fraction(n, 9) for o, n in ninths.items()}


def test_prior_chances_no_word_tells_which_item_is_the_override():
    half, sixth = Fraction(1, 2), Fraction(1, 6)
    by_index = {(0,): sixth, (1,): sixth, (2,): sixth, (3,): half}
    assert prior_chances(TASKS["A-Over"], knows_words=True) == by_index
    assert set(prior_chances(TASKS["A-Over"]).values()) == {Fraction(1, 4)}


def test_prior_chances_every_listed_item_is_as_likely_also_those_out_of_reach():
    chances = prior_chances(TASKS["A-Cond"])
    assert (len(chances), set(chances.values())) == (12, {Fraction(1, 12)})


def by_enumeration(task, draws):
    """Return the mean score of trying any listed item first, with words drawn anew each time."""
    found = []
    for seed in range(draws):
        variant = make(task, seed)
        for episode in variant.episodes:
            names = sorted({item.item for _, item in variant.outputs})
            place = names.index(episode.process.item)  # the order of the page, whatever the draw
            used = (place + 1) * episode.ref_length
            if used <= episode.budget:
                found.append(norm_eff(used, episode.ref_length, episode.n_tries))
            else:
                found.append(Fraction(0))
    return float(sum(found, Fraction(0)) / len(found))


@pytest.mark.parametrize(("task", "floor"), [("A-Over", 0.361), ("A-Cond", 0.145)])
def test_prior_expects_what_a_player_without_words_gets(task, floor):
    assert round(float(floors(make(task, 0))["prior"]), 3) == floor
    assert by_enumeration(task, 400) == pytest.approx(floor, abs=0.035)


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("permuted", [False, True])
def test_prior_chances_sum_to_one(task, permuted):
    assert sum(prior_chances(TASKS[task], permuted=permuted).values()) == 1


def test_prior_permuted_outputs_take_its_knowledge_of_the_override_away():
    assert len(tiers("prior", make("P-Over", 0), 0)[0]) == 1
    assert len(tiers("prior", make("P-Over", 0, permute=True), 0)[0]) == 4


@pytest.mark.parametrize("coverage", COVERAGES)
@pytest.mark.parametrize("task", TASK_NAMES)
def test_inducer_tries_exactly_what_the_certificate_leaves(task, coverage):
    variant = make(task, 1, coverage)
    for index, cell in enumerate(certify(variant).cells):
        assert tiers("inducer", variant, index) == (cell.predictions,)


def test_tiers_another_answer_in_a_gen_cell_changes_only_who_knows_the_rule():
    for variant, index in episodes(*TASK_NAMES, seeds=range(2)):
        cell = variant.gen_cells[index]
        assert variant.entity(variant.episodes[index].entity).cell == cell
        answers = [o for o, _ in variant.outputs if o != variant.episodes[index].output]
        other = with_answer(variant, cell, answers[0])
        changed = [
            name for name in BOTS if tiers(name, variant, index) != tiers(name, other, index)
        ]
        assert changed == ["oracle", "typist"]


def test_tiers_unknown_bot_is_refused_by_name():
    with pytest.raises(FieldError) as caught:
        tiers("wizard", make("A-Add", 0), 0)
    assert caught.value.field == "bot"


@pytest.mark.parametrize("budget", [12, 15, 21, 40])
def test_trying_equals_the_count_over_all_orders(budget):
    others, own, before = (5, 6, 4, 6, 7), 5, 3
    costs, right = (*others, own), len(others)
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for order in permutations(range(len(costs))):
        tried = order[: order.index(right) + 1]
        actions = before + sum(costs[i] for i in tried)
        if actions <= budget:
            found[actions] += Fraction(1, factorial(len(costs)))
    assert trying(before, others, own, budget) == found


def test_slipping_equals_a_walk_over_every_line():
    ref_length, slip, budget = 4, Fraction(3, 20), 8

    def walk(used: int, left: int, chance: Fraction) -> None:
        if left == 0:
            found[used] += chance
            return
        fails = slip if used + left < budget else Fraction(0)
        walk(used + 1, left - 1, chance * (1 - fails))
        if fails:
            walk(used + 1, left, chance * fails)

    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    walk(0, ref_length, Fraction(1))
    assert slipping(ref_length, slip, budget) == found


def test_slipping_always_ends_within_the_budget():
    chances = slipping(5, Fraction(9, 10), 15)
    assert sum(chances.values()) == 1
    assert max(chances) == 15


def test_expectation_nothing_won_has_no_norm_eff():
    one = expectation({}, 4, 5)
    assert (one.success, one.ecsr) == (Fraction(0), Fraction(0))
    assert one.norm_eff is None


def test_expected_typist_always_wins_and_scores_below_one():
    for variant, index in episodes(*TASK_NAMES, seeds=range(2)):
        one = expected("typist", variant, index)
        assert one.success == 1
        assert Fraction(1, 2) < one.ecsr < 1
    assert expected("typist", variant, index, slip=0).ecsr == 1


def test_expected_practice_without_a_budget_is_refused():
    with pytest.raises(FieldError) as caught:
        expected("oracle", practice_variant(), 0)
    assert caught.value.field == "budget"


@pytest.mark.parametrize("task", TASK_NAMES)
def test_floors_are_means_over_gen_cells_of_all_but_the_typist(task):
    variant = make(task, 2)
    found = floors(variant)
    assert tuple(found) == FLOORS == tuple(name for name in BOTS if name != "typist")
    for name, floor in found.items():
        scores = [expected(name, variant, i).ecsr for i in range(len(variant.episodes))]
        assert floor == sum(scores) / len(variant.gen_cells)
