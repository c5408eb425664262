"""The paper's table: published means (in published.json) and this study's participants."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from app.scoring.players import Figure, Sample, against, mean_figure, total
from app.scoring.plays import FIRST
from app.study.report import marks
from app.study.report.marks import MARKS, NO_MARKS, Find
from app.study.report.options import Options
from app.study.report.samples import Value, by_task, ecsr_of, over, rv_of
from app.study.report.shape import Table, columns
from app.study.report.units import People, Unit

FILE = Path(__file__).with_name("published.json")
AVERAGE = "Average"
PAPER = ("semantic", "1")  # lexicon and coverage of the paper's main table
MEASURES = {"ecsr": "ECSR", "rv": "RV"}


@dataclass(frozen=True, slots=True)
class Published:
    """The published table: measure -> name -> mean per task, exactly as printed."""

    people: str
    tasks: tuple[str, ...]
    means: Mapping[str, Mapping[str, tuple[Fraction, ...]]]

    def average(self, measure: str, name: str, tasks: Sequence[str] | None = None) -> Fraction:
        """Return the mean over all or some tasks."""
        pairs = zip(self.tasks, self.means[measure][name], strict=True)
        own = [value for task, value in pairs if tasks is None or task in tasks]
        return sum(own, Fraction(0)) / len(own)

    def best_model(self, measure: str) -> str:
        """Return the model with the highest average."""
        models = [name for name in self.means[measure] if name != self.people]
        return max(models, key=lambda name: self.average(measure, name))

    def lead(self, measure: str) -> Fraction:
        """Return the lead of human participants over the best model, on average over the tasks."""
        best = self.best_model(measure)
        return self.average(measure, self.people) - self.average(measure, best)


@cache
def published() -> Published:
    """Read the published values."""
    data = json.loads(FILE.read_text("utf-8"), parse_float=Fraction)
    means = {
        measure: {name: tuple(values) for name, values in data[measure].items()}
        for measure in MEASURES
    }
    return Published(data["people"], tuple(data["tasks"]), means)


def paper() -> Table:
    """Return the published table, with averages and the lead of humans over the best model."""
    paper_means = published()
    best = ", ".join(f"{label}: {paper_means.best_model(m)}" for m, label in MEASURES.items())
    table = Table(
        "paper",
        "The paper's table",
        "Published means as printed. Average: mean of the tasks. Lead: the paper's human "
        f"participants minus its best model by average ({best}).",
        columns("measure", "name", *(f"{t}:number" for t in paper_means.tasks), "average:number"),
    )
    for measure, label in MEASURES.items():
        for name, values in paper_means.means[measure].items():
            table.add(label, name, *map(float, values), float(paper_means.average(measure, name)))
        model = paper_means.means[measure][paper_means.best_model(measure)]
        people = paper_means.means[measure][paper_means.people]
        lead = [float(one - other) for one, other in zip(people, model, strict=True)]
        table.add(label, "Lead", *lead, float(paper_means.lead(measure)))
    return table


def against_paper(people: People, main_rv: str, find: Find, options: Options) -> Table:
    """Return this study's participants minus each published mean."""
    paper_means = published()
    table = Table(
        "against_paper",
        "This study's participants compared with the paper",
        "The difference is this study's participants minus the published mean, per task and on "
        "average over the tasks of this study. ECSR is that of first episodes with plain words and "
        "coverage 1. The interval covers only this study's participants. It understates the "
        "uncertainty, because the published means have none. "
        f"{marks.NOTE}",
        columns(
            "measure",
            "name",
            "task",
            "people:figure",
            "published:number",
            "difference:figure",
            *MARKS,
        ),
    )
    units = people.episodic(PAPER)
    beside = marks_of(units, paper_means.tasks, find)
    values: dict[str, Value] = {"ecsr": ecsr_of(FIRST), "rv": rv_of(main_rv)}
    for measure, value in values.items():
        samples = {
            task: over([u for u in units if u.task == task], value)
            for task in paper_means.tasks
            if any(u.task == task for u in units)
        }
        samples = {task: one for task, one in samples.items() if one.values}
        own = people_figures(samples, options)
        for name, means in paper_means.means[measure].items():
            for task, figure in own.items():
                mean = (
                    paper_means.average(measure, name, list(samples))
                    if task == AVERAGE
                    else means[paper_means.tasks.index(task)]
                )
                table.add(
                    *(MEASURES[measure], name, task, figure, float(mean)),
                    against(figure, float(mean)),
                    *(beside.get(task, NO_MARKS) if measure == "ecsr" else NO_MARKS),
                )
    return table


def marks_of(
    units: Sequence[Unit], known: Sequence[str], find: Find
) -> dict[str, tuple[float | None, float | None]]:
    """Return best floor and ceiling of each of the paper's tasks, and on average."""
    counting = [u for u in units if u.task in known and u.ecsr(FIRST) is not None]
    tasks = by_task(counting)
    found = {task: marks.marks([own], FIRST, find) for task, own in tasks.items()}
    return {**found, AVERAGE: marks.marks(tasks.values(), FIRST, find)}


def people_figures(samples: Mapping[str, Sample], options: Options) -> dict[str, Figure]:
    """Return the participants' value per task and on average."""
    found = {
        task: mean_figure(one, options.replicates, options.seed) for task, one in samples.items()
    }
    if len(samples) > 1:
        found[AVERAGE] = total(list(samples.values()), options.replicates, options.seed)
    return found
