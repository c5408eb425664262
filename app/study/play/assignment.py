"""Which cells a new player gets and the order of their guardians. Pure functions."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256

from app.study.design import arms
from app.study.design.spec import CellSpec

Load = Callable[[CellSpec], tuple[int, float]]


def stream(purpose: str, study_seed: int, place: int) -> random.Random:
    """Return a person's random stream for one purpose; the same on every machine."""
    data = sha256(f"{purpose}|{study_seed}|{place}".encode()).digest()
    return random.Random(int.from_bytes(data[:8], "big"))


def choose(
    cells: Sequence[CellSpec],
    counts: Mapping[str, int],
    per_player: int,
    order: str,
    study_seed: int,
    place: int,
    full: Collection[str] = (),
    between: str = arms.NONE,
) -> list[CellSpec]:
    """Return the cells of the player who takes seats as number `place` (1, 2, ...).

    balanced: the cells with the fewest finished and live players first, a new task before a second
    cell of the same task; the study seed breaks ties. latin: a cyclic Latin square gives the order
    of tasks; within a task, the emptiest cell first. fixed: the first `per_player` cells as listed.
    Cells whose key is in `full` are left out; if fewer than `per_player` remain, return [].
    `between`: all cells of a player have the same value of it. The value with the fewest finished
    and live players comes next, and the Latin square counts the players of that value only.
    """
    if between != arms.NONE:
        own = arm(cells, counts, per_player, between, stream("arm", study_seed, place), full)
        before = sum(counts.get(cell.key, 0) for cell in own) // per_player
        return choose(own, counts, per_player, order, study_seed, before + 1, full) if own else []
    if len(cells) - sum(cell.key in full for cell in cells) < per_player:
        return []
    if order == "fixed":
        return [cell for cell in cells if cell.key not in full][:per_player]
    rng = stream("cells", study_seed, place)
    tie = {cell.key: rng.random() for cell in cells}

    def load(cell: CellSpec) -> tuple[int, float]:
        return counts.get(cell.key, 0), tie[cell.key]

    if order == "latin":
        return latin(cells, per_player, place, load, full)
    return balanced([cell for cell in cells if cell.key not in full], per_player, load)


def arm(
    cells: Sequence[CellSpec],
    counts: Mapping[str, int],
    per_player: int,
    between: str,
    rng: random.Random,
    full: Collection[str],
) -> list[CellSpec]:
    """Return the cells of the arm with the fewest players that has room, or []; `rng`: ties."""
    with_room = [
        (sum(counts.get(cell.key, 0) for cell in own), rng.random(), number, own)
        for number, own in enumerate(arms.arms(cells, between).values())
        if sum(cell.key not in full for cell in own) >= per_player
    ]
    return min(with_room)[-1] if with_room else []


def balanced(cells: Sequence[CellSpec], per_player: int, load: Load) -> list[CellSpec]:
    """Take the emptiest cell again and again, preferring tasks the player does not have yet."""
    left, taken = list(cells), list[CellSpec]()
    while len(taken) < per_player:
        used = [cell.task for cell in taken]
        best = min(left, key=lambda cell: (used.count(cell.task), *load(cell)))
        left.remove(best)
        taken.append(best)
    return taken


def latin(
    cells: Sequence[CellSpec], per_player: int, place: int, load: Load, full: Collection[str] = ()
) -> list[CellSpec]:
    """Take the emptiest cell of each task, in the order of row `place` of a cyclic square.

    The square contains all tasks, so a full task does not move the others.
    """
    names = list(dict.fromkeys(cell.task for cell in cells))
    left = [cell for cell in cells if cell.key not in full]
    taken, turn = list[CellSpec](), place - 1
    while len(taken) < per_player:
        name = names[turn % len(names)]
        turn += 1
        of_task = [cell for cell in left if cell.task == name]
        if of_task:
            best = min(of_task, key=load)
            left.remove(best)
            taken.append(best)
    return taken


def guardian_order(number: int, first: int, limit: int | None) -> list[int]:
    """Return the order of a block's guardians, rotated to start with `first`.

    Args:
        number: number of gen entities of the variant.
        first: how many people had this cell before, so each guardian comes first equally often.
        limit: how many of them to play, or None for all.
    """
    turned = [(first + place) % number for place in range(number)]
    return turned[:limit] if limit else turned
