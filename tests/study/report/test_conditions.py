"""Rows that add up: sides of a difference, totals, models on the same variants, conditions."""

from fractions import Fraction

import pytest

from app.game.tasks import TASKS
from app.game.variant import canonical_json, generate
from app.study.design.library import lexicon
from app.study.report import draw
from app.study.report.document import document
from app.study.report.files import write_all
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made, result

FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}
QUICK = Options(replicates=300)


def rows_of(made, name):
    return records(table_named(document(made.tables, FACTS, QUICK), name))


def value(row, name):
    return row[name]["value"]


def near(number):
    return pytest.approx(float(number), abs=1e-9)


def people(number):
    made = Made()
    for at in range(number):
        made.person(f"p{at}")
    return made


def unbalanced(first, second):
    """Three players win A-Over on one side and one loses; the reverse for P-Comp."""
    made = people(4)
    for at in range(3):
        made.block(f"p{at}", "A-Over", 4, **first).block(f"p{at}", "P-Comp", None, **second)
    made.block("p3", "A-Over", None, **second).block("p3", "P-Comp", 5, **first)
    made.block("p3", "P-Comp", None, **first)
    return made


def test_difference_is_that_of_the_two_sides_beside_it_in_every_row():
    words = rows_of(unbalanced({"lexicon": "semantic"}, {"lexicon": "nonce"}), "lexicon")
    formats = rows_of(unbalanced({"format": "direct"}, {"format": "episodic"}), "format_gap")
    for rows, names in (
        (words, ("semantic", "nonce", "difference")),
        (formats, ("direct", "played", "gap")),
    ):
        order = ["A-Over", "P-Comp", "attribute", "procedural", "Total"]
        kind = next(iter(rows[0]))
        assert [row["task"] for row in rows if row[kind] == rows[0][kind]] == order
        for row in rows:
            left, right, gap = (value(row, name) for name in names)
            assert gap == near(left - right), row["task"]
    total = words[-1]
    assert value(total, "semantic") == near(Fraction(3, 4)), "the mean of tasks 1 and 1/2"


def test_words_are_not_pooled_over_coverage():
    made = people(3)
    made.block("p0", "A-Over", 4).block("p1", "A-Over", 4).block("p2", "A-Over", 4, lexicon="nonce")
    for name, words in (("p0", "semantic"), ("p1", "nonce"), ("p2", "nonce")):
        made.block(name, "A-Over", None, lexicon=words, coverage="0")
    rows = {(r["coverage"], r["task"]): r for r in rows_of(made, "lexicon")}
    assert value(rows["1", "A-Over"], "difference") == 0.0
    assert value(rows["0", "A-Over"], "difference") == 0.0


def test_total_is_never_that_of_some_of_the_tasks():
    made = people(2)
    made.block("p0", "A-Over", 4, ratings=(2,)).block("p1", "P-Comp", 5)
    rows = {row["task"]: row for row in rows_of(made, "baseline_all")}
    assert value(rows["A-Over"], "rv") == 1.0
    assert rows["Total"]["rv"]["reason"] == "no value in P-Comp"
    assert (value(rows["Total"], "rv"), value(rows["Total"], "ecsr")) == (None, 1.0)


def test_mistyped_commands_are_taken_off_norm_eff_too():
    made = people(1).block("p0", "A-Over", (8, 4), None)
    [row] = rows_of(made, "baseline_all")
    assert (value(row, "norm_eff"), value(row, "norm_eff_clean")) == (near(Fraction(1, 3)), 1.0)


def test_people_as_good_as_a_model_on_every_variant_differ_by_nothing():
    made = people(10)
    for at in range(9):
        made.block(f"p{at}", "A-Over", None, variant_hash="hard")
    made.block("p9", "A-Over", 4, variant_hash="easy", seed=2)
    made.tables["model_result"] = [
        result("m", used=None, variant_hash="hard"),
        result("m", used=4, variant_hash="easy", seed=2),
    ]
    row = next(r for r in rows_of(made, "models") if r["task"] == "A-Over")
    assert (value(row, "people"), row["model_mean"]) == (near(0.1), near(0.1))
    assert (value(row, "difference"), row["mean_difference"]) == (0.0, 0.0)
    assert (row["pairs"], row["p"]) == (2, 1.0)


