"""A validation sample as arrays: the scores of every drawn item, and its stratum and weight."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.errors import HjstudyError
from app.scoring.bootstrap import Units
from app.scoring.longrows import Floats, Ints, Ratings
from app.scoring.sampling import Stratum

Mask = npt.NDArray[np.bool_]
MISSING = -1


class PanelError(HjstudyError):
    """Items, strata or scores that are inconsistent."""

    code = "panel/bad"


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """One drawn item. `humans` and `judges`: name -> score on the scale; absent = missing."""

    id: str
    stratum: str
    cluster: str
    task: str
    source: str
    humans: Mapping[str, int]
    judges: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """U items, R humans, K judges, S strata. Scores are codes into `scale`, -1 = missing.

    `judges[0]` is the judge whose levels are the strata.
    """

    items: tuple[JudgedItem, ...]
    scale: tuple[int, ...]
    humans: tuple[str, ...]
    judges: tuple[str, ...]
    human: Ints  # (U, R)
    judge: Ints  # (U, K)
    strata: tuple[Stratum, ...]
    stratum: Ints  # (U,)
    cluster: Ints  # (U,)

    @property
    def units(self) -> Units:
        """How items are grouped, for the bootstrap."""
        return Units(self.stratum, self.cluster)

    def weights(self, usable: Mask, *, pool: bool) -> Floats:
        """Return (U,) weights, 0 where not usable.

        For the balanced sample: 1. For the pool: N_h / n_h, n_h being a stratum's usable items.
        """
        if not pool:
            return usable.astype(np.float64)
        numbers = np.bincount(self.stratum[usable], minlength=len(self.strata))
        populations = np.array([stratum.population for stratum in self.strata], np.float64)
        return np.where(usable, populations[self.stratum] / np.maximum(numbers, 1)[self.stratum], 0)

    def unheard(self, usable: Mask) -> tuple[str, ...]:
        """Name strata without a usable item, which a pool estimate does not cover."""
        numbers = np.bincount(self.stratum[usable], minlength=len(self.strata))
        return tuple(s.name for s, n in zip(self.strata, numbers, strict=True) if not n)

    def drawn(self, usable: Mask) -> list[dict[str, int | str]]:
        """Return, per stratum, N, the drawn n and the usable n."""
        numbers = np.bincount(self.stratum[usable], minlength=len(self.strata))
        return [
            {
                "stratum": stratum.name,
                "level": stratum.level,
                "population": stratum.population,
                "drawn": stratum.drawn,
                "usable": int(number),
            }
            for stratum, number in zip(self.strata, numbers, strict=True)
        ]

    def ratings(self, columns: Ints, names: Sequence[str], weights: Floats) -> Ratings:
        """Return long rows of some columns (U, C) of scores; items with weight 0 are left out."""
        item, rater = np.nonzero((columns != MISSING) & (weights > 0)[:, None])
        return Ratings(
            items=tuple(one.id for one in self.items),
            raters=tuple(names),
            domain=self.scale,
            item=item,
            rater=rater,
            value=columns[item, rater],
            weight=np.where(weights > 0, weights, 1.0),
            stratum=self.stratum,
            strata=tuple(stratum.name for stratum in self.strata),
            cluster=self.cluster,
            clusters=tuple(sorted({one.cluster for one in self.items})),
        )


def make(
    items: Sequence[JudgedItem],
    strata: Sequence[Stratum],
    scale: Collection[int],
    judges: Sequence[str] = (),
) -> Panel:
    """Check and code a sample.

    Args:
        items: the drawn items with their scores.
        strata: those of the sample, with N and drawn n.
        scale: all possible scores, used or not.
        judges: order of the judges; the first one's levels are the strata.

    Raises: PanelError: an unknown stratum, a score off the scale, no items.
    """
    if not items:
        raise PanelError("There are no drawn items to report on.")
    levels = tuple(sorted(scale))
    at = {value: number for number, value in enumerate(levels)}
    humans = tuple(sorted({name for item in items for name in item.humans}))
    found = tuple(sorted({name for item in items for name in item.judges} - set(judges)))
    judges = (*judges, *found)
    places = {stratum.name: number for number, stratum in enumerate(strata)}
    clusters = {name: n for n, name in enumerate(sorted({item.cluster for item in items}))}
    for item in items:
        if item.stratum not in places:
            raise PanelError(f"Item {item.id} is in stratum {item.stratum}, which was never drawn.")
        for value in [*item.humans.values(), *item.judges.values()]:
            if value not in at:
                raise PanelError(
                    f"Item {item.id} has score {value}, which is not on the scale {levels}."
                )

    def table(names: Sequence[str], scores: Sequence[Mapping[str, int]]) -> Ints:
        rows = [[at[row[name]] if name in row else MISSING for name in names] for row in scores]
        return np.array(rows, np.intp).reshape(len(items), len(names))

    return Panel(
        items=tuple(items),
        scale=levels,
        humans=humans,
        judges=judges,
        human=table(humans, [item.humans for item in items]),
        judge=table(judges, [item.judges for item in items]),
        strata=tuple(strata),
        stratum=np.array([places[item.stratum] for item in items], np.intp),
        cluster=np.array([clusters[item.cluster] for item in items], np.intp),
    )


def counts_of(scores: Ints, values: int) -> Floats:
    """Return (U, V): how often each item has each value; scores (U, C), -1 = missing."""
    return np.stack([(scores == value).sum(1) for value in range(values)], 1).astype(np.float64)
