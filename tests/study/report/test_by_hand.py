"""Seven participants, mixtures of bots with known ratings: the report equals a table by hand.

A-Over: ref_length 4, n_tries 4; a win in 4, 5, 8, 16 actions is worth 1, 11/15, 1/3, 0.
P-Comp: ref_length 5, n_tries 4; a win in 5, 10 actions is worth 1, 1/3.
"""

from fractions import Fraction

import pytest

from app.study.report.document import canonical, document
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from tests.study.report.rows import Made

F = Fraction
FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}
QUICK = Options(replicates=500)


@pytest.fixture
def seven():
    """Players who know the rule (p1, p2), mistype (p3), try everything (p4-p6), leave (p7)."""
    made = Made()
    for name in ("p1", "p2", "p3", "p4", "p5", "p6"):
        made.person(name)
    made.person("p7", "timed_out")
    made.block("p1", "A-Over", 4, 4, ratings=(2, 2)).block("p1", "P-Comp", 5, ratings=(2, 2))
    made.block("p2", "A-Over", 4, 5, ratings=(2, 1)).block("p2", "P-Comp", 5, ratings=(2, 1))
    made.block("p3", "A-Over", (5, 1), (8, 4), ratings=(1, 1)).block(
        "p3", "P-Comp", (10, 5), ratings=(1, 2)
    )
    made.block("p4", "A-Over", 16, 4, ratings=(0, 1)).block("p4", "P-Comp", None, ratings=(0, 0))
    made.block("p5", "A-Over", None, None, ratings=(0, 0)).block("p5", "P-Comp", 10, ratings=(0, 0))
    made.block("p6", "A-Over", 8, None, ratings=(1, 0)).block("p6", "P-Comp", 5, ratings=(1, 1))
    made.block("p7", "A-Over", -3, 0)
    return made.tables


def rows_of(tables, name, options=QUICK):
    return records(table_named(document(tables, FACTS, options), name))


def value(row, name):
    return row[name]["value"]


def near(fraction):
    return pytest.approx(float(fraction), abs=1e-9)


def test_first_episodes_by_task(seven):
    over, comp, whole = rows_of(seven, "baseline_first")
    assert [over["players"], over["units"], comp["players"]] == [7, 7, 6]
    # A-Over: wins 4, 4, 5, 16, lost, 8, unfinished
    assert value(over, "success_rate") == near(F(5, 7))
    assert value(over, "ecsr") == near((1 + 1 + F(11, 15) + 0 + 0 + F(1, 3) + 0) / 7)
    assert value(over, "norm_eff") == near((1 + 1 + F(11, 15) + 0 + F(1, 3)) / 5)
    assert value(over, "ecsr_missing") == near((2 + F(11, 15) + F(1, 3)) / 6)
    assert value(over, "ecsr_clean") == near((3 + F(1, 3)) / 7)
    # attempts: 1, 1, 2, 4, 2 of n_tries 4 -> 1, 1, 1/3, 0, 1/3
    assert value(over, "attempt_ecsr") == near((2 + F(2, 3)) / 7)
    assert value(over, "rv") == near((1 + F(3, 4) + F(1, 2) + F(1, 4) + 0 + F(1, 4)) / 6)
    # P-Comp: wins 5, 5, 10, lost, 10, 5
    assert value(comp, "success_rate") == near(F(5, 6))
    assert value(comp, "ecsr") == near((3 + F(2, 3)) / 6)
    assert value(comp, "ecsr_clean") == near((4 + F(1, 3)) / 6)
    assert value(comp, "rv") == near((1 + F(3, 4) + F(3, 4) + 0 + 0 + F(1, 2)) / 6)
    assert whole["task"] == "Total"
    assert value(whole, "ecsr") == near(((F(46, 15)) / 7 + F(11, 18)) / 2)


def test_all_episodes_by_task(seven):
    over, comp, _ = rows_of(seven, "baseline_all")
    # units: (1+1)/2, (1+11/15)/2, (11/15+1/3)/2, (0+1)/2, 0, (1/3+0)/2, 0 (the second untouched)
    units = [F(1), F(13, 15), F(8, 15), F(1, 2), F(0), F(1, 6), F(0)]
    assert value(over, "ecsr") == near(sum(units) / 7)
    assert value(over, "success_rate") == near((1 + 1 + 1 + 1 + 0 + F(1, 2) + 0) / 7)
    assert value(over, "norm_eff") == near((1 + F(13, 15) + F(8, 15) + F(1, 2) + F(1, 3)) / 5)
    assert value(comp, "ecsr") == near(F(11, 18))


def test_mean_rate_times_mean_norm_eff_is_not_mean_ecsr(seven):
    over = rows_of(seven, "baseline_all")[0]
    assert value(over, "success_rate") * value(over, "norm_eff") != near(value(over, "ecsr"))


