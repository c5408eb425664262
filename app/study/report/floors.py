"""Floors and ceilings: what players that are not people are worth on the very same episodes."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from app.game.expectation import expected
from app.game.model import Variant
from app.game.tiers import FLOORS
from app.scoring.players import Figure, mean_figure
from app.study.report.baseline import HEAD, WHICH, over
from app.study.report.options import Options
from app.study.report.shape import Table, columns
from app.study.report.units import People, Unit

CEILINGS = ("oracle", "inducer")  # they know the rule, or whatever the demonstrations prove
NOTE = (
    "Exact expected ECSR of bots on the episodes that the people met (means over the same "
    "units). oracle knows the rule; inducer knows what the demonstrations prove; enumerator "
    "tries all reachable answers at random; copycat those shown; eliminator those least shown "
    "first; neighbour copies the nearest demonstration; prior knows the tables but not the "
    "demonstrations. People who do not beat the best of the floors (the last five) say nothing "
    "about the rule: 'beaten' is whether the people's whole interval lies above it."
)
Find = Callable[[str], Variant | None]


@lru_cache(maxsize=20_000)
def worth(variant: Variant, index: int) -> tuple[Fraction, ...]:
    """Return each bot's exact expected ECSR in one episode, in the order of FLOORS."""
    return tuple(expected(name, variant, index).ecsr for name in FLOORS)


def floors(people: People, which: str, find: Find, options: Options) -> Table:
    """Return the table of floors and ceilings beside people's ECSR."""
    table = Table(
        f"floors_{which}",
        f"Floors and ceilings, {WHICH[which]}",
        NOTE,
        columns(
            *HEAD,
            "people:figure:people's ECSR",
            *(f"{name}:number" for name in FLOORS),
            "best_floor:number:best floor",
            "beaten:bool",
        ),
    )
    for condition in people.conditions():
        units = [u for u in people.episodic(condition) if u.metrics(which) is not None]
        for task in people.tasks(units):
            own = [unit for unit in units if unit.task == task]
            found = mean_figure(over(own, ecsr_of(which)), options.replicates, options.seed)
            bots = bots_of(own, which, find)
            if bots is None:
                table.add(*condition, task, found, *([None] * len(FLOORS)), None, None)
                continue
            pairs = dict(zip(FLOORS, bots, strict=True))
            best = max(value for name, value in pairs.items() if name not in CEILINGS)
            table.add(*condition, task, found, *bots, best, beaten(found, best))
    return table


def ecsr_of(which: str) -> Callable[[Unit], float | None]:
    """Return how a unit's ECSR is found."""
    return lambda unit: unit.ecsr(which)


def beaten(found: Figure, best: float) -> bool | None:
    """Tell whether the whole interval lies above the floor; None without an interval."""
    return None if found.low is None else found.low > best


def bots_of(units: Sequence[Unit], which: str, find: Find) -> list[float] | None:
    """Return the bots' means over the units' counted episodes; None if a variant is not there."""
    sums = [Fraction(0)] * len(FLOORS)
    for unit in units:
        variant = find(unit.variant_hash)
        if variant is None:
            return None
        plays = [p for p in unit.which(which) if not p.result.voided and p.result.actions_used > 0]
        for place, values in enumerate(
            zip(*(worth(variant, play.variant_episode) for play in plays), strict=True)
        ):
            sums[place] += sum(values, Fraction(0)) / len(plays)
    return [float(one / len(units)) for one in sums]
