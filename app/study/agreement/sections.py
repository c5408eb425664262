"""The agreement report as sections of sentences and tables, for the page."""

from typing import Any

from app.study.agreement import blinding, judge_pairs, other_raters
from app.study.agreement import more_sections as rest
from app.study.agreement.cells import (
    NONE,
    ROWS,
    Table,
    num,
    section,
    share,
    span,
    table,
    there,
)


def sections(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the page's sections: id, title, lines, tables, figure (name of a plot or '')."""
    made = [
        section("alpha", "Agreement", intro(report), [coefficients(report)], "coefficients"),
        section(
            "measured", "At other levels of measurement", [rest.MEASURED], rest.measured(report)
        ),
        section(
            "other-raters", "Other raters", other_raters.lines(report), other_raters.tables(report)
        ),
        section(
            "beside",
            "Other measures of agreement",
            [],
            [pairs(report, name) for name in there(report)],
        ),
        section(
            "levels",
            "Within each judge level",
            [report["levels_note"]],
            levels(report),
            "bias",
        ),
        section(
            "confusion",
            "Confusion with the judge",
            [DRAWN] if report["confusion"] else [],
            confusions(report),
            "confusion",
        ),
        section(
            "judges",
            "Agreement between judges",
            judge_pairs.lines(report),
            judge_pairs.tables(report),
        ),
        section(
            "corrected",
            "Corrected mean score",
            [],
            corrected(report),
        ),
        section(
            "versions",
            "First given, as edited, settled",
            rest.versions_lines(report),
            rest.versions(report),
        ),
        section("groups", "By task and by source", [GROUPS], rest.groups(report)),
        section("raters", "Raters", rest.raters_lines(report), [rest.raters(report)]),
        section("blinding", BLINDING, *blinding_parts(report)),
        section("influence", "Most influential items", [INFLUENCE], rest.influence(report)),
        section("full", "Details of each alpha", [rest.FULL], rest.full(report)),
        section("sample", "The sample", rest.sample_lines(report), rest.strata(report)),
    ]
    return [one for one in made if one["tables"] or one["lines"]]


BLINDING = "Who wrote it: blinding"
ITEMS = (
    "Items: how many could be compared, of all in the round. Human - human compares items that two "
    "or more rated; human - judge, items that both scored. A ‘unit’ in a reason is such an item."
)


def blinding_parts(report: dict[str, Any]) -> tuple[list[str], list[Table]]:
    """Return the lines and tables on raters' guesses, none if they were not asked."""
    found = blinding.tables(report)
    return ([blinding.EXPLAINED] if found else [], found)


GROUPS = "Estimates from few items, without intervals. Use them only to spot outliers."
DRAWN = (
    "Intervals of shares allow for scores that chance left out: as if, in each level of the judge, "
    "half an item more had each score. So a share of 0 has an interval too. For accuracy, it is a "
    "third of an item with equal scores, and a third of one with different ones."
)
INFLUENCE = (
    "How leaving out one item changes alpha. Above 0, the item lowers agreement. Look at these "
    "items first when you revise the guidelines."
)


def intro(report: dict[str, Any]) -> list[str]:
    """Explain the two rows."""
    if report["rows"]["pool"] is None:
        return [report["no_pool_reason"], ITEMS]
    return [
        (
            "There are always two rows. Report the pool estimate, which weights every stratum by "
            "its size. The unweighted row describes only the items drawn: with equal judge "
            "levels, they stand for no real pool, and their human-human alpha is usually too high."
        ),
        (
            "Human-judge alpha compares each human with the judge, and gives the mean. The judge "
            "is never a third coder."
        ),
        ITEMS,
    ]


def coefficients(report: dict[str, Any]) -> Table:
    """Return every coefficient of both rows."""
    head = ["Coefficient", "Row", "Alpha", "95% over items", "95% over authors", "Items", "Remarks"]
    rows = []
    for name in there(report):
        row, title = report["rows"][name], ROWS[name]
        rows.append(["human - human", title, *result(row["human_human"])])
        for one in row["human_judge"]:
            for human, found in one["each"].items():
                rows.append([f"{human} - {one['judge']}", title, *result(found)])
            for key, words in (
                ("mean", "mean human"),
                ("difference", "human - human minus mean human -"),
            ):
                found = one[key]
                spans = [span(found), span(found, "cluster_interval")]
                label = f"{words} - {one['judge']}" if key == "mean" else f"{words} {one['judge']}"
                rows.append([label, title, num(found["value"]), *spans, "", found["reason"] or ""])
    return table(f"Krippendorff's alpha, {report['level']}", head, rows)


def result(found: dict[str, Any]) -> list[str]:
    """Return a result object's cells."""
    remarks = [] if found["status"] == "ok" else [found["status"].replace("_", " ")]
    remarks += [flag.replace("_", " ") for flag in found["flags"]]
    if found["constant_raters"]:
        remarks.append(f"constant: {', '.join(found['constant_raters'])}")
    if found["weights"]:
        remarks.append(f"equivalent to {found['weights']['effective_units']:.0f} items")
    items = f"{found['n_pairable']} of {found['n_units']}"
    spans = [span(found), span(found, "cluster_interval")]
    return [num(found["alpha"]), *spans, items, "; ".join(remarks)]


def pairs(report: dict[str, Any], name: str) -> Table:
    """Return raw agreement, kappa and Spearman of all pairs in one row."""
    head = ["Pair", "Equal", "Off by 1", "Off by 2", "Quadratic kappa", "95%", "Spearman", "95%"]
    rows = [
        [
            f"{one['first']} - {one['second']}",
            *(share(one["raw"][key]) for key in ("exact", "off_by_1", "off_by_2")),
            num(one["quadratic_kappa"]["value"]),
            span(one["quadratic_kappa"]),
            num(one["spearman"]["value"]),
            span(one["spearman"]),
        ]
        for one in report["rows"][name]["pairs"]
    ]
    return table(f"{ROWS[name]}: shares with 95% intervals", head, rows)


def levels(report: dict[str, Any]) -> list[Table]:
    """Return agreement and bias within each level."""
    head = [
        "Judge and level",
        "Human",
        "Items",
        "Equal",
        "Off by 1",
        "Off by 2",
        "Judge minus human",
        "95%",
    ]
    rows = [
        [
            f"{one['judge']}: {one['level']}",
            one["human"],
            str(one["raw"]["exact"]["n"]),
            *(share(one["raw"][key]) for key in ("exact", "off_by_1", "off_by_2")),
            num(one["bias"]["value"]),
            span(one["bias"]),
        ]
        for one in report["levels"]
    ]
    return [table("Agreement and signed bias", head, rows)] if rows else []


def confusions(report: dict[str, Any]) -> list[Table]:
    """Return four tables for each human and judge, and one of accuracies."""
    found = []
    accuracies = []
    for one in report["confusion"]:
        who = f"{one['human']} by {one['judge']}"
        head = ["Human score", *(f"judge {level}" for level in report["scale"])]
        for key, words in (
            ("counts", "counts"),
            ("human_given_judge", "share of human scores within a judge score"),
            ("joint", "share of the pool"),
            ("judge_given_human", "share of judge scores within a human score"),
        ):
            rows = [
                [str(level), *(cell(value) for value in row)]
                for level, row in zip(report["scale"], one[key], strict=True)
            ]
            found.append(table(f"{who}: {words}", head, rows))
        exact = one["accuracy"]
        accuracies.append([who, num(exact["value"]), span(exact)])
    if accuracies:
        head = ["Human by judge", "Share", "95%"]
        found.append(table("Accuracy: share of the pool with equal scores", head, accuracies))
    return found


def cell(value: Any) -> str:
    """Return a cell of a confusion table: a count, a share, or an estimate."""
    if isinstance(value, int):
        return str(value)
    if "effective" in value:
        return share(value)
    if value["value"] is None:
        return NONE
    bounds = value["interval"]
    spread = f" ({bounds['low']:.2f} to {bounds['high']:.2f})" if bounds else ""
    return f"{value['value']:.2f}{spread}"


def corrected(report: dict[str, Any]) -> list[Table]:
    """Return the pool's corrected mean score."""
    head = ["From", "Mean", "95%", "Variance", "The judge's own mean", "Remark"]
    rows = [
        [
            one["human"] or "all humans",
            num(one["value"]),
            NONE if one["low"] is None else f"{one['low']:.3f} to {one['high']:.3f}",
            num(one["variance"], 6),
            num(one["judge"]),
            one["reason"] or "",
        ]
        for one in report["corrected"]
    ]
    return [table("Estimated mean human score of the pool", head, rows)] if rows else []
