"""Expected results of bots on the same episodes: best floor and ceiling next to every ECSR."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from app.game.expectation import episode_floors
from app.game.model import Variant
from app.game.tiers import FLOORS
from app.scoring.plays import Which
from app.study.report.units import Unit

CEILINGS = ("oracle", "inducer")  # they know the rule, or what the demonstrations prove
MARKS = ("best_floor:number:best floor", "ceiling:number:ceiling: inducer")
NO_MARKS = (None, None)
NOTHING_SHOWN = "0"  # a coverage
NOTE = (
    "Best floor and ceiling are exact expected ECSR of bots on the same episodes. The best floor "
    "is that of the best bot that does not work out the rule. At coverage 0, it is that of the "
    "prior. The ceiling is that of the bot that knows what the demonstrations prove (inducer)."
)
Find = Callable[[str], Variant | None]


@lru_cache(maxsize=20_000)
def worth(variant: Variant, index: int) -> tuple[Fraction, ...]:
    """Return each bot's exact expected ECSR in one episode, in the order of FLOORS."""
    return episode_floors(variant, index)


def met(unit: Unit, which: Which) -> tuple[str, tuple[int, ...]]:
    """Return a unit's variant, and which of its episodes count."""
    plays = (play for play in unit.which(which) if play.counts)
    return unit.variant_hash, tuple(play.variant_episode for play in plays)


def bots_of(units: Iterable[Unit], which: Which, find: Find) -> list[Fraction] | None:
    """Return the bots' means over the units' counted episodes; None if a variant is missing.

    None, too, for variants of another engine, in whose world nothing is known of bots.

    Units with the same episodes have the same result, which is computed once.
    """
    kinds = Counter(met(unit, which) for unit in units)
    sums = [Fraction(0)] * len(FLOORS)
    for (content_hash, episodes), number in kinds.items():
        variant = find(content_hash)
        if variant is None or variant.built:
            return None
        each = zip(*(worth(variant, index) for index in episodes), strict=True)
        for place, values in enumerate(each):
            sums[place] += sum(values, Fraction(0)) * number / len(episodes)
    return [one / kinds.total() for one in sums]


def bots_over(tasks: Iterable[Sequence[Unit]], which: Which, find: Find) -> dict[str, float] | None:
    """Return bot -> mean over tasks of its mean over the task's units; None as above.

    Units without an episode that counts (no ECSR) are left out, as for participants.
    """
    counting = [[u for u in units if u.ecsr(which) is not None] for units in tasks]
    found = [bots_of(units, which, find) for units in counting if units]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    means = [sum(values, Fraction(0)) / len(known) for values in zip(*known, strict=True)]
    return {name: float(mean) for name, mean in zip(FLOORS, means, strict=True)}


def best_floor(bots: dict[str, float], units: Iterable[Unit]) -> float:
    """Return the best bot that does not work out the rule.

    Where the units show no demonstration, only the prior counts: the bots that enumerate know
    which of the listed items the rule can reach, and nothing has told a player.
    """
    if all(unit.coverage == NOTHING_SHOWN for unit in units):
        return bots["prior"]
    return max(value for name, value in bots.items() if name not in CEILINGS)


def marks(
    tasks: Iterable[Sequence[Unit]], which: Which, find: Find
) -> tuple[float | None, float | None]:
    """Return best floor and ceiling of units, task by task, in the order of MARKS."""
    groups = list(tasks)
    bots = bots_over(groups, which, find)
    return NO_MARKS if bots is None else (best_floor(bots, chain(*groups)), bots["inducer"])
