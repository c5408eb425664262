"""Own tasks: names that are taken, and what is allowed but probably not meant."""

from collections.abc import Iterable

from app.game.model import Task
from app.game.rules import reachable, truth
from app.game.tasks import TASKS

LEXICA = ("semantic", "nonce")
# tasks whose first guardian a bot always defeats that only rules out what the accounts show
SHOWN_BY_ELIMINATION = ("A-Over", "P-Comp", "P-Over")


def taken(names: Iterable[str], kind: str) -> str:
    """Return why names of a study's own `task`s or `lexicon`s cannot be used, or ''."""
    built_in = {"task": tuple(TASKS), "lexicon": LEXICA}[kind]
    seen = set[str]()
    for name in names:
        if name in built_in:
            return f"{name} is the name of a built-in {kind}: choose another name"
        if name in seen:
            return f"{name} is the name of two {kind}s: choose another name for one"
        seen.add(name)
    return ""


def warnings(task: Task) -> list[str]:
    """Return what makes a task easier, or harder, than it looks, in sentences."""
    grid, outputs = truth(task), len(reachable(task))
    found = []
    if outputs == 1:
        found.append("every guardian requires the same: there is no rule to find")
    elif len(set(grid)) == 1:
        found.append("the class decides nothing: all classes have the same answers")
    elif all(len(set(row)) == 1 for row in grid):
        found.append("the role decides nothing: all roles have the same answers")
    if task.n_tries < outputs:
        found.append(
            f"n_tries is {task.n_tries}, but the rule has {outputs} answers: a player who tries "
            "one after the other can run out of actions"
        )
    return found
