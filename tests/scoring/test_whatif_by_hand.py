"""Simulated studies, summed in plain loops: figures and their widths."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

from app.scoring import crowd, whatif
from app.scoring.crowd import Assumed, Person, WhatIfError
from app.scoring.planned import MAIN, MODEL, Range, planned_tests, plans, ranged
from app.scoring.planned_width import gap_widths, mean_widths
from tests.scoring.worlds import KEYS, SEED, WORLDS, world


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


def test_every_score_and_planned_difference_has_the_width_of_its_interval():
    keys = ("A/1/semantic/episodic", "A/1/nonce/episodic", "A/1/semantic/direct")
    worlds = [world(key) for key in keys]
    how = Assumed(14, 0.2, dropout=0.1, simulated=3, seed=SEED, rv=0.5, model=0.3)
    found = whatif.simulate(worlds, lambda *_: worlds, how)
    rng = np.random.default_rng(SEED)
    studies = [crowd.fill(worlds, lambda *_: worlds, how, rng) for _ in range(3)]
    score = {
        measure: partial(whatif.score_of, measure=measure)
        for measure in (MAIN, whatif.RATE, whatif.EFFICIENCY, whatif.RV)
    }
    assert found.intervals == {one: mean_widths(worlds, studies, of) for one, of in score.items()}
    assert found.gaps == {
        (plan.name, plan.condition, plan.measure, level): width
        for plan in (*plans(worlds, 0.3), *plans(worlds, measure=whatif.RV))
        for level, width in gap_widths(
            plan, {"A": worlds[0].family}, studies, score[plan.measure]
        ).items()
    }
    tests = {(one.name, one.condition, one.measure, one.level) for one in found.tests}
    assert {key for key, width in found.gaps.items() if width} == tests
    assert {name for name, *_ in tests} == {MODEL, "semantic - nonce", "direct - played"}


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
