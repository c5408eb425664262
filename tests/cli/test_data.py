"""hjstudy migrate, demo, verify, export: what they print and how they end."""

import json
import shutil

import pytest

from app.store.play.turns import turn
from app.study.people import accounts
from tests.study.export.test_timestamps import authority, stamp
from tests.study.story import NOON, Story


@pytest.fixture
def story(store):
    story = Story(store)
    story.win(story.enter(), 0, 0)
    return story


def test_verify_of_a_sound_log_ends_with_0(story, facts):
    found = facts("verify")
    assert (found["ok"], found["first_difference"]) == (True, None)
    assert (found["episodes"], found["turns"]) == (4, 15)
    assert facts("verify", "--study", "story") == found


def test_verify_of_an_altered_log_ends_with_1_and_names_the_place(story, facts, hjstudy):
    story.change(turn, turn.c.id == 7, message="Something else.")
    found = facts("verify", code=1)
    assert not found["ok"]
    wrong = found["first_difference"]
    assert (wrong["seq"], wrong["field"], wrong["stored"]) == (2, "message", "Something else.")
    assert wrong["episode"].startswith(wrong["participant"])
    code, out, _ = hjstudy("verify")
    assert code == 1
    assert "action 2: message is 'Something else.'" in out


def test_export_writes_files_and_prints_rows_and_hashes(story, facts, tmp_path):
    found = facts("export", "--study", "story", "--out", "data")
    assert json.loads((tmp_path / "data" / "manifest.json").read_text()) == {
        name: value for name, value in found.items() if name != "out"
    }
    turns = next(file for file in found["files"] if file["table"] == "turn")
    assert (turns["rows"], len(turns["sha256"])) == (10, 64)
    assert (tmp_path / "data" / turns["name"]).stat().st_size == turns["bytes"]


def test_bundle_and_report_that_are_replaced_are_named(story, hjstudy):
    export = ("export", "--study", story.slug, "--out", "bundle")
    report = ("report", "bundle", "--out", "report", "--bootstrap", "100", "--no-figures")
    for line, what in ((export, "bundle"), (report, "report")):
        first, second = hjstudy(*line), hjstudy(*line)
        assert (first[0], second[0]) == (0, 0)
        assert f"Written to {what}" in first[2]
        assert f"Replaced the earlier {what} in {what}" in second[2]


def test_export_takes_practice_and_test_people_when_asked(story, facts):
    story.enter(is_test=True)
    asked = ("--include-test", "--include-practice", "--format", "jsonl")
    found = facts("export", "--study", "story", "--out", "data", *asked)
    rows = {file["table"]: file["rows"] for file in found["files"]}
    assert (rows["participant"], rows["turn"]) == (2, 20)


def test_export_refuses_an_unknown_format(story, hjstudy):
    code, out, err = hjstudy("export", "--study", "story", "--out", "data", "--format", "xml")
    assert (code, out) == (2, "")
    assert "format" in err


def test_demo_is_seeded_once_and_prints_a_first_login_until_there_is_a_password(facts, store):
    first = facts("demo")
    again = facts("demo")
    assert (first["created"], again["created"]) == (True, False)
    assert first["links"]["player"] == "https://study.example.org/s/demo"
    token = again["links"]["first_login"].rsplit("/", 1)[1]
    accounts.set_password(store, token, "a long password", NOON, accounts.LINK_LIFE)
    assert "first_login" not in facts("demo")["links"]
    (listed,) = [one for one in facts("study", "list")["studies"] if one["slug"] == "demo"]
    assert (listed["kind"], listed["state"]) == ("demo", "open")


def test_demo_in_a_new_folder_makes_the_database_and_says_what_to_do_next(
    hjstudy, tmp_path, monkeypatch
):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/deep/new.db")
    code, out, err = hjstudy("demo")
    assert code == 0, err
    assert out.splitlines()[0].endswith("https://study.example.org/s/demo")
    assert f"Created the demo study: sqlite:///{tmp_path}/deep/new.db" in err
    assert "Start it with: hjstudy serve" in err
    assert "This link replaces" not in err
    again = hjstudy("demo")[2]
    assert "The demo study is already there" in again
    assert "This link replaces the one that was printed before" in again


def test_migrate_makes_the_database_and_changes_nothing_the_second_time(
    facts, tmp_path, monkeypatch
):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/deep/new.db")
    assert facts("migrate")["changed"]
    assert not facts("migrate")["changed"]


def test_database_without_tables_gets_a_message_that_says_what_to_do(
    hjstudy, tmp_path, monkeypatch
):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/none.db")
    code, out, err = hjstudy("verify", "--json")
    assert (code, out) == (2, "")
    assert "hjstudy migrate" in err


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@127.0.0.1:9/none", "mysql://x/y", "sqlite:////dev/null/x.db"]
)
def test_unusable_database_is_reported_in_a_sentence(hjstudy, monkeypatch, url):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", url)
    code, out, err = hjstudy("study", "list", "--json")
    assert (code, out) == (2, "")
    assert "database" in err
    assert "Traceback" not in err


def test_file_that_is_not_a_database_is_reported_in_a_sentence(hjstudy, tmp_path, monkeypatch):
    (tmp_path / "text.db").write_text("this is a letter to my aunt, not a database " * 40)
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/text.db")
    code, _, err = hjstudy("verify")
    assert code == 2
    assert "not a database" in err


def test_manifest_is_signed_checked_and_finds_what_was_rewritten(story, facts, hjstudy, tmp_path):
    code, _, err = hjstudy("manifest", "--study", "story", "--out", "m.json")
    assert code == 0
    public = json.loads((tmp_path / "m.json").read_text())["public_key"]
    assert public in err
    found = facts("verify", "--manifest", "m.json")
    assert (found["ok"], found["anchors_wrong"]) == (True, 0)
    assert found["anchors"] > 0
    story.change(turn, turn.c.id == 7, digest="0" * 32)
    assert facts("verify", "--manifest", "m.json", code=1)["anchors_wrong"] == 0
    text = (tmp_path / "m.json").read_text()
    (tmp_path / "m.json").write_text(text.replace("story", "stery"))
    code, _, err = hjstudy("verify", "--manifest", "m.json")
    assert (code, "changed" in err) == (2, True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_verify_checks_the_timestamp_of_a_manifest(story, facts, hjstudy, tmp_path):
    hjstudy("manifest", "--study", "story", "--out", "m.json")
    ca = authority(tmp_path / "tsa")
    answer = stamp(tmp_path / "tsa", tmp_path / "m.json")
    given = ("--manifest", "m.json", "--timestamp", answer, "--ca", ca)
    assert facts("verify", *given)["timestamp"].endswith("GMT")
    assert "saw the manifest at" in hjstudy("verify", *given)[1]
    code, out, err = hjstudy("verify", "--timestamp", answer)
    assert (code, out) == (2, "")
    assert "--timestamp needs --manifest" in err
    (tmp_path / "m.json").write_text((tmp_path / "m.json").read_text() + "\n")
    code, out, err = hjstudy("verify", *given)
    assert (code, out) == (1, "")
    assert "message imprint mismatch" in err
