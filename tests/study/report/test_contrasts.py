"""Format gap, words, coverage, floors and models: cases by hand for each table."""

from fractions import Fraction

import pytest

from app.game.variant import canonical_json
from app.scoring.permutation import sign_test
from app.scoring.planned import FORMAT, LEXICON
from app.study.design.library import lexicon
from app.study.design.spec import check_study
from app.study.design.treatment_checks import pairs
from app.study.report.document import document
from app.study.report.draw import pictures
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made, result

FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}
QUICK = Options(replicates=300)


def rows_of(tables, name):
    return records(table_named(document(tables, FACTS, QUICK), name))


def value(row, name):
    return row[name]["value"]


def near(number):
    return pytest.approx(float(number), abs=1e-9)


def test_format_gap_pairs_variants_and_counts_tests_by_family():
    made = Made()
    for at in range(3):
        made.person(f"d{at}").person(f"e{at}")
    for seed in (1, 2, 3):
        for task, right in (("A-Over", (4, None)), ("P-Comp", (5,))):
            same = {"seed": seed, "variant_hash": f"{task}-{seed}"}
            made.block(f"d{seed - 1}", task, *right, format="direct", **same)
            made.block(f"e{seed - 1}", task, *([None] * len(right)), **same)
    rows = {row["task"]: row for row in rows_of(made.tables, "format_gap")}
    assert list(rows) == ["A-Over", "P-Comp", "attribute", "procedural", "Total"]
    over = rows["A-Over"]
    assert (value(over, "direct"), value(over, "played"), value(over, "gap")) == (0.5, 0.0, 0.5)
    assert (over["pairs"], over["mean_difference"]) == (3, 0.5)
    assert over["p"] == sign_test([0.5] * 3).p == 0.25
    assert (over["tests"], over["p_adjusted"]) == (1, 0.25)
    assert (rows["attribute"]["tests"], rows["attribute"]["p_adjusted"]) == (2, 0.5)
    assert (rows["Total"]["pairs"], rows["Total"]["tests"]) == (6, 1)
    assert value(rows["Total"], "gap") == 0.75


def test_words_are_compared_at_equal_task_seed_and_coverage():
    made = Made().person("a").person("b")
    made.block("a", "A-Over", 4, 4, ratings=(2,)).block("b", "A-Over", 4, None, ratings=(0,))
    made.block("a", "A-Over", None, None, ratings=(1,), lexicon="nonce")
    made.block("b", "A-Over", 4, 4, lexicon="nonce", coverage="2")  # nothing to compare with
    rows = {(row["measure"], row["task"]): row for row in rows_of(made.tables, "lexicon")}
    ecsr, rv = rows["ECSR", "A-Over"], rows["RV", "A-Over"]
    assert (value(ecsr, "semantic"), value(ecsr, "nonce")) == (0.75, 0.0)
    assert (value(rv, "semantic"), value(rv, "nonce"), value(rv, "difference")) == (0.5, 0.5, 0.0)
    assert ecsr["pairs"] == 1


@pytest.mark.parametrize(
    ("table", "name", "sides"),
    [
        ("lexicon", LEXICON, {"lexicon": ("semantic", "nonce")}),
        ("format_gap", FORMAT, {"format": ("episodic", "direct")}),
    ],
)
def test_checklist_plan_and_report_call_a_contrast_by_one_name(table, name, sides):
    made = Made().person("a")
    made.block("a", "A-Over", 4, 4)
    assert table_named(document(made.tables, FACTS, QUICK), table)["title"].endswith(f"({name})")
    assert pictures()[table].title.endswith(f"({name})")
    ((field, values),) = sides.items()
    blocks = [{"task": "A-Over", "seeds": "0-5", field: value} for value in values]
    spec = check_study({"slug": "words", "title": "Words", "blocks": blocks})
    assert any(one.found.startswith(f"Tests of {name} ") for one in pairs(spec))


def test_studies_without_two_conditions_have_no_contrast():
    made = Made().person("a").block("a", "A-Over", 4, 4)
    for name in ("format_gap", "lexicon", "models"):
        assert rows_of(made.tables, name) == []


def test_direct_only_study_has_counts_and_no_baseline():
    made = Made().person("a").block("a", "A-Over", 4, None, format="direct")
    assert rows_of(made.tables, "baseline_all") == []
    assert document(made.tables, FACTS, QUICK)["counts"]["worlds"] == 1


