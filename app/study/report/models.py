"""Imported results of models beside people, on the very same variants where there are such."""

from collections import defaultdict
from collections.abc import Sequence

from app.scoring.efficiency import EpisodeResult
from app.scoring.permutation import bonferroni, sign_test
from app.scoring.players import Figure, against, mean_figure, total
from app.study.report.baseline import Value, over
from app.study.report.contrasts import TEST_NOTE, lines, means_by
from app.study.report.floors import ecsr_of
from app.study.report.options import Options
from app.study.report.shape import Table, columns
from app.study.report.units import ALL, FIRST, People, Play, Row, Rv, Tables, Unit

SAME, OTHER = "same", "other"


def model_units(rows: Sequence[Row]) -> list[Unit]:
    """Return each model's results as units: one a model and variant; RV where it was given."""
    found: dict[tuple[object, ...], Unit] = {}
    for row in rows:
        name = (row["model"], row["task"], row["seed"], row["lexicon"], row["coverage"])
        key = (*name, row["format"], row["variant_hash"])
        unit = found.get(key)
        if unit is None:
            unit = found[key] = Unit(
                player=row["model"],
                block_id="/".join(map(str, key)),
                block_index=1,
                task=row["task"],
                family=family_of(row["task"]),
                seed=row["seed"],
                lexicon=row["lexicon"],
                coverage=row["coverage"],
                format=row["format"],
                variant_hash=row["variant_hash"] or "",
            )
        unit.plays.append(play_of(row))
        if row["rv"] is not None:
            unit.rv_last = Rv(row["rv"], row["rv"], row["rv"])
    return list(found.values())


def family_of(task: str) -> str:
    """Return the family of a task by its name; a model's rows do not carry it."""
    return "procedural" if task.startswith("P-") else "attribute"


def play_of(row: Row) -> Play:
    """Read one result of a model: one episode."""
    result = EpisodeResult(
        success=row["success"],
        actions_used=row["actions_used"],
        attempts=1,
        ref_length=row["ref_length"],
        n_tries=row["n_tries"],
    )
    return Play("", row["episode_index"], 0, result, 0, in_play=False, duration_ms=None,
                success=row["success"])  # fmt: skip


def beside_models(people: People, tables: Tables, main_rv: str, options: Options) -> Table:
    """Return people - model, per task, family and in total."""
    table = Table(
        "models",
        "This study's people beside imported results",
        "Variants 'same': both sides' means over the variants that both played, told apart by "
        "their hash. 'other': the model played other variants of the tasks, so there is no "
        "test. The interval of the difference is the people's alone, the model's mean held "
        f"fixed. RV of people: last explanations. {TEST_NOTE}",
        columns(
            *("model", "measure", "episodes", "task", "variants"),
            "people:figure",
            "model_mean:number:model",
            "difference:figure",
            *("pairs:int", "p:number", "tests:int", "p_adjusted:number:p adjusted"),
        ),
    )
    results = [u for u in model_units(tables.get("model_result", ())) if u.format == "episodic"]
    own = people.episodic()
    by_model: dict[str, list[Unit]] = defaultdict(list)
    for unit in results:
        by_model[unit.player].append(unit)
    measures: tuple[tuple[str, str, Value, Value], ...] = (
        ("ECSR", FIRST, ecsr_of(FIRST), ecsr_of(ALL)),
        ("ECSR", ALL, ecsr_of(ALL), ecsr_of(ALL)),
        ("RV", ALL, lambda u: u.rv(main_rv), lambda u: u.rv("final")),
    )
    for model in sorted(by_model):
        for measure, which, ours, theirs in measures:
            for line in compare(own, by_model[model], ours, theirs, options):
                table.add(model, measure, which, *line)
    return table


def compare(
    people: Sequence[Unit], model: Sequence[Unit], ours: Value, theirs: Value, options: Options
) -> list[tuple[str | float | int | Figure | None, ...]]:
    """Return the rows of one model and measure."""
    left = [u for u in people if ours(u) is not None]
    right = [u for u in model if theirs(u) is not None]
    shared = {u.variant_hash for u in left} & {u.variant_hash for u in right}
    label = SAME if shared else OTHER
    if shared:
        left = [u for u in left if u.variant_hash in shared]
        right = [u for u in right if u.variant_hash in shared]
    else:
        spots = {(u.task, *u.condition) for u in left} & {(u.task, *u.condition) for u in right}
        left = [u for u in left if (u.task, *u.condition) in spots]
        right = [u for u in right if (u.task, *u.condition) in spots]
    found: list[tuple[str | float | int | Figure | None, ...]] = []
    for name, level, units, tests in lines(left):
        tasks = list(dict.fromkeys(u.task for u in units))
        samples = [over([u for u in units if u.task == task], ours) for task in tasks]
        figure = (
            mean_figure(samples[0], options.replicates, options.seed)
            if level == "task"
            else total(samples, options.replicates, options.seed)
        )
        parts = [over([u for u in right if u.task == task], theirs).mean() or 0.0 for task in tasks]
        mean = sum(parts) / len(parts)
        a = means_by(units, ours, lambda u: u.variant_hash)
        b = means_by([u for u in right if u.task in tasks], theirs, lambda u: u.variant_hash)
        both = sorted(set(a) & set(b), key=str) if shared else []
        test = sign_test([a[one] - b[one] for one in both], options.seed)
        adjusted = bonferroni(test.p, tests)
        change = against(figure, mean)
        found.append((name, label, figure, mean, change, test.pairs, test.p, tests, adjusted))
    return found
