"""Exports: their content and form, on both databases."""

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from app.store.export.dump import Scope
from app.store.play.turns import turn
from app.study.design import studies
from app.study.export import files
from app.study.export.columns import EXPORT_COLUMNS, FORMAT_VERSION, TABLES
from app.study.export.files import ExportedFile, ExportError
from app.study.export.source import Source
from app.study.play.arrival import Arrival
from tests.study.story import NOON, ODD, RULE, Story

DATA = Path(__file__).resolve().parents[2] / "data"
SECRET = "5f3c9d2e1b"  # an id on a platform


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture
def token(story):
    return story.varied(platform="prolific_pid", external_id=SECRET)


def written(store, table, flavour="csv", **options):
    return b"".join(files.stream_csv(store, "story", table, flavour, **options))


def rows(store, table, **options):
    text = written(store, table, **options).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_columns_and_their_order_are_those_of_the_format_version():
    """A new column goes to the end of its table. Other changes need a new major version."""
    fixed = json.loads((DATA / "export_columns.json").read_text("utf-8"))
    where = "write it to tests/data/export_columns.json, and to the changelog"
    assert fixed["format_version"] == FORMAT_VERSION, where
    found = {table: [c.name for c in columns] for table, columns in EXPORT_COLUMNS.items()}
    assert {*found} == {*fixed["tables"]}, where
    for table, names in fixed["tables"].items():
        assert found[table][: len(names)] == names, f"{table}: moved, renamed or removed columns"
        assert found[table][len(names) :] == [], f"{table}: new columns; {where}"


@pytest.mark.parametrize("table", TABLES)
def test_heading_of_a_file_holds_the_columns_in_order(story, token, table):
    heading = written(story.store, table).split(b"\r\n")[0].decode()
    assert heading.split(",") == [column.name for column in EXPORT_COLUMNS[table]]


def test_turns_are_exported_as_they_were_typed_in_order(story, token):
    found = [row for row in rows(story.store, "turn") if row["episode_id"].endswith("-w1-g1")]
    assert [row["raw"] for row in found] == [*ODD, *story.solution(token, 0, 0)]
    assert [row["seq"] for row in found] == [str(n) for n in range(1, len(found) + 1)]
    stored = story.turns(token, 0, 0)
    for name in ("message", "params", "did", "digest", "parse_status", "location"):
        assert [row[name] for row in found] == [getattr(one, name) for one in stored]
    for name in ("received_ms", "client_ms", "think_ms", "taps", "coins"):
        assert [row[name] for row in found] == [str(getattr(one, name)) for one in stored]


def test_file_is_utf8_without_bom_and_its_rows_end_with_crlf(story, token):
    data = written(story.store, "turn")
    assert data.startswith(b"study,")
    lines = data.split(b"\r\n")
    assert lines[-1] == b""
    assert not any(b"\n" in line for line in lines)
    assert "höre".encode() in data


def test_long_text_keeps_quotes_and_line_ends(story, token):
    first = rows(story.store, "explanation")[0]
    assert first["inputs"] == RULE.replace("\r\n", "\n")
    assert (first["found_how"], first["confidence"]) == ("@guessed", "70")


def test_values_have_one_form_each(story, token):
    """Booleans are true and false, missing is empty, times are ISO 8601 in UTC with Z."""
    won, lost, begun = rows(story.store, "episode")[:3]
    assert (won["success"], lost["success"], begun["success"]) == ("true", "false", "")
    assert won["finished_at"].endswith("Z")
    assert begun["finished_at"] == ""
    person = rows(story.store, "participant")[0]
    assert person["consented_at"] == "2026-11-28T12:00:01.000Z"
    assert (person["is_test"], person["finished_at"]) == ("false", "")
    assert [row["taps"] for row in rows(story.store, "turn")][-len(ODD) - 1] == ""


def test_episodes_carry_their_scores(story, token):
    won, lost, begun = rows(story.store, "episode")[:3]
    used = len(ODD) + 4
    assert won["actions_used"] == str(used)
    assert float(won["t"]) == used / 4
    assert float(won["norm_eff"]) == pytest.approx((4 / (used / 4) - 1) / 3)
    assert (won["attempts"], won["attempt_norm_eff"], won["mistyped"]) == ("1", "1.0", "5")
    assert (lost["t"], lost["norm_eff"], lost["attempts"]) == ("4.0", "", "0")
    assert (begun["t"], begun["norm_eff"], begun["actions_used"]) == ("", "", str(len(ODD)))


def test_episode_index_tells_the_order_within_a_block_in_every_long_table(story, token):
    for table in ("episode", "turn", "explanation"):
        for row in rows(story.store, table):
            assert row["episode_id"].endswith(f"-w{row['block_index']}-g{row['episode_index']}")
            assert row["episode_id"].startswith(row["block_id"])


def test_explanation_tells_when_it_was_asked_and_which_is_the_last(story, token):
    found = rows(story.store, "explanation")
    assert [row["asked"] for row in found] == ["after_episode"] * 2
    assert [row["is_last"] for row in found] == ["false", "true"]
    assert [row["do_not_know"] for row in found] == ["false", "true"]
    assert len({row["explanation_id"] for row in found}) == 2


