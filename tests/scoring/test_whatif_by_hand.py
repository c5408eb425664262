"""Simulated studies, summed in plain loops: figures, their widths, and which tests are planned."""

from collections import Counter

import numpy as np
import pytest

from app.scoring import crowd, whatif
from app.scoring.crowd import Assumed, Person, WhatIfError, World
from app.scoring.permutation import sign_test
from app.scoring.planned import MAIN, MODEL, Plan, Power, Range, planned_tests, powers, ranged

SEED = 4
KEYS = ("A/1/semantic/episodic", "A/1/nonce/episodic", "A/2/semantic/direct", "B/1/nonce/direct")


def world(key, coverage="1", **changes):
    task, seed, lexicon, how = key.split("/")
    found = {"episodes": 3, "mean": 0.6, "quota": None} | changes
    return World(key, task, int(seed), lexicon, coverage, how, **found)


WORLDS = tuple(world(key) for key in KEYS)


class Seen:
    """Reported progress and observed studies."""

    def __init__(self):
        self.work, self.studies = [], []

    def track(self, things, what, total=None):
        self.work.append((what, total))
        return things


def test_outcome_is_the_mean_of_studies_drawn_one_after_another():
    seen = Seen()
    worlds = (world(KEYS[0], quota=3), *WORLDS[1:])

    def choose(counts, place, full):
        del counts
        return () if full else worlds[: place % 3 + 1]

    how = Assumed(12, 0.2, dropout=0.3, simulated=5, seed=SEED, nonce=-0.1, direct=0.1)
    found = whatif.simulate(worlds, choose, how, seen.studies.append, seen.track)
    rng = np.random.default_rng(SEED)
    studies = [crowd.fill(worlds, choose, how, rng) for _ in range(5)]
    assert seen.studies == studies
    assert seen.work == [("Simulating studies", 5)]
    people = [person for study in studies for person in study]
    finished = [person for person in people if len(person.wins) == len(person.given)]
    assert 0 < len(finished) < len(people) < 60
    assert found.finished == len(finished) / 5
    assert found.left == (len(people) - len(finished)) / 5
    assert found.refused == (60 - len(people)) / 5
    counts = Counter(one.key for person in finished for one in person.given)
    assert found.cells == {one.key: counts[one.key] / 5 for one in worlds}
    units = [whatif.units_of(study) for study in studies]
    assert found.scores == whatif.scores(worlds, units)
    assert found.tests == tuple(planned_tests(worlds, units, SEED))
    assert whatif.simulate(worlds, choose, how) == found


