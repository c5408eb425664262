"""Accuracy of the direct format: a mean over gen cells."""

import pytest

from app.scoring.accuracy import unit_accuracy
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
