import json
import math
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring import efficiency
from app.scoring.efficiency import (
    EpisodeResult,
    NoEpisodesError,
    ScoreError,
    attempt_norm_eff,
    counted,
    norm_eff,
    t_of,
    task_metrics,
    unit_metrics,
)

FACTS = json.loads((Path(__file__).parents[1] / "data" / "paper_facts.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def nothing_remembered():
    """Compute every figure anew, so that a change of the program shows (`make mutants`)."""
    efficiency._remembered.cache_clear()


def played(**facts: Any) -> EpisodeResult:
    return EpisodeResult(ref_length=4, n_tries=5, **facts)


def won(actions_used: int, attempts: int = 1, **flags: Any) -> EpisodeResult:
    return played(success=True, actions_used=actions_used, attempts=attempts, **flags)


def lost(actions_used: int = 20, attempts: int = 5, **flags: Any) -> EpisodeResult:
    return played(success=False, actions_used=actions_used, attempts=attempts, **flags)


def test_t_of_extra_actions_is_fractional():
    assert t_of(5, 4) == 1.25


def test_t_of_no_action_and_of_the_shortest_reference_are_defined():
    assert (t_of(0, 4), t_of(3, 1)) == (0, 3)


@pytest.mark.parametrize(("actions_used", "ref_length"), [(-1, 4), (4, 0)])
def test_t_of_impossible_figures_is_refused(actions_used, ref_length):
    with pytest.raises(ScoreError) as caught:
        t_of(actions_used, ref_length)
    assert caught.value.code == "scoring/impossible"


def test_norm_eff_shortest_solution_is_exactly_one():
    assert norm_eff(7, 7, 3) == 1


def test_norm_eff_last_action_of_the_budget_is_exactly_zero():
    assert norm_eff(21, 7, 3) == 0


def test_norm_eff_worked_example_follows_the_formula_and_not_the_printed_value():
    example = FACTS["worked_example"]
    score = norm_eff(example["actions_used"], example["ref_length"], example["n_tries"])
    assert score == pytest.approx(example["norm_eff"])
    assert abs(score - example["printed_value"]) > 0.25


@given(st.integers(2, 9), st.integers(4, 12), st.data())
def test_norm_eff_within_the_budget_is_the_paper_s_formula_in_zero_to_one(n_tries, ref, data):
    actions = data.draw(st.integers(ref, ref * n_tries))
    t = t_of(actions, ref)
    assert norm_eff(actions, ref, n_tries) == pytest.approx((n_tries / t - 1) / (n_tries - 1))
    assert 0 <= norm_eff(actions, ref, n_tries) <= 1


@pytest.mark.parametrize(("actions", "ref", "n_tries"), [(3, 4, 5), (4, 4, 1), (4, 0, 5)])
def test_norm_eff_impossible_figures_is_refused(actions, ref, n_tries):
    with pytest.raises(ScoreError):
        norm_eff(actions, ref, n_tries)


def test_attempt_norm_eff_counts_attempts_instead_of_actions():
    assert attempt_norm_eff(3, 5) == pytest.approx((5 / 3 - 1) / 4)


def test_attempt_norm_eff_more_attempts_than_n_tries_is_zero():
    assert norm_eff(4, 1, 3) < 0
    assert attempt_norm_eff(4, 3) == 0


def test_attempt_norm_eff_no_attempt_is_refused():
    with pytest.raises(ScoreError):
        attempt_norm_eff(0, 5)


def test_unit_metrics_ecsr_is_rate_times_efficiency_and_sum_over_episodes():
    unit = unit_metrics([won(4), won(12, attempts=3), lost()])
    assert unit.success_rate == 2 / 3
    assert unit.norm_eff is not None
    assert unit.norm_eff == pytest.approx((1 + 1 / 6) / 2)
    assert unit.ecsr == pytest.approx((1 + 1 / 6) / 3)
    assert unit.ecsr == pytest.approx(unit.success_rate * unit.norm_eff)


def test_unit_metrics_no_success_has_no_efficiency_and_ecsr_zero():
    unit = unit_metrics([lost(), lost()])
    assert (unit.success_rate, unit.norm_eff, unit.ecsr) == (0, None, 0)
    assert (unit.attempt_norm_eff, unit.attempt_ecsr) == (None, 0)


def test_unit_metrics_score_attempts_as_well_as_actions():
    unit = unit_metrics([won(13, attempts=3), lost()])
    assert unit.attempt_norm_eff == attempt_norm_eff(3, 5)
    assert unit.attempt_ecsr == attempt_norm_eff(3, 5) / 2
    assert unit.norm_eff == norm_eff(13, 4, 5)


def test_unit_metrics_unfinished_episode_is_a_failure_in_the_main_figure():
    unit = unit_metrics([won(4), lost(1, 0, finished=False)])
    assert (unit.success_rate, unit.ecsr, unit.episodes, unit.unfinished) == (0.5, 0.5, 2, 1)


def test_unit_metrics_unfinished_episode_is_missing_in_the_sensitivity_figure():
    unit = unit_metrics([won(4), lost(1, 0, finished=False)], unfinished="missing")
    assert (unit.success_rate, unit.ecsr, unit.episodes, unit.unfinished) == (1, 1, 1, 1)


def test_unit_metrics_untouched_episode_counts_nowhere():
    untouched = lost(0, 0, finished=False)
    unit = unit_metrics([won(4), untouched])
    assert (unit.success_rate, unit.episodes, unit.unfinished) == (1, 1, 0)


def test_unit_metrics_voided_episode_is_excluded_and_counted():
    unit = unit_metrics([won(4), lost(voided=True), lost(3, 0, finished=False, voided=True)])
    assert (unit.success_rate, unit.episodes, unit.voided, unit.unfinished) == (1, 1, 2, 0)


@pytest.mark.parametrize("results", [[], [won(4, voided=True)], [lost(0, 0, finished=False)]])
def test_unit_metrics_nothing_counts_is_an_error_and_not_nan(results):
    with pytest.raises(NoEpisodesError) as caught:
        unit_metrics(results)
    assert caught.value.code == "scoring/no_episodes"


def test_unit_metrics_unfinished_success_is_refused():
    with pytest.raises(ScoreError):
        unit_metrics([won(4, finished=False)])


def test_unit_metrics_any_order_of_episodes_gives_the_same_floats():
    results = [won(5), won(7), won(11), won(13), lost()]
    assert len({unit_metrics(order) for order in permutations(results)}) == 1


def test_counted_keeps_the_order_so_that_the_first_episode_stays_first():
    results = [lost(voided=True), lost(0, 0, finished=False), won(9), won(4)]
    assert counted(results) == (won(9), won(4))


def test_counted_takes_an_unfinished_episode_as_a_failure_by_default():
    begun = lost(1, 0, finished=False)
    assert counted([begun]) == counted([begun], unfinished="failure") == (begun,)
    assert counted([begun], unfinished="missing") == ()
    assert counted([begun, won(4)], unfinished="missing") == (won(4),)


def test_task_metrics_is_the_mean_over_units_and_not_over_episodes():
    one = unit_metrics([won(4)])
    other = unit_metrics([lost(), lost(), lost()])
    task = task_metrics([one, other])
    assert (task.success_rate, task.ecsr, task.units) == (0.5, 0.5, 2)


def test_task_metrics_efficiency_covers_only_units_with_a_success():
    task = task_metrics([unit_metrics([won(12, 3)]), unit_metrics([lost()])])
    assert task.norm_eff == pytest.approx(1 / 6)
    assert task.attempt_norm_eff == pytest.approx(1 / 6)


def test_task_metrics_mean_rate_times_mean_efficiency_differs_from_mean_ecsr():
    task = task_metrics([unit_metrics([won(4)]), unit_metrics([won(12), lost()])])
    assert task.norm_eff is not None
    assert task.success_rate == 0.75
    assert task.ecsr == pytest.approx((1 + 1 / 12) / 2)
    assert task.attempt_ecsr == pytest.approx((1 + 1 / 2) / 2)
    assert not math.isclose(task.success_rate * task.norm_eff, task.ecsr)


def test_task_metrics_no_success_anywhere_has_no_efficiency():
    task = task_metrics([unit_metrics([lost()])])
    assert (task.norm_eff, task.attempt_norm_eff, task.ecsr) == (None, None, 0)


def test_task_metrics_no_unit_is_an_error():
    with pytest.raises(NoEpisodesError):
        task_metrics([])