@pytest.mark.parametrize("rv", [None, 0.5])
def test_rv_and_a_model_are_planned_if_they_are_assumed_and_the_quota_holds(rv):
    keys = ("A/1/semantic/episodic", "A/1/nonce/episodic", "A/2/semantic/direct")
    worlds = [world(key) for key in keys]
    how = Assumed(9, 0.2, norm_eff=0.8, dropout=0.2, simulated=4, seed=SEED, rv=rv, model=0.3)
    found = whatif.simulate(worlds, lambda *_: worlds, how, quota=3)
    rng = np.random.default_rng(SEED)
    studies = [crowd.fill(worlds, lambda *_: worlds, how, rng, 3) for _ in range(4)]
    assert (found.finished, found.refused > 0) == (3, True)
    units = {
        measure: [whatif.units_of(study, measure) for study in studies]
        for measure in (MAIN, whatif.RATE, whatif.EFFICIENCY, whatif.RV)
    }
    tests = planned_tests(worlds, units[MAIN], SEED, 0.3)
    assert {one.name for one in tests} >= {MODEL, "semantic - nonce"}
    beside = {one: units[one] for one in (whatif.RATE, whatif.EFFICIENCY)}
    if rv is not None:
        tests += planned_tests(worlds, units[whatif.RV], SEED, measure=whatif.RV)
        beside[whatif.RV] = units[whatif.RV]
    assert found.tests == tuple(tests)
    assert found.beside == {one: whatif.scores(worlds[:2], of) for one, of in beside.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_seed_decides_the_draws_of_tests_of_rv(seed):
    keys = [f"A/{one}/{words}/episodic" for one in range(14) for words in ("semantic", "nonce")]
    worlds = [world(key, episodes=1) for key in keys]
    how = Assumed(6, 0, dropout=0, simulated=120, seed=seed, rv=0.5, nonce=0.2)
    found = whatif.simulate(worlds, lambda *_: worlds, how)
    rng = np.random.default_rng(seed)
    studies = [crowd.fill(worlds, lambda *_: worlds, how, rng) for _ in range(120)]
    units = [whatif.units_of(study, whatif.RV) for study in studies]
    wanted = [planned_tests(worlds, units, one, measure=whatif.RV) for one in (seed, 6)]
    assert list(found.tests[-len(wanted[0]) :]) == wanted[0] != wanted[1]


def test_impossible_assumptions_are_refused():
    with pytest.raises(WhatIfError):
        whatif.simulate(WORLDS, lambda *_: WORLDS, Assumed(2, dropout=1, simulated=1))


def test_unit_is_the_score_of_an_ended_world():
    """One win of three episodes with an efficiency of 0.9; directly stated answers have none."""
    some = (0.9, 0.9)
    people = [
        Person(WORLDS[1:3], (1, 2), some),
        Person(WORLDS, (3,), some[:1]),
        Person(WORLDS, (), ()),
    ]
    found = whatif.units_of(people)
    assert [one for one, _ in found] == [WORLDS[1], WORLDS[2], WORLDS[0]]
    assert [score for _, score in found] == pytest.approx([0.3, 2 / 3, 0.9])


def test_other_measures_are_about_played_worlds():
    """Three worlds: two wins of three with .8, stated answers, and no win at all."""
    given = (WORLDS[0], WORLDS[2], WORLDS[1])
    people = [Person(given, (2, 2, 0), (0.8, 0.8, None), (1.0, 1.0, 0.0))]
    wanted = {
        MAIN: [2 / 3 * 0.8, 2 / 3, 0],
        whatif.RATE: [2 / 3, 0],
        whatif.EFFICIENCY: [0.8],
        whatif.RV: [1, 0],
    }
    for measure, scores in wanted.items():
        found = whatif.units_of(people, measure)
        assert [score for _, score in found] == pytest.approx(scores)
    assert whatif.units_of([Person(given, (2, 2, 0), (0.8, 0.8, None))], whatif.RV) == []


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([], Range(None, None)),
        ([None], Range(None, None)),
        ([0.25], Range(0.25, 0.0)),
        ([n / 40 for n in range(41)], Range(pytest.approx(0.5), pytest.approx(0.95))),
        ([0.0] * 10 + [1.0] * 9 + [None], Range(pytest.approx(9 / 19), 1.0)),
        ([0.0] * 9 + [1.0] * 9 + [None] * 2, Range(0.5, None)),
    ],
)
def test_range_needs_19_of_20_figures_for_its_width(values, wanted):
    assert ranged(values) == wanted


def test_mean_of_some_values_and_of_none():
    assert (whatif.mean_of([1.0, 2.0, 6.0]), whatif.mean_of([])) == (3.0, None)


def test_scores_of_tasks_and_their_mean_in_each_condition():
    """The total is missing in a study without one of the tasks, here the second of two."""
    one, two, alone = (
        world("A/1/nonce/direct"), world("B/1/nonce/direct"), world("A/1/nonce/direct", "2"),
    )  # fmt: skip
    studies = [
        [(one, 0.25), (one, 0.75), (two, 1.0), (alone, 0.5)],
        [(one, 1.0), (alone, 0.0)],
    ]
    found = whatif.scores((one, world("A/2/nonce/direct"), two, alone), studies)
    first, second = ("nonce", "1", "direct"), ("nonce", "2", "direct")
    assert found == {
        (*first, "A"): Range(0.75, pytest.approx(0.475)),
        (*first, "B"): Range(1.0, None),
        (*first, "Total"): Range(0.75, None),
        (*second, "A"): Range(0.25, pytest.approx(0.475)),
    }
    assert list(found)[:3] == [(*first, "A"), (*first, "B"), (*first, "Total")]


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
