"""Participants compared with imported model results, on the same variants if possible."""

from collections.abc import Iterator, Mapping, Sequence

from app.scoring.plays import ALL, DIRECT, FIRST, Which
from app.scoring.rv import SOURCES, UNRATED, Rv
from app.study.report import marks
from app.study.report.contrasts import (
    PAIR_NOTE,
    PAIRED,
    TEST_NOTE,
    TOTAL_NOTE,
    cells_of,
    contrast,
    flat,
    levels,
    means_by,
    paired_test,
)
from app.study.report.marks import MARKS, NO_MARKS, Find
from app.study.report.options import Options
from app.study.report.ratings import rv_of
from app.study.report.samples import (
    ACCURACY,
    HEAD,
    Value,
    by_task,
    ecsr_of,
    of_condition,
    over,
    rule,
    total_of,
)
from app.study.report.shape import Table, columns
from app.study.report.units import (
    People,
    Play,
    Row,
    Tables,
    Unit,
    conditions_of,
)

SAME, OTHER = "same", "other"


def model_units(rows: Sequence[Row], families: Mapping[str, str]) -> list[Unit]:
    """Return each model's results as units, one per model and variant, with RV if given.

    `families`: task -> family, as far as known, since a model's rows do not have it.
    """
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
                family=families.get(row["task"]) or family_of(row["task"]),
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
    """Return the family of a task that no participant played, by its name."""
    return "procedural" if task.startswith("P-") else "attribute"


def play_of(row: Row) -> Play:
    """Parse one result of a model: one episode.

    A success beyond the participants' budget (ref_length x n_tries) is worth 0, like a failure.
    """
    return Play(
        state="won" if row["success"] else "lost",
        index=row["episode_index"],
        actions=min(row["actions_used"], row["ref_length"] * row["n_tries"]),
        mistyped=0,
        attempts=1,
        ref_length=row["ref_length"],
        n_tries=row["n_tries"],
        right=row["success"] if row["format"] == DIRECT else None,
    )


def by_model(tables: Tables) -> Mapping[str, list[Unit]]:
    """Return model -> its units, played ones and stated answers, in order of its name."""
    families = {
        str(row["task"]): str(row["family"])
        for name in ("variant", "block")
        for row in tables.get(name, ())
        if row.get("family")
    }
    found: dict[str, list[Unit]] = {}
    rated = explained(tables)
    for unit in model_units(tables.get("model_result", ()), families):
        if unit.rv_last is None:
            key = unit.player, unit.variant_hash, unit.format == DIRECT
            unit.rv_last = rated.get(key, UNRATED)
        found.setdefault(unit.player, []).append(unit)
    return {model: found[model] for model in sorted(found)}


def explained(tables: Tables) -> dict[tuple[str, str, bool], Rv]:
    """Return (model, variant, explains the direct format) -> RV of models' rated explanations.

    Several explanations of one variant by one model have the mean.
    """
    rv, found = rv_of(tables), dict[tuple[str, str, bool], list[Rv]]()
    for row in tables.get("item", ()):
        if row["item_kind"] == "model" and row["item_id"] in rv:
            key = row["source"], row["variant_hash"], row["item_id"].endswith(f"/{DIRECT}")
            found.setdefault(key, []).append(rv[row["item_id"]])
    return {
        key: Rv(*(mean_rv([one.of(kind) for one in several]) for kind in SOURCES))
        for key, several in found.items()
    }


