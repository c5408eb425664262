"""How many guardians a design gives each player, and the most that its bonus formula can pay."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from app.game.splits import all_splits
from app.game.tasks import TASKS
from app.study.design import arms
from app.study.design.formula import METRICS, FormulaError, bonus_cents
from app.study.design.spec import CellSpec, StudySpec

MOST = 10**6  # more guardians than any world has


def guardians(spec: StudySpec) -> tuple[int, int]:
    """Return the smallest and the largest number of guardians that a player gets.

    As long as no cell is full: a player then gets a new task before a second cell of one.
    """
    tasks = {**TASKS, **spec.own_tasks()}
    limit = spec.options.episodes_per_block or MOST
    size = {name: min(limit, len(all_splits(task)[0])) for name, task in tasks.items()}
    found = [
        total(cells, spec.per_player, sign, size)
        for own in arms.arms(spec.cells(), spec.between).values()
        for cells in ([own[: spec.per_player]] if spec.order == "fixed" else [own])
        for sign in (1, -1)
    ]
    return min(found), max(found)


def total(cells: Sequence[CellSpec], number: int, sign: int, size: Mapping[str, int]) -> int:
    """Return the guardians of so many cells, of the smallest tasks (sign 1) or the largest."""
    left, used = [cell.task for cell in cells], Counter[str]()
    for _ in range(number):
        task = min(left, key=lambda name: (used[name], sign * size[name]))
        left.remove(task)
        used[task] += 1
    return sum(size[task] * times for task, times in used.items())


def best_bonus(spec: StudySpec) -> int | None:
    """Return the highest bonus of a player who finishes in the announced time, in cents.

    Without the cap. Every number of guardians defeated is tried, each without a wasted action, so
    a formula that pays for few or slow successes is covered too. None: it cannot be computed.
    """
    _, most = guardians(spec)
    forms = most if spec.rule_form.when == "episode" else spec.per_player
    found = list[int]()
    for wins in range(most + 1):
        metrics = {
            "finished": 1,
            "episodes": most,
            "successes": wins,
            "success_rate": wins / most,
            "ecsr": wins / most,
            "norm_eff": 1 if wins else 0,
            "explanations": forms,
            "minutes": spec.texts.minutes,
        }
        try:
            pays = {name: float(metrics[name]) for name in METRICS}
            found.append(bonus_cents(spec.payment.bonus, pays, 10**7))
        except FormulaError:
            continue
    return max(found, default=None)


def most_bonus(spec: StudySpec) -> int:
    """Return the highest bonus that someone can be paid, in cents.

    The cap, or less if the formula cannot reach it. One that may pay more for less, or by time, is
    taken to reach it, because `best_bonus` does not try every such person.
    """
    own = spec.payment
    if not own.bonus.strip():
        return 0
    best = None if re.search(r"-|minutes", own.bonus) else best_bonus(spec)
    return own.bonus_cap_cents if best is None else min(own.bonus_cap_cents, best)
