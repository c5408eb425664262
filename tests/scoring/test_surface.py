"""Whether form alone tells two groups of texts apart."""

import random

import numpy as np
import pytest

from app.scoring.surface import NAMES, TooFewError, area, features, telling

WORDS = [
    "the",
    "class",
    "decides",
    "which",
    "item",
    "you",
    "need",
    "and",
    "the",
    "role",
    "changes",
    "it",
]


def text(rng, least, most):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(least, most)))


def test_features_are_as_many_as_their_names():
    assert len(features("Two words, here.")) == len(features("")) == len(NAMES)


def test_long_texts_with_marks_are_told_from_short_ones():
    rng = random.Random(1)
    people = [text(rng, 4, 12) for _ in range(40)]
    models = [f"**Rule:** {text(rng, 40, 60)}." for _ in range(40)]
    found = telling(people, models)
    assert found.area > 0.99
    assert found.low > 0.9
    assert found.numbers == (40, 40)


def test_texts_of_one_kind_are_told_apart_no_better_than_by_chance():
    covered, areas = 0, []
    for seed in range(60):
        rng = random.Random(seed)
        first, second = ([text(rng, 5, 40) for _ in range(30)] for _ in range(2))
        found = telling(first, second, seed)
        covered += found.low <= 0.5 <= found.high
        areas.append(found.area)
    assert abs(np.mean(areas) - 0.5) < 0.04
    assert covered >= 51  # 85 %: pooled folds are a little worse than independent texts


def test_area_and_interval_by_hand():
    found = area(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 5.0]))
    assert found.area == pytest.approx(7.5 / 9)
    high, low = [0.5, 1, 1], [1, 5 / 6, 2 / 3]
    spread = np.var(high, ddof=1) / 3 + np.var(low, ddof=1) / 3
    assert found.low == pytest.approx(7.5 / 9 - 1.959964 * spread**0.5)
    assert found.high == 1.0


def test_groups_that_are_too_small_are_refused():
    with pytest.raises(TooFewError):
        telling(["a"] * 9, ["b"] * 50)


def test_texts_that_are_all_the_same_give_chance():
    found = telling(["same"] * 20, ["same"] * 20)
    assert found.area == 0.5