def test_seven_people_are_too_few_for_intervals(seven):
    for row in rows_of(seven, "baseline_first"):
        for cell in (row["ecsr"], row["success_rate"], row["rv"]):
            assert (cell["low"], cell["high"]) == (None, None)
            assert cell["reason"] == "too few players: an interval needs 10"


def test_rv_of_the_three_kinds(seven):
    seven["judge"] = [{"item_id": "p1-w1-r2", "value": 0}, {"item_id": "p2-w1-r2", "value": 1}]
    seven["adjudication"] = [{"item_id": "p2-w1-r2", "value": 2}]
    over = rows_of(seven, "rv")[0]
    assert value(over, "judge") == near(F(1, 4))
    assert value(over, "human") == near((1 + F(3, 4) + F(1, 2) + F(1, 4) + 0 + F(1, 4)) / 6)
    assert value(over, "final") == near((1 + 1 + F(1, 2) + F(1, 4) + 0 + F(1, 4)) / 6)
    assert (over["written"], over["unrated"]) == (6, 0)


CRITERIA = ("inputs", "output", "structure", "generality")


def in_criteria(item, *scores, **changes):
    return {"item_id": item, "value": None, **dict(zip(CRITERIA, scores, strict=True)), **changes}


def test_rv_of_criteria_is_their_sum_over_eight(seven):
    """The judge: (4/8 + 8/8) / 2. Annotators: p1 has 7/8 besides 1, 1; p2's decision is 3/8."""
    seven["judge"] = [in_criteria("p1-w1-r2", 1, 2, 0, 1), in_criteria("p2-w1-r2", 2, 2, 2, 2)]
    seven["judge"].append(in_criteria("p3-w1-r2", 1, None, 0, 1))
    seven["rating"].append(in_criteria("p1-w1-r2", 2, 2, 2, 1, role="main", repeat=0))
    seven["adjudication"] = [in_criteria("p2-w1-r2", 0, 1, 1, 1, round=1)]
    over = rows_of(seven, "rv")[0]
    p1 = (1 + 1 + F(7, 8)) / 3
    rest = F(1, 2) + F(1, 4) + 0 + F(1, 4)
    assert value(over, "judge") == near(F(3, 4))
    assert value(over, "human") == near((p1 + F(3, 4) + rest) / 6)
    assert value(over, "final") == near((p1 + F(3, 8) + rest) / 6)


def test_scatter_has_a_point_a_player_and_task_and_spearman_is_scipys(seven):
    from scipy import stats

    points = rows_of(seven, "relation_points")
    assert len(points) == 12  # p7 wrote nothing
    assert points[0] == {
        "player": "p1",
        "lexicon": "semantic",
        "coverage": "1",
        "task": "A-Over",
        "family": "attribute",
        "rv": 1.0,
        "ecsr_first": 1.0,
        "ecsr_all": 1.0,
    }
    relations = {(r["episodes"], r["family"]): r for r in rows_of(seven, "relation")}
    x, y = [p["rv"] for p in points], [p["ecsr_first"] for p in points]
    found = relations["first episodes", "all"]
    assert value(found, "rho") == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
    assert (found["players"], found["points"]) == (6, 12)


def test_time_leaves_out_idle_episodes_and_counts_them(seven):
    seven["timing"] = [{"episode_id": "p1-w1-g1", "longest_gap_ms": 301_000}]
    rows = {(r["task"], r["episodes"]): r for r in rows_of(seven, "time")}
    first = rows["A-Over", "first episodes"]
    assert (first["counted"], first["idle"]) == (5, 1)
    assert first["median_s"] == 8.0  # of 4, 5, 8, 16, 16 seconds
    assert (first["q1_s"], first["q3_s"]) == (5.0, 16.0)


def test_learning_by_world_and_by_episode(seven):
    rows = {(r["over"], r["place"]): r for r in rows_of(seven, "learning")}
    assert value(rows["worlds", 2], "ecsr") == near(F(11, 18))
    assert rows["episodes", 2]["units"] == 6  # second guardians: p7 never started theirs
    firsts = [1, 1, F(11, 15), 0, 0, F(1, 3), 0, 1, 1, F(1, 3), 0, F(1, 3), 1]
    assert value(rows["episodes", 1], "ecsr") == near(sum(map(F, firsts)) / 13)


def test_dropouts_by_page(seven):
    pages = {row["page"]: row for row in rows_of(seven, "dropouts")}
    assert pages["world 1, guardian 1"]["ended_here"] == 1
    assert pages["world 1, guardian 1"]["outcomes"] == "timed_out 1"
    assert pages["world 1, guardian 1"]["reached"] == 7
    assert pages["finished"]["reached"] == 6


