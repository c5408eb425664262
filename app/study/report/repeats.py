"""Lines that would repeat another: a family or a total with one task in it.

Pages, figures, LaTeX and `hjstudy plan` leave them out. CSV and JSON files keep every line, since
scripts read them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from app.game.tasks import TASKS
from app.scoring.permutation import FAMILIES, TOTAL
from app.study.report.shape import records

ADJUSTED = frozenset({"tests", "p_adjusted", "power"})  # depend on how many tests there are
Line = TypeVar("Line")
NAMES = ("task", "family", "level")  # the first of these is the name of a line


def without_repeats(
    lines: Sequence[Line], record: Callable[[Line], Mapping[str, Any]]
) -> list[Line]:
    """Return lines without each family and total that says the same as a line of its tasks.

    `record`: a line as name -> value. Other lines stay, also equal ones, in the same order.
    """
    kept, said = list[Line](), dict[str, set[str]]()
    for line in lines:
        row = record(line)
        column = next((name for name in NAMES if name in row), "")
        name = str(row.get(column, ""))
        rest = {key: v for key, v in row.items() if key != column and key not in ADJUSTED}
        words = json.dumps(rounded(rest), sort_keys=True)
        before = said.setdefault(words, set())
        if not any(holds(name, one) for one in before):
            kept.append(line)
        before.add(name)
    return kept


def rounded(value: Any) -> Any:
    """Return values without the last digits of floats, which depend on the order of a sum."""
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return round(value, 9) if isinstance(value, float) else value


def holds(group: str, name: str) -> bool:
    """Tell whether a family or total can consist of a line: a task, a family, or `all` of them."""
    if group == TOTAL:
        return name != TOTAL
    if group not in FAMILIES or name in {*FAMILIES, TOTAL}:
        return False
    return name not in TASKS or TASKS[name].family == group


def table_without_repeats(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of a report's document without such lines."""
    names = [column["name"] for column in table["columns"]]
    rows = table["rows"]
    if any(name in names for name in NAMES):
        rows = without_repeats(rows, lambda row: dict(zip(names, row, strict=True)))
    return {**table, "rows": rows}


def records_without_repeats(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of such a table as name -> cell."""
    return records(table_without_repeats(table))
