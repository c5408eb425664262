"""The worked examples of docs/rules.md and docs/metrics.md, computed by the code they explain."""

from fractions import Fraction

from app.game.certify import certify
from app.game.expectation import floors
from app.game.rules import truth
from app.game.tasks import TASKS
from app.game.variant import generate
from app.scoring.efficiency import (
    EpisodeResult,
    attempt_norm_eff,
    norm_eff,
    t_of,
    task_metrics,
    unit_metrics,
)
from app.scoring.rv import rv_by_item
from app.study.design.game_files import lexicon

SEED = 0
ACTIVITIES, ORDERS = ("perform", "drink"), ("before", "after")
TRIED = [(4, 1, True), (10, 2, True), (20, 5, False)]  # actions, attempts, won
SECOND = [(5, 1, True)]
REF_LENGTH, N_TRIES = 4, 5  # of A-Add


def rule(name):
    """Return a task's rule as a table, with the cells that are held out of one variant."""
    task, variant = TASKS[name], variant_of(name)
    grid = [[words(task, one) for one in row] for row in truth(task)]
    for class_, role in variant.gen_cells:
        grid[class_][role] = f"[{grid[class_][role]}]"
    heads = ["", *(f"role {number}" for number in range(task.n_role))]
    rows = [heads, *([f"class {number}", *row] for number, row in enumerate(grid))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [pad(row, widths) for row in rows]
    without, left = (certify(variant_of(name, part)).rules_consistent for part in ("0", "1"))
    return [*lines, f"rules that fit: {without} without demonstrations, {left} with all of them"]


def variant_of(name, coverage="1"):
    return generate(TASKS[name], SEED, lexicon("semantic"), coverage)


def pad(row, widths):
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def words(task, output):
    """Return an output, such as `size 2, color 1` or `drink after`."""
    found = dict(zip([one.name for one in task.dimensions], output, strict=True))
    if task.family == "attribute":
        return ", ".join(f"{name} {value}" for name, value in found.items())
    found |= {name: found.get(name, value) for name, value in task.fixed}
    activity, order = ACTIVITIES[found["activity"]], ORDERS[found["order"]]
    count = f" x {found['count']}" if name_of_count(task) else ""
    return f"{activity}{count} {order}"


def name_of_count(task):
    return any(one.name == "count" for one in task.dimensions)


def scores():
    """Return the example of efficiency: two units of A-Add."""
    yield "episode  actions  attempts  won  t     norm_eff  by attempts"
    for number, (actions, attempts, won) in enumerate(TRIED, 1):
        row = f"{number:<9}{actions:<9}{attempts:<10}{'yes' if won else 'no':<5}"
        if won:
            t, by_actions = t_of(actions, REF_LENGTH), norm_eff(actions, REF_LENGTH, N_TRIES)
            row += f"{t:<6.2f}{by_actions:<10.3f}{attempt_norm_eff(attempts, N_TRIES):.3f}"
        yield row.rstrip()
    units = [unit_metrics([result(*one) for one in tried]) for tried in (TRIED, SECOND)]
    for name, one in (("first unit", units[0]), ("second unit", units[1])):
        yield f"{name}: {figures(one)}"
    yield f"task: {figures(task_metrics(units))}"


def result(actions, attempts, won):
    return EpisodeResult(won, actions, attempts, REF_LENGTH, N_TRIES)


def figures(one):
    return f"success rate {one.success_rate:.3f}, norm_eff {one.norm_eff:.3f}, ECSR {one.ecsr:.3f}"


def expected(name="A-Comp"):
    """Return the expected ECSR of every bot in one variant, lowest first."""
    found = floors(variant_of(name))
    for bot, value in sorted(found.items(), key=lambda one: (one[1], one[0])):
        yield f"{bot:<12} {float(value):.3f}"


def ratings():
    """Return the example of RV: two raters, a judge, and a decision about one explanation."""
    judged, rated, decided = [("x", 2)], [("x", 1), ("x", 2)], [("x", 1, 1)]
    (found,) = rv_by_item(judged, rated, decided).values()
    yield f"judge 2: rv_judge {found.judge:.2f}"
    yield f"raters 1 and 2: rv_human {found.human:.2f}"
    yield f"decided 1: rv_final {found.final:.2f}"
    (four,) = rv_by_item([("x", Fraction(2 + 1 + 2 + 1, 4))], [], []).values()
    yield f"judge by criteria 2, 1, 2, 1: rv_judge {four.judge:.2f}"


BLOCKS = {"scores": scores, "expected": expected, "ratings": ratings}
