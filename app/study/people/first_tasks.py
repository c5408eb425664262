"""Checklist: how many people begin with each task, when the order of tasks is left to chance."""

from collections import Counter

from app.study.design.check_item import FINE, LOOK, Check
from app.study.design.spec import StudySpec
from app.study.design.words import task_name
from app.study.play.assignment import choose

USUAL, MOST = 40, 200  # people to count with if there is no quota, and at most
UNEVEN = 0.2  # of the people: a larger difference between tasks is worth a look


def first_tasks(spec: StudySpec) -> list[Check]:
    """Say with which task people begin; [] if they play one world, one task, or as listed."""
    cells = spec.cells()
    tasks = {cell.task for cell in cells}
    if len(tasks) == 1 or spec.per_player == 1 or spec.order == "fixed" or spec.between == "task":
        return []
    number = min(spec.people.quota or USUAL, MOST)
    found, counts = Counter[str](dict.fromkeys(sorted(tasks), 0)), Counter[str]()
    shape = (spec.per_player, spec.order, spec.seed)
    for place in range(1, number + 1):
        full = {one.key for one in cells if one.quota is not None and counts[one.key] >= one.quota}
        chosen = choose(cells, counts, *shape, place, full, spec.between)
        if not chosen:
            break
        counts.update(cell.key for cell in chosen)
        found[chosen[0].task] += 1
    listed = ", ".join(f"{task_name(task)} {people}" for task, people in found.items())
    words = (
        f"If {found.total()} people come and none leaves, so many begin with each task: {listed}."
    )
    if max(found.values()) - min(found.values()) <= max(1, UNEVEN * found.total()):
        return [Check("first", FINE, "Order", words)]
    advice = "So that each task comes first equally often, set the order to Latin square."
    return [Check("first", LOOK, "Order", words, advice, "order")]
