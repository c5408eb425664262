"""hjstudy plan: a design simulated by command."""

import re

import pytest

from app.study.report.plan_words import WORDS

STUDY = """
slug: autumn
title: Hidden rules
blocks:
  - {task: A-Over, seeds: 0-5}
  - {task: A-Over, seeds: 0-5, lexicon: nonce}
per_player: 12
"""
SURE = (
    *("--people", 2, "--skill", 1, "--spread", 0, "--norm-eff", 0.8, "--eff-spread", 0),
    *("--dropout", 0, "--nonce", -1, "--simulated", 10, "--rv", 1, "--model", 0.5),
)


@pytest.fixture
def study(facts, tmp_path):
    (tmp_path / "autumn.yaml").write_text(STUDY)
    facts("study", "create", "autumn.yaml")
    return "autumn"


def test_plan_gives_widths_and_power_as_json(study, facts):
    found = facts("plan", study, *SURE)
    assert found["filling"]["finished"] == 2
    scores = {(one["measure"], one["lexicon"], one["task"]): one for one in found["scores"]}
    assert scores["ECSR or accuracy", "semantic", "A-Over"]["mean"] == pytest.approx(0.8)
    assert scores["norm_eff", "nonce", "A-Over"]["mean"] is None
    assert [scores["RV", words, "A-Over"]["mean"] for words in ("semantic", "nonce")] == [1, 0]
    tests = {(one["name"], one["measure"], one["level"]): one for one in found["tests"]}
    assert {key: (one["pairs"], one["power"]) for key, one in tests.items() if "A-Over" in key} == {
        ("semantic - nonce", "ECSR or accuracy", "A-Over"): (6, 1),
        ("semantic - nonce", "RV", "A-Over"): (6, 1),
        ("people - model", "ECSR or accuracy", "A-Over"): (6, 1),
    }
    assert {one["interval"] for one in found["tests"]} == {None}  # the report needs 10 people
    found = facts("plan", study, *SURE, "--people", 12, "--spread", 0.2, "--skill", 0.6)
    assert 0 < found["tests"][0]["interval"] < 1


def test_plan_says_in_words_what_it_found_and_what_is_wrong(study, hjstudy):
    code, out, err = hjstudy("plan", study, *SURE)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("2.0 people finish, 0.0 leave")
    assert (
        "ECSR or accuracy, semantic, coverage 1, episodic, A-Over: 0.800, spread 0.000, "
        "interval 0.000" in lines
    )
    assert any("A-Over: 0.800, spread 0.000, 6.0 pairs, p x 1, power 100%" in one for one in lines)
    code, out, _ = hjstudy("plan", study, *SURE, "--people", 12, "--spread", 0.2, "--skill", 0.6)
    assert re.search(r"semantic - nonce.*A-Over: 0.*, interval 0.[0-9]{3}, 6.0 pairs, p x 1,", out)
    assert "assumptions" in err
    code, out, err = hjstudy("plan", study, "--rv", "often")
    assert (code, out) == (2, "")
    assert "rv: Enter a number from 0 to 1" in err


def test_plan_explains_each_of_its_words_below_and_in_its_help(study, hjstudy):
    _, out, err = hjstudy("plan", study, *SURE)
    used = ("people", "ECSR", "accuracy", "norm_eff", "RV", "spread", "pairs", "p x N")
    assert [word for word in used if f"\n{word}: " not in f"\n{err}"] == []
    assert "\nTotal: " not in err  # there is only one task
    assert all(len(line) < 100 for line in err.splitlines() if "assumptions" not in line)
    assert "multiplied" not in out

    _, told, _ = hjstudy("plan", "--help")
    told = " ".join(told.split())
    assert [w for w, (meaning, _) in WORDS.items() if f"{w}: {meaning}." not in told] == []


def test_plan_as_json_explains_nothing(study, hjstudy):
    assert "multiplied" not in hjstudy("plan", study, *SURE, "--json")[2]


def test_plan_says_that_one_seed_can_never_give_power(facts, hjstudy, tmp_path):
    (tmp_path / "one.yaml").write_text(
        STUDY.replace("0-5", "0").replace("_player: 12", "_player: 2")
    )
    facts("study", "create", "one.yaml")
    told = "power 0%, because so few pairs (task and seed) cannot give a p of .05: add seeds"
    assert told in hjstudy("plan", "autumn", *SURE)[1]


def test_plan_with_enough_pairs_says_nothing_of_them(study, hjstudy):
    assert "more pairs" not in hjstudy("plan", study, *SURE)[1]


def test_plan_keeps_each_person_in_one_lexicon_if_the_study_does(facts, tmp_path):
    """Six places of each lexicon, four worlds a person: one person each, and no third one."""
    text = STUDY.replace("_player: 12", "_player: 4\nbetween: lexicon\npeople: {cell_quota: 1}")
    (tmp_path / "apart.yaml").write_text(text)
    facts("study", "create", "apart.yaml")
    filling = facts("plan", "autumn", *SURE, "--people", 3)["filling"]
    assert (filling["finished"], filling["refused"]) == (2, 1)
