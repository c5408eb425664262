"""Alpha: published values, degenerate cases, weights and laws."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.scoring.agreement import LEVELS, alpha, alphas, scores, unit_coincidences
from app.scoring.longrows import BadValueError, Row, from_rows

FILE = Path(__file__).parents[1] / "data" / "alpha_reference_cases.json"
REFERENCE = json.loads(FILE.read_text("utf-8"))
CASES = [
    (case["data"], level, expected["alpha"])
    for case in REFERENCE["cases"]
    for level, expected in case["alpha"].items()
]
NAMES = [f"{case['id']}-{level}" for case in REFERENCE["cases"] for level in case["alpha"]]
STRATIFIED = REFERENCE["stratified"]
PAIRS = {"HH": (0, 1), "H1J": (0, 2), "H2J": (1, 2)}
KINDS = {
    "unweighted": "none",
    "frequency_weighted": "frequency",
    "weights_scaled_to_sample_size": "scaled",
}
VALUE = st.one_of(st.none(), st.integers(0, 4))
MATRICES = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(VALUE, min_size=raters, max_size=raters), min_size=2, max_size=12
    )
)


def from_matrix(matrix, *, weights=None, domain=()):
    """Return a matrix (units x raters) as long rows; None = missing."""
    rows = [
        Row(f"u{unit}", f"r{rater}", value, 1.0 if weights is None else weights[unit])
        for unit, line in enumerate(matrix)
        for rater, value in enumerate(line)
        if value is not None
    ]
    return from_rows(rows, domain=domain)


def alpha_of(matrix, level, **more):
    return alpha(from_matrix(matrix, **more), level).alpha


def same(first, second):
    return first == second if None in (first, second) else first == pytest.approx(second, abs=1e-9)


@pytest.mark.parametrize(("matrix", "level", "expected"), CASES, ids=NAMES)
def test_reference_case_has_its_published_alpha(matrix, level, expected):
    assert alpha_of(matrix, level) == pytest.approx(expected, abs=6e-7)


@pytest.mark.parametrize("case", REFERENCE["degenerate"], ids=lambda case: case["id"])
@pytest.mark.parametrize("level", LEVELS)
def test_degenerate_case_has_no_alpha_and_its_status(case, level):
    found = alpha(from_matrix(case["data"]), level)
    assert {"alpha": found.alpha, "status": found.status} == case["expected"]


def test_variation_in_single_rated_units_only_is_undefined():
    found = alpha(from_matrix([[2, 2], [2, 2], [0, None]]), "ordinal")
    assert (found.alpha, found.status, found.n_single) == (None, "undefined_no_variation", 1)


@pytest.mark.parametrize("pair", STRATIFIED["expected"], ids=lambda pair: pair["pair"])
@pytest.mark.parametrize("kind", KINDS)
def test_stratified_case_has_its_weighted_alpha(pair, kind):
    first, second = PAIRS[pair["pair"]]
    matrix = [[row[first], row[second]] for row in STRATIFIED["rows"]]
    found = alpha(
        from_matrix(matrix, weights=STRATIFIED["weights"]), "ordinal", weighting=KINDS[kind]
    )
    assert found.alpha == pytest.approx(pair["alpha"]["ordinal"][kind]["alpha"], abs=6e-7)


@given(MATRICES, st.data())
def test_frequency_weights_equal_replicated_units(matrix, data):
    weights = [data.draw(st.integers(1, 4)) for _ in matrix]
    replicated = [line for line, times in zip(matrix, weights, strict=True) for _ in range(times)]
    for level in LEVELS:
        weighted = alpha(from_matrix(matrix, weights=weights), level, weighting="frequency")
        assert same(weighted.alpha, alpha_of(replicated, level))


@given(MATRICES, st.randoms())
def test_order_of_raters_within_units_and_of_units_changes_nothing(matrix, random):
    other = [random.sample(line, len(line)) for line in matrix]
    random.shuffle(other)
    for level in LEVELS:
        assert same(alpha_of(matrix, level), alpha_of(other, level))


@given(MATRICES, st.permutations(range(5)))
def test_names_of_nominal_categories_change_nothing(matrix, names):
    other = [[None if v is None else f"name {names[v]}" for v in line] for line in matrix]
    assert same(alpha_of(matrix, "nominal"), alpha_of(other, "nominal"))


@given(MATRICES, st.lists(st.integers(0, 4), max_size=5))
def test_units_with_one_value_or_none_change_nothing(matrix, singles):
    width = len(matrix[0])
    other = matrix + [[value] + [None] * (width - 1) for value in singles] + [[None] * width]
    for level in LEVELS:
        assert same(alpha_of(matrix, level), alpha_of(other, level))


@given(MATRICES, st.lists(st.integers(-50, 50), min_size=5, max_size=5, unique=True))
def test_increasing_recoding_leaves_ordinal_alpha(matrix, numbers):
    to = sorted(numbers)
    other = [[None if v is None else to[v] for v in line] for line in matrix]
    assert same(alpha_of(matrix, "ordinal"), alpha_of(other, "ordinal"))


@given(MATRICES, st.integers(1, 9), st.integers(-9, 9))
def test_affine_recoding_leaves_interval_alpha_and_scaling_leaves_ratio(matrix, factor, shift):
    affine = [[None if v is None else v * factor + shift for v in line] for line in matrix]
    scaled = [[None if v is None else v * factor for v in line] for line in matrix]
    assert same(alpha_of(matrix, "interval"), alpha_of(affine, "interval"))
    assert same(alpha_of(matrix, "ratio"), alpha_of(scaled, "ratio"))


@given(MATRICES)
def test_two_used_categories_make_nominal_ordinal_and_interval_equal(matrix):
    two = [[None if v is None else v % 2 for v in line] for line in matrix]
    found = [alpha_of(two, level) for level in ("nominal", "ordinal", "interval")]
    assert same(found[0], found[1])
    assert same(found[0], found[2])


@given(MATRICES)
def test_declared_unused_categories_change_nothing_but_are_counted(matrix):
    for level in LEVELS:
        declared = alpha(from_matrix(matrix, domain=range(9)), level)
        assert same(alpha_of(matrix, level), declared.alpha)
        assert declared.counts[5:] == (0, 0, 0, 0)


@given(MATRICES, st.data(), st.floats(0.01, 100))
def test_constant_factor_on_weights_changes_nothing(matrix, data, factor):
    weights = [data.draw(st.floats(0.1, 9)) for _ in matrix]
    found = [
        alpha(from_matrix(matrix, weights=w), "ordinal", weighting="scaled")
        for w in (weights, [weight * factor for weight in weights])
    ]
    assert same(found[0].alpha, found[1].alpha)
    assert sum(found[0].counts) == pytest.approx(found[0].n_pairable_values)


@given(MATRICES)
def test_units_own_coincidences_add_up_to_the_same_alpha(matrix):
    ratings = from_matrix(matrix)
    assume(ratings.items)
    values = len(ratings.domain)
    table = unit_coincidences(ratings.counts()).sum(0).reshape(values, values)
    for level in LEVELS:
        whole = alpha(ratings, level).alpha
        found = float(alphas(table, scores(ratings.domain, level), level))
        assert np.isnan(found) if whole is None else found == pytest.approx(whole, abs=1e-9)


def test_result_reports_units_values_and_disagreement():
    found = alpha(from_matrix([[0, 0], [1, 2], [2, None], [None, None]]), "nominal")
    assert (found.n_units, found.n_pairable, found.n_single) == (3, 2, 1)
    assert (found.n_values, found.n_pairable_values) == (5, 4)
    assert found.counts == (2, 1, 1)
    assert (found.observed, found.expected) == (0.5, pytest.approx(10 / 12))
    assert (found.flags, found.weights) == (("too_few_units",), None)


def test_constant_rater_is_flagged_and_named():
    found = alpha(from_matrix([[1, 0], [1, 1], [1, 2], [1, 1]]), "ordinal")
    assert found.constant_raters == ("r0",)
    assert "rater_constant" in found.flags


@pytest.mark.parametrize(("others", "flagged"), [(4, False), (3, True)])
def test_one_value_above_four_fifths_is_flagged(others, flagged):
    found = alpha(
        from_matrix([[1, 1]] * 8 + [[0, 2]] * (others // 2) + [[1, 0]] * (others % 2)), "nominal"
    )
    assert ("low_prevalence" in found.flags) == flagged


def test_effective_units_are_kishs():
    found = alpha(from_matrix([[0, 1], [1, 1]], weights=[1, 3]), "nominal", weighting="scaled")
    assert found.weights.effective_units == pytest.approx(16 / 10)


@pytest.mark.parametrize(
    ("values", "level"), [(("a", "b"), "ordinal"), ((-1, 2), "ratio"), ((1, 2), "nominell")]
)
def test_values_that_a_level_cannot_hold_are_refused(values, level):
    with pytest.raises(BadValueError):
        alpha(from_rows([Row("a", "x", values[0]), Row("a", "y", values[1])]), level)


def test_frequencies_must_be_whole():
    with pytest.raises(BadValueError):
        alpha(from_matrix([[0, 1]], weights=[1.5]), "nominal", weighting="frequency")
