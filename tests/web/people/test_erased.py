"""What a person typed is gone from every file of the server once it is erased and swept."""

import gzip
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
import structlog
from typer.testing import CliRunner

from app import cli
from app.store import backup, db, sqlite_files
from app.store.play import participants
from app.store.play.turns import turn
from app.study import jobs
from app.study.play import problems, rule_form
from app.study.report.work import BUNDLE, works
from app.study.tickets import new_ticket
from tests.walker import Walker
from tests.web.export.test_jobs import FLAGS, study_id

MARK, ID = "Zyxwvut", "5f3c9d2e1b0a"
OTHER = "Somebody"
ASKED = [{"key": "job", "label": "What do you do?", "kind": "text"}]


@pytest.fixture
def settings(settings, tmp_path, monkeypatch):
    if not settings.database_url.startswith("sqlite"):
        pytest.skip("docs/operations.md says what PostgreSQL keeps, and for how long")
    monkeypatch.setenv("HJSTUDY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("HJSTUDY_LOG_LEVEL", "info")  # with a line for each request
    return settings.model_copy(update={"data_dir": tmp_path, "log_level": "info"})


@pytest.fixture
def study(make_study):
    people = {"withdrawal": "erase", "identifiers_days": 1}
    return make_study(people=people, questions={"before": ASKED, "comment": False})


@pytest.fixture
def play(client, study, server, look):
    """Let someone type a word wherever a player can."""

    def type_everywhere(word, external_id):
        player = Walker(client).enter(f"/s/demo?PROLIFIC_PID={external_id}")
        player.send("q_job", q_job=f"I am {word}").leave_practice()
        token, now = player.token, datetime.now(UTC)
        player.type(f"go to {word}", f"look {word * 20}")
        rule_form.save_draft(server.store, token, "notes/0", {"text": word * 2000}, 0, now)
        problems.report(server.store, token, "", f"it froze, {word}", new_ticket(), now)
        player.get(f"/p/{token}").type(*look.solution(token, 0, 0)).to_rule().explain(word)
        return token

    return type_everywhere


def sweep():
    result = CliRunner().invoke(cli.app, ["sweep", "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def files_with(folder, word):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if word.lower().encode() in path.read_bytes().lower()}


def words_in_backup(server, folder):
    """Return which of the words a backup has that is made now."""
    made = backup.make(str(server.store.url), folder / "copy", datetime.now(UTC))
    data = made.read_bytes()
    data = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).lower()
    shutil.rmtree(folder / "copy")
    return {word for word in (MARK, ID, OTHER) if word.lower().encode() in data}


def leave(client, server, look, token):
    Walker(client).get(f"/p/{token}/leave").send("ticket")
    then = datetime.now(UTC) - timedelta(days=3)
    with server.store.write() as db:
        values = {"created_at": then, "ended_at": then}
        participants.change(db, look.person(token).id, values)


def test_erased_data_are_gone_from_database_log_files_and_output(
    client, server, look, play, tmp_path, capfd
):
    token = play(MARK, ID)
    play(OTHER, "other")
    job = jobs.add(server.store, study_id(server), BUNDLE, FLAGS, "ada", datetime.now(UTC))
    with server.store.read() as db:
        view = jobs.find(db, study_id(server), job, datetime.now(UTC))
    works(server.runner.folder)[BUNDLE](server.store, view, lambda things, *_: things)
    jobs.end(server.store, job, "done", result=json.dumps({"name": MARK}))
    assert {"test.db", "test.db-wal"} & files_with(tmp_path, MARK)
    assert server.runner.file_of(job).is_file()

    leave(client, server, look, token)
    done = sweep()
    assert (done["identifiers_deleted"], done["compacted"]) == (1, True)
    structlog.get_logger().critical("erasure_is_done")
    lines = "".join(capfd.readouterr()).lower().splitlines()
    printed = "\n".join(one for one in lines if "http request:" not in one)  # the visitor's own
    assert "request.answered" in printed
    assert "erasure_is_done" in printed, printed[-500:]  # the log is in it
    for word in (MARK, ID):
        assert files_with(tmp_path, word) == set()
        assert word.lower() not in printed
    assert not server.runner.file_of(job).exists()
    assert files_with(tmp_path, OTHER) == {"test.db"}  # the search finds what is there
    assert words_in_backup(server, tmp_path) == {OTHER}
    assert sweep()["compacted"] is False  # nothing was erased since


def test_deleted_rows_are_overwritten_before_any_sweep(server, study, tmp_path):
    with server.store.write() as db:
        db.execute(sa.text("CREATE TABLE typed (word TEXT)"))
        for _ in range(100):
            db.execute(sa.text("INSERT INTO typed VALUES (:word)"), {"word": MARK * 50})
    with server.store.write() as db:
        db.execute(sa.text("DELETE FROM typed"))
    with closing(sqlite3.connect(tmp_path / "test.db", isolation_level=None)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert files_with(tmp_path, MARK) == set()


def test_what_cannot_be_compacted_during_a_long_read_is_compacted_by_the_next_sweep(
    client, server, look, play, tmp_path
):
    token = play(MARK, ID)
    with server.store.read() as db:
        db.execute(participants.participant.select()).all()
        leave(client, server, look, token)
        assert sweep()["compacted"] is False
    assert sweep()["compacted"] is True
    assert files_with(tmp_path, MARK) == set()


def test_large_file_is_rewritten_when_no_one_plays(client, server, look, play, monkeypatch):
    monkeypatch.setattr(db, "LARGE_BYTES", 1)
    token = play(MARK, ID)
    leave(client, server, look, token)
    assert sweep()["compacted"] is False
    with server.store.write() as writer:
        then = datetime.now(UTC) - timedelta(minutes=11)
        participants.change(writer, look.person(token).id, {"seen_at": then})
    other = play(OTHER, "other")
    with server.store.write() as writer:
        participants.change(writer, look.person(other).id, {"seen_at": then})
    assert sweep()["compacted"] is False  # someone has just typed a command
    with server.store.write() as writer:
        writer.execute(turn.update().values(received_ms=turn.c.received_ms - 11 * 60_000))
    assert sweep()["compacted"] is True


def test_rows_that_were_deleted_before_the_server_overwrote_them_go_too(tmp_path):
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as raw:
        raw.execute("PRAGMA secure_delete=OFF")
        raw.execute("CREATE TABLE typed (word TEXT)")
        raw.executemany("INSERT INTO typed VALUES (?)", [(MARK * 50,)] * 100)
        raw.execute("DELETE FROM typed")
        assert files_with(tmp_path, MARK) == {"old.db"}
        assert not sqlite_files.compact(raw, 1, again=False, rewrite=False)
        assert sqlite_files.compact(raw, 1, again=False, rewrite=True)
        assert files_with(tmp_path, MARK) == set()
        assert not sqlite_files.compact(raw, 1, again=False, rewrite=True)
