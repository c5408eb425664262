"""The agreement page below the first table: levels, versions, groups, raters, influence, sample."""

from collections.abc import Iterator
from typing import Any

from app.scoring.agreement import LEVELS
from app.study.agreement import methods
from app.study.agreement.cells import NONE, ROWS, Table, num, span, table, there

MEASURED = (
    "Scores are ordered, so report the ordinal level. The other levels show how much this choice "
    "matters. Nominal: equal or not. Interval and ratio: as if scores were measurements. At these "
    "levels, means and differences have no intervals: these were not reliable in simulated studies."
)


def measured(report: dict[str, Any]) -> list[Table]:
    """Return the coefficients at every level of measurement, one column per level."""
    found = []
    for name in there(report):
        by_level = {level: report["other_levels"][level][name] for level in report["other_levels"]}
        by_level[report["level"]] = report["rows"][name]
        levels = [level for level in LEVELS if level in by_level]
        rows: dict[str, list[str]] = {}
        for level in levels:
            for label, value, one in labelled(by_level[level]):
                bounds = f" ({span(one)})" if one["interval"] else ""
                rows.setdefault(label, [label]).append(f"{num(value)}{bounds}")
        found.append(table(ROWS[name], ["Coefficient", *levels], rows.values()))
    return found


def labelled(row: dict[str, Any]) -> Iterator[tuple[str, float | None, dict[str, Any]]]:
    """Yield the coefficients of a row: label, value, and the source of the interval."""
    human = row["human_human"]
    yield "human - human", human["alpha"], human
    for one in row["human_judge"]:
        for name, result in one["each"].items():
            yield f"{name} - {one['judge']}", result["alpha"], result
        yield f"mean human - {one['judge']}", one["mean"]["value"], one["mean"]
        gap = one["difference"]
        yield f"human - human minus mean human - {one['judge']}", gap["value"], gap


def versions_lines(report: dict[str, Any]) -> list[str]:
    """Describe how many disagreements were decided."""
    found = report["final"]["adjudicated"]
    return [
        (
            f"Items with disagreement: {found['disagreed']}; decided: {found['decided']}, "
            f"open: {found['open']}. The settled score is the adjudicated one, or else the one on "
            "which all raters of the item agree; while a disagreement is open, there is none. "
            "(The ‘final’ RV of a study's report differs: it takes the raters' mean then.) "
            "Decisions never change ratings."
        )
    ]


def versions(report: dict[str, Any]) -> list[Table]:
    """Return the headline coefficients of each version of the scores."""
    head = ["Scores", "Row", "Human - human", "95%"]
    for one in report["rows"]["balanced"]["human_judge"]:
        head += [f"Mean human - {one['judge']}", "95%"]
    rows = []
    for key, words in (("first_given", "first given"), ("rows", "as edited"), ("final", "settled")):
        for name in there(report):
            row = report[key][name]
            cells = [num(row["human_human"]["alpha"]), span(row["human_human"])]
            for one in row["human_judge"]:
                cells += [num(one["mean"]["value"]), span(one["mean"])]
            if key == "final":
                cells[:2] = ["one score per item", ""]
            rows.append([words, ROWS[name], *cells])
    return [table("The same coefficients for each version of the scores", head, rows)]


def groups(report: dict[str, Any]) -> list[Table]:
    """Return the coefficients by task and by source."""
    judges = [one["judge"] for one in report["rows"]["balanced"]["human_judge"]]
    head = ["", "Items", "Row", "Human - human", *(f"mean human - {j}" for j in judges)]
    head += [f"{judges[0] if judges else 'Judge'} minus human", "Remarks"]
    found = []
    for key, words in (("by_task", "By task"), ("by_source", "By source")):
        rows = []
        for one in report[key]:
            for name in there(report):
                row = one[name]
                means = [num(row["human_judge"].get(judge)) for judge in judges]
                remarks = [*([] if row["status"] == "ok" else [row["status"]]), *row["flags"]]
                cells = [one["name"], str(one["items"]), ROWS[name], num(row["human_human"])]
                words_of = ", ".join(remarks).replace("_", " ")
                rows.append([*cells, *means, num(one["bias"]), words_of])
        found.append(table(words, head, rows))
    return found


