"""The human baseline: by task and in total, for first and all episodes, with intervals."""

from collections.abc import Mapping, Sequence

from app.scoring.permutation import TOTAL
from app.scoring.players import Figure, Sample
from app.scoring.plays import Which
from app.study.report import marks
from app.study.report.marks import MARKS, Find
from app.study.report.options import Options
from app.study.report.samples import (
    HEAD,
    WHICH,
    Share,
    Value,
    by_task,
    counted,
    mean_of,
    over,
    rule,
    rv_of,
    total_of,
)
from app.study.report.shape import Table, columns
from app.study.report.units import People, Unit

NOTE = (
    "A unit is one player in one block (world). The value of a task is the mean over its units. "
    "This holds for ECSR too: it is computed in each unit and then averaged, so the mean success "
    "rate times the mean norm_eff of a row need not give its ECSR. "
    "norm_eff counts only units with a success. An unfinished episode counts as a failure, except "
    "in 'ECSR, unfinished missing'. Intervals are 95 % expanded percentile bootstrap intervals "
    "over players; they need 10. Those of shares (all but norm_eff) include made-up episodes, half "
    "a lost one and half a won one, because few players may show no failure. "
    "Where nearly everyone succeeds (means above .85), intervals are less exact: with 10 to 48 "
    "players, they contained the true value in 90 to 100 % of simulated studies instead of 95 %. "
    "The total is the mean of the tasks, if each has a value. RV is that of each unit's last "
    f"explanation. {marks.NOTE}"
)
FIGURES = (
    "success_rate:figure:success rate",
    "norm_eff:figure",
    "ecsr:figure:ECSR",
    "ecsr_missing:figure:ECSR, unfinished missing",
    "attempt_norm_eff:figure:norm_eff by attempts",
    "attempt_ecsr:figure:ECSR by attempts",
    "norm_eff_clean:figure:norm_eff without mistyped commands",
    "ecsr_clean:figure:ECSR without mistyped commands",
    "rv:figure:RV",
)


def measures(which: Which, main_rv: str) -> tuple[Value, ...]:
    """Return the functions that compute a unit's values, in the order of FIGURES."""

    def of(name: str, **how: object) -> Value:
        def value(unit: Unit) -> float | None:
            metrics = unit.metrics(which, **how)  # type: ignore[arg-type]
            return None if metrics is None else getattr(metrics, name)

        return value

    def share(name: str, **how: object) -> Share:
        return Share(of(name, **how), lambda unit: unit.episodes(which))

    return (
        share("success_rate"),
        of("norm_eff"),
        share("ecsr"),
        share("ecsr", unfinished="missing"),
        of("attempt_norm_eff"),
        share("attempt_ecsr"),
        of("norm_eff", clean=True),
        share("ecsr", clean=True),
        rv_of(main_rv),
    )


def baseline(people: People, which: Which, main_rv: str, find: Find, options: Options) -> Table:
    """Return the table for first or all episodes."""
    table = Table(
        f"baseline_{which}",
        f"Human baseline, {WHICH[which]}",
        NOTE,
        columns(*HEAD, "players:int", "units:int", *FIGURES, *MARKS),
    )
    for condition in people.conditions():
        units = [u for u in people.episodic(condition) if u.metrics(which) is not None]
        tasks = by_task(units)
        parts = {
            task: [over(own, value) for value in measures(which, main_rv)]
            for task, own in tasks.items()
        }
        for task, own in tasks.items():
            beside = marks.marks([own], which, find)
            table.add(*condition, task, *counted(own), *figures(parts[task], options), *beside)
        if len(tasks) > 1:
            beside = marks.marks(tasks.values(), which, find)
            sums = totals(parts, options)
            table.add(*condition, TOTAL, *counted(units), *sums, *beside)
    return table


def totals(parts: Mapping[str, Sequence[Sample]], options: Options) -> list[Figure]:
    """Return the total of each value. `parts`: task -> its samples, one per value."""
    columns_ = zip(*parts.values(), strict=True)
    return [total_of(dict(zip(parts, one, strict=True)), options) for one in columns_]


def figures(samples: Sequence[Sample], options: Options) -> list[Figure]:
    """Return each sample's mean with its interval."""
    return [mean_of(one, options) for one in samples]


def ratings(people: People, options: Options) -> Table:
    """Return RV by kind of rating, of the last and the first explanation of a block."""
    table = Table(
        "rv",
        "Rule verbalization",
        "RV = rating (0 to 2) / 2, or the sum of the four criteria / 8. It is that of the last "
        "explanation of a block, or of its first one ('first'). judge: mean over judges; human: "
        "mean over annotators; final: the adjudicated rating, or else the mean over annotators.",
        columns(
            *HEAD,
            "written:int:blocks with an explanation",
            "unrated:int:without any rating",
            *(f"{kind}:figure:{kind}" for kind in RV_KINDS),
            *(f"{kind}_first:figure:{kind}, first" for kind in RV_KINDS),
        ),
    )
    for condition in people.conditions():
        units = [u for u in people.episodic(condition) if u.rv_last is not None]
        for task, own in by_task(units).items():
            unrated = sum(all(unit.rv(kind) is None for kind in RV_KINDS) for unit in own)
            last = [over(own, rv_of(kind)) for kind in RV_KINDS]
            first = [
                over(own, rule(lambda u, k=kind: u.rv_first.of(k) if u.rv_first else None))  # type: ignore[misc]
                for kind in RV_KINDS
            ]
            table.add(*condition, task, len(own), unrated, *figures([*last, *first], options))
    return table


RV_KINDS = ("judge", "human", "final")
