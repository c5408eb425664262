"""Which tests are planned, and their power: over pairs of variants, summed in plain loops."""

import numpy as np
import pytest

from app.scoring import whatif
from app.scoring.crowd import Assumed
from app.scoring.permutation import sign_test
from app.scoring.planned import MODEL, Plan, Power, Range, planned_tests, powers
from tests.scoring.worlds import SEED, world


def test_planned_tests_are_those_with_both_sides():
    """Coverage 1: words and format. 2: words only. 3: neither; stated nonce words are no side."""
    design = {
        "1": ("semantic/episodic", "nonce/episodic", "nonce/direct"),
        "2": ("semantic/episodic", "nonce/episodic"),
        "3": ("semantic/episodic", "nonce/direct"),
        "4": ("other/direct", "other/episodic", "semantic/direct"),
    }
    worlds = [
        world(f"A/{seed}/{side}", coverage)
        for coverage, sides in design.items()
        for seed in (1, 2)
        for side in sides
    ]
    # In each of two studies: semantic 1, nonce 0.5, others 0.25; stated answers 0.125 more.
    levels = {"semantic": 1.0, "nonce": 0.5, "other": 0.25}
    study = [(one, levels[one.lexicon] + 0.125 * (one.format == "direct")) for one in worlds]
    found = planned_tests(worlds, [study, study], SEED)
    assert found == [
        Power(*words, 2, 0, level)
        for words in (
            ("semantic - nonce", "coverage 1", Range(0.5, 0.0)),
            ("direct - played", "nonce, coverage 1", Range(0.125, 0.0)),
            ("semantic - nonce", "coverage 2", Range(0.5, 0.0)),
            ("direct - played", "other, coverage 4", Range(0.125, 0.0)),
        )
        for level in ("A", "attribute")
    ]
    ruled = planned_tests(worlds, [study, study], SEED, 0.5, measure="RV")
    assert [one.condition for one in ruled if one.level == "A"] == ["coverage 1", "coverage 2"]
    assert {(one.name, one.measure) for one in ruled} == {("semantic - nonce", "RV")}


def test_model_with_a_fixed_score_is_compared_in_each_lexicon_and_format():
    worlds = [world(f"A/{seed}/{side}") for seed in range(6) for side in ("x/direct", "x/episodic")]
    study = [(one, 0.75 - 0.25 * (one.format == "direct")) for one in worlds]
    found = [one for one in planned_tests(worlds, [study], SEED, 0.5) if one.name == MODEL]
    assert found == [
        Power(MODEL, f"x, coverage 1, {how}", Range(gap, 0.0), 6, power, level)
        for how, gap, power in (("episodic", 0.25, 1), ("direct", 0.0, 0))
        for level in ("A", "attribute")
    ]


def test_test_against_a_model_draws_with_the_seed():
    """More than ten pairs, so p is drawn; in many of these studies it is close to .05."""
    worlds, rng = [world(f"A/{seed}/x/episodic") for seed in range(14)], np.random.default_rng(1)
    studies = [[(one, rng.normal(0.58, 0.15)) for one in worlds] for _ in range(150)]
    plan = Plan(MODEL, "x, coverage 1, episodic", "1", (("x", "episodic"), 0.5))
    for seed in (1, 2):
        assert planned_tests(worlds, studies, seed, 0.5) == powers(plan, studies, seed)
    assert powers(plan, studies, 1) != powers(plan, studies, 2)


def test_p_is_adjusted_by_the_tasks_of_a_family_and_by_the_families():
    """Six pairs: p = 2 / 2^6 = .03125. Twice that is too much, so two tasks hide each other."""
    family = {"A": "attribute", "B": "attribute", "P": "procedural"}
    studies = [
        [
            (world(f"{task}/{seed}/{words}/episodic", family=family[task]), score)
            for task in tasks
            for seed in range(6 if task != "B" else 7)
            for words, score in (("semantic", 0.5), ("nonce", 0.25))
        ]
        for tasks in ("A", "ABP")
    ]
    found = {one.level: one for one in powers(Plan(*NAMED), studies, SEED)}
    assert {level: (one.tests, one.power) for level, one in found.items()} == {
        "A": (2, 0.5),  # alone it is one test; beside B, p = .0625
        "B": (2, 0.5),  # 7 pairs: p = .03125 although doubled
        "P": (1, 0.5),
        "attribute": (2, 1),  # 13 pairs, drawn
        "procedural": (2, 0),
        "Total": (1, 0.5),  # the first study has one task, and no total
    }
    assert found["P"].pairs == 3


