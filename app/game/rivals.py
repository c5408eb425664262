"""Rules of other kinds that also fit the shown cells: twins and rivals of the target."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from app.game.counting import count_functions
from app.game.model import FORMS, Cell, Grid, Output, Task
from app.game.rules import iter_functions

Reading = tuple[str, bool]  # a form, and whether class and role are exchanged

MAX_LISTED = 32  # functions listed per form and direction; far more fit where little is shown


@dataclass(frozen=True, slots=True)
class Fit:
    """One function of another kind that agrees with everything shown.

    `predictions`: its output for each gen cell, in their order. `right`: it equals the hidden rule
    on the whole grid. `swapped`: class and role are exchanged.
    """

    form: str
    swapped: bool
    predictions: tuple[Output, ...]
    right: bool
    grid: Grid


@dataclass(frozen=True, slots=True)
class Fits:
    """The functions listed, at most MAX_LISTED per form and direction, and how many fit in all."""

    listed: tuple[Fit, ...]
    total: int


def find_twins(
    task: Task, shown: Mapping[Cell, Output], gen_cells: Sequence[Cell], grid: Grid
) -> Fits:
    """Return the functions that fit and have the task's own form with class and role exchanged.

    Additive rules are symmetric and so have no twins. A twin may be `right`.
    """
    if task.form == "additive":
        return Fits((), 0)
    reading = (task.form, True)
    total, found = _find(task, reading, shown)
    listed = islice(found, MAX_LISTED)
    return Fits(tuple(_fit(reading, one, gen_cells, grid) for one in listed), total)


def find_rivals(
    task: Task, shown: Mapping[Cell, Output], gen_cells: Sequence[Cell], grid: Grid
) -> Fits:
    """Return the functions of the other three forms that fit, in both directions.

    The hidden rule itself, expressed in another form, is not a rival. A function that can be read
    in several ways is listed once for each.
    """
    listed: list[Fit] = []
    total = 0
    for reading in _other_readings(task.form):
        number, found = _find(task, reading, shown)
        if number:
            number -= _find(task, reading, whole(grid))[0]
            others = islice((one for one in found if one != grid), min(number, MAX_LISTED))
            listed += [_fit(reading, one, gen_cells, grid) for one in others]
            total += number
    return Fits(tuple(listed), total)


def whole(grid: Grid) -> dict[Cell, Output]:
    """Return every cell of a grid with its output."""
    return {(c, r): output for c, row in enumerate(grid) for r, output in enumerate(row)}


def _other_readings(own: str) -> Iterator[Reading]:
    for form in FORMS:
        if form != own:
            yield form, False
            if form != "additive":
                yield form, True


def _find(task: Task, reading: Reading, shown: Mapping[Cell, Output]) -> tuple[int, Iterator[Grid]]:
    """Return how many functions of a form fit, and the functions."""
    form, swapped = reading
    frame = (form, task.n_class, task.n_role, task.dimensions, shown)
    return count_functions(*frame, swapped=swapped), iter_functions(*frame, swapped=swapped)


def _fit(reading: Reading, found: Grid, gen_cells: Sequence[Cell], grid: Grid) -> Fit:
    predictions = tuple(found[class_][role] for class_, role in gen_cells)
    return Fit(*reading, predictions, found == grid, found)