def mean_rv(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are known, or None."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def beside_models(
    people: People, tables: Tables, main_rv: str, find: Find, options: Options
) -> Table:
    """Return participants - model, per task, family and in total."""
    table = Table(
        "models",
        "This study's participants compared with imported models",
        "With variants 'same', both played the same variants, by hash. With 'other', the model "
        "played other variants of the tasks, so there is no test. The value of participants is the "
        "mean over their units. The value of a model is its mean on the same variants (or task), "
        "each counted as often as participants played it. The interval resamples only "
        "participants, because the model's results are fixed. The column 'episodes' is about "
        "participants. All episodes of a model count, because it does not learn from earlier "
        "ones. A model's success with more than ref_length x n_tries actions is worth 0. 'Direct' "
        "is the share of correct stated answers. Participants' RV is that of their last "
        "explanations; a model's RV is in its file, or that of its rated explanations. "
        f"{PAIR_NOTE} {TOTAL_NOTE} {TEST_NOTE} {marks.NOTE}",
        columns(
            *("model", "measure", "episodes", *HEAD, "variants"),
            "people:figure",
            "model_mean:number:model",
            "difference:figure",
            *PAIRED,
            *MARKS,
        ),
    )
    main = rule(lambda unit: unit.rv(main_rv))
    measures: tuple[tuple[str, Which, Value, Value], ...] = (
        ("ECSR", FIRST, ecsr_of(FIRST), ecsr_of(ALL)),
        ("ECSR", ALL, ecsr_of(ALL), ecsr_of(ALL)),
        ("RV", ALL, main, main),
        ("direct", ALL, ACCURACY, ACCURACY),
    )
    for model, units in by_model(tables).items():
        for measure, which, ours, theirs in measures:
            kind = "direct" if measure == "direct" else "episodic"
            left = [u for u in people.units if u.format == kind and ours(u) is not None]
            right = [u for u in units if u.format == kind and theirs(u) is not None]
            for condition in conditions_of(left):
                sides = (
                    (of_condition(left, condition), ours),
                    (of_condition(right, condition), theirs),
                )
                for name, groups, cells in compare(*sides, options):
                    beside = marks.marks(groups, which, find) if measure == "ECSR" else NO_MARKS
                    table.add(model, measure, which, *condition, name, *cells, *beside)
    return table


def compare(
    people: tuple[Sequence[Unit], Value], model: tuple[Sequence[Unit], Value], options: Options
) -> Iterator[tuple[str, list[list[Unit]], list[object]]]:
    """Yield name, participants' units by task, and cells of one model, measure and condition."""
    (left, ours), (right, theirs) = people, model
    shared = {u.variant_hash for u in left} & {u.variant_hash for u in right}

    def key(unit: Unit) -> str:
        return unit.variant_hash if shared else unit.task

    known = means_by(right, theirs, key)
    tasks = by_task(unit for unit in left if key(unit) in known)

    def gap(unit: Unit) -> float | None:
        value = ours(unit)
        return None if value is None else value - known[key(unit)]

    for name, own, tests in levels(tasks):
        groups = [tasks[task] for task in own]
        people_, model_, change = (
            total_of({task: over(tasks[task], value) for task in own}, options)
            for value in (ours, lambda unit: known[key(unit)], gap)
        )
        test = paired_test(
            (flat(groups), ours),
            ([u for u in right if shared and u.task in own], theirs),
            lambda unit: unit.variant_hash,
            options.seed,
        )
        label = SAME if shared else OTHER
        yield name, groups, [label, people_, model_.value, change, *cells_of(test, tests)]


def models_format_gap(tables: Tables, options: Options) -> Table:
    """Return each model's direct accuracy - ECSR."""
    table = Table(
        "models_format_gap",
        "Format gap of imported models",
        "The gap is a model's share of correct stated answers minus its ECSR, with the same words "
        "and coverage. A model is a single player, so there are no intervals. "
        f"{PAIR_NOTE} {TOTAL_NOTE} {TEST_NOTE}",
        columns(
            *("model", *HEAD),
            "direct:number:direct accuracy",
            *("played:number:ECSR", "gap:number"),
            *PAIRED,
        ),
    )
    for model, units in by_model(tables).items():
        for condition in conditions_of(units):
            own = of_condition(units, condition)
            direct = [u for u in own if u.format == "direct"]
            played = [u for u in own if u.format == "episodic"]
            for line in contrast((direct, ACCURACY), (played, ecsr_of(ALL)), options):
                figures = (figure.value for figure in line.figures)
                table.add(model, *condition, line.name, *figures, *line.tested)
    return table
