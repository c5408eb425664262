"""The agreement report of stored rounds: its data and its results."""

import json

import pytest

from app.scoring.agreement import alpha
from app.scoring.longrows import Row, from_rows
from app.scoring.panel import JudgedItem, make
from app.scoring.sampling import Stratum
from app.study.agreement import data, document, judge_pairs
from app.study.agreement.data import DimensionError, NoRatingsError
from app.study.agreement.sections import sections
from app.study.design import studies
from app.study.rating.rounds import NoRoundError
from tests.study.conftest import TINY


def report(facts, dimension="score", replicates=200):
    return document.build(facts, dimension, replicates=replicates)


def alpha_of(given, level="ordinal"):
    rows = [Row(item, rater, value) for (item, rater), value in given.items() if value is not None]
    return alpha(from_rows(rows), level).alpha


def test_report_has_both_rows_from_the_present_ratings(make_facts):
    facts, stored = make_facts()
    found = report(facts)
    balanced, pool = found["rows"]["balanced"], found["rows"]["pool"]
    assert balanced["human_human"]["alpha"] == pytest.approx(alpha_of(stored.given))
    assert pool["human_human"]["alpha"] != balanced["human_human"]["alpha"]
    assert pool["human_human"]["weights"]["effective_units"] < 99
    assert found["first_given"]["balanced"]["human_human"]["alpha"] == (
        pytest.approx(alpha_of(stored.first))
    )
    assert [one["judge"] for one in pool["human_judge"]] == ["judge", "second judge"]
    assert set(pool["human_judge"][0]["each"]) == {"rater_1", "rater_2"}
    first = balanced["human_judge"][0]
    assert first["difference"]["value"] == pytest.approx(
        balanced["human_human"]["alpha"] - first["mean"]["value"]
    )


def test_every_other_level_of_measurement_has_all_coefficients_and_alphas_have_intervals(
    make_facts,
):
    facts, stored = make_facts()
    found = report(facts)
    assert set(found["other_levels"]) == {"nominal", "interval", "ratio"}
    for level, rows in found["other_levels"].items():
        wanted = pytest.approx(alpha_of(stored.given, level))
        assert rows["balanced"]["human_human"]["alpha"] == wanted
        for row in rows.values():
            assert row["human_human"]["level"] == level
            assert row["human_human"]["interval"]["low"] < row["human_human"]["alpha"]
            assert [one["judge"] for one in row["human_judge"]] == ["judge", "second judge"]
            first = row["human_judge"][0]
            assert first["each"]["rater_1"]["interval"] is not None
            assert first["difference"]["interval_reason"]["code"] == "other_level"
    nominal = found["other_levels"]["nominal"]["pool"]["human_human"]["alpha"]
    assert nominal != found["rows"]["pool"]["human_human"]["alpha"]


def test_judges_are_compared_with_each_other_over_the_items_of_the_round(make_facts):
    facts, stored = make_facts()
    found = {one["row"]: one for one in report(facts)["between_judges"]}
    drawn = {one.id for one in stored.sample.chosen}
    given = {
        (row.external_id, judge.label): row.score
        for judge in facts.judges
        for row in judge.scores.values()
        if row.external_id in drawn
    }
    names = [judge.label for judge in facts.judges]
    same = [given[name, names[0]] == given[name, names[1]] for name in drawn]
    assert found["balanced"]["alpha"] == pytest.approx(alpha_of(given))
    assert found["balanced"]["same"] == pytest.approx(sum(same) / len(same))
    assert (found["pool"]["first"], found["pool"]["second"]) == tuple(names)
    assert found["pool"]["items"] == len(drawn)
    assert 0 < found["pool"]["alpha"] != found["balanced"]["alpha"] < 1


def test_item_that_one_of_two_judges_did_not_score_is_left_out():
    given = [(0, 0), (1, 1), (2, 1), (2, None)]
    items = [
        JudgedItem(str(n), "all", str(n), "A-Add", "x", {}, scores_of(pair))
        for n, pair in enumerate(given)
    ]
    panel = make(items, (Stratum("all", 0, 4, 4),), (0, 1, 2), ("a", "b"))
    (found,) = judge_pairs.section(panel, ("balanced",), "nominal")
    # Of 6 values, 2 x 0, 3 x 1, 1 x 2: expected disagreement 2 * (6 + 2 + 3) / 5, observed 2.
    assert (found["items"], found["same"]) == (3, pytest.approx(2 / 3))
    assert found["alpha"] == pytest.approx(1 - 2 / (2 * 11 / 5))


