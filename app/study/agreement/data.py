"""The data of the agreement report: one round's stored rows, and panels for the statistics."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from app.errors import StudyError
from app.scoring import panel
from app.scoring.panel import JudgedItem, Panel
from app.scoring.sampling import Stratum
from app.store.base import AnyRow
from app.store.rating import judges, ratings, rounds, samples
from app.store.rating.rounds import MAIN
from app.store.rating.scales import CRITERIA, LEVELS
from app.study.design.studies import StudyView
from app.study.rating import sample_draws
from app.study.rating.rounds import NoRoundError

OVERALL, MEAN = "score", "mean"
WHOLE = "all items"  # the only stratum of a round without a sample
FINAL = "final"  # adjudicated, or the score on which all raters of the item agree
Score = Callable[[AnyRow, str], int | None]


class NoRatingsError(StudyError):
    """The round was never opened, so there is nothing to report."""

    code = "agreement/no_ratings"

    def __init__(self, number: int) -> None:
        super().__init__(f"Round {number} is not open yet, so there is nothing to report.")


class DimensionError(StudyError):
    """The round does not have the score asked for: overall score or criteria."""

    code = "agreement/dimension"

    def __init__(self, asked: str, known: Sequence[str]) -> None:
        super().__init__(f"This round has no score '{asked}'. Choose one of: {', '.join(known)}.")


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge: its name in the report, its row, its scores by item id (None = malformed)."""

    label: str
    run: AnyRow
    scores: dict[int, AnyRow]


@dataclass(frozen=True, slots=True)
class Facts:
    """All stored data for the report: study (slug) and title, `ratings.long_rows`, ...

    `frame`: all items of the sample's frozen frame, drawn or not; empty without a sample.
    """

    study: str
    title: str
    round: AnyRow
    items: Sequence[AnyRow]
    raters: Sequence[AnyRow]
    rows: Sequence[AnyRow]
    sample: AnyRow | None
    frame: Sequence[AnyRow]
    judges: tuple[Judge, ...]

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The available scores: the single score, or the criteria and their mean."""
        return (OVERALL,) if self.round.mode == "overall" else (*CRITERIA, MEAN)

    @property
    def default_dimension(self) -> str:
        """The score that stratified the sample, if the round has it, or else the first."""
        known = self.dimensions
        wanted = self.sample.level_of if self.sample else ""
        return wanted if wanted in known else known[-1]

    @property
    def main(self) -> list[AnyRow]:
        """Ratings that count: no training items, gold items or repeats."""
        return [row for row in self.rows if row.kind == MAIN and not row.repeat]


def load(db: Connection, study: StudyView, number: int) -> Facts:
    """Read a round. Raises NoRoundError, NoRatingsError."""
    found = rounds.find(db, study.id, number)
    if found is None:
        raise NoRoundError
    if found.state == "draft":
        raise NoRatingsError(number)
    sample = samples.by_id(db, found.sample_id) if found.sample_id is not None else None
    runs = list(judges.runs(db, study.id))
    names = judges.labels(runs)
    if sample is not None:  # the judge whose levels are the strata goes first
        runs.sort(key=lambda run: run.id != sample.run_id)
    return Facts(
        study=study.slug,
        title=study.title,
        round=found,
        items=rounds.items(db, found.id),
        raters=rounds.raters(db, found.id),
        rows=ratings.long_rows(db, found.id),
        sample=sample,
        frame=samples.items_of(db, sample.id) if sample is not None else (),
        judges=tuple(
            Judge(names[run.id], run, {row.item_id: row for row in judges.scores(db, run.id)})
            for run in runs
        ),
    )


def level_of(values: Sequence[int | None], dimension: str) -> int | None:
    """Return one score of (overall, four criteria); the mean of the four is rounded half up."""
    overall, *criteria = values
    if dimension == OVERALL:
        return overall
    if dimension == MEAN:
        known = [value for value in criteria if value is not None]
        return (2 * sum(known) + len(known)) // (2 * len(known)) if known else None
    return criteria[CRITERIA.index(dimension)]


def first_given(row: AnyRow, dimension: str) -> int | None:
    """Return a rater's first score, or None if unrated or skipped."""
    names = [f"first_{name}" for name in ("value", *CRITERIA)]
    return level_of([getattr(row, name) for name in names], dimension)


