"""The widths of the report's intervals in simulated studies."""

import numpy as np
import pytest

from app.scoring import players, student
from app.scoring.crowd import Person
from app.scoring.planned import Plan
from app.scoring.planned_width import gap_widths, mean_widths
from tests.scoring.test_whatif import plan, world

ONE, TWO = world("A-Add"), world("P-Add")
SCORES = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 1.0]
OTHERS = [0.2, 0.1, 0.9, 0.4, 0.5, 0.3, 1.0]
CONDITION = ("semantic", "1", "episodic")


def people(*given, scores):
    """People with a score in each world, kept as the efficiency."""
    return [Person(given, (1,) * len(given), own) for own in zip(*scores, strict=True)]


def widths(studies, worlds=(ONE, TWO)):
    return mean_widths(worlds, studies, lambda person, at: person.efficiency[at])


def by_hand(values):
    return 2 * student.quantile(len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5


def test_width_is_students_over_players_for_a_task_and_for_the_mean_of_tasks():
    found = widths([people(ONE, TWO, scores=(SCORES, OTHERS))])
    assert found[(*CONDITION, "A-Add")] == pytest.approx(by_hand(SCORES))
    assert found[(*CONDITION, "P-Add")] == pytest.approx(by_hand(OTHERS))
    both = np.mean([SCORES, OTHERS], axis=0)
    assert found[(*CONDITION, "Total")] == pytest.approx(by_hand(both))


def test_worlds_of_one_player_count_as_one_player():
    again = world("A-Add", 2)
    found = widths([people(ONE, again, scores=(SCORES, SCORES))], (ONE, again))
    assert found == {(*CONDITION, "A-Add"): pytest.approx(by_hand(SCORES))}


def test_studies_are_averaged_and_too_few_players_have_no_width():
    few = people(ONE, TWO, scores=(SCORES[:1], OTHERS[:1]))
    assert set(widths([few]).values()) <= {None}
    studies = [people(ONE, scores=(own,)) for own in (SCORES, OTHERS)]
    mean = (by_hand(SCORES) + by_hand(OTHERS)) / 2
    assert widths([few, *studies], (ONE,))[(*CONDITION, "A-Add")] == pytest.approx(mean)


def test_width_comes_close_to_the_spread_of_many_studies():
    found = plan([world("A-Add", mean=0.5)], people=50, simulated=300, norm_eff=1.0)
    place = (*CONDITION, "A-Add")
    spread = found.scores[place].width
    assert found.intervals["ECSR or accuracy"][place] == pytest.approx(spread, rel=0.2)


def test_two_players_have_a_width_and_one_who_misses_a_task_counts_in_the_other():
    assert widths([people(ONE, scores=([0.0, 1.0],))], (ONE,))[(*CONDITION, "A-Add")] is not None
    missing = Person((TWO,), (1,), (0.5,))
    present = people(ONE, TWO, scores=([0.0, 0.5, 1.0], [0.2, 0.4, 0.9]))
    found = widths([[*present, missing]])[(*CONDITION, "Total")]
    first, second = np.array([0.0, 0.5, 1.0]), np.array([0.2, 0.4, 0.9, 0.5])
    pulls = np.append((first - first.mean()) / 3, 0) + (second - second.mean()) / 4
    error = np.sqrt(4 / 3 * np.sum((pulls / 2) ** 2))
    assert found == pytest.approx(2 * student.quantile(3) * error)


def test_total_is_averaged_over_studies():
    studies = [people(ONE, TWO, scores=own) for own in ((SCORES, OTHERS), (OTHERS, OTHERS))]
    each = [by_hand(np.mean(own, axis=0)) for own in ((SCORES, OTHERS), (OTHERS, OTHERS))]
    assert widths(studies)[(*CONDITION, "Total")] == pytest.approx(np.mean(each))


def test_worlds_that_a_player_has_not_reached_have_no_score():
    early = [Person((ONE, TWO), (1,), (one,)) for one in SCORES]
    found = widths([early])
    assert found[(*CONDITION, "A-Add")] == pytest.approx(by_hand(SCORES))
    assert found[(*CONDITION, "P-Add")] is None


WORDS = Plan("semantic - nonce", "", "1", (("semantic", "episodic"), ("nonce", "episodic")))
FAMILY = {"A-Add": "attribute", "P-Add": "procedural"}
NONCE, NONCE_P = world("A-Add", lexicon="nonce"), world("P-Add", lexicon="nonce")
LONG = [0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 1.0, 0.25, 0.75, 0.5]
AFTER = [0.2, 0.1, 0.9, 0.4, 0.5, 0.3, 1.0, 0.0, 0.5, 0.25]


def gaps(studies, plan=WORDS):
    return gap_widths(plan, FAMILY, studies, lambda person, at: person.efficiency[at])


def test_width_of_a_paired_difference_is_students_over_the_gaps_of_players():
    found = gaps([people(ONE, NONCE, scores=(LONG, AFTER))])
    wide = by_hand(np.array(LONG) - AFTER)
    assert found == {
        "A-Add": pytest.approx(wide),
        "P-Add": None,
        "attribute": pytest.approx(wide),
        "procedural": None,
        "Total": None,
    }


def test_width_of_a_difference_of_two_groups_is_welchs():
    """Equal sizes: variances add up, and 2 (n - 1) degrees of freedom for equal variances."""
    other = LONG[::-1]
    both = [*people(ONE, scores=(LONG,)), *people(NONCE, scores=(other,))]
    error = (2 * np.var(LONG, ddof=1) / 10) ** 0.5
    assert gaps([both])["A-Add"] == pytest.approx(2 * student.quantile(18) * error)


def test_width_of_a_total_difference_is_that_of_the_mean_over_tasks():
    worlds, twos = (ONE, NONCE, TWO, NONCE_P), (LONG, AFTER, AFTER, LONG[::-1])
    found = gaps([people(*worlds, scores=twos)])
    first, second = np.array(LONG) - AFTER, np.array(AFTER) - LONG[::-1]
    assert found["P-Add"] == found["procedural"] == pytest.approx(by_hand(second))
    assert found["Total"] == pytest.approx(by_hand((first + second) / 2))


def test_difference_from_a_model_is_as_wide_as_the_score_itself():
    plan = Plan("people - model", "", "1", (("semantic", "episodic"), 0.5))
    studies = [people(ONE, scores=(own,)) for own in (LONG, AFTER)]
    found = gaps(studies, plan)["A-Add"]
    assert found == pytest.approx((by_hand(LONG) + by_hand(AFTER)) / 2)


def test_difference_has_no_width_where_the_report_has_no_interval():
    few = people(ONE, NONCE, scores=(LONG[:9], AFTER[:9]))
    enough = people(ONE, NONCE, scores=(LONG, AFTER))
    assert set(gaps([few]).values()) == {None}
    assert gaps([few, enough]) == gaps([enough])
    same = people(ONE, NONCE, scores=(LONG, [one - 0.125 for one in LONG]))
    assert set(gaps([same]).values()) == {None}


def test_width_of_a_difference_is_that_of_the_reports_interval():
    rng = np.random.default_rng(1)
    one, other = rng.random(60), rng.random(60)
    samples = [players.sample(enumerate(own)) for own in (one, other)]
    made = players.difference(*samples)
    found = gaps([people(ONE, NONCE, scores=(one, other))])["A-Add"]
    assert found == pytest.approx(made.high - made.low, rel=0.03)


def test_a_plan_has_the_widths_of_its_differences():
    worlds = [world("A-Add", mean=0.6), world("A-Add", lexicon="nonce", mean=0.6)]
    found = plan(worlds, people=40, rv=0.5, model=0.4, spread=0.2, simulated=30)
    keys = [(one.name, one.condition, one.measure, one.level) for one in found.tests]
    assert set(keys) <= set(found.gaps)
    assert all(0.05 < found.gaps[key] < 0.5 for key in keys)
