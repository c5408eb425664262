"""Who rates what, and in which order: pure functions of ids and a seed.

Items are known only by number here, so an order cannot depend on an item's author or judge.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from app.errors import StudyError
from app.game.names import shuffled


class MatrixError(StudyError):
    """There are fewer annotators than ratings required per item."""

    code = "round/too_few_raters"


@dataclass(frozen=True, slots=True)
class Turn:
    """One place in an annotator's order: the item, and whether it is a hidden repeat."""

    item: int
    repeat: int = 0


def stream(seed: int, purpose: str) -> random.Random:
    """Return the random generator for one purpose; identical on every machine."""
    data = sha256(f"{purpose}|{seed}".encode()).digest()
    return random.Random(int.from_bytes(data[:8], "big"))


def assign(items: Sequence[int], raters: int, k: int, seed: int) -> list[tuple[int, ...]]:
    """Return the k distinct raters (0, 1, ...) of each item.

    Workloads differ by at most one: the rater with the fewest items comes next; among equals, the
    one who shares the fewest items with those already chosen, so that all pairs of raters occur.
    Raises MatrixError: there are fewer raters than k.
    """
    if not 1 <= k <= raters:
        raise MatrixError(
            "Choose at least 1 annotator per item."
            if k < 1
            else f"Choose at most {raters} annotators per item, the number selected."
        )
    rng = stream(seed, "assign")
    load = [0] * raters
    met = [[0] * raters for _ in range(raters)]
    found: dict[int, tuple[int, ...]] = {}
    for item in shuffled(items, rng):
        taken: list[int] = []
        for _ in range(k):
            tie = [rng.random() for _ in range(raters)]
            left = [one for one in range(raters) if one not in taken]
            best = min(left, key=lambda r: (load[r], sum(met[r][t] for t in taken), tie[r]))
            taken.append(best)
        for one in taken:
            load[one] += 1
            for other in taken:
                met[one][other] += one != other
        found[item] = tuple(sorted(taken))
    return [found[item] for item in items]


def order(items: Sequence[int], repeat_percent: int, seed: int, rater: int) -> list[Turn]:
    """Return one rater's order: all items shuffled, some of the first half again in the second.

    `repeat_percent` of the items (rounded half up) appear twice, but no more than the first half
    holds; each repeat comes as late after the first showing as the halves allow.
    """
    rng = stream(seed, f"order/{rater}")
    mixed = shuffled(items, rng)
    half = len(mixed) // 2
    number = min(half, (len(mixed) * repeat_percent + 50) // 100)
    again = [Turn(item, 1) for item in shuffled(mixed[:half], rng)[:number]]
    first, second = mixed[:half], [*(Turn(item) for item in mixed[half:]), *again]
    return [*(Turn(item) for item in first), *shuffled(second, rng)]
