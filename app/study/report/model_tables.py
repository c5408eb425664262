"""Models by themselves: RV against ECSR, methods against plain, tokens and cost, the same words."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from app.agents.playing import METHODS
from app.game.model import COVERAGES
from app.scoring.permutation import FAMILIES
from app.scoring.plays import ALL
from app.scoring.ranks import spearman
from app.study.export import parity as words
from app.study.report.contrasts import (
    PAIRED,
    TEST_NOTE,
    TOTAL_NOTE,
    contrast,
    flat,
    proofs,
    world_of,
)
from app.study.report.marks import Find
from app.study.report.models import by_model
from app.study.report.options import Options
from app.study.report.samples import (
    CONDITION,
    HEAD,
    Value,
    by_task,
    ecsr_of,
    of_condition,
    over,
    rv_of,
)
from app.study.report.shape import Table, columns, ordered, records
from app.study.report.units import Row, Tables, Unit, conditions_of

PLAIN = "plain"
EVERY = "all models"
FEW = 100  # replicates of intervals that are never shown
Group = tuple[str, str]  # model, preset


def models_points(tables: Tables, main_rv: str) -> Table:
    """Return one point per model, task and condition: RV against ECSR."""
    table = Table(
        "models_points",
        "RV and ECSR of each model in each task",
        "One row per model, task and condition: means over the variants that the model played and "
        "whose explanation is rated.",
        columns("model", *HEAD, "family", "rv:number:RV", "ecsr:number:ECSR"),
    )
    for model, units in by_model(tables).items():
        for condition in conditions_of(units):
            own = [u for u in of_condition(units, condition) if u.rv(main_rv) is not None]
            for task, rated in by_task(u for u in own if u.ecsr(ALL) is not None).items():
                rv, ecsr = over(rated, rv_of(main_rv)).mean(), over(rated, ecsr_of(ALL)).mean()
                table.add(model, *condition, task, rated[0].family, rv, ecsr)
    return table


def models_relation(points: Table) -> Table:
    """Return Spearman's rho of RV and ECSR over model x task, by condition and family."""
    table = Table(
        "models_relation",
        "RV against ECSR of models",
        "The table shows Spearman's rho over model x task. There are no intervals, because models "
        "are not a sample of a population.",
        columns(*CONDITION, "family", "models:int", "points:int", "rho:number:Spearman's rho"),
    )
    every = records(points.as_dict())
    for condition in dict.fromkeys((row["lexicon"], row["coverage"]) for row in every):
        here = [row for row in every if (row["lexicon"], row["coverage"]) == condition]
        for family in ("all", *ordered({row["family"] for row in here}, FAMILIES)):
            own = [row for row in here if family in ("all", row["family"])]
            rho = spearman([row["rv"] for row in own], [row["ecsr"] for row in own])
            table.add(*condition, family, len({row["model"] for row in own}), len(own), rho)
    return table


def models_coverage(tables: Tables, main_rv: str, find: Find) -> Table:
    """Return each model's ECSR and RV by coverage, and what the demonstrations give away."""
    table = Table(
        "models_coverage",
        "Coverage of models",
        "k/k* is the share of the source demonstrations that are shown. Contextual bias and the "
        "share of determined cells are as in the table of participants, over the variants that the "
        "model played. All episodes of a model count. A model is a single player, so there are no "
        "intervals.",
        columns(
            *("model", CONDITION[0], "task", CONDITION[1], "units:int"),
            *("ecsr:number:ECSR", "rv:number:RV", "contextual_bias:number:contextual bias"),
            "share_determined:number:share determined",
        ),
    )
    for model, units in by_model(tables).items():
        own = [unit for unit in units if unit.ecsr(ALL) is not None]
        for words_ in sorted({u.lexicon for u in own}, key=lambda one: (one != "semantic", one)):
            for task, played in by_task(u for u in own if u.lexicon == words_).items():
                for share in COVERAGES:
                    here = [unit for unit in played if unit.coverage == share]
                    if here:
                        ecsr, rv = (
                            over(here, one).mean() for one in (ecsr_of(ALL), rv_of(main_rv))
                        )
                        proved = proofs(here, find)
                        table.add(model, words_, task, share, len(here), ecsr, rv, *proved)
    return table


def played_runs(tables: Tables) -> dict[str, Row]:
    """Return label -> run, of the runs that played."""
    return {row["label"]: row for row in tables.get("model_run", ()) if row["kind"] == "play"}


def by_method(tables: Tables) -> dict[Group, dict[str, list[Unit]]]:
    """Return (model, preset) -> method -> units of all its runs."""
    runs, found = played_runs(tables), dict[Group, dict[str, list[Unit]]]()
    for label, units in by_model(tables).items():
        if label in runs:
            run = runs[label]
            group = found.setdefault((run["model"], run["preset"]), {})
            group.setdefault(run["method"], []).extend(units)
    return {group: found[group] for group in sorted(found)}


