"""Which figures of a report have made-up episodes in their intervals, and how many."""

from types import SimpleNamespace

import pytest

from app.scoring.players import mean_figure, sample, total
from app.study.export.summary import Units
from app.study.report.document import document
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made

QUICK = Options(replicates=300, seed=4)
FACTS = {"study": "shares", "kind": "pilot", "main_rv": "human"}
FIRST = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 11 / 15, 1.0, 1.0, 1 / 3, 1.0]
WINS = {1.0: 4, 11 / 15: 5, 1 / 3: 8, 0.0: None}


@pytest.fixture(scope="module")
def found():
    """Twelve players in two tasks: two episodes in each, the second always won at once."""
    made = Made()
    for at, one in enumerate(FIRST):
        made.person(f"p{at}")
        for task in ("A-Over", "A-Add"):
            made.block(f"p{at}", task, WINS[one], 4, ratings=(2 if at else 0,))
    return document(made.tables, FACTS, QUICK)


def rows_of(found, name):
    return {row["task"]: row for row in records(table_named(found, name))}


def ends(figure):
    return figure["low"], figure["high"]


def expected(values, rate, players=12):
    made = sample(list(enumerate(values))[:players])
    made.made_up = rate
    return made


def of(one):
    figure = mean_figure(one, 300, 4)
    return pytest.approx(figure.low, abs=1e-9), pytest.approx(figure.high, abs=1e-9)


BOTH = [(one + 1) / 2 for one in FIRST]
WON = [float(one > 0) for one in FIRST]
RULES = [0.0] + [1.0] * 11


def test_first_episodes_have_half_a_made_up_unit_of_each_kind(found):
    row = rows_of(found, "baseline_first")["A-Over"]
    assert ends(row["ecsr"]) == of(expected(FIRST, 0.5))
    assert ends(row["success_rate"]) == of(expected(WON, 0.5))
    assert ends(row["ecsr"]) != of(expected(FIRST, 0))


def test_two_episodes_have_half_as_many_and_a_rule_counts_as_one(found):
    row = rows_of(found, "baseline_all")["A-Over"]
    assert ends(row["ecsr"]) == of(expected(BOTH, 0.25))
    assert ends(row["attempt_ecsr"])[0] is not None
    assert ends(row["rv"]) == of(expected(RULES, 0.5))
    assert ends(rows_of(found, "rv")["A-Over"]["human_first"]) == of(expected(RULES, 0.5))


def test_efficiency_of_wins_has_none(found):
    row = rows_of(found, "baseline_first")["A-Over"]
    wins = [(at, one) for at, one in enumerate(FIRST) if one]
    plain = mean_figure(sample(wins), 300, 4)
    assert ends(row["norm_eff"]) == (pytest.approx(plain.low), pytest.approx(plain.high))


def test_totals_have_them_in_each_task_and_floors_and_paper_show_the_same(found):
    whole = total([expected(FIRST, 0.5)] * 2, 300, 4)
    row = rows_of(found, "baseline_first")["Total"]
    assert ends(row["ecsr"]) == (pytest.approx(whole.low), pytest.approx(whole.high))
    for name, column in (("floors_first", "people"), ("coverage", "ecsr_first")):
        assert ends(rows_of(found, name)["A-Over"][column]) == of(expected(FIRST, 0.5))
    paper = [row for row in records(table_named(found, "against_paper")) if row["task"] == "A-Over"]
    assert {ends(row["people"]) for row in paper if row["measure"].lower() == "ecsr"} == {
        ends(rows_of(found, "baseline_first")["A-Over"]["ecsr"])
    }


def test_people_beside_a_model_and_signs_have_the_same(found):
    learned = records(table_named(found, "learning"))
    first = next(row for row in learned if row["over"] == "episodes" and row["place"] == 1)
    both = sample([(at % 12, one) for at, one in enumerate(FIRST * 2)])
    both.made_up = 0.5
    assert ends(first["ecsr"]) == of(both)


@pytest.mark.parametrize(
    ("column", "rate"),
    [
        ("ecsr", 1 / 6),
        ("success_rate", 1 / 6),
        ("first_ecsr", 1 / 2),
        ("rv_final", 1 / 2),
        ("first_rv_final", 1 / 2),
        ("norm_eff", 0),
        ("first_norm_eff", 0),
        ("attempt_ecsr", 1 / 6),
    ],
)
def test_summary_counts_episodes_of_units_that_have_the_value(column, rate):
    made = Units()
    for name, episodes, value in (("a", 2, 0.5), ("b", 4, 1.0), ("c", 9, None)):
        unit = SimpleNamespace(participant_id=name, episodes=episodes, format="episodic")
        made.add(Row(value, vars(unit)))
    assert made.sample(column).made_up == pytest.approx(rate)


class Row(dict[str, object]):
    """A row of baseline whose figures all have one value."""

    def __init__(self, value, named):
        super().__init__(named)
        self.value = value

    def __missing__(self, key):
        return self.value
