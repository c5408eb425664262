"""A family or total with one task in it repeats the task's line: only files for scripts have it."""

import csv
import io

import pytest

from app.scoring.permutation import FAMILIES, TOTAL
from app.study.report.document import document
from app.study.report.files import table_file
from app.study.report.latex import table_latex
from app.study.report.options import Options
from app.study.report.repeats import records_without_repeats, without_repeats
from app.study.report.shape import records, table_named
from app.web.report import table_view
from tests.study.report.rows import Made, result

QUICK = Options(replicates=200)
GROUPS = {*FAMILIES, TOTAL, "all"}
# table -> the column with the names of its lines
TABLES = {
    "format_gap": "task",
    "lexicon": "task",
    "models": "task",
    "models_format_gap": "task",
    "time": "task",
    "relation": "family",
}
ONE, PAIR = ("A-Over",), ("A-Over", "A-Comp")
BOTH, MORE = ("A-Over", "P-Comp"), ("A-Over", "A-Comp", "P-Comp")


def made_of(tasks):
    made = Made()
    for at in range(12):
        made.person(f"p{at}")
        for task in tasks:
            for words in ("semantic", "nonce"):
                made.block(f"p{at}", task, 5 + at % 3, 8, ratings=(at % 3,), lexicon=words)
            made.block(f"p{at}", task, 5, None, format="direct")
    made.tables["model_result"] = [
        result("m", 1, 6, task=task, variant_hash=f"{task}-1", format=format_)
        for task in tasks
        for format_ in ("episodic", "direct")
    ]
    return document(made.tables, {"main_rv": "human"}, QUICK)


@pytest.mark.parametrize(
    ("tasks", "groups", "related"),
    [
        (ONE, set(), {"all"}),
        (PAIR, {"attribute"}, {"all"}),
        (BOTH, {TOTAL}, {"all", "attribute", "procedural"}),
        (MORE, {"attribute", TOTAL}, {"all", "attribute", "procedural"}),
    ],
)
def test_a_family_has_a_line_where_it_has_more_than_one_task(tasks, groups, related):
    made = made_of(tasks)
    for name, column in TABLES.items():
        shown = records_without_repeats(table_named(made, name))
        wanted = related if name == "relation" else groups
        if name == "time":
            wanted = {TOTAL} if len(tasks) > 1 else set()
        assert {row[column] for row in shown} & GROUPS == wanted, name
        if column == "task":
            assert {row["task"] for row in shown} - GROUPS == set(tasks), name


def test_files_for_scripts_keep_every_line_and_latex_does_not():
    made = made_of(ONE)
    for name, column in TABLES.items():
        table = table_named(made, name)
        text = table_file(made, name, "csv", raw=True).decode()
        stored = [row[column] for row in csv.DictReader(io.StringIO(text))]
        assert stored == [row[column] for row in records(table)]
        assert set(stored) & GROUPS, name
        body = table_latex(table, made["settings"]).decode().partition(r"\midrule")[2]
        assert "attribute" not in body
        assert TOTAL not in body.partition(r"\bottomrule")[0]


def test_equal_figures_of_different_tasks_all_stay():
    lines = [
        {"task": name, "ecsr": 1.0, "pairs": 4, "tests": tests, "p_adjusted": tests / 8}
        for name, tests in (
            ("A-Over", 1),
            ("P-Comp", 2),
            ("P-Add", 2),
            ("attribute", 2),
            ("procedural", 2),
        )
    ]
    lines[-1]["pairs"] = 8
    assert [one["task"] for one in without_repeats(lines, dict)] == [
        *("A-Over", "P-Comp", "P-Add", "procedural"),
    ]
    lone = [{"task": "P-Comp", "ecsr": 1.0}, {"task": "attribute", "ecsr": 1.0}]
    assert without_repeats(lone, dict) == lone


def test_page_leaves_the_line_out():
    made = made_of(ONE)
    for name in TABLES:
        view = table_view(made, table_named(made, name), "/report", "of=x")
        said = {cell["text"] for row in view["rows"] for cell in row}
        assert not said & {"attribute", TOTAL}, name
        assert view["more"] == 0
