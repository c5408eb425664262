"""Whether form alone tells two groups of texts apart."""

import math
import random

import numpy as np
import pytest
from scipy import optimize

from app.scoring.surface import (
    NAMES,
    RIDGE,
    TooFewError,
    area,
    dealt,
    features,
    predicted,
    ranks,
    telling,
)

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


def test_long_texts_with_marks_are_distinguished_from_short_ones():
    rng = random.Random(1)
    people = [text(rng, 4, 12) for _ in range(40)]
    models = [f"**Rule:** {text(rng, 40, 60)}." for _ in range(40)]
    found = telling(people, models)
    assert found.area > 0.99
    assert found.low > 0.9
    assert found.numbers == (40, 40)


def test_texts_of_one_kind_are_distinguished_no_better_than_by_chance():
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


def test_surface_of_a_text_counted_by_hand():
    text = 'Ab, c: (d) "9"\n- *E* 23. Fg hij.'
    size = len(text)
    words = ["Ab", "c", "d", "9", "E", "23", "Fg", "hij"]
    wanted = {
        "characters": math.log(size),
        "words": math.log1p(8),
        "lines": math.log1p(1),
        "sentences": math.log(2),
        "word length": sum(map(len, words)) / 8,
        "sentence length": math.log1p(4),
        "commas": 1 / size,
        "colons": 1 / size,
        "brackets": 2 / size,
        "quotes": 2 / size,
        "digits": 3 / size,
        "capitals": 3 / 10,
        "dashes": 1 / size,
        "marks": 2 / size,
        "lower start": 0.0,
    }
    found = dict(zip(NAMES, features(text), strict=True))
    assert found == pytest.approx(wanted, abs=1e-12)


def test_surface_of_very_short_texts():
    found = dict(zip(NAMES, features("a"), strict=True))
    assert (found["characters"], found["sentences"], found["word length"]) == (0.0, 0.0, 1.0)
    assert (found["lower start"], found["capitals"]) == (1.0, 0.0)
    assert dict(zip(NAMES, features("B"), strict=True))["capitals"] == 1.0
    assert dict(zip(NAMES, features("aB"), strict=True))["lower start"] == 1.0
    assert set(features("")) == {0.0}


@pytest.mark.parametrize("signs", ["[]{}()", "'\"“”‘’", ":;", "-–—", "*_#`|•>"])
def test_each_sign_counts_once(signs):
    assert sum(features(signs + " ")[6:-1]) == pytest.approx(len(signs) / (len(signs) + 1))


def test_scores_are_those_of_the_best_penalised_fit():
    """The same optimum as SciPy finds; the intercept carries no penalty."""
    rng = np.random.default_rng(4)
    x, new = rng.normal(3, 2, (60, 3)), rng.normal(3, 2, (9, 3))
    x[:, 2] = new[:, 2] = 7.0  # a feature that never varies
    y = (x[:, 0] + rng.normal(0, 2, 60) > 4).astype(float)
    middle, spread = x.mean(0), np.where(x.std(0) > 0, x.std(0), 1.0)
    z = (x - middle) / spread

    def loss(w):
        fit = w[0] + z @ w[1:]
        return np.logaddexp(0, fit).sum() - y @ fit + RIDGE / 2 * (w[1:] ** 2).sum()

    best = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    wanted = best[0] + (new - middle) / spread @ best[1:]
    assert predicted(x, y, new) == pytest.approx(wanted, abs=1e-5)


def test_scores_become_mid_ranks_between_0_and_1():
    found = ranks(np.array([3.0, 1.0, 3.0, 9.0]))
    assert found.tolist() == [2 / 4, 0.5 / 4, 2 / 4, 3.5 / 4]


def test_ten_texts_of_each_group_are_enough_and_nine_are_not():
    texts = [f"text {'x' * n}" for n in range(10)]
    assert telling(texts, texts).numbers == (10, 10)
    with pytest.raises(TooFewError):
        telling(texts, texts[:9])


def test_texts_are_dealt_by_the_seed_alone():
    assert dealt(12, 12, 0).tolist() == dealt(12, 12, 0).tolist() != dealt(12, 12, 1).tolist()
    texts = [f"{'word ' * n}, {n}" for n in range(12)]
    assert telling(texts, texts[::-1]) == telling(texts, texts[::-1], 0)


def test_letters_are_no_marks():
    assert features("XXXX")[6:11] + features("XXXX")[12:] == [0.0] * 8


def test_each_text_is_scored_by_the_fit_to_the_other_folds():
    first = [f"text {'x' * n}, " * (n % 4) for n in range(12)]
    second = [f"text {'x' * n}, " * (n % 5) for n in range(13)]  # too alike to tell apart
    x = np.array([features(text) for text in first + second])
    y = np.array([0.0] * 12 + [1.0] * 13)
    folds, scores = dealt(12, 13, 3), np.zeros(25)
    for fold in range(5):
        own = [at for at in range(25) if folds[at] == fold]
        others = [at for at in range(25) if folds[at] != fold]
        scores[own] = ranks(predicted(x[others], y[others], x[own]))
    assert telling(first, second, 3) == area(scores[:12], scores[12:])
