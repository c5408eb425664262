"""RV (rule verbalization): a rating of 0, 1 or 2, halved, by who rated (spec: game, metrics)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

TOP = 2  # ratings are 0, 1 or 2
COUNTING = ("main", "gold")  # roles whose ratings make RV; training does not
SOURCES = ("judge", "human", "final")


@dataclass(frozen=True, slots=True)
class Rv:
    """RV of one explanation by source, each in [0, 1] or None: not rated by that source."""

    judge: float | None = None
    human: float | None = None
    final: float | None = None

    def of(self, source: str) -> float | None:
        """Return RV by `judge`, `human` or `final`."""
        found: float | None = getattr(self, source)
        return found


UNRATED = Rv()


def counts(role: str, *, repeat: bool) -> bool:
    """Tell whether a rating makes RV: training and hidden second showings do not."""
    return role in COUNTING and not repeat


def rv_by_item(
    judged: Iterable[tuple[str, int | None]],
    rated: Iterable[tuple[str, int | None]],
    decided: Iterable[tuple[str, int, int | None]],
) -> dict[str, Rv]:
    """Return item -> RV of every item with a score, a rating or a decision, in order of item.

    Args:
        judged: (item, score) of every judge; `judge` is their mean.
        rated: (item, rating) of every rater, only those that count; `human` is their mean.
        decided: (item, round, adjudicated value); `final` is that of the newest round with a
            value, and `human` without one.
    """
    judge, human = grouped(judged), grouped(rated)
    newest: dict[str, tuple[int, int]] = {}
    for item, number, value in decided:
        if value is not None:
            newest[item] = max((number, value), newest.get(item, (number, value)))
    found = {}
    for item in sorted({*judge, *human, *newest}):
        people = mean(human[item])
        final = newest[item][1] / TOP if item in newest else people
        found[item] = Rv(mean(judge[item]), people, final)
    return found


def grouped(pairs: Iterable[tuple[str, int | None]]) -> defaultdict[str, list[int]]:
    """Return item -> its values, missing ones left out."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for item, value in pairs:
        if value is not None:
            found[item].append(value)
    return found


def mean(values: Sequence[int]) -> float | None:
    """Return the mean of ratings as RV, None without any."""
    return float(Fraction(sum(values), TOP * len(values))) if values else None
