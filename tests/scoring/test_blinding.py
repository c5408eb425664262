"""Bang's and James's blinding indices, against published numbers and by hand."""

import numpy as np
import pytest

from app.scoring import blinding
from app.scoring.bootstrap import Interval, NoInterval

PUBLISHED = np.array([[48.0, 22.0], [4.0, 30.0], [330.0, 319.0]])  # guesses by arms


def test_the_published_trial_gives_the_published_indices():
    found = blinding.indices(PUBLISHED)
    assert (round(found.james.value, 3), round(found.james.error, 3)) == (0.896, 0.011)
    first, second = found.bang
    assert (round(first.value, 3), round(second.value, 3)) == (0.115, 0.022)
    assert [round(x, 3) for x in (first.low, first.high)] == [0.080, 0.150]
    assert [round(x, 3) for x in (second.low, second.high)] == [-0.016, 0.060]


@pytest.mark.parametrize(
    ("counts", "james", "bang"),
    [
        ([[10, 0], [0, 10], [0, 0]], 0.0, (1.0, 1.0)),  # everyone knows
        ([[0, 0], [0, 0], [7, 9]], 1.0, (0.0, 0.0)),  # no one claims to know
        ([[5, 5], [5, 5], [0, 0]], 0.5, (0.0, 0.0)),  # coins
        ([[0, 10], [10, 0], [0, 0]], 1.0, (-1.0, -1.0)),  # all wrong
        ([[10, 10], [0, 0], [0, 0]], None, (1.0, -1.0)),  # one guess for all: by hand
    ],
)
def test_plain_cases_give_the_indices_known_by_hand(counts, james, bang):
    found = blinding.indices(np.array(counts, float))
    assert tuple(one.value for one in found.bang) == bang
    if james is not None:
        assert found.james.value == pytest.approx(james)
    else:
        assert found.james.value == pytest.approx(0.5)


def test_an_arm_without_guesses_has_no_index_and_a_reason():
    found = blinding.indices(np.array([[3.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    assert found.james.value is None
    assert "both" in found.james.reason
    assert found.bang[0].value == 0.5
    assert found.bang[1].value is None
    empty = blinding.indices(np.zeros((3, 2)))
    assert [empty.james.value, *(one.value for one in empty.bang)] == [None, None, None]


def guesses(items, raters, seed=1):
    """Return (items, 3, 2): how often each item was guessed to be what, in its arm's column."""
    rng = np.random.default_rng(seed)
    table = np.zeros((items, 3, 2))
    for item in range(items):
        arm, easy = item % 2, rng.random()
        for _ in range(raters):
            right = rng.random() < easy
            guess = 2 if rng.random() < 0.2 else (arm if right else 1 - arm)
            table[item, guess, arm] += 1
    return table


def test_guesses_pooled_over_raters_are_drawn_by_item():
    """Four raters who see the same easy and hard texts know less than 160 independent guesses."""
    table = guesses(40, 4)
    names = tuple(f"author {n}" for n in range(40))
    pooled = blinding.pooled(table, names, replicates=2000, seed=1)
    naive = blinding.indices(table.sum(0))
    for ours, single in zip((pooled.james, *pooled.bang), (naive.james, *naive.bang), strict=True):
        assert isinstance(ours.interval, Interval)
        assert ours.value == pytest.approx(single.value)
        assert ours.interval.low < ours.value < ours.interval.high
        assert ours.interval.high - ours.interval.low > 1.2 * (single.high - single.low)
    again = blinding.pooled(table, names, replicates=2000, seed=1)
    assert again == pooled


def test_items_of_one_author_are_drawn_together():
    """With each author's text ten times, the interval is as wide as without the copies."""
    single = guesses(40, 4)
    copies = np.repeat(single, 10, axis=0)
    authors = tuple(f"author {n}" for n in range(40) for _ in range(10))
    one = blinding.pooled(single, authors[::10], replicates=2000, seed=1).james
    many = blinding.pooled(copies, authors, replicates=2000, seed=1).james
    widths = [x.cluster_interval.high - x.cluster_interval.low for x in (many,)]
    plain = one.interval.high - one.interval.low
    assert widths[0] == pytest.approx(plain, rel=0.15)
    assert many.interval.high - many.interval.low < 0.5 * plain


def test_few_items_have_no_interval_but_a_reason():
    found = blinding.pooled(guesses(6, 2), tuple("abcdef"), replicates=500, seed=1)
    assert isinstance(found.james.interval, NoInterval)
    assert found.james.interval.code == "too_few_units"
