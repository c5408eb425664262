"""The page a participant is at, or was at when they left: defined once for all readers.

A page is named by a stable code: `consent, instructions, questions, practice, comprehension`, the
next guardian as in the ids of exports (`w1-g1`), the rule form after it (`w1-g1-rule`) or after its
world (`w1-rule`), `last_forms`, `finished`.
"""

from collections.abc import Container

from app.store.base import AnyRow
from app.store.play.spots import WORLD, Spots
from app.study.design.spec import StudySpec

ERASED = "not known: data erased"  # instead of a page
RULE = "-rule"


def stop_of(row: AnyRow, spec: StudySpec, done: Container[str], here: Spots) -> str:
    """Return the code of a participant's first unfinished page.

    Args:
        row: the participant's row.
        spec: their design.
        done: the phases of questions they have answered (`before`, `comprehension`).
        here: their spots.
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
    return stop_in_worlds(here, after_episode=spec.rule_form.when == "episode")


def stop_in_worlds(here: Spots, *, after_episode: bool) -> str:
    """Return the code of a guardian or rule form, or `last_forms` after all of them.

    `after_episode`: rules are asked for after each guardian, otherwise after each world.
    """
    if here.untold is not None:
        block, episode = divmod(here.untold, WORLD)
        if after_episode:
            return f"w{block + 1}-g{episode + 1}{RULE}"
        if here.open is None or here.open // WORLD > block:  # no guardian of the world is left
            return f"w{block + 1}{RULE}"
    if here.open is None:
        return "last_forms"
    block, episode = divmod(here.open, WORLD)
    return f"w{block + 1}-g{episode + 1}"


def in_words(stop: str) -> str:
    """Return a code in words, such as `world 1, guardian 2` or `world 1, guardian 2: rule`."""
    if is_in_world(stop):
        world, _, guardian = stop.removesuffix(RULE).partition("-g")
        place = f"world {world.removeprefix('w')}" + (f", guardian {guardian}" if guardian else "")
        return f"{place}: rule" if stop.endswith(RULE) else place
    return {"questions": "questions before"}.get(stop, stop.replace("_", " "))


def is_in_world(stop: str) -> bool:
    """Tell whether a code names a guardian or a rule form."""
    return stop.startswith("w")
