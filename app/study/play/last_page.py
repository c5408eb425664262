"""The page a participant is at, or was at when they left: defined once for all readers.

A page is named by a stable code: `consent, instructions, questions, practice, comprehension`, the
next guardian as in the ids of exports (`w1-g1`), `last_forms`, `finished`.
"""

from collections.abc import Container

from app.store.base import AnyRow
from app.study.design.spec import StudySpec

ERASED = "not known: data erased"  # instead of a page
Spot = tuple[int, int]  # positions of a block and of an episode in it, counting from 0


def stop_of(row: AnyRow, spec: StudySpec, done: Container[str], spot: Spot | None) -> str:
    """Return the code of a participant's first unfinished page.

    Args:
        row: the participant's row.
        spec: their design.
        done: the phases of questions they have answered (`before`, `comprehension`).
        spot: position of the first open main episode; None = all are over.
    """
    if row.state == "finished":
        return "finished"
    if row.consented_at is None:
        return "consent"
    asked = spec.questions
    unasked = "before" not in done or row.state == "screened_out"  # screening happens on that page
    pages = (
        ("instructions", row.instructions_at is None),
        ("questions", asked.before and unasked),
        ("practice", spec.options.practice and row.practice_at is None),
        ("comprehension", asked.comprehension and "comprehension" not in done),
    )
    for name, is_open in pages:
        if is_open:
            return name
    return "last_forms" if spot is None else f"w{spot[0] + 1}-g{spot[1] + 1}"


def in_words(stop: str) -> str:
    """Return a code in words, such as `world 1, guardian 2`."""
    world, dash, guardian = stop.partition("-g")
    if dash:
        return f"world {world.removeprefix('w')}, guardian {guardian}"
    return {"questions": "questions before"}.get(stop, stop.replace("_", " "))
