"""Backups: made while others write, checked, restored elsewhere, and never over anything."""

import os
import re
import sqlite3
import threading
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from app.cli import app as cli
from app.store import backup, migrate
from app.store.db import Store
from app.study.export import files, verify
from tests import databases
from tests.conftest import new_name
from tests.study.export.test_verify_records import finished
from tests.study.story import NOON

NOW = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def elsewhere(store, tmp_path, monkeypatch):
    """Return the address of another database, which is empty."""
    programs = databases.installed_programs()  # pg_dump must not be older than the server
    if programs is not None:
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    if store.is_sqlite:
        yield f"sqlite:///{tmp_path / 'elsewhere' / 'hjstudy.db'}"
        return
    name = new_name()
    yield databases.create_database(name)
    databases.drop_database(name)


def tables(store, folder):
    """Return the files of a bundle without those that hold the time or a key."""
    files.export(store, "story", folder, NOON)
    return {path.name: path.read_bytes() for path in (folder / "data").glob("*.csv")}


def test_backup_made_while_people_play_is_whole_elsewhere(store, store_url, elsewhere, tmp_path):
    story = finished(store)
    before = tables(store, tmp_path / "before")
    stop = threading.Event()

    def play():
        while not stop.is_set():
            story.enter(answers={"age": "30"})

    player = threading.Thread(target=play)
    player.start()
    try:
        made = [backup.make(store_url, tmp_path / "b", NOW + timedelta(s)) for s in range(3)]
    finally:
        stop.set()
        player.join()
    for path in made[:-1]:  # each of them is whole
        backup.check_digest(path)
    assert [path.stat().st_mode & 0o077 for path in made] == [0, 0, 0]
    backup.restore(elsewhere, made[-1])
    other = Store(elsewhere, signing_key_path=store.signing_key_path)
    try:
        assert migrate.is_current(elsewhere)
        assert verify.verify(other).ok
        after = tables(other, tmp_path / "after")
    finally:
        other.dispose()
    assert set(after) == set(before)
    name = next(one for one in after if "turn" in one)
    assert after[name].startswith(before[name])
    with pytest.raises(backup.BackupError, match="nothing is overwritten"):
        backup.restore(elsewhere, made[-1])


@pytest.mark.parametrize("what", ["cut", "a byte", "no digest", "another kind"])
def test_damaged_backup_is_refused_and_nothing_is_restored(store_url, elsewhere, tmp_path, what):
    made = backup.make(store_url, tmp_path, NOW)
    data = made.read_bytes()
    if what == "cut":
        made.write_bytes(data[:-100])
    elif what == "a byte":
        made.write_bytes(data[:5000] + bytes([data[5000] ^ 1]) + data[5001:])
    elif what == "no digest":
        made.with_name(made.name + backup.SHA).unlink()
    else:
        made = made.rename(made.with_suffix(".txt"))
        sha = backup.digest(made)
        made.with_name(made.name + backup.SHA).write_text(sha)
    with pytest.raises(backup.BackupError):
        backup.restore(elsewhere, made)
    assert migrate.revision(elsewhere) is None


def test_damaged_database_gives_no_backup(tmp_path, sqlite_template):
    bad = tmp_path / "bad.db"
    data = bytearray(sqlite_template.read_bytes())
    data[4096 * 3 : 4096 * 9] = bytes(4096 * 6)
    bad.write_bytes(data)
    with pytest.raises(backup.BackupError):
        backup.make(f"sqlite:///{bad}", tmp_path / "b", NOW)
    assert list((tmp_path / "b").iterdir()) == []
    with pytest.raises(backup.BackupError, match="There is no database"):
        backup.make(f"sqlite:///{tmp_path}/none.db", tmp_path / "b", NOW)


def test_log_beside_a_database_that_is_gone_is_not_mixed_with_a_backup(tmp_path, sqlite_template):
    made = backup.make(f"sqlite:///{sqlite_template}", tmp_path / "b", NOW)
    (tmp_path / "hjstudy.db-wal").write_bytes(b"of another database")
    with pytest.raises(backup.BackupError, match=r"hjstudy\.db-wal"):
        backup.restore(f"sqlite:///{tmp_path}/hjstudy.db", made)


def test_commands_back_up_keep_the_newest_and_restore(tmp_path, sqlite_template, monkeypatch):
    folder = tmp_path / "b"
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{sqlite_template}")
    for day in range(3):
        backup.make(f"sqlite:///{sqlite_template}", folder, NOW - timedelta(days=day + 1))
    (folder / "hjstudy-notes.txt").write_text("mine")
    found = CliRunner().invoke(cli, ["backup", "--to", str(folder), "--keep", "2"])
    assert found.exit_code == 0, found.output
    name = re.search(r"\S+\.db$", found.stdout.strip())[0]
    kept = sorted(path.name for path in folder.iterdir())
    assert len(kept) == 5
    assert kept[0].startswith("hjstudy-20261128")
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    assert CliRunner().invoke(cli, ["restore", name]).exit_code == 0
    with sqlite3.connect(tmp_path / "new.db") as db:
        assert db.execute("SELECT count(*) FROM study").fetchone() == (0,)
    assert CliRunner().invoke(cli, ["restore", name]).exit_code != 0
