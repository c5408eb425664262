"""Rows of summary: a task's measures in one condition, with bootstrap intervals over players.

They are computed from the rows of baseline that count, so a bundle is enough to reproduce them.
"""

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import compress
from typing import Any

from app.game.tasks import TASKS
from app.scoring.made_up import rate
from app.scoring.players import REPLICATES, Figure, Sample, mean_figure, total
from app.study.export.rows_baseline import baseline
from app.study.export.source import Facts, Source

SEED = 1
RVS = ("rv_judge", "rv_human", "rv_final")
ALL = ("success_rate", "norm_eff", "ecsr", "attempt_ecsr", *RVS)
DIRECT = ("success_rate", *RVS)
SCOPES = {"all": "", "first": "first_"}  # scope -> prefix of baseline's columns
Condition = tuple[str, str, str]  # lexicon, coverage, format


def rows(source: "Source") -> Iterator["Facts"]:
    """Yield the measures: task by task within a condition, then the mean of its tasks."""
    kept: dict[tuple[Condition, str], Units] = {}
    for unit in baseline(source):
        if unit["analysed"]:
            condition = (unit["lexicon"], unit["coverage"], unit["format"])
            kept.setdefault((condition, unit["task"]), Units()).add(unit)
    for condition in sorted({condition for condition, _ in kept}, key=paper_first):
        tasks = sorted((task for one, task in kept if one == condition), key=in_order)
        for scope, figure, column in wanted(condition[2]):
            own = [kept[condition, task].sample(column) for task in tasks]
            for task, sample in zip(tasks, own, strict=True):
                found = mean_figure(sample, REPLICATES, SEED)
                yield row(source, task, condition, scope, figure, found)
            yield row(source, "all", condition, scope, figure, total(own, REPLICATES, SEED))


class Units:
    """The measures of a task's units, eight bytes each, because there may be very many."""

    def __init__(self) -> None:
        self._players: list[str] = []
        self._episodes = array("l")
        self._columns: dict[str, array[float]] = defaultdict(lambda: array("d"))

    def add(self, unit: "Facts") -> None:
        """Add a unit; a missing value is stored as NaN."""
        self._players.append(unit["participant_id"])
        self._episodes.append(unit["episodes"])
        for _, _, column in wanted(unit["format"]):
            value = unit[column]
            self._columns[column].append(math.nan if value is None else value)

    def sample(self, column: str) -> Sample:
        """Return the units' values of one column, without missing ones."""
        made = Sample(made_up=self._made_up(column))
        for player, value in zip(self._players, self._columns[column], strict=True):
            made.add(player, None if math.isnan(value) else value)
        return made

    def _made_up(self, column: str) -> float:
        """Return how many units are made up of a share: of episodes, or of one rule a unit."""
        if column.endswith("norm_eff"):
            return 0.0
        known = [not math.isnan(value) for value in self._columns[column]]
        is_once = column.startswith(SCOPES["first"]) or column in RVS
        each = [1] * len(known) if is_once else self._episodes
        return rate(sum(known), sum(compress(each, known)))


def wanted(kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield (scope, figure, column of baseline) of one format."""
    for scope, prefix in SCOPES.items():
        for figure in DIRECT if kind == "direct" else ALL:
            yield scope, figure, prefix + figure


def paper_first(condition: Condition) -> tuple[bool, Condition]:
    """Return a sort key: the paper's condition (semantic, 1, episodic) goes first."""
    return condition != ("semantic", "1", "episodic"), condition


def in_order(task: str) -> tuple[int, str]:
    """Return a sort key: the paper's order, then tasks of the study."""
    known = list(TASKS)
    return (known.index(task) if task in known else len(known)), task


def row(
    source: "Source", task: str, condition: Condition, scope: str, figure: str, found: Figure
) -> dict[str, Any]:
    """Return one row."""
    lexicon, coverage, kind = condition
    return {
        "study": source.study.slug,
        "task": task,
        "lexicon": lexicon,
        "coverage": coverage,
        "format": kind,
        "scope": scope,
        "figure": figure,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "reason": found.reason,
        "players": found.players,
        "units": found.units,
        "replicates": REPLICATES,
        "seed": SEED,
    }