def test_people_and_models_are_compared_within_a_condition():
    made = people(2).block("p0", "A-Over", 4).block("p1", "A-Over", None, coverage="0")
    made.tables["model_result"] = [result("m", variant_hash="")]
    rows = [r for r in rows_of(made, "models") if r["episodes"] == "all"]
    assert [(r["coverage"], r["task"], value(r, "difference")) for r in rows] == [
        ("1", "A-Over", 0.0),
        ("1", "attribute", 0.0),
    ]


def test_stated_answers_of_models_stand_beside_peoples_and_beside_what_they_play():
    made = people(2)
    made.block("p0", "A-Over", 4, None, format="direct").block("p1", "A-Over", 4, format="direct")
    made.tables["model_result"] = [
        result("m", 1, 4, format="direct"),
        result("m", 2, None, format="direct"),
        result("m", 1, 8),
    ]
    [row, _] = rows_of(made, "models")
    assert (row["measure"], value(row, "people"), row["model_mean"]) == ("direct", 0.75, 0.5)
    gap = rows_of(made, "models_format_gap")[0]
    assert (gap["model"], gap["direct"], gap["played"]) == ("m", 0.5, near(Fraction(1, 3)))
    assert (gap["gap"], gap["pairs"]) == (near(Fraction(1, 6)), 1)


@pytest.fixture
def two_conditions():
    made = people(2)
    for at in range(2):
        made.block(f"p{at}", "A-Over", 4 + 4 * at, 4, ratings=(2 - at,))
        made.block(f"p{at}", "A-Over", None, None, ratings=(0,), lexicon="nonce", coverage="0")
    return made


def test_no_table_mixes_conditions(two_conditions):
    for name in ("relation_points", "relation", "time", "learning"):
        found = {(r["lexicon"], r["coverage"]) for r in rows_of(two_conditions, name)}
        assert found == {("semantic", "1"), ("nonce", "0")}, name
    points = rows_of(two_conditions, "relation_points")
    assert [(p["player"], p["rv"], p["ecsr_all"]) for p in points] == [
        ("p1", 1.0, 1.0),
        ("p2", 0.5, near(Fraction(2, 3))),
        ("p1", 0.0, 0.0),
        ("p2", 0.0, 0.0),
    ]
    worlds = [r for r in rows_of(two_conditions, "learning") if r["over"] == "worlds"]
    assert [(r["coverage"], r["place"], r["units"]) for r in worlds] == [("1", 1, 2), ("0", 2, 2)]


def test_figures_say_which_condition_they_draw(two_conditions):
    both = document(two_conditions.tables, FACTS, QUICK)
    one = document(people(2).block("p0", "A-Over", 4, ratings=(2,)).tables, FACTS, QUICK)
    shown = {}
    for number, made in ((2, both), (1, one)):
        for name in ("relation", "time", "learning", "floors"):
            shown[number, name] = captions(made, name)
    assert all(shown[2, name] == "semantic words, coverage 1 (others: table)" for _, name in shown)
    assert all(shown[1, name] == "" for _, name in shown)


def test_first_figure_draws_every_condition_as_a_series_of_its_own(two_conditions):
    both, one = two_conditions, people(2).block("p0", "A-Over", 4)

    assert series(both, "success_efficiency") == [
        {"semantic words, coverage 1", "nonce words, coverage 0"},
        {"semantic words, coverage 1"},  # no one succeeded with the other
    ]
    assert len(series(one, "success_efficiency")[0]) == 1


def test_figures_of_comparisons_draw_both_sides_and_their_difference():
    words = unbalanced({"lexicon": "semantic"}, {"lexicon": "nonce"})
    formats = unbalanced({"format": "direct"}, {"format": "episodic"})

    assert series(words, "lexicon") == [{"semantic words", "nonce words"}, {"ECSR"}]
    assert series(formats, "format_gap") == [{"direct accuracy", "ECSR, played"}, {"gap"}]


def series(made, name):
    """Return the labels of the series of each panel of a figure."""
    from matplotlib.figure import Figure

    figure, picture = Figure(), draw.pictures()[name]
    picture.draw(figure, rows_of(made, picture.table))
    return [set(axes.get_legend_handles_labels()[1]) for axes in figure.axes]


def captions(made, name):
    """Return the text above a figure."""
    from matplotlib.figure import Figure

    figure, picture = Figure(), draw.pictures()[name]
    picture.draw(figure, records(table_named(made, picture.table)))
    return figure.get_suptitle()