def test_one_player_has_figures_and_no_interval():
    made = Made().person("a").block("a", "A-Over", 8, None, ratings=(1,))
    [row] = rows_of(made.tables, "baseline_all")
    assert value(row, "ecsr") == near(Fraction(1, 6))
    assert (row["ecsr"]["low"], row["ecsr"]["reason"]) == (None, "one player: no interval")


def test_without_ratings_rv_says_so():
    made = Made().person("a").person("b")
    made.block("a", "A-Over", 4, 4).block("b", "A-Over", 4, 4)
    [row] = rows_of(made.tables, "baseline_all")
    assert row["rv"] == {
        "value": None,
        "low": None,
        "high": None,
        "reason": "no data",
        "players": 0,
        "units": 0,
    }
    assert rows_of(made.tables, "relation_points") == []


@pytest.fixture
def with_variant():
    """Ten players of one A-Over variant whose content is in the tables; three win at once."""
    from app.game.tasks import TASKS
    from app.game.variant import generate

    variant = generate(TASKS["A-Over"], 1, lexicon("semantic"))
    made = Made()
    for at, name in enumerate("abcdefghij"):
        plays = (4, 4) if at < 3 else (4, 8)
        made.person(name).block(name, "A-Over", *plays, variant_hash="x", coverage="1")
    made.tables["variant"] = [{"variant_hash": "x", "content": canonical_json(variant)}]
    return made, variant


def test_floors_are_exact_and_the_best_one_is_named(with_variant):
    from app.game.expectation import floors
    from app.scoring.players import Figure
    from app.study.report import floors as floors_of

    made, variant = with_variant
    [row] = rows_of(made.tables, "floors_all")
    truth = floors(variant)
    for name, worth in truth.items():
        assert row[name] == near(worth)
    assert row["enumerator"] == near(Fraction(13, 36))
    best = max(v for name, v in truth.items() if name not in {"oracle", "inducer"})
    assert row["best_floor"] == near(best)
    assert row["people"]["low"] < best == near(Fraction(2, 3))
    assert row["beaten"] is False, "the interval includes the floor"
    ends = [
        floors_of.beaten(Figure(0.8, low, 0.9, "", 10, 10), best) for low in (best, best + 1e-9)
    ]
    assert ends == [False, True]


def test_floors_of_variants_that_are_not_there_are_empty():
    made = Made().person("a").block("a", "A-Over", 4, 4)
    [row] = rows_of(made.tables, "floors_all")
    assert (row["enumerator"], row["beaten"]) == (None, None)


def test_coverage_has_bias_and_share_determined_of_the_certificate(with_variant):
    from app.game.certify import certify

    made, variant = with_variant
    [row] = rows_of(made.tables, "coverage")
    proof = certify(variant)
    assert row["contextual_bias"] == near(proof.contextual_bias)
    assert row["share_determined"] == near(proof.share_determined) == 1.0
    assert (row["coverage"], row["players"]) == ("1", 10)


def test_models_on_the_same_variants_are_paired():
    made = Made().person("a").person("b")
    for seed in (1, 2):
        same = {"seed": seed, "variant_hash": f"A-Over-{seed}"}
        made.block("a", "A-Over", 4, 4, ratings=(2,), **same)
        made.block("b", "A-Over", 4, None, ratings=(2,), **same)
    made.block("a", "A-Over", None, None, seed=9, variant_hash="other")  # no model played it
    made.tables["model_result"] = [
        result("m", index, 8, seed=seed, variant_hash=f"A-Over-{seed}", rv=0.5)
        for seed in (1, 2)
        for index in (1, 2)
    ]
    rows = {(r["measure"], r["episodes"], r["task"]): r for r in rows_of(made.tables, "models")}
    row = rows["ECSR", "all", "A-Over"]
    assert (row["variants"], row["pairs"], row["p"]) == ("same", 2, 0.5)
    assert value(row, "people") == 0.75
    assert row["model_mean"] == near(Fraction(1, 3))
    assert value(row, "difference") == near(Fraction(3, 4) - Fraction(1, 3))
    assert value(rows["RV", "all", "A-Over"], "difference") == 0.5


def test_models_on_other_variants_have_no_test():
    made = Made().person("a").person("b")
    made.block("a", "A-Over", 4, 4).block("b", "A-Over", 4, None)
    made.tables["model_result"] = [result("m", 1, None, variant_hash="", rv=0.5)]
    row = next(r for r in rows_of(made.tables, "models") if r["episodes"] == "all")
    assert (row["variants"], row["pairs"], row["p"], row["model_mean"]) == ("other", 0, None, 0.0)
