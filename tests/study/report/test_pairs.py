"""What is compared: the same worlds, or worlds that differ only in their words."""

from fractions import Fraction

import pytest

from app.game.tasks import TASKS
from app.game.variant import canonical_json, generate
from app.study.design.library import lexicon
from app.study.report.document import document
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made, result

FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}


def rows_of(made, name):
    return records(table_named(document(made.tables, FACTS, Options(replicates=300)), name))


def people(*names):
    made = Made()
    for name in names:
        made.person(name)
    return made


def test_stated_and_played_worlds_of_one_seed_are_a_pair_only_if_they_are_the_same_world():
    """A later design version with another salt or other distractors has other worlds."""
    made = people("old", "new", "both")
    made.block("old", "A-Over", 4, None, format="direct", variant_hash="before")
    made.block("new", "A-Over", None, None, variant_hash="after")
    row = rows_of(made, "format_gap")[0]
    assert (row["gap"]["value"], row["pairs"], row["p"]) == (0.5, 0, None)
    made.block("both", "A-Over", 4, 4, variant_hash="before")
    row = rows_of(made, "format_gap")[0]
    assert (row["pairs"], row["mean_difference"], row["p"]) == (1, -0.5, 1.0)


def made_in(words, salt):
    return generate(TASKS["A-Add"], 4, lexicon(words), salt=salt)


def test_words_are_paired_over_worlds_that_differ_in_words_alone():
    plain, same, other = (
        made_in(*how) for how in (("semantic", ""), ("nonce", ""), ("nonce", "pepper"))
    )
    assert plain.gen_cells == same.gen_cells != other.gen_cells
    made = people("a", "b", "c")
    made.tables["variant"] = [
        {"variant_hash": name, "content": canonical_json(variant)}
        for name, variant in (("plain", plain), ("same", same), ("other", other))
    ]
    made.block("a", "A-Add", 4, seed=4, variant_hash="plain")
    made.block("b", "A-Add", None, seed=4, variant_hash="other", lexicon="nonce")
    row = rows_of(made, "lexicon")[0]
    assert (row["difference"]["value"], row["pairs"], row["p"]) == (1.0, 0, None)
    made.block("c", "A-Add", 4, seed=4, variant_hash="same", lexicon="nonce")
    row = rows_of(made, "lexicon")[0]
    assert (row["pairs"], row["mean_difference"]) == (1, 0.0), "the third world belongs to no pair"


def test_point_of_the_scatter_is_made_of_worlds_that_have_both_figures():
    """Only one of three worlds was drawn for rating; its RV is paired with its own ECSR."""
    made = people("a")
    made.block("a", "A-Over", 4, 4, ratings=(2,), seed=1)
    made.block("a", "A-Over", None, None, seed=2).block("a", "A-Over", None, None, seed=3)
    [point] = rows_of(made, "relation_points")
    assert (point["rv"], point["ecsr_first"], point["ecsr_all"]) == (1.0, 1.0, 1.0)


def test_success_of_a_model_beyond_the_budget_of_people_is_worth_no_less_than_a_failure():
    made = people("a", "b").block("a", "A-Over", 4, 4).block("b", "A-Over", None, None)
    made.tables["model_result"] = [result("slow", 1, 40), result("slow", 2, 8)]
    row = next(r for r in rows_of(made, "models") if r["episodes"] == "all")
    assert row["model_mean"] == pytest.approx(float(Fraction(1, 3) / 2), abs=1e-9)


def test_family_of_an_own_task_is_that_of_its_worlds_for_models_too():
    made = people("a").block("a", "Z-Own", 4, family="procedural")
    own = {"task": "Z-Own", "variant_hash": "Z-Own-1"}
    made.tables["model_result"] = [result("m", **own), result("m", **own, format="direct")]
    assert [row["task"] for row in rows_of(made, "models_format_gap")] == ["Z-Own", "procedural"]
