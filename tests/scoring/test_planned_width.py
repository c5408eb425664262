"""The widths of the report's intervals in simulated studies."""

import numpy as np
import pytest

from app.scoring import student
from app.scoring.crowd import Person
from app.scoring.planned_width import mean_widths
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