def test_dropouts_tell_every_page_before_the_game_apart():
    made = Made()
    ends = ("w1-g1", "w1-g1", "w1-g2", "w1-rule", "w1-g2-rule", "w2-g1")
    for page in ("questions", "practice", "comprehension", *ends):
        made.person(f"at {page} {len(made.tables['participant'])}", "timed_out", page=page)
    made.person("gone", "withdrawn", page=None, is_erased=True, actions=0)
    made.person("no", "no_consent", page="consent").person("fine", page="finished")
    made.person("here", "active", page="w1-g2")
    rows = rows_of(made.tables, "dropouts")
    assert [
        (row["page"], row["reached"], row["ended_here"], row["still_here"]) for row in rows
    ] == [
        ("consent", 13, 1, 0),
        ("not known: data erased", 12, 1, 0),
        ("questions before", 11, 1, 0),
        ("practice", 10, 1, 0),
        ("comprehension", 9, 1, 0),
        ("world 1, guardian 1", 8, 2, 0),
        ("world 1, guardian 2", 6, 1, 1),
        ("world 1, guardian 2: rule", 4, 1, 0),
        ("world 1: rule", 3, 1, 0),
        ("world 2, guardian 1", 2, 1, 0),
        ("finished", 1, 0, 0),
    ]


def test_dropouts_of_a_bundle_without_pages_say_what_they_cannot_tell():
    made = Made().person("a", "timed_out", practice_at=None, actions=0)
    made.person("b", "timed_out", practice_at=None, actions=0, instructions_at=None)
    rows = rows_of(made.tables, "dropouts")
    assert [row["page"] for row in rows] == ["instructions", "before the first command"]


def test_explanations_of_people_left_out_are_not_counted(seven):
    """The report has no explanations by excluded, test and withdrawn people."""
    assert document(seven, FACTS, QUICK)["counts"]["explanations"] == 12
    seven["participant"][0]["excluded"] = "asked a friend"
    seven["participant"][1]["is_test"] = True
    seven["participant"][2]["state"] = "withdrawn"
    assert document(seven, FACTS, QUICK)["counts"]["explanations"] == 6
    kept = Options(replicates=500, keep_excluded=True)
    assert document(seven, FACTS, kept)["counts"]["explanations"] == 8


def test_voided_excluded_test_and_still_playing_are_counted_and_left_out(seven):
    seven["participant"][0]["excluded"] = "asked a friend"
    seven["participant"][1]["is_test"] = True
    seven["participant"][6]["state"] = "active"
    seven["episode"][8]["voided"] = True  # p3's second world: the only episode of it
    made = document(seven, FACTS, QUICK)
    assert made["counts"]["people"] == 5
    assert made["counts"]["people_left_out"] == {"excluded": 1, "test": 1}
    assert made["counts"]["episodes_voided"] == 1
    assert made["counts"]["episodes_in_play"] == 2
    over, comp, _ = records(table_named(made, "baseline_first"))
    assert (over["players"], comp["players"]) == (4, 3)
    kept = rows_of(seven, "baseline_first", Options(replicates=500, keep_excluded=True))
    assert kept[0]["players"] == 5


def test_who_never_counts_in_the_export_is_none_of_the_people_of_a_report(seven):
    """`people` is the export's `analysed`; with those left out, by reason, it is all who came."""
    made = Made()
    made.tables = seven
    for state in ("no_consent", "screened_out", "failed_check", "over_quota", "withdrawn"):
        made.person(f"never {state}", state).block(f"never {state}", "A-Over", 0, 0)
    made.person("idle", "active").block("idle", "A-Over", 0, 0)
    made.person("carried over", "timed_out").block("carried over", "A-Over", None, ratings=(2, 2))
    seven["episode"][-1]["voided"] = True
    found = document(seven, FACTS, QUICK)["counts"]
    assert (found["people"], found["people_by_state"]) == (7, {"finished": 6, "timed_out": 1})
    assert found["people_left_out"] == {
        **dict.fromkeys(("no_consent", "screened_out", "failed_check"), 1),
        **dict.fromkeys(("over_quota", "withdrawn"), 1),
        "no_episode": 2,
    }
    assert found["people"] + sum(found["people_left_out"].values()) == len(seven["participant"])
    assert (found["worlds"], found["episodes"], found["explanations"]) == (13, 20, 12)
    assert (found["episodes_untouched"], found["episodes_voided"]) == (1, 1)


def test_an_answer_that_no_one_stated_is_not_wrong(seven):
    """A researcher carried p1 over the second answer, and lifted the mark that voids it."""
    made = Made()
    made.tables = seven
    made.block("p1", "A-Over", (0, 0), None, format="direct")
    for row, item in zip(seven["episode"][-2:], ("red_sword", None), strict=True):
        row.update(state="won" if item else "lost", success=item is not None)
        row.update(actions_used=0, stated_item=item, stated_activity=None)
    (row, *_) = rows_of(seven, "format_gap")
    assert value(row, "direct") == 1


def test_the_same_tables_and_settings_give_the_same_bytes_another_seed_others(seven):
    one = canonical(document(seven, FACTS, QUICK))
    assert one == canonical(document(seven, FACTS, QUICK))
    assert one != canonical(document(seven, FACTS, Options(replicates=500, seed=2)))
