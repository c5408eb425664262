import hashlib
import json

import pytest

from app.game.tasks import TASKS, task_to_dict

A_ADD = ("--task", "A-Add", "--seed", "3")


def test_show_prints_all_of_a_variant_and_its_hash(facts):
    found = facts("variant", "show", *A_ADD)
    assert (found["task"], found["seed"], found["lexicon"], found["coverage"]) == (
        *("A-Add", 3, "semantic", "1"),
    )
    assert len(found["labels"]) == 2
    assert {"name", "class", "role", "place", "split", "attributes"} <= set(found["entities"][0])
    assert {"name", "shop", "price"} == set(found["items"][0])
    assert {"entity", "distractor", "steps"} == set(found["demonstrations"][0])
    assert {"command", "message"} == set(found["demonstrations"][0]["steps"][0])
    wanted = {"entity", "goal", "ref_length", "n_tries", "budget", "solutions"}
    assert wanted <= set(found["episodes"][0])
    assert {"places", "start", "coins", "activities"} <= set(found)
    rest = {name: value for name, value in found.items() if name != "hash"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert found["hash"] == hashlib.sha256(text.encode()).hexdigest()


def test_show_without_json_prints_what_players_read_and_no_answer(hjstudy):
    code, out, _ = hjstudy("variant", "show", *A_ADD)
    assert code == 0
    assert "ACCOUNTS OF EARLIER TRAVELLERS" in out
    assert "A-Add" not in out


def test_certify_proves_a_variant(facts):
    found = facts("variant", "certify", *A_ADD)
    assert (found["unique"], found["rules_consistent"], found["share_determined"]) == (True, 1, 1)
    assert all(cell["predictions"] == [cell["truth"]] for cell in found["cells"])
    assert set(found) >= {"twins", "rivals", "conditions", "contextual_bias", "floors"}
    assert found["floors"]["enumerator"] == pytest.approx(77 / 240)


def test_certify_of_a_variant_that_shows_less_reports_and_does_not_fail(facts):
    found = facts("variant", "certify", *A_ADD, "--coverage", "0.33")
    assert not found["unique"]
    assert found["share_determined"] < 1


def test_export_writes_canonical_files_named_after_the_variant(facts, tmp_path):
    found = facts(
        *("variant", "export", "--tasks", "A-Over,P-Comp", "--seeds", "0-1"),
        *("--coverage", "1/3", "--out", "made"),
    )
    assert sorted(found["files"]) == [
        *("A-Over_0_semantic_1-3.json", "A-Over_1_semantic_1-3.json"),
        *("P-Comp_0_semantic_1-3.json", "P-Comp_1_semantic_1-3.json"),
    ]
    for name, digest in found["files"].items():
        data = json.loads((tmp_path / "made" / name).read_bytes())
        assert data.pop("hash") == digest
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_task_of_a_file_is_taken_and_named(facts, tmp_path):
    data = {**task_to_dict(TASKS["A-Over"]), "name": "Mine"}
    (tmp_path / "mine.json").write_text(json.dumps(data))
    assert facts("variant", "show", "--task", "mine.json", "--seed", "1")["task"] == "Mine"
    assert facts("variant", "export", "--tasks", "mine.json", "--seeds", "2", "--out", "o")[
        "files"
    ].keys() == {"Mine_2_semantic_1.json"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--task", "A-Foo", "--seed", "1"), "task"),
        (("--task", "none.json", "--seed", "1"), "none.json"),
        (("--task", "broken.json", "--seed", "1"), "n_tries"),
        (("--task", "A-Add", "--seed", "one"), "--seed"),
        (("--task", "A-Add", "--seed", "-1"), "--seed"),
        (("--task", "A-Add"), "--seed"),
        ((*A_ADD, "--lexicon", "klingon"), "lexicon"),
        ((*A_ADD, "--coverage", "0.5"), "coverage"),
        ((*A_ADD, "--distractors", "9"), "--distractors"),
        ((*A_ADD, "--colour", "red"), "--colour"),
    ],
)
def test_bad_argument_is_named_in_a_sentence(hjstudy, tmp_path, arguments, message):
    broken = {**task_to_dict(TASKS["A-Over"]), "n_tries": 1}
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    code, out, err = hjstudy("variant", "show", *arguments, "--json")
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_folder_that_cannot_be_written_is_named(hjstudy, tmp_path):
    (tmp_path / "file").write_text("in the way")
    code, _, err = hjstudy("variant", "export", "--tasks", "A-Add", "--seeds", "1", "--out", "file")
    assert code == 2
    assert "file" in err


def test_certify_warns_about_a_task_that_is_probably_not_meant(hjstudy, tmp_path):
    path = tmp_path / "task.json"
    path.write_text(json.dumps({**task_to_dict(TASKS["A-Comp"]), "name": "X", "n_tries": 8}))
    code, out, message = hjstudy("variant", "certify", "--task", path, "--seed", 1)
    assert (code, "variant " in out) == (0, True)
    assert message.startswith("Warning: n_tries is 8, but the rule has 9 answers")