def raters_lines(report: dict[str, Any]) -> list[str]:
    """Describe agreement with 'skipped' as a value."""
    found = report["skipped_as_category"]
    return [
        f"Raters saw the rules {methods.wording(report['round'])}.",
        (
            "Skipped items count as missing. With 'skipped' as an additional value, nominal alpha "
            f"is {num(found['alpha'])}."
        ),
    ]


def raters(report: dict[str, Any]) -> Table:
    """Return one line per rater."""
    head = ["Rater", "Given", "Rated", "Skipped", "Share skipped", "Flagged", "Changed"]
    head += [
        "Scores",
        "Shown twice",
        "Same rating on repeat",
        "Alpha between repeats",
        "Gold items correct",
    ]
    rows = [
        [
            one["rater"],
            *(str(one[key]) for key in ("assigned", "rated", "skipped")),
            num(one["skip_share"], 2),
            str(one["flagged"]),
            str(one["changed"]),
            ", ".join(f"{level}: {count}" for level, count in one["values"].items()),
            str(one["repeats"]["items"]),
            str(one["repeats"]["same"]),
            num(one["repeats"]["alpha"]),
            f"{one['gold']['right']} of {one['gold']['items']}",
        ]
        for one in report["raters"]
    ]
    return table("Ratings by rater", head, rows)


def influence(report: dict[str, Any]) -> list[Table]:
    """Return the items whose omission changes alpha most."""
    judges = [one["judge"] for one in report["rows"]["balanced"]["human_judge"]]
    mean = f"Change of mean human - {judges[0] if judges else 'judge'}"
    head = ["Item", "Change of human - human", mean]
    return [
        table(
            ROWS[name],
            head,
            [[one["item"], num(one["human_human"]), num(one["human_judge"])] for one in found],
        )
        for name in ROWS
        if (found := report["influence"].get(name)) is not None
    ]


FULL = (
    "Compared: items with two values or more. Do, De: observed disagreement, and disagreement "
    "expected by chance. Undefined: bootstrap replicates without a value. Data: the start of the "
    "SHA-256 of the scores."
)


def full(report: dict[str, Any]) -> list[Table]:
    """Return all details of each alpha, one line per coefficient."""
    head = ["Coefficient", "Items", "Compared", "Single", "Values", "Values compared", "Do", "De"]
    head += ["Counts", "Status", "Undefined", "Data"]
    found = []
    for name in there(report):
        row = report["rows"][name]
        alphas = [("human - human", row["human_human"])]
        for one in row["human_judge"]:
            alphas += [(f"{human} - {one['judge']}", made) for human, made in one["each"].items()]
        lines = [[label, *parts(made)] for label, made in alphas]
        found.append(table(ROWS[name], head, lines))
    return found


def parts(made: dict[str, Any]) -> list[str]:
    """Return the fields of a result object as cells."""
    names = ("n_units", "n_pairable", "n_single", "n_values", "n_pairable_values")
    counts = ", ".join(f"{one['value']}: {one['count']:.4g}" for one in made["counts"])
    drawn = made["interval"]
    undefined = f"{drawn['undefined']} of {drawn['replicates']}" if drawn else NONE
    status = made["status"].replace("_", " ")
    numbers = [str(made[name]) for name in names]
    apart = [num(made["Do"]), num(made["De"])]
    return [*numbers, *apart, counts or NONE, status, undefined, made["data_hash"][:12]]


def sample_lines(report: dict[str, Any]) -> list[str]:
    """Describe the sample and its shortfalls."""
    drawn = report["sample"]
    if drawn is None:
        return [report["no_pool_reason"]]
    return [
        (
            f"Sample {drawn['number']} of {drawn['frame_size']} items scored by {drawn['judge']}, "
            f"{drawn['allocation']}, seed {drawn['seed']}, frame hash {drawn['frame_hash'][:12]}."
        ),
        *(f"Fewer than requested: {text}." for text in drawn["shortfalls"]),
        *(f"{text[0].upper()}{text[1:]}." for text in drawn["merged"]),
    ]


def strata(report: dict[str, Any]) -> list[Table]:
    """Return the strata: in the frame, drawn, usable."""
    head = ["Stratum", "In the frame", "Drawn", "Rated by two or more"]
    rows = [
        [one["stratum"], *(str(one[key]) for key in ("population", "drawn", "usable"))]
        for one in report["rows"]["balanced"]["strata"]
    ]
    return [table("Strata", head, rows)]
