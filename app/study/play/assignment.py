"""Which cells a new player gets, and in which order their guardians come: pure functions."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256

from app.study.design.spec import CellSpec

Load = Callable[[CellSpec], tuple[int, float]]


def stream(purpose: str, study_seed: int, place: int) -> random.Random:
    """Return the random stream of one purpose for one person; the same on every machine."""
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
) -> list[CellSpec]:
    """Return the cells of the player who gets seats as number `place` (1, 2, ...).

    balanced: fewest finished + live first, other tasks before a second cell of one task, ties by
    the study seed. latin: a cyclic Latin square over tasks gives the order of tasks, fewest first
    within a task. fixed: the first `per_player` cells as listed. Cells whose key is in `full` are
    left out everywhere; when fewer than `per_player` remain, nobody can play: [].
    """
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


def balanced(cells: Sequence[CellSpec], per_player: int, load: Load) -> list[CellSpec]:
    """Take the emptiest cell again and again, a task that the player has not yet first."""
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
    """Go round the tasks from row `place` of a cyclic square, the emptiest cell of each.

    The square is over all tasks, so that a full one leaves the others where they are.
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
    """Return the order of a block's guardians: a rotation that starts with `first`.

    Args:
        number: gen entities of the variant.
        first: how many people have had this cell before; so each comes first equally often.
        limit: play only so many of them, or None for all.
    """
    turned = [(first + place) % number for place in range(number)]
    return turned[:limit] if limit else turned