def scores_of(pair):
    return {name: score for name, score in zip("ab", pair, strict=True) if score is not None}


def test_pool_weights_are_the_population_over_the_usable_items(make_facts):
    facts, stored = make_facts()
    usable = {
        item
        for item, _ in stored.given
        if None not in (stored.given[item, "rater_1"], stored.given[item, "rater_2"])
    }
    for one in report(facts)["rows"]["pool"]["strata"]:
        drawn = [c.id for c in stored.sample.chosen if c.stratum == one["stratum"]]
        assert (one["drawn"], one["usable"]) == (len(drawn), len(usable & set(drawn)))
        level = sum(item.level == one["level"] for item in stored.frame)
        assert one["population"] == level


def test_gold_training_and_second_showings_never_count(make_facts):
    facts, stored = make_facts()
    found = report(facts)
    assert found["items"] == len(stored.sample.chosen)
    assert found["rows"]["balanced"]["human_human"]["n_units"] <= found["items"]
    assert found["round"]["ratings_by_kind"] == {"gold": 4, "main": 198, "training": 2}


def test_raters_section_tells_skips_repeats_changes_and_known_answers(make_facts):
    facts, stored = make_facts()
    for one in report(facts)["raters"]:
        mine = {item: v for (item, r), v in stored.given.items() if r == one["rater"]}
        assert one["skipped"] == sum(value is None for value in mine.values()) > 0
        assert one["rated"] == len(mine) - one["skipped"]
        assert one["skip_reasons"] == {"unreadable": one["skipped"]}
        pairs = [p for (_, r), p in stored.repeated.items() if r == one["rater"] and None not in p]
        assert (one["repeats"]["items"], one["repeats"]["same"]) == (
            len(pairs),
            sum(a == b for a, b in pairs),
        )
        changed = [
            key
            for key in stored.first
            if key[1] == one["rater"] and stored.first[key] != stored.given[key]
        ]
        assert one["changed"] == len(changed) > 0
        assert one["gold"]["items"] == 2


def test_final_scores_are_decided_or_agreed(make_facts):
    facts, stored = make_facts()
    found = report(facts)["final"]
    assert found["adjudicated"]["decided"] == len(stored.decided)
    panel = data.final_panel(facts, "score")
    for item in panel.items:
        given = {stored.given[item.id, f"rater_{n}"] for n in (1, 2)} - {None}
        expected = stored.decided.get(item.id, given.copy().pop() if len(given) == 1 else None)
        assert item.humans.get("final") == expected
    assert found["balanced"]["human_human"]["status"] == "no_pairable_units"
    assert found["balanced"]["human_judge"][0]["each"]["final"]["status"] == "ok"


def test_skips_as_a_category_are_counted(make_facts):
    facts, stored = make_facts()
    found = report(facts)["skipped_as_category"]
    assert found["level"] == "nominal"
    assert list(found["domain"]) == ["0", "1", "2", "skipped"]
    skipped = sum(value is None for value in stored.given.values())
    assert found["counts"][3]["count"] == skipped


def test_document_is_json_without_nan_and_the_same_for_the_same_facts(make_facts):
    facts, _ = make_facts()
    first = json.dumps(report(facts), allow_nan=False)
    assert json.dumps(report(facts), allow_nan=False) == first


def test_no_alpha_of_human_and_judge_inside_a_level(make_facts):
    facts, _ = make_facts()
    found = report(facts)
    assert {(one["judge"], one["level"]) for one in found["levels"]} == {
        (judge, level) for judge in ("judge", "second judge") for level in range(3)
    }
    assert "alpha" not in json.dumps(found["levels"])
    assert "not shown" in found["levels_note"]


def test_every_judge_has_its_confusion_with_every_human_and_the_final_score(make_facts):
    facts, stored = make_facts()
    found = report(facts)["confusion"]
    assert [(one["human"], one["judge"]) for one in found] == [
        (human, judge)
        for humans in (("rater_1", "rater_2"), ("final",))
        for judge in ("judge", "second judge")
        for human in humans
    ]
    rated = sum(v is not None for (_, r), v in stored.given.items() if r == "rater_1")
    assert sum(map(sum, found[0]["counts"])) == rated
    level = {item.id: item.level for item in stored.frame}
    both = [(v, level[i]) for (i, r), v in stored.given.items() if r == "rater_1" and v is not None]
    assert found[0]["counts"][2][1] == both.count((2, 1))


