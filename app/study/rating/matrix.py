"""Who rates what, and in which order: pure functions of ids and a seed.

Nothing here knows of an item but its number, so neither author nor judge can tell in an order.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from app.errors import StudyError
from app.game.names import shuffled


class MatrixError(StudyError):
    """The raters are too few for the wished number of ratings an item."""

    code = "round/too_few_raters"


@dataclass(frozen=True, slots=True)
class Turn:
    """One place in a rater's order: which item, and whether it is its hidden second showing."""

    item: int
    repeat: int = 0


def stream(seed: int, purpose: str) -> random.Random:
    """Return the random stream of one purpose; the same on every machine."""
    data = sha256(f"{purpose}|{seed}".encode()).digest()
    return random.Random(int.from_bytes(data[:8], "big"))


def assign(items: Sequence[int], raters: int, k: int, seed: int) -> list[tuple[int, ...]]:
    """Return for each item its k distinct raters (0, 1, ...).

    Loads differ by at most one: each time the least loaded are taken; among those equally loaded
    whoever has shared fewest items with the ones taken already, so that all pairs meet.
    Raises MatrixError: fewer raters than k.
    """
    if not 1 <= k <= raters:
        words = "at least 1" if k < 1 else f"not more than the {raters} raters chosen"
        raise MatrixError(f"The number of raters an item must be {words}.")
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

    `repeat_percent` of the items (rounded half up) come twice, at most as many as the first half
    holds; there the second showing is as far away as the halves allow.
    """
    rng = stream(seed, f"order/{rater}")
    mixed = shuffled(items, rng)
    half = len(mixed) // 2
    number = min(half, (len(mixed) * repeat_percent + 50) // 100)
    again = [Turn(item, 1) for item in shuffled(mixed[:half], rng)[:number]]
    first, second = mixed[:half], [*(Turn(item) for item in mixed[half:]), *again]
    return [*(Turn(item) for item in first), *shuffled(second, rng)]
