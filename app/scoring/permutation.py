"""The sign-permutation test for paired differences, as in the paper.

Under the null hypothesis each pair's sign is a fair coin. The statistic is the absolute mean
difference (two-sided). Source: the paper (5,000 permutations, two-sided, Bonferroni by task
family); p = (1 + #) / (1 + 5000) is never 0 (Phipson & Smyth, 2010).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 5_000
LEVEL = 0.05  # of significance
EXACT_UP_TO = 10  # pairs; 1,024 sign patterns
TIE = 1e-12  # of the sum of absolute differences: below it two sums are the same
FAMILIES = ("attribute", "procedural")  # others follow by name
TOTAL = "Total"
CHUNK = 4_000_000  # signs held at once


@dataclass(frozen=True, slots=True)
class SignTest:
    """Result of the test. `p`: None without pairs; `mean` of the differences; `exact` or drawn."""

    mean: float | None
    p: float | None
    pairs: int
    exact: bool


def sign_test(differences: Sequence[float], seed: int = 1, number: int = DRAWS) -> SignTest:
    """Test whether paired differences have mean 0, two-sided.

    Args: differences: one per pair (task x variant). number: draws if there are too many patterns
        to try them all.
    Returns: the exact p for at most 10 pairs, otherwise (1 + hits) / (1 + number).
    """
    pairs = len(differences)
    if not pairs:
        return SignTest(None, None, 0, exact=True)
    values = np.array(differences, dtype=np.float64)
    least = abs(values.sum()) - TIE * np.abs(values).sum()
    mean = float(values.sum() / pairs)
    if pairs <= EXACT_UP_TO:
        patterns = (np.arange(2**pairs)[:, None] >> np.arange(pairs)) & 1
        sums = (1 - 2 * patterns) @ values
        return SignTest(mean, float((np.abs(sums) >= least).sum() / 2**pairs), pairs, exact=True)
    rng, hits, left = np.random.default_rng(seed), 0, number
    while left:
        rows = min(left, max(1, CHUNK // pairs))
        sums = (1 - 2 * rng.integers(0, 2, (rows, pairs))) @ values
        hits += int((np.abs(sums) >= least).sum())
        left -= rows
    return SignTest(mean, (1 + hits) / (1 + number), pairs, exact=False)


def can_find(pairs: int, tests: int = 1, level: float = LEVEL) -> bool:
    """Tell whether so many pairs can give an adjusted p of at most `level`.

    With n pairs, all of the same sign, the test gives p = 2 / 2^n.
    """
    return bool(tests * 2 / 2 ** min(pairs, EXACT_UP_TO) <= level)


def bonferroni(p: float | None, tests: int) -> float | None:
    """Return p times the number of tests of its family, at most 1."""
    return None if p is None else min(1.0, p * tests)


def levels(family: Mapping[str, str]) -> list[tuple[str, list[str], int]]:
    """Return (name, tasks, number of tests) of each task, each family, and the total.

    Bonferroni is by family: a task's p counts the tasks of its family, a family's p the families.

    Args: family: task -> its family.
    """
    others = sorted(set(family.values()) - set(FAMILIES))
    families = {
        name: own
        for name in (*FAMILIES, *others)
        if (own := [task for task in family if family[task] == name])
    }
    found = [(task, [task], len(families[family[task]])) for task in family]
    found += [(name, own, len(families)) for name, own in families.items()]
    return [*found, (TOTAL, list(family), 1)] if len(family) > 1 else found