def test_intervals_of_shares_say_how_they_were_made_and_none_is_called_too_short(make_facts):
    facts, _ = make_facts()
    lines = {one["id"]: " ".join(one["lines"]) for one in sections(report(facts))}
    assert not [name for name, text in lines.items() if "too short" in text]
    assert [name for name, text in lines.items() if "half an item more" in text] == ["confusion"]


def test_corrected_mean_and_shares_have_intervals(make_facts):
    facts, _ = make_facts()
    found = report(facts)
    for one in found["corrected"]:
        assert one["low"] < one["value"] < one["high"]
    table = found["confusion"][0]
    assert table["accuracy"]["interval"]["method"].startswith("Beta draws, a third of an item per")
    for row in table["joint"]:
        assert all(cell["interval"]["low"] < cell["interval"]["high"] for cell in row)


def test_round_without_a_sample_has_one_row_and_says_why(make_facts):
    facts, stored = make_facts(sampled=False)
    found = report(facts)
    assert (found["rows"]["pool"], found["sample"], found["corrected"]) == (None, None, [])
    assert "does not rate a validation sample" in found["no_pool_reason"]
    alpha = found["rows"]["balanced"]["human_human"]["alpha"]
    assert alpha == pytest.approx(alpha_of(stored.given))


def test_round_without_a_sample_has_one_row_at_every_level(make_facts):
    facts, _ = make_facts(sampled=False)
    assert {tuple(rows) for rows in report(facts)["other_levels"].values()} == {("balanced",)}


def test_criteria_are_reported_each_and_as_a_rounded_mean(make_facts):
    facts, _ = make_facts(mode="criteria")
    assert facts.default_dimension == "mean"
    found = report(facts, "output")
    assert found["dimensions"] == ["inputs", "output", "structure", "generality", "mean"]
    assert found["rows"]["pool"]["human_human"]["status"] == "ok"
    assert "here: output" in found["methods"][0]
    with pytest.raises(DimensionError):
        report(facts, "score")


@pytest.mark.parametrize(
    ("values", "expected"),
    [((0, 0, 1, 1), 1), ((0, 0, 0, 1), 0), ((2, 2, 1, 1), 2), ((1, 1, 1, 0), 1)],
)
def test_mean_of_criteria_is_rounded_half_up(values, expected):
    assert data.level_of([None, *values], "mean") == expected


def test_methods_say_who_rated_what_how_drawn_and_the_limits(make_facts):
    facts, _ = make_facts()
    found = report(facts)
    text = " ".join(found["methods"])
    human = found["rows"]["pool"]["human_human"]
    for words in (
        "2 people rated 99 explanations",
        "version 2 of the guidelines",
        "not shown the author",
        "33 per level were requested",
        "frozen frame of 600",
        f"between humans was {human['alpha']:.3f}",
        f"{human['interval']['low']:.3f} to {human['interval']['high']:.3f}",
        "200 replicates, seed 1",
        "not to other raters",
        "which does not exist",
        "Items with known answers (gold items) were mixed in",
        "shown to a rater twice",
        "corrected with the human ratings",
    ):
        assert words in text
    assert "interim" not in text


def test_open_round_is_interim(make_facts):
    facts, _ = make_facts(state="open")
    found = report(facts)
    assert found["round"]["interim"]
    assert "interim" in found["methods"][0]


def test_draft_and_unknown_round_are_refused(make_facts, store):
    with pytest.raises(NoRatingsError):
        make_facts(state="draft")
    with store.read() as db, pytest.raises(NoRoundError):
        data.load(db, studies.find(db, TINY["slug"]), 99)


def test_two_raters_get_no_interval_for_other_raters_but_a_warning(make_facts):
    facts, _ = make_facts()
    found = report(facts)
    assert set(found["over_raters"]) == {"balanced", "pool"}
    for kind, one in found["over_raters"].items():
        human = found["rows"][kind]["human_human"]
        assert one["alpha"] == pytest.approx(human["alpha"])
        assert one["interval"] is None
        assert one["interval_reason"]["code"] == "too_few_raters"
        assert "two raters" in one["warning"]
    (shown,) = [one for one in sections(found) if one["id"] == "other-raters"]
    assert found["over_raters"]["pool"]["warning"] in shown["lines"]
    assert "Drawing raters" not in " ".join(found["methods"])
