"""Draw a validation sample from a frozen frame of judged items.

Strata are the judge's levels. Within a level, sampling is either systematic from a list sorted by
task and source (*proportional*), or spread evenly over cells of task x source (*balanced*).
Every chosen item carries the weight population / drawn of its stratum.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Literal

from app.errors import HjstudyError
from app.scoring.cells import Cell, mend

Allocation = Literal["proportional", "balanced"]


class SamplingError(HjstudyError):
    """No sample can be drawn from this frame, number or allocation."""

    code = "sampling/impossible"


class EmptyFrameError(SamplingError):
    """There is nothing to draw from."""

    code = "sampling/empty_frame"

    def __init__(self) -> None:
        super().__init__("There are no judged items to draw from. Import judge scores first.")


class DoubleItemError(SamplingError):
    """An id occurs twice in the frame."""

    code = "sampling/double_item"

    def __init__(self, item: str) -> None:
        super().__init__(f"Item {item} is in the frame twice. Keep one of them.")
        self.item = item


@dataclass(frozen=True, slots=True)
class FrameItem:
    """One judged item: its id, the judge's level, and the facts a sample is spread over.

    `cluster` names the author (a player, or model x variant); it is frozen with the frame for the
    intervals and does not affect the draw.
    """

    id: str
    level: int
    task: str
    source: str
    cluster: str


@dataclass(frozen=True, slots=True)
class Stratum:
    """One cell of the design: N = `population` items in the frame, n = `drawn` of them."""

    name: str
    level: int
    population: int
    drawn: int

    @property
    def weight(self) -> float:
        """N / n: how many items of the frame one drawn item stands for."""
        return self.population / self.drawn


@dataclass(frozen=True, slots=True)
class Chosen:
    """One drawn item, its stratum, and its weight N / n."""

    id: str
    stratum: str
    weight: float


@dataclass(frozen=True, slots=True)
class Sample:
    """The drawn items, and everything needed to draw them again.

    `strata` cover the frame: populations sum to its size, and each has at least one drawn item.
    `chosen` is in a seeded order; `shortfalls` and `merged` are sentences for the researcher.
    """

    allocation: Allocation
    seed: int
    frame_hash: str
    strata: tuple[Stratum, ...]
    chosen: tuple[Chosen, ...]
    shortfalls: tuple[str, ...]
    merged: tuple[str, ...]


def frame_hash(frame: Iterable[FrameItem]) -> str:
    """Return the SHA-256 (hex) of the frame, whatever the order of its items."""
    rows = sorted([i.id, i.level, i.task, i.source, i.cluster] for i in frame)
    return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()


def draw(
    frame: Sequence[FrameItem],
    per_level: int,
    seed: int,
    *,
    allocation: Allocation = "proportional",
    levels: Collection[int] = (),
) -> Sample:
    """Draw `per_level` items of each judge level.

    A level with at most that many items is taken whole; if it has fewer, the shortfall is reported
    and not made up from other levels. The same frame, in any order, and the same seed give the
    same sample.

    Args:
        frame: the judged items, each id once.
        per_level: number of items wanted per level, >= 1 (with "balanced" >= 2).
        seed: any integer; stored with the sample.
        allocation: "proportional" (weight N_h / n_h) or "balanced" (cells level x task x source,
            weight N_c / n_c; cells too small to be drawn twice are merged and named).
        levels: levels of the judge's scale, so that empty ones are reported too.

    Raises: EmptyFrameError, DoubleItemError, SamplingError.
    """
    _check(frame, per_level, allocation)
    random = Random(seed)
    strata: list[Stratum] = []
    chosen: list[Chosen] = []
    shortfalls: list[str] = []
    merged: list[str] = []
    for level in sorted({item.level for item in frame} | set(levels)):
        items = _shuffled([item for item in frame if item.level == level], random)
        if len(items) < per_level:
            shortfalls.append(f"level {level}: only {len(items)} of the {per_level} items wanted")
        if not items:
            continue
        cells, notes = _cells(level, items, min(per_level, len(items)), allocation, random)
        merged += notes
        for cell in cells:
            stratum = Stratum(cell.name, level, len(cell.items), cell.places)
            strata.append(stratum)
            chosen += [
                Chosen(cell.items[index], stratum.name, stratum.weight)
                for index in _systematic(len(cell.items), cell.places, random)
            ]
    order = sorted((random.random(), number) for number in range(len(chosen)))
    return Sample(
        allocation=allocation,
        seed=seed,
        frame_hash=frame_hash(frame),
        strata=tuple(strata),
        chosen=tuple(chosen[number] for _, number in order),
        shortfalls=tuple(shortfalls),
        merged=tuple(merged),
    )


def _check(frame: Sequence[FrameItem], per_level: int, allocation: str) -> None:
    if not frame:
        raise EmptyFrameError
    seen: set[str] = set()
    for item in frame:
        if item.id in seen:
            raise DoubleItemError(item.id)
        seen.add(item.id)
    if allocation not in {"proportional", "balanced"}:
        raise SamplingError(f"The allocation must be proportional or balanced, not {allocation!r}.")
    least = 2 if allocation == "balanced" else 1
    if per_level < least:
        raise SamplingError(f"A {allocation} sample needs at least {least} items per level.")


def _shuffled(items: Sequence[FrameItem], random: Random) -> list[FrameItem]:
    """Sort by task and source; within those, in a seeded order independent of the frame's."""
    keyed = [(random.random(), item) for item in sorted(items, key=lambda item: item.id)]
    keyed.sort(key=lambda pair: (pair[1].task, pair[1].source, pair[0]))
    return [item for _, item in keyed]


def _cells(
    level: int, items: Sequence[FrameItem], places: int, allocation: Allocation, random: Random
) -> tuple[list[Cell], list[str]]:
    if allocation == "proportional" or places == len(items):
        return [Cell(f"level {level}", [item.id for item in items], places)], []
    by_source = sorted(items, key=lambda item: item.source)  # stable: tasks stay sorted within
    sources = [
        [
            Cell(f"level {level}, {source}, {task}", [item.id for item in cell])
            for task, cell in groupby(group, key=lambda item: item.task)
        ]
        for source, group in groupby(by_source, key=lambda item: item.source)
    ]
    return mend(sources, places, random)


def _systematic(population: int, places: int, random: Random) -> list[int]:
    """Return `places` distinct indices, evenly spaced from a random start (exact arithmetic)."""
    start = Fraction(random.random())
    return [int((start + number) * population / places) for number in range(places)]
