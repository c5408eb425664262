"""The paper's table gives the paper's averages."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from app.study.report.options import Options
from app.study.report.published import against_paper, paper, published
from app.study.report.shape import records
from app.study.report.units import read_people
from tests.study.report.rows import Made

F = Fraction
FACTS = json.loads((Path(__file__).parents[2] / "data" / "paper_facts.json").read_text())


def test_people_are_ahead_of_the_best_model_by_013_ecsr_and_030_rv():
    paper_means = published()
    assert (paper_means.best_model("ecsr"), paper_means.best_model("rv")) == (
        "GPT-OSS-120B",
        "GPT-OSS-120B",
    )
    assert round(float(paper_means.lead("ecsr")), 2) == 0.13
    assert round(float(paper_means.lead("rv")), 2) == 0.30
    assert paper_means.lead("ecsr") == F(511 - 405, 800)
    assert paper_means.lead("rv") == F(570 - 329, 800)


def test_the_report_prints_that_lead():
    rows = {(r["measure"], r["name"]): r for r in records(paper().as_dict())}
    assert rows["ECSR", "Lead"]["average"] == pytest.approx(0.1325)
    assert rows["RV", "Lead"]["average"] == pytest.approx(0.30125)
    assert rows["ECSR", "Humans"]["average"] == pytest.approx(0.63875)


def test_figures_are_those_of_the_facts():
    table = FACTS["results_table"]
    paper_means = published()
    for measure in ("ecsr", "rv"):
        found = {name: list(map(float, row)) for name, row in paper_means.means[measure].items()}
        assert found == table[measure]
    assert list(paper_means.tasks) == table["columns"]


def test_people_beside_the_paper_only_move_their_own_interval():
    made = Made()
    for at, name in enumerate("abcdefghij"):
        won, rated = (4, 2) if at % 2 else (None, 0)
        made.person(name).block(name, "A-Over", won, won, ratings=(rated,))
    from app.study.report.ratings import rv_of

    people = read_people(made.tables, rv_of(made.tables), Options())
    rows = {
        (r["measure"], r["name"], r["task"]): r
        for r in records(
            against_paper(people, "human", lambda _: None, Options(replicates=500)).as_dict()
        )
    }
    row = rows["ECSR", "Humans", "A-Over"]
    assert row["people"]["value"] == 0.5
    assert row["published"] == 0.78
    assert row["difference"]["value"] == pytest.approx(-0.28)
    assert row["difference"]["high"] - row["difference"]["low"] == pytest.approx(
        row["people"]["high"] - row["people"]["low"]
    )
    assert not any(task == "Average" for _, _, task in rows), "one task has no average"