def test_coverage_curve_draws_every_list_of_words():
    from matplotlib.figure import Figure

    made = people(2)
    for share in ("0", "1"):
        made.block("p0", "A-Over", 4, coverage=share)
        made.block("p1", "A-Over", 8, coverage=share, lexicon="nonce")
    figure = Figure()
    draw.pictures()["coverage"].draw(figure, rows_of(made, "coverage"))
    labels = {text.get_text() for text in figure.legends[0].get_texts()}
    assert {"ECSR, semantic", "ECSR, nonce"} <= labels


def test_floor_and_ceiling_stand_beside_every_ecsr_of_people():
    variants = {
        (task, words): generate(TASKS[task], 1, lexicon(words))
        for task in ("A-Over", "P-Comp")
        for words in ("semantic", "nonce")
    }
    made = people(2)
    for at in range(2):
        for (task, words), variant in variants.items():
            episodes = [4 if task == "A-Over" else 5] * len(variant.episodes)
            here = {"variant_hash": task + words, "lexicon": words}
            made.block(f"p{at}", task, *episodes, **here)
            made.block(f"p{at}", task, *episodes, **here, format="direct")
    made.tables["variant"] = [
        {"variant_hash": task + words, "content": canonical_json(variant)}
        for (task, words), variant in variants.items()
    ]
    made.tables["model_result"] = [result("m", variant_hash="A-Oversemantic")]
    truth = {row["task"]: row for row in rows_of(made, "floors_all") if row["lexicon"] == "nonce"}
    total = (truth["A-Over"]["best_floor"], truth["P-Comp"]["best_floor"])
    assert truth["Total"]["enumerator"] == near(Fraction(13, 36))
    assert 0 < min(total) <= truth["Total"]["best_floor"] <= max(total)
    for row in (*rows_of(made, "baseline_all"), *rows_of(made, "format_gap")):
        if row["lexicon"] == "nonce" and row["task"] in truth:
            assert row["best_floor"] == near(truth[row["task"]]["best_floor"]), row["task"]
            assert row["ceiling"] == 1.0
    for row in rows_of(made, "lexicon"):
        assert (row["nonce_ceiling"] is None) == (row["measure"] == "RV")
    names_there = ("learning", "coverage", "models", "baseline_first")
    for row in (row for name in names_there for row in rows_of(made, name)):
        is_ecsr = row.get("measure", "ECSR") == "ECSR"
        assert (row["best_floor"] is not None) == is_ecsr
    paper = rows_of(made, "against_paper")
    assert {row["best_floor"] is not None for row in paper if row["measure"] == "ECSR"} == {True}


def test_best_floor_where_nothing_is_shown_knows_no_more_than_the_listing():
    """Bots that enumerate know which 6 of A-Cond's 12 listed items can be right; no one else."""
    made = people(1)
    made.tables["variant"] = []
    for share in ("0", "1"):
        variant = generate(TASKS["A-Cond"], 1, lexicon("semantic"), share)
        text = {"variant_hash": share, "content": canonical_json(variant)}
        made.tables["variant"].append(text)
        made.block("p0", "A-Cond", 4, coverage=share, variant_hash=share)
    found = {row["coverage"]: row for row in rows_of(made, "floors_first")}
    none, full = found["0"], found["1"]
    assert none["enumerator"] == full["enumerator"] == pytest.approx(0.29)
    assert none["best_floor"] == none["prior"] == none["inducer"] == pytest.approx(0.145)
    assert full["best_floor"] >= full["enumerator"]
    (row,) = [one for one in rows_of(made, "baseline_first") if one["coverage"] == "0"]
    assert row["best_floor"] == pytest.approx(0.145)


@pytest.mark.long
def test_folder_of_an_earlier_report_keeps_no_figure_that_this_one_has_not(
    two_conditions, tmp_path
):
    mine = tmp_path / "figures" / "mine.svg"
    write_all(document(two_conditions.tables, FACTS, QUICK), tmp_path)
    assert (tmp_path / "figures" / "relation.svg").exists()
    mine.write_text("drawn by hand")
    made = document(people(1).block("p0", "A-Over", 4).tables, FACTS, QUICK)
    write_all(made, tmp_path)
    drawn_names = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert drawn_names == {*draw.present(made), "mine"}


def test_coverage_plot_names_both_axes():
    from matplotlib.figure import Figure

    made = people(2).block("p0", "A-Over", 4).block("p1", "A-Over", 8, coverage="0")
    figure = Figure()
    draw.pictures()["coverage"].draw(figure, rows_of(made, "coverage"))
    assert figure.get_supxlabel() == "coverage k/k*"
    assert figure.get_supylabel() == "ECSR, contextual bias, share determined"
