"""Tables for LaTeX fit a page, and say what they show."""

import re
import shutil
import subprocess

import pytest

from app.study.report.latex import CHOSEN, PAGE, table_latex
from app.study.report.shape import Table, columns, table_named
from tests.study.report.rows import Made, result

SETTINGS = {"interval": "expanded percentile bootstrap over players, 95 %", "replicates": 300}
POINTS, GAP = 5.2, 12  # of a character of Computer Modern at 11 pt, and between columns
TEXT_WIDTH = 455  # points: A4 with margins of 2.5 cm
SMALLEST = 0.6  # smaller type than that is not read
PAPER = r"""\documentclass[11pt,twocolumn,a4paper]{article}
\usepackage[margin=2.5cm]{geometry}\usepackage{booktabs,graphicx,longtable}
\begin{document}
%s
\onecolumn
%s
\end{document}
"""


@pytest.fixture(scope="module")
def made():
    """A report in which every table has rows, some of them with wide words."""
    from app.study.report.document import document
    from app.study.report.options import Options

    rows = Made()
    for at in range(30):
        rows.person(f"p{at}", "timed_out" if at == 3 else "finished", page="finished")
        for task in ("A-Over", "P-Comp"):
            for words in ("semantic", "nonce"):
                rows.block(f"p{at}", task, 5 + at % 3, 8, ratings=(at % 3,), lexicon=words)
            rows.block(f"p{at}", task, 5, None, format="direct")
    rows.tables["model_result"] = [
        result("a_model & its_friends_100%", 1, 6),
        result("a_model & its_friends_100%", 1, 6, format="direct"),
    ]
    return document(rows.tables, {"main_rv": "human"}, Options(replicates=300))


def texts(made):
    return {
        table["name"]: table_latex(table, made["settings"]).decode() for table in made["tables"]
    }


def test_every_table_has_a_caption_a_label_and_only_chosen_columns(made):
    for name, text in texts(made).items():
        table = table_named(made, name)
        assert f"\\label{{tab:{name.replace('_', '-')}}}" in text
        assert text.count(r"\caption{") == 1
        heads = text.split("\\toprule\n")[1].splitlines()[0]
        wanted = CHOSEN.get(name, CHOSEN.get(re.sub("_(first|all)$", "", name)))
        shown = [c["name"] for c in table["columns"] if wanted is None or c["name"] in wanted]
        least = len([one for one in shown if one not in ("lexicon", "coverage")])
        assert least <= heads.count("&") + 1 <= least + 2, name
        assert "% columns only in " in text


def test_chosen_columns_are_columns(made):
    for name, wanted in CHOSEN.items():
        tables = [t for t in made["tables"] if t["name"] in (name, f"{name}_first", f"{name}_all")]
        assert tables, name
        for table in tables:
            assert set(wanted) <= {column["name"] for column in table["columns"]}, name


def test_condition_stands_in_the_caption_if_there_is_only_one(made):
    text = texts(made)["format_gap"]
    assert "(semantic words, coverage 1). Brackets: expanded percentile bootstrap" in text
    assert "words & coverage" not in text.split(r"\toprule")[1]
    two = texts(made)["baseline_first"].split("\\toprule\n")[1]
    assert two.startswith("words & task &"), "the coverage is one, the words are two"


def test_long_table_goes_on_over_pages():
    table = Table("time", "Time", "A note", columns("task", "counted:int"))
    for at in range(PAGE + 1):
        table.add(f"T{at}", at)
    text = table_latex(table.as_dict(), SETTINGS).decode()
    assert r"\begin{longtable}{lr}" in text
    assert "table*" not in text
    assert r"\endhead" in text


def width_of(text):
    """Return about how wide a table is in points: its widest cells at 11 pt, and its gaps."""
    body = text.split("\\toprule\n")[-1].split("\\bottomrule")[0]
    lines = [line.removesuffix(r" \\") for line in body.splitlines() if "&" in line]
    cells = [
        [re.sub(r"\\(\w+\{\})?", "", cell.strip()) for cell in one.split(" & ")] for one in lines
    ]
    assert len({len(row) for row in cells}) == 1
    return sum(POINTS * max(map(len, column)) + GAP for column in zip(*cells, strict=True))


def test_every_table_is_about_as_wide_as_a_page_without_latex_too(made):
    for name, text in texts(made).items():
        is_long = "longtable" in text  # the others are shrunk to the page
        assert is_long or r"\resizebox{\ifdim\width>\textwidth" in text, name
        assert width_of(text) <= TEXT_WIDTH / (1 if is_long else SMALLEST), name


def test_estimate_notices_a_table_that_is_too_wide():
    table = Table("time", "Time", "A note", columns("task", "counted:int"))
    table.add("A" * 200, 1)
    assert width_of(table_latex(table.as_dict(), SETTINGS).decode()) > TEXT_WIDTH / SMALLEST


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_every_table_fits_the_page_of_a_paper(made, tmp_path):
    long = [text for text in texts(made).values() if "longtable" in text]
    wide = [text for text in texts(made).values() if "longtable" not in text]
    assert long
    (tmp_path / "paper.tex").write_text(PAPER % ("\n".join(wide), "\n".join(long)), "utf-8")
    for _ in range(2):  # longtable measures its columns in the first run
        run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "paper.log").read_text("utf-8", "replace")
    assert re.findall(r"Overfull .*|Float too large.*|LaTeX Warning: .*undefined.*", log) == []
