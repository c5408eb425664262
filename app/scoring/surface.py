"""Whether form alone tells two groups of texts apart: a classifier that sees no words.

A logistic regression with a ridge penalty on lengths and marks, tried on texts that it was not
fitted to. The area under its ROC curve is the share of pairs (one text of each group) that it
orders correctly: 0.5 is chance.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FOLDS = 5
LEAST = 10  # texts of each group
RIDGE = 1.0
ROUNDS = 25
Z95 = 1.959964
WORD = re.compile(r"\w+")
NAMES = (
    *("characters", "words", "lines", "sentences", "word length", "sentence length", "commas"),
    *("colons", "brackets", "quotes", "digits", "capitals", "dashes", "marks", "lower start"),
)
Array = npt.NDArray[np.float64]


class TooFewError(ValueError):
    """A group has fewer than LEAST texts."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How well form tells the groups apart: the area and its 95 % interval (DeLong)."""

    area: float
    low: float
    high: float
    numbers: tuple[int, int]


def features(text: str) -> list[float]:
    """Return the surface of a text, in the order of NAMES; shares are per character."""
    words = WORD.findall(text)
    sentences = max(1, len(re.findall(r"[.!?](\s|$)", text)))
    size = max(1, len(text))
    letters = max(1, sum(map(str.isalpha, text)))

    def share(signs: str) -> float:
        return sum(map(text.count, signs)) / size

    return [
        math.log(size),
        math.log1p(len(words)),
        math.log1p(text.count("\n")),
        math.log(sentences),
        sum(map(len, words)) / max(1, len(words)),
        math.log1p(len(words) / sentences),
        share(","),
        share(":;"),
        share("()[]{}"),
        share("'\"“”‘’"),
        sum(map(str.isdigit, text)) / size,
        sum(map(str.isupper, text)) / letters,
        share("-–—"),
        share("*_#`|•>"),
        float(text[:1].islower()),
    ]


def telling(first: Sequence[str], second: Sequence[str], seed: int = 0) -> Telling:
    """Return how well form alone tells the second group from the first.

    Args:
        first: texts of one group.
        second: texts of the other.
        seed: how the texts are dealt into FOLDS folds.

    Raises TooFewError. Source: DeLong, DeLong & Clarke-Pearson (1988) for the interval.
    """
    if min(len(first), len(second)) < LEAST:
        raise TooFewError
    x = np.array([features(text) for text in (*first, *second)])
    y = np.array([0.0] * len(first) + [1.0] * len(second))
    scores = np.empty(len(y))
    folds = dealt(len(first), len(second), seed)
    for fold in range(FOLDS):
        test = folds == fold
        scores[test] = ranks(predicted(x[~test], y[~test], x[test]))
    return area(scores[y == 0], scores[y == 1])


def dealt(first: int, second: int, seed: int) -> npt.NDArray[np.int64]:
    """Return each text's fold; both groups are spread evenly over the folds."""
    found = []
    for size in (first, second):
        own = [place % FOLDS for place in range(size)]
        rng = random.Random(f"{seed}:{size}")
        keys = [rng.random() for _ in own]
        found += [own[place] for place in sorted(range(size), key=keys.__getitem__)]
    return np.array(found)


def predicted(x: Array, y: Array, new: Array) -> Array:
    """Return the scores of `new` by a model fitted to x and y (Newton's method)."""
    middle, spread = x.mean(axis=0), x.std(axis=0)
    spread[spread == 0] = 1.0
    x = np.column_stack([np.ones(len(x)), (x - middle) / spread])
    new = np.column_stack([np.ones(len(new)), (new - middle) / spread])
    penalty = np.diag([0.0, *[RIDGE] * (x.shape[1] - 1)])
    weights = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - penalty @ weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(curve)), slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:  # noqa: PLR2004 - converged
            break
    found: Array = new @ weights
    return found


def ranks(scores: Array) -> Array:
    """Return scores as mid-ranks in (0, 1), so that folds of different models can be pooled."""
    below = (scores[:, None] > scores[None, :]).sum(axis=1)
    equal = (scores[:, None] == scores[None, :]).sum(axis=1)
    found: Array = (below + equal / 2) / len(scores)
    return found


def area(low: Array, high: Array) -> Telling:
    """Return the area between two groups of scores, with its interval."""
    wins = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
    middle = float(wins.mean())
    spread = wins.mean(axis=1).var(ddof=1) / len(high) + wins.mean(axis=0).var(ddof=1) / len(low)
    half = Z95 * math.sqrt(spread)
    return Telling(middle, max(0.0, middle - half), min(1.0, middle + half), (len(low), len(high)))