def test_explanation_after_the_block_has_no_episode(store):
    story = Story(store, rule_form={"when": "block"})
    token = story.enter()
    for position in (0, 1):
        story.lose(token, 0, position)
    story.explain(token, 0, -1)
    (found,) = rows(store, "explanation")
    assert (found["asked"], found["episode_id"], found["is_last"]) == ("after_block", "", "true")


def test_altered_turn_makes_replay_ok_false_for_its_episode_alone(story, token):
    target = story.turns(token, 0, 0)[0]
    story.change(turn, turn.c.id == target.id, taps=77)
    assert [row["replay_ok"] for row in rows(story.store, "episode")] == ["false", "true", "true"]


def test_excel_flavour_has_a_bom_and_no_cell_that_computes(story, token):
    data = written(story.store, "turn", "excel")
    assert data.startswith(b"\xef\xbb\xbfstudy,")
    found = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    typed = [row["raw"] for row in rows(story.store, "turn")]
    assert "=1+1" in typed
    assert [row["raw"] for row in found] == ["'=1+1" if raw == "=1+1" else raw for raw in typed]
    risky = [value for row in found for value in row.values() if value[:1] in set("=+-@\t\r")]
    assert [value for value in risky if value] == []


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\ta", "\ra"])
def test_text_with_a_risky_beginning_is_made_harmless(text):
    assert files.harmless_cell(text) == "'" + text
    assert files.harmless_cell("a" + text) == "a" + text


def test_json_lines_hold_the_same_values_with_their_types(story, token):
    lines = written(story.store, "turn", "jsonl").decode().splitlines()
    found = [json.loads(line) for line in lines]
    plain = rows(story.store, "turn")
    assert [one["raw"] for one in found] == [row["raw"] for row in plain]
    assert (found[0]["seq"], found[0]["ok"]) == (1, False)
    assert found[-len(ODD) - 1]["taps"] is None
    assert list(found[0]) == [column.name for column in EXPORT_COLUMNS["turn"]]


def test_practice_is_left_out_unless_asked_for(story, token):
    assert {row["kind"] for row in rows(story.store, "turn")} == {"main"}
    found = rows(story.store, "turn", include_practice=True)
    practice = [row for row in found if row["kind"] == "practice"]
    assert len(practice) == 5
    assert {(row["block_id"], row["episode_index"]) for row in practice} == {("", "")}
    episodes = rows(story.store, "episode", include_practice=True)
    assert (episodes[0]["kind"], episodes[0]["norm_eff"]) == ("practice", "")
    assert episodes[0]["success"] == "true"


def test_test_people_are_left_out_unless_asked_for(story, token):
    story.win(story.enter(is_test=True), 0, 0)
    for table in ("participant", "block", "episode", "turn"):
        assert {row["is_test"] for row in rows(story.store, table)} == {"false"}
        asked = rows(story.store, table, include_test=True)
        assert {row["is_test"] for row in asked} == {"false", "true"}


def test_declined_people_are_in_the_participant_table(story, token):
    from app.study.play import enrol
    from app.study.tickets import new_ticket

    enrol.decline(story.store, "story", Arrival("link", "gone"), new_ticket(), story.now())
    found = rows(story.store, "participant")
    assert [row["state"] for row in found] == ["active", "no_consent"]
    assert found[1]["episodes"] == "0"


def test_no_file_holds_a_token_a_code_or_an_id_of_a_platform(story, token, tmp_path):
    finish(story, token)
    code = story.person(token).code
    out = tmp_path / "out"
    files.export(story.store, "story", out, NOON, include_test=True, include_practice=True)
    for path in out.rglob("*.*"):
        text = path.read_text("utf-8")
        assert [word for word in (token, code, SECRET) if word in text] == []


def finish(story, token):
    story.type(token, 1, 0, *story.solution(token, 1, 0), first=len(ODD) + 1)
    story.explain(token, 1, 0)
    assert story.person(token).state == "finished"


def test_manifest_tells_rows_and_hashes_of_every_file(story, token, tmp_path):
    out = tmp_path / "out"
    manifest = files.export(story.store, "story", out, NOON)
    assert json.loads((out / "manifest.json").read_text("utf-8")) == manifest
    assert [file["table"] for file in manifest["files"]] == list(TABLES)
    for file in manifest["files"]:
        data = (out / file["name"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["bytes"] == len(data)
        assert file["rows"] == len(rows(story.store, file["table"]))
    assert manifest["format_version"] == FORMAT_VERSION
    assert manifest["exported_at"] == "2026-11-28T12:00:00.000Z"
    assert manifest["schema_revision"]


def test_rows_that_are_not_those_the_database_counts_are_refused(story, token):
    with story.store.read() as db:
        study = studies.find(db, "story")
        source = Source(db, study, Scope(study.id, include_test=False, include_practice=False))
        with pytest.raises(ExportError, match="counts 1"):
            files.check_counts(source, [ExportedFile("participant", "file", 2, 0, "")])
