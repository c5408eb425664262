"""Accuracy of the direct format: a mean over gen cells, then over units."""

import pytest

from app.scoring.accuracy import task_accuracy, unit_accuracy
from app.scoring.efficiency import NoEpisodesError


@pytest.mark.parametrize(
    ("rights", "expected"),
    [([True], 1.0), ([False], 0.0), ([True, False, False], 1 / 3), ([True, None], 1.0)],
)
def test_unit_is_the_mean_over_answered_gen_cells(rights, expected):
    assert unit_accuracy(rights) == expected


@pytest.mark.parametrize("rights", [[], [None, None]])
def test_unit_without_an_answer_has_no_accuracy(rights):
    with pytest.raises(NoEpisodesError):
        unit_accuracy(rights)


def test_task_counts_each_unit_once_however_many_cells_it_has():
    assert task_accuracy([unit_accuracy([True]), unit_accuracy([False, False, False])]) == 0.5


def test_task_without_units_has_no_accuracy():
    with pytest.raises(NoEpisodesError):
        task_accuracy([])