def as_edited(row: AnyRow, dimension: str) -> int | None:
    """Return a rater's current score."""
    return level_of([getattr(row, name) for name in ("value", *CRITERIA)], dimension)


def adjudicated(row: AnyRow, dimension: str) -> int | None:
    """Return the adjudicated score of the item, or None."""
    names = [f"adjudicated_{name}" for name in ("value", *CRITERIA)]
    return level_of([getattr(row, name) for name in names], dimension)


def strata(facts: Facts) -> tuple[Stratum, ...]:
    """Return the strata of the sample, or a single one if there is no sample."""
    if facts.sample is None:
        number = len({row.item_id for row in facts.main})
        return (Stratum(WHOLE, LEVELS[0], number, number),)
    return tuple(
        Stratum(one["name"], one["level"], one["population"], one["drawn"])
        for one in json.loads(facts.sample.strata)
    )


def panel_of(facts: Facts, dimension: str, score: Score) -> Panel:
    """Return the round's items with the raters' scores of one kind and all judges' scores.

    Raises: DimensionError; PanelError: no items.
    """
    check_dimension(facts, dimension)
    given: dict[int, dict[str, int]] = {}
    for row in facts.main:
        value = score(row, dimension)
        if value is not None:
            given.setdefault(row.item_id, {})[row.rater] = value
    return _panel(facts, dimension, given)


def final_panel(facts: Facts, dimension: str) -> Panel:
    """Return the items with their final score: adjudicated, or else agreed on by all raters."""
    check_dimension(facts, dimension)
    given: dict[int, set[int]] = {}
    decided: dict[int, int] = {}
    for row in facts.main:
        value, ruled = as_edited(row, dimension), adjudicated(row, dimension)
        if value is not None:
            given.setdefault(row.item_id, set()).add(value)
        if ruled is not None:
            decided[row.item_id] = ruled
    same = {item: values.pop() for item, values in given.items() if len(values) == 1}
    return _panel(facts, dimension, {item: {FINAL: v} for item, v in (same | decided).items()})


def judge_mean(facts: Facts, dimension: str) -> float | None:
    """Return the first judge's mean score over the whole frame, or None."""
    if not facts.judges:
        return None
    found = [_judged(facts.judges[0], one.item_id, dimension) for one in facts.frame]
    known = [value for value in found if value is not None]
    return sum(known) / len(known) if known else None


def check_dimension(facts: Facts, dimension: str) -> None:
    """Raise DimensionError if the round does not have this score."""
    if dimension not in facts.dimensions:
        raise DimensionError(dimension, facts.dimensions)


def _panel(facts: Facts, dimension: str, given: dict[int, dict[str, int]]) -> Panel:
    used = [judge for judge in facts.judges if judge.scores]
    items = [
        JudgedItem(
            id=name,
            stratum=stratum,
            cluster=cluster,
            task=task,
            source=source,
            humans=given.get(item_id, {}),
            judges={
                judge.label: level
                for judge in used
                if (level := _judged(judge, item_id, dimension)) is not None
            },
        )
        for item_id, name, stratum, cluster, task, source in _items(facts)
    ]
    return panel.make(items, strata(facts), LEVELS, [judge.label for judge in used])


def _judged(judge: Judge, item_id: int, dimension: str) -> int | None:
    row = judge.scores.get(item_id)
    return None if row is None else sample_draws.level_of(row, dimension)


def _items(facts: Facts) -> list[tuple[int, str, str, str, str, str]]:
    """Return (id, name, stratum, cluster, task, source) of all items to be rated."""
    if facts.sample is not None:
        return [
            (one.item_id, one.external_id, one.stratum, one.cluster, one.task, one.source)
            for one in facts.frame
            if one.place is not None
        ]
    known = {row.item_id: row for row in facts.main}
    return [
        (item, row.item, WHOLE, row.cluster, row.task, row.source) for item, row in known.items()
    ]
