"""Whether a design has enough worlds to test a treatment: tests compare worlds, not people."""

from collections.abc import Sequence

from app.game.tasks import TASKS
from app.scoring.permutation import TOTAL, can_find, levels
from app.study.design.spec import CellSpec, StudySpec

SIDES = {"lexicon": ("semantic", "nonce"), "format": ("episodic", "direct")}  # what reports test
ENOUGH = 6  # pairs; the fewest with which one test can reach p = .05


def short(spec: StudySpec) -> dict[str, list[tuple[str, int]]]:
    """Return lexicon or format -> (task, family or `Total`, pairs) whose test can find nothing.

    A pair is a task and seed that is played on both sides. Only what has both sides is a key.
    """
    found = dict[str, list[tuple[str, int]]]()
    for name, sides in SIDES.items():
        pairs = pairs_of(spec.cells(), name, sides)
        if not pairs:
            continue
        tasks = {**TASKS, **spec.own_tasks()}
        family = {task: tasks[task].family for task in pairs}
        few = {
            level: (own, number)
            for level, own, tests in levels(family)
            if not can_find(number := sum(pairs[task] for task in own), tests)
        }
        found[name] = [
            (level, number)
            for level, (own, number) in few.items()
            if level in (*own, TOTAL) or not few.keys() >= {*own}  # else its tasks say so
        ]
    return found


def pairs_of(cells: Sequence[CellSpec], name: str, sides: tuple[str, str]) -> dict[str, int]:
    """Return task -> pairs, for tasks with cells on both sides."""
    of: dict[str, dict[str, set[tuple[object, ...]]]] = {}
    others = [one for one in ("coverage", *SIDES) if one != name]
    for cell in cells:
        world = (cell.seed, *(getattr(cell, one) for one in others))
        of.setdefault(cell.task, {}).setdefault(getattr(cell, name), set()).add(world)
    return {
        task: len(by[sides[0]] & by[sides[1]])
        for task, by in of.items()
        if sides[0] in by and sides[1] in by
    }
