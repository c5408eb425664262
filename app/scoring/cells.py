"""Spread a level's places evenly over sources and tasks; merge cells that would be too small."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

LEAST = 2  # one drawn item tells nothing about the spread within its cell


@dataclass(slots=True)
class Cell:
    """A selection cell: its items (ids, sorted by task and source) and how many are drawn."""

    name: str
    items: list[str]
    places: int = 0

    @property
    def short(self) -> bool:
        """Whether only one item would be drawn (a cell taken whole is never short)."""
        return self.places < min(LEAST, len(self.items))


def mend(
    sources: Sequence[Sequence[Cell]], places: int, random: Random
) -> tuple[list[Cell], list[str]]:
    """Give `places` to the cells of one level, evenly over sources, then over a source's tasks.

    Cells with fewer than two draws (and not taken whole) are merged with their smaller neighbour
    of the same source; likewise sources, with their smaller neighbour.

    Args:
        sources: per source (sorted by name) its cells (sorted by task), each with >= 1 item.
        places: 2 <= places < number of items.
        random: decides who gets the places that cannot be shared evenly.

    Returns: the cells with their places, and a sentence for each merged cell.
    """
    groups = [list(cells) for cells in sources]
    while True:
        shares = _even([sum(len(c.items) for c in cells) for cells in groups], places, random)
        short = [
            number
            for number, cells in enumerate(groups)
            if shares[number] < min(LEAST, sum(len(c.items) for c in cells))
        ]
        if not short:
            break
        _join(groups, short[0])
    done: list[Cell] = []
    for cells, share in zip(groups, shares, strict=True):
        done += _within(cells, share, random)
    return done, [f"merged: {cell.name}" for cell in done if " + " in cell.name]


def _within(cells: list[Cell], places: int, random: Random) -> list[Cell]:
    while True:
        for cell, share in zip(
            cells, _even([len(cell.items) for cell in cells], places, random), strict=True
        ):
            cell.places = share
        short = [number for number, cell in enumerate(cells) if cell.short]
        if not short:
            return cells
        number = short[0]
        other = _neighbour([len(cell.items) for cell in cells], number)
        first, second = sorted((number, other))
        joined = Cell(
            f"{cells[first].name} + {cells[second].name}",
            cells[first].items + cells[second].items,
        )
        cells = [*cells[:first], joined, *cells[second + 1 :]]


def _join(groups: list[list[Cell]], number: int) -> None:
    other = _neighbour([sum(len(c.items) for c in cells) for cells in groups], number)
    first, second = sorted((number, other))
    groups[first : second + 1] = [groups[first] + groups[second]]


def _neighbour(sizes: Sequence[int], number: int) -> int:
    """Return the index next to `number` with the smaller size, the left one if both are equal."""
    beside = [index for index in (number - 1, number + 1) if 0 <= index < len(sizes)]
    return min(beside, key=lambda index: sizes[index])


def _even(sizes: Sequence[int], places: int, random: Random) -> list[int]:
    """Share `places` as evenly as the sizes allow; the seed decides who gets one more."""
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda _: random.random())
    left = min(places, sum(sizes))
    while left:
        room = [index for index in order if shares[index] < sizes[index]]
        least = min(shares[index] for index in room)
        for index in [index for index in room if shares[index] == least][:left]:
            shares[index] += 1
            left -= 1
    return shares
