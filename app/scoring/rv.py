"""RV (rule verbalization): a rating from 0 to 2, halved, by who rated (spec: game, metrics).

A rating is one score, or the mean of four criteria: RV is then their sum divided by 8.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

TOP = 2  # ratings and criteria are 0, 1 or 2
Level = int | Fraction  # a rating: from 0 to TOP
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


def level_of(value: int | None, criteria: Sequence[int | None]) -> Level | None:
    """Return a rating from its score, or else as the mean of its criteria.

    Args:
        value: the score, 0 to 2; None in criteria mode.
        criteria: all scores of criteria, each 0 to 2; without one of them, there is no rating.
    """
    if value is not None:
        return value
    known = [one for one in criteria if one is not None]
    whole = known and len(known) == len(criteria)
    return Fraction(sum(known), len(known)) if whole else None


def rv_by_item(
    judged: Iterable[tuple[str, Level | None]],
    rated: Iterable[tuple[str, Level | None]],
    decided: Iterable[tuple[str, int, Level | None]],
) -> dict[str, Rv]:
    """Return item -> RV of every item with a score, a rating or a decision, in order of item.

    Args:
        judged: (item, rating) of every judge (see `level_of`); `judge` is their mean.
        rated: (item, rating) of every rater, only those that count; `human` is their mean.
        decided: (item, round, adjudicated value); `final` is that of the newest round with a
            value, and `human` without one.
    """
    judge, human = grouped(judged), grouped(rated)
    newest: dict[str, tuple[int, Level]] = {}
    for item, number, value in decided:
        if value is not None:
            newest[item] = max((number, value), newest.get(item, (number, value)))
    found = {}
    for item in sorted({*judge, *human, *newest}):
        people = mean(human[item])
        final = mean([newest[item][1]]) if item in newest else people
        found[item] = Rv(mean(judge[item]), people, final)
    return found


def grouped(pairs: Iterable[tuple[str, Level | None]]) -> defaultdict[str, list[Level]]:
    """Return item -> its values, missing ones left out."""
    found: defaultdict[str, list[Level]] = defaultdict(list)
    for item, value in pairs:
        if value is not None:
            found[item].append(value)
    return found


def mean(values: Sequence[Level]) -> float | None:
    """Return the mean of ratings as RV, None without any."""
    return float(Fraction(sum(values), TOP * len(values))) if values else None
