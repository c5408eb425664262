"""Whole exports, and verification that finds a single changed byte."""

import csv
import hashlib
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.store.design.variants import variant
from app.store.play.episodes import episode
from app.store.play.turns import turn
from app.study.export import files, signing
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.verify import verify
from app.study.play import digests

ODD = '=cmd|"x"!A1,\nзмей 🐉 "quoted", \u202eabc\u202c'
NOW = datetime(2026, 11, 28, tzinfo=UTC)
CODEBOOK = Path(__file__).parents[3] / "docs" / "codebook.md"


@pytest.fixture
def played(player, look):
    """A player who has played one episode, with a detour, and written odd text."""
    player.send("raw", raw="go  nowhere, 'friend' 🐉", client_ms="1700000000000", taps="1")
    player.type(*look.solution(player.token)).to_rule()
    player.send("confidence", inputs=ODD, confidence="70")
    return player


def change(server, table, column, value, where):
    with server.store.write() as db:
        db.execute(table.update().where(where).values({column: value}))


def altered(value):
    """Return a value slightly different from a stored one that fits its column."""
    if value is None:
        return 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value[:-1] + ("y" if value.endswith("x") else "x") if value else "x"


def test_replay_of_everything_is_clean(played, server):
    found = verify(server.store)
    assert (found.ok, found.first_difference) == (True, None)
    assert found.turns == 5 + 5  # the practice, and an episode with one detour


def test_one_altered_value_in_any_column_of_a_turn_is_found(played, server, look):
    row, missed = look.turns(played.token)[0], []
    for column in (*digests.TURN_FIELDS, "digest"):
        stored = getattr(row, column)
        other = {"parse_status": "ok", "seq": 77}.get(column, altered(stored))
        change(server, turn, column, other, turn.c.id == row.id)
        found = verify(server.store).first_difference
        if found is None or found.participant != look.person(played.token).public_id:
            missed.append(column)
        change(server, turn, column, stored, turn.c.id == row.id)
    assert missed == []
    assert verify(server.store).ok


def test_missing_turn_is_found(played, server, look):
    row = look.turns(played.token)[2]
    with server.store.write() as db:
        db.execute(turn.delete().where(turn.c.id == row.id))
    assert not verify(server.store).ok


def test_altered_end_of_an_episode_is_found(played, server, look):
    rows = look.episodes(played.token)
    row, missed = next(one for one in rows if one.state == "won" and one.kind == "main"), []
    for column in ("state", "actions_used", "attempts", "digest", "budget", "entity"):
        stored = getattr(row, column)
        other = "lost" if column == "state" else altered(stored)
        change(server, episode, column, other, episode.c.id == row.id)
        found = verify(server.store).first_difference
        if found is None or found.field != column:
            missed.append(column)
        change(server, episode, column, stored, episode.c.id == row.id)
    assert missed == []


def test_altered_variant_is_found(played, server, look):
    row = next(one for one in look.episodes(played.token) if one.kind == "main")
    with server.store.read() as db:
        query = variant.select().where(variant.c.hash == row.variant_hash)
        text = db.execute(query).one().content
    where = variant.c.hash == row.variant_hash
    change(server, variant, "content", text.replace('"coins":1000', '"coins":1001'), where)
    assert not verify(server.store).ok


def test_episode_voided_or_carried_over_by_hand_is_no_difference(played, researcher, server, look):
    page = researcher.get(f"/admin/participants/{look.person(played.token).public_id}")
    page.send("reason", action="unstick", reason="stuck")
    assert verify(server.store).ok


def rows_of(server, table, flavour="csv", **scope):
    text = b"".join(files.stream_csv(server.store, "demo", table, flavour, **scope)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_holds_text_byte_for_byte_as_typed(played, server):
    turns = rows_of(server, "turn")
    assert turns[0]["raw"] == "go  nowhere, 'friend' 🐉"
    assert (turns[0]["client_ms"], turns[0]["taps"], turns[0]["think_ms"]) == (
        "1700000000000",
        "1",
        "",
    )
    [row] = rows_of(server, "explanation")
    assert row["inputs"] == ODD


def test_csv_is_utf8_without_mark_and_with_rfc_line_ends(played, server):
    raw = b"".join(files.stream_csv(server.store, "demo", "turn", "csv"))
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert raw.count(b"\r\n") == len(rows_of(server, "turn")) + 1


def test_excel_flavour_has_a_mark_and_no_formulas(played, server):
    raw = b"".join(files.stream_csv(server.store, "demo", "explanation", "excel"))
    assert raw.startswith(b"\xef\xbb\xbf")
    [row] = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""))
    assert row["inputs"][0] not in "=+-@\t\r"
    assert row["inputs"].endswith(ODD)


def test_no_table_holds_token_code_or_platform_id(client, study, server, look):
    from tests.walker import Walker

    person = Walker(client).enter("/s/demo?PROLIFIC_PID=SECRETPID&SESSION_ID=SECRETSUB")
    person.leave_practice().type("check_location")
    for table in EXPORT_COLUMNS:
        text = b"".join(files.stream_csv(server.store, "demo", table, "csv")).decode()
        for secret in ("SECRETPID", "SECRETSUB", person.token):
            assert secret not in text


def test_export_writes_a_manifest_whose_hashes_and_counts_are_right(played, server, tmp_path):
    out = tmp_path / "out"
    files.export(server.store, "demo", out, NOW)
    manifest = json.loads((out / "manifest.json").read_text())
    listed = {one["table"]: one for one in manifest["files"]}
    assert set(listed) == set(EXPORT_COLUMNS)
    for one in listed.values():
        content = (out / one["name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one["sha256"]
    assert listed["turn"]["rows"] == len(rows_of(server, "turn"))


def test_practice_and_test_people_stand_in_no_export_unless_asked_for(played, server):
    assert {row["kind"] for row in rows_of(server, "turn")} == {"main"}
    assert "practice" in {row["kind"] for row in rows_of(server, "turn", include_practice=True)}


def test_episode_tells_its_scores_and_that_it_replays(played, server):
    row = next(one for one in rows_of(server, "episode") if one["state"] == "won")
    assert row["replay_ok"] == "true"
    assert (row["success"], row["actions_used"], row["mistyped"]) == ("true", "5", "1")
    assert float(row["t"]) == 1.25


def test_researcher_downloads_each_table(played, researcher):
    for table in ("participant", "episode", "turn", "explanation"):
        answer = researcher.client.get(f"/admin/studies/demo/download/{table}/csv")
        assert answer.status_code == 200
        head = next(csv.reader(io.StringIO(answer.text)))
        assert head == [column.name for column in EXPORT_COLUMNS[table]]


def test_codebook_documents_every_column_and_no_other():
    documented = {}
    for part in CODEBOOK.read_text().split("\n## ")[1:]:
        table, _, text = part.partition("\n")
        documented[table.strip()] = re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)
    assert {name: documented.get(name) for name in EXPORT_COLUMNS} == {
        name: [column.name for column in columns] for name, columns in EXPORT_COLUMNS.items()
    }


def test_signed_manifest_is_downloaded_by_researchers_only(researcher, client, played, server):
    page = researcher.get("/admin/studies/demo/exports")
    link = next(one for one in page.page.links if "manifest" in one)
    answer = researcher.client.get(link)
    assert "attachment" in answer.headers["content-disposition"]
    document = answer.json()
    signing.check(document, signing.public_text(signing.own_key(server.store.signing_key_path)))
    assert verify(server.store, manifest=document).ok
    assert "signature" not in client.get(link).text
