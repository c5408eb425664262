"""The sign-permutation test: exact for few pairs, within Monte Carlo error above."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hyp
from hypothesis import strategies as st
from scipy import stats

from app.scoring import permutation
from app.scoring.permutation import DRAWS, SignTest, bonferroni, levels, sign_test


def exact(values):
    return stats.permutation_test(
        (np.array(values),), np.mean, permutation_type="samples", n_resamples=np.inf
    ).pvalue


def test_three_pairs_of_one_sign_have_a_quarter():
    """Of 8 sign patterns two have the largest absolute sum."""
    found = sign_test([0.2, 0.5, 0.1])
    assert (found.p, found.exact, found.pairs) == (0.25, True, 3)
    assert found.mean == pytest.approx(0.8 / 3)


def test_ties_by_rounding_count_as_ties():
    """0.1 + 0.2 - 0.3 is not 0 in floating point, but its pattern is as extreme as any."""
    assert sign_test([0.1, 0.2, -0.3]).p == 1.0


def test_no_difference_at_all_has_p_1_and_no_pairs_none():
    assert sign_test([0.0, 0.0]).p == 1.0
    assert sign_test([0.0] * 20).p == 1.0
    assert sign_test([]) == SignTest(mean=None, p=None, pairs=0, exact=True)


@hyp(max_examples=30)
@given(st.lists(st.floats(-1, 1).map(lambda v: round(v, 3)), min_size=2, max_size=10))
def test_up_to_ten_pairs_p_is_exactly_that_of_scipy(values):
    assert sign_test(values).p == pytest.approx(exact(values) if any(values) else 1.0, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.08, 0.2])
def test_above_ten_pairs_p_is_within_monte_carlo_error(shift):
    values = np.random.default_rng(4).normal(shift, 0.3, 14)
    truth = exact(values)
    found = sign_test(list(values), seed=2)
    assert (found.exact, found.pairs) == (False, 14)
    assert found.mean == pytest.approx(values.mean())
    error = math.sqrt(truth * (1 - truth) / DRAWS)
    assert abs(found.p - truth) < 4 * error + 1 / DRAWS


def test_p_of_draws_is_never_0():
    assert sign_test([1.0] * 40).p == 1 / (1 + DRAWS)


def test_the_same_seed_gives_the_same_p():
    values = list(np.random.default_rng(1).normal(0.05, 0.3, 25))
    assert sign_test(values, 5) == sign_test(values, 5)


def test_draws_held_in_several_chunks_are_counted_together(monkeypatch):
    """A chunk of 300 signs is 10 rows of 30: the memory it takes changes no figure."""
    values = list(np.random.default_rng(1).normal(0.05, 0.3, 30))
    whole = sign_test(values, 5)
    monkeypatch.setattr(permutation, "CHUNK", 300)
    assert sign_test(values, 5) == whole
    monkeypatch.setattr(permutation, "CHUNK", 1)  # less than one row: a row at a time
    assert sign_test(values, 5, number=50) == sign_test(values, 5, number=50)
    assert sign_test([1.0] * 40, number=50).p == 1 / 51


def test_whole_numbers_are_tested_as_floats():
    assert sign_test([1, 1, 1]) == sign_test([1.0, 1.0, 1.0])
    assert isinstance(sign_test([1, 2]).mean, float)


def test_seed_is_1_unless_another_is_given():
    values = list(np.random.default_rng(1).normal(0.05, 0.3, 25))
    assert sign_test(values) == sign_test(values, 1) != sign_test(values, 2)


def test_bonferroni_multiplies_and_stops_at_1():
    assert bonferroni(0.01, 4) == 0.04
    assert bonferroni(0.5, 4) == 1.0
    assert bonferroni(None, 4) is None


def test_levels_are_tasks_families_and_the_total_with_the_tests_of_their_family():
    family = {"z": "procedural", "a": "attribute", "y": "own", "b": "attribute", "w": "labs"}
    assert levels(family) == [
        ("z", ["z"], 1),
        ("a", ["a"], 2),
        ("y", ["y"], 1),
        ("b", ["b"], 2),
        ("w", ["w"], 1),
        ("attribute", ["a", "b"], 4),
        ("procedural", ["z"], 4),
        ("labs", ["w"], 4),
        ("own", ["y"], 4),
        ("Total", ["z", "a", "y", "b", "w"], 1),
    ]
    assert levels({"a": "attribute"}) == [("a", ["a"], 1), ("attribute", ["a"], 1)]
    two = levels({"a": "attribute", "b": "attribute"})
    assert two[-1] == ("Total", ["a", "b"], 1)
    assert levels({}) == []
