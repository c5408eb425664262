"""The agreement page's lower half: versions, groups, raters, influence, the sample."""

from typing import Any

from app.study import methods
from app.study.agreementcells import ROWS, Table, num, span, table, there


def versions_lines(report: dict[str, Any]) -> list[str]:
    """Say how many disagreements were decided."""
    found = report["final"]["adjudicated"]
    return [
        (
            f"Raters differ on {found['disagreed']} items; {found['decided']} decided, "
            f"{found['open']} open. Final: what was decided, else what all raters of an item "
            "gave. Originals stay."
        )
    ]


def versions(report: dict[str, Any]) -> list[Table]:
    """Return the headline coefficients of each version of the scores."""
    head = ["Scores", "Row", "Human - human", "95%"]
    for one in report["rows"]["balanced"]["human_judge"]:
        head += [f"Mean human - {one['judge']}", "95%"]
    rows = []
    for key, words in (("first_given", "first given"), ("rows", "as edited"), ("final", "final")):
        for name in there(report):
            row = report[key][name]
            cells = [num(row["human_human"]["alpha"]), span(row["human_human"])]
            for one in row["human_judge"]:
                cells += [num(one["mean"]["value"]), span(one["mean"])]
            if key == "final":
                cells[:2] = ["one score an item", ""]
            rows.append([words, ROWS[name], *cells])
    return [table("The same coefficients on each version of the scores", head, rows)]


def groups(report: dict[str, Any]) -> list[Table]:
    """Return the coefficients by task and by source."""
    judges = [one["judge"] for one in report["rows"]["balanced"]["human_judge"]]
    head = ["", "Items", "Row", "Human - human", *(f"mean human - {j}" for j in judges)]
    head += [f"{judges[0] if judges else 'Judge'} less human", "Remarks"]
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
    """Say what skipping as a value of its own gives."""
    found = report["skipped_as_category"]
    return [
        f"The rules stood beside the explanations {methods.wording(report['round'])}.",
        (
            "Skipped items are missing, not a score. With 'skipped' as a value of its own, nominal "
            f"alpha is {num(found['alpha'])}."
        ),
    ]


def raters(report: dict[str, Any]) -> Table:
    """Return a line a rater."""
    head = ["Rater", "Given", "Rated", "Skipped", "Share skipped", "Flagged", "Changed"]
    head += ["Scores", "Shown twice", "Same again", "Alpha with themself", "Known answers right"]
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
    return table("What each rater did", head, rows)


def influence(report: dict[str, Any]) -> list[Table]:
    """Return the items whose leaving out changes most."""
    judges = [one["judge"] for one in report["rows"]["balanced"]["human_judge"]]
    mean = f"Change of mean human - {judges[0] if judges else 'judge'}"
    head = ["Item", "Change of human - human", mean]
    return [
        table(
            ROWS[name],
            head,
            [[one["item"], num(one["human_human"]), num(one["human_judge"])] for one in found],
        )
        for name, found in report["influence"].items()
    ]


def sample_lines(report: dict[str, Any]) -> list[str]:
    """Say what the sample is, and what fell short."""
    drawn = report["sample"]
    if drawn is None:
        return [report["no_pool_reason"]]
    return [
        (
            f"Sample {drawn['number']} of {drawn['frame_size']} items scored by {drawn['judge']}, "
            f"{drawn['allocation']}, seed {drawn['seed']}, frame hash {drawn['frame_hash'][:12]}."
        ),
        *(f"Short: {text}." for text in drawn["shortfalls"]),
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