SIDES = (("semantic", "episodic"), ("nonce", "episodic"))
NAMED = ("semantic - nonce", "coverage 1", "1", SIDES)


def study_of(differences, others=()):
    """Return a study in which each variant has two people on the left and three on the right."""
    units = []
    for n, apart in enumerate(differences):
        left, right = (world(f"A/{n + 10}/{words}/episodic") for words, _ in SIDES)
        units += [(left, 0.5 + apart - 0.25), (left, 0.5 + apart + 0.25)]
        units += [(right, 0.25), (right, 0.25), (right, 1.0)]
    return [*units, *others]


def test_power_is_over_variants_that_both_sides_have():
    """Six pairs, all higher, are found (p = 2 / 2^6); five are not; then there is none at all."""
    lonely = [
        (world("B/1/semantic/episodic"), 1.0),
        (world("C/1/nonce/episodic"), 1.0),
        (world("C/1/semantic/direct"), 1.0),
        (world("C/1/semantic/episodic", "2"), 1.0),
    ]
    studies = [study_of([0.25] * 6, lonely), study_of([0.5] * 5), lonely, study_of([0.25] * 7)]
    mean = pytest.approx(1 / 3)
    assert powers(Plan(*NAMED), studies, SEED) == [
        Power("semantic - nonce", "coverage 1", Range(mean, None), 18 / 4, 2 / 4, level)
        for level in ("A", "attribute")
    ]


BORDER = [-0.6, 0.7, 0.4, 0.1, 0.9, 1.5, 0.6, -0.6, 1.0, 0.1, 1.6]  # 11 pairs with p near 0.05
ROWS = np.random.default_rng(1).permuted([BORDER] * 30, axis=1).tolist()


def drawn(seed, rows=tuple(ROWS)):
    """Return the share of the studies in which 999 draws find a difference."""
    return sum(sign_test(row, seed, 999).p <= 0.05 for row in rows) / len(rows)


def test_power_with_many_pairs_is_that_of_the_drawn_signs():
    """Other draws would find differences in other studies, and so in another share of them."""
    studies = [study_of(row) for row in ROWS]
    found = [powers(Plan(*NAMED), studies, seed)[0].power for seed in range(6)]
    assert found == pytest.approx([drawn(seed) for seed in range(6)])
    assert len(set(found)) > 3


def test_planned_tests_draw_their_signs_from_the_seed():
    """Nonce words are as far from semantic ones as from the direct format."""
    sides = ("semantic/episodic", "nonce/direct", "nonce/episodic")
    worlds = [[world(f"A/{n + 10}/{side}") for side in sides] for n in range(11)]
    studies = [
        [
            (one, 0.5 + apart * (one is not here[2]))
            for here, apart in zip(worlds, row, strict=True)
            for one in here
        ]
        for row in ROWS
    ]
    for seed in range(6):
        words, _, how, _ = planned_tests([one for here in worlds for one in here], studies, seed)
        assert (words.power, how.power) == pytest.approx([drawn(seed)] * 2)


def test_simulated_studies_draw_their_signs_from_the_seed():
    """With this many episodes, every study has nearly the assumed differences: p is near 0.05."""
    worlds = [
        world(f"A/{n + 10}/{words}/episodic", episodes=10_000, mean=0.5 + apart)
        for n, border in enumerate(BORDER)
        for words, apart in (("semantic", border / 4), ("nonce", 0))
    ]
    powers = set()
    for seed in range(6):
        how = Assumed(1, 0, dropout=0, simulated=30, seed=seed)
        studies = []
        found = whatif.simulate(worlds, lambda *_: worlds, how, studies.append)
        units = [whatif.units_of(people) for people in studies]
        assert list(found.tests) == planned_tests(worlds, units, seed)
        powers.add(found.tests[0].power)
    assert len(powers) > 3


def test_p_of_exactly_5_percent_is_found():
    row = [0.6, 0.9, 0.3, -0.3, 0.1, -0.4, 0.7, 1.9, 0.1, 0.0, 1.1]
    assert sign_test(row, 2, 999).p == 0.05
    assert powers(Plan(*NAMED), [study_of(row)], 2)[0].power == 1