def methods(tables: Tables, options: Options) -> Table:
    """Return each method's ECSR minus that of plain prompting, per task, family and in total."""
    table = Table(
        "methods",
        "Methods against plain prompting",
        "The change is a method's ECSR minus that of the same model with the method 'plain' and "
        "the same preset, over the tasks that both played. A pair is a variant that both played; "
        f"in '{EVERY}', a model's variant. {TOTAL_NOTE} {TEST_NOTE}",
        columns(
            *("model", "preset", "method", *HEAD),
            *("plain:number:ECSR, plain", "ecsr:number:ECSR", "change:number"),
            *PAIRED,
        ),
    )
    groups = by_method(tables)
    model_of = {label: run["model"] for label, run in played_runs(tables).items()}

    def own_world(unit: Unit) -> Hashable:
        return model_of[unit.player], world_of(unit)

    for (model, preset), own in groups.items():
        add_methods(table, (model, preset), own, world_of, options)
    for preset in sorted({preset for _, preset in groups}):
        both = [own for (_, one), own in groups.items() if one == preset and PLAIN in own]
        pooled = {
            method: (flat(own[PLAIN] for own in both if method in own), pool_of(both, method))
            for method in METHODS[1:]
            if sum(method in own for own in both) > 1
        }
        for method, (plain, theirs) in pooled.items():
            sides = {PLAIN: plain, method: theirs}
            add_methods(table, (EVERY, preset), sides, own_world, options)
    return table


def pool_of(groups: Iterable[Mapping[str, list[Unit]]], method: str) -> list[Unit]:
    """Return the units of a method in all groups."""
    return flat(own[method] for own in groups if method in own)


def add_methods(
    table: Table,
    group: Group,
    own: Mapping[str, list[Unit]],
    key: Callable[[Unit], Hashable],
    options: Options,
) -> None:
    """Add the rows of one model, or of all."""
    quick, ecsr = replace(options, replicates=FEW), ecsr_of(ALL)
    plain = [u for u in own.get(PLAIN, ()) if u.format == "episodic"]
    for method in (one for one in METHODS if one != PLAIN and one in own):
        theirs = [u for u in own[method] if u.format == "episodic"]
        for condition in conditions_of(plain):
            sides = (of_condition(theirs, condition), ecsr), (of_condition(plain, condition), ecsr)
            for line in contrast(*sides, quick, key):
                after, before, change = (figure.value for figure in line.figures)
                cells = before, after, change, *line.tested
                table.add(*group, method, *condition, line.name, *cells)


def models_cost(tables: Tables, main_rv: str) -> Table:
    """Return what each run used, beside its scores."""
    table = Table(
        "models_cost",
        "Tokens and cost of runs",
        "Scores are means of the tasks' means. Calls, tokens and cost cover the whole run, with "
        "its explanations and all its conditions. The endpoint counts the tokens, and the cost "
        "follows from the prices given for the run; it is empty if there were none.",
        columns(
            *("run:int", "model", "method", "preset", *CONDITION, "episodes:int"),
            *("ecsr:number:ECSR", "rv:number:RV", "direct:number", "calls:int"),
            *("prompt_tokens:int", "completion_tokens:int", "cost:number"),
        ),
    )
    units = by_model(tables)
    for label, run in played_runs(tables).items():
        for condition in conditions_of(units.get(label, ())):
            own = of_condition(units[label], condition)
            scores = (
                mean_of_tasks(own, one) for one in (ecsr_of(ALL), rv_of(main_rv), Unit.accuracy)
            )
            used = (run[name] for name in ("calls", "prompt_tokens", "completion_tokens", "cost"))
            named = run["run"], label, run["method"], run["preset"]
            episodes = sum(len(unit.plays) for unit in own)
            table.add(*named, *condition, episodes, *scores, *used)
    return table


def mean_of_tasks(units: Sequence[Unit], value: Value) -> float | None:
    """Return the mean of the tasks' means, over the tasks with a value."""
    means = list(task_means(units, value))
    return sum(means) / len(means) if means else None


def task_means(units: Sequence[Unit], value: Value) -> Iterator[float]:
    """Yield the mean of each task that has a value."""
    for own in by_task(unit for unit in units if value(unit) is not None).values():
        found = over(own, value).mean()
        if found is not None:
            yield found


def parity(tables: Tables) -> Table:
    """Return whether each model got the words that people got."""
    table = Table(
        "parity",
        "Parity of words and metrics",
        "For each episode that a model and participants share, the words shown before the first "
        "action are compared by their SHA-256: those of participants' pages, and those in the "
        "stored question to the model. 'Not proved' means that there is no stored question, as for "
        "imported results. The pages of participants may be in another language than English; then "
        "the words differ. Each side's digest is the SHA-256 of the hashes of its words, one line "
        "for each shared episode. Both sides are scored by the same code, whose SHA-256 is given.",
        columns(
            *("model", "source", "run:int", "design_people:text:design of participants"),
            *("languages:text:languages of participants", "design_model:int:design of the model"),
            *("episodes:int", "shared:int"),
            *("same:int:same words", "other:int:other words", "unknown:int:not proved", "verdict"),
            *("metric_code", "words_people:text:digest of participants' words"),
            "words_model:text:digest of the model's words",
        ),
    )
    found = words.of_tables(tables)
    people = ", ".join(map(str, sorted(found.versions))), ", ".join(sorted(found.languages))
    for one in found.sides():
        counts = one.episodes, one.shared, one.same, one.other, one.unknown
        proved = one.verdict, words.metric_code(), one.words_people, one.words_model
        named = one.label, one.source, one.run
        table.add(*named, *people, one.design_version, *counts, *proved)
    return table
