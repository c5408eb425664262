"""Backups: made while others write, checked, restored elsewhere, and never over anything."""

import os
import re
import shutil
import sqlite3
import threading
from datetime import UTC, datetime, timedelta

import pyrage
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from typer.testing import CliRunner

from app.cli import app as cli
from app.store import age, backup, migrate, retention
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


@pytest.fixture
def key(tmp_path):
    """Return (public key, file with the secret one)."""
    made = pyrage.x25519.Identity.generate()
    (tmp_path / "key.txt").write_text(f"# public key: {made.to_public()}\n{made}\n")
    return str(made.to_public()), tmp_path / "key.txt"


def test_encrypted_backup_made_while_people_play_is_whole_elsewhere(
    store, store_url, elsewhere, key, tmp_path
):
    story = finished(store)
    before = tables(store, tmp_path / "before")
    stop, to = threading.Event(), [key[0]]

    def play():
        while not stop.is_set():
            story.enter(answers={"age": "30"})

    player = threading.Thread(target=play)
    player.start()
    try:
        made = [backup.make(store_url, tmp_path / "b", NOW + timedelta(s), to) for s in range(3)]
    finally:
        stop.set()
        player.join()
    for path in made[:-1]:  # each of them is whole
        backup.check_digest(path)
    assert [path.stat().st_mode & 0o077 for path in made] == [0, 0, 0]
    assert {path.suffix for path in made} == {".age"}
    assert all(path.read_bytes().startswith(b"age-encryption.org/v1") for path in made)
    backup.restore(elsewhere, made[-1], key[1])
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
        backup.restore(elsewhere, made[-1], key[1])
    assert not [*tmp_path.rglob("hjstudy-backup-*")]  # where it was not encrypted


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_encrypted_backup_needs_its_own_key(store_url, key, tmp_path):
    made, new = backup.make(store_url, tmp_path, NOW, [key[0]]), f"sqlite:///{tmp_path}/new.db"
    assert made.read_bytes().startswith(b"age-encryption.org/v1")
    other = tmp_path / "other.txt"
    other.write_text(f"{pyrage.x25519.Identity.generate()}\n")
    with pytest.raises(backup.BackupError, match="--identity"):
        backup.restore(new, made)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    for wrong in (other, made, tmp_path / "empty.txt", tmp_path / "missing.txt"):
        with pytest.raises(age.AgeError):
            backup.restore(new, made, wrong)
    assert not (tmp_path / "new.db").exists()
    assert not [*tmp_path.glob("hjstudy-backup-*")]
    for bad in ("age1x", "ssh-rsa x", "", "AGE-SECRET-KEY-1"):
        with pytest.raises(age.AgeError, match="not a public key"):
            backup.make(store_url, tmp_path / "none", NOW, [key[0], bad])
    assert not (tmp_path / "none").exists()


def test_backup_can_be_encrypted_for_a_key_of_ssh(store_url, elsewhere, tmp_path):
    file, key = tmp_path / "id", Ed25519PrivateKey.generate()
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    public = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    backup.restore(elsewhere, backup.make(store_url, tmp_path, NOW, [public]), file)
    assert migrate.is_current(elsewhere)


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("2", [0, 3]),
        ("last=1", [0]),
        ("hourly=2", [0, 3]),
        ("daily=3", [0, 24, 192]),
        ("weekly=3", [0, 192, 696]),  # it is Sunday, the last day of its week
        ("monthly=2, last=2", [0, 3, 696]),
        ("yearly=9 daily=2", [0, 24, 7992]),
    ],
)
def test_rule_keeps_the_newest_of_each_period(tmp_path, rule, kept):
    for hours in (0, 3, 24, 27, 192, 696, 7992):
        when = NOW - timedelta(hours=hours)
        (tmp_path / f"hjstudy-{when:%Y%m%dT%H%M%SZ}.db.age").write_text("x")
    (tmp_path / "hjstudy-20200101T000000Z.db.partial").write_text("x")
    backup.tidy(tmp_path / f"hjstudy-{NOW:%Y%m%dT%H%M%SZ}.db.age", retention.read(rule))
    found = {backup.read_time(one) for one in tmp_path.iterdir() if one.suffix == ".age"}
    assert sorted((NOW - one).total_seconds() / 3600 for one in found) == kept
    assert (tmp_path / "hjstudy-20200101T000000Z.db.partial").exists()


@pytest.mark.parametrize(
    ("made", "left"), [(0, [-9000, -8999, 0]), (9000, [-9000, -8999, 0, 9000])]
)
def test_backups_that_are_later_than_the_new_one_neither_count_nor_go(tmp_path, made, left):
    for hours in {-9000, -8999, 0, 9000} - ({9000} if made == 0 else set()):
        when = NOW - timedelta(hours=hours)  # two were made while the clock was ahead
        (tmp_path / f"hjstudy-{when:%Y%m%dT%H%M%SZ}.db").write_text("x")
    newest = tmp_path / f"hjstudy-{NOW - timedelta(hours=made):%Y%m%dT%H%M%SZ}.db"
    assert backup.tidy(newest, retention.read("1")) == []
    found = {backup.read_time(one) for one in tmp_path.iterdir()}
    assert sorted((NOW - one).total_seconds() / 3600 for one in found) == left


@pytest.mark.parametrize(
    "rule", ["", "0", "-1", "daily", "daily=0", "daily=2 daily=3", "x=1", "1 2"]
)
def test_rule_that_cannot_be_read_is_refused_before_anything_is_done(tmp_path, rule):
    found = CliRunner().invoke(cli, ["backup", "--to", str(tmp_path / "b"), "--keep", rule])
    assert isinstance(found.exception, retention.RuleError)
    assert "daily=7 weekly=4" in found.exception.message
    assert not (tmp_path / "b").exists()


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
    shutil.copyfile(sqlite_template, tmp_path / "own.db")  # the command is recorded in it
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path / 'own.db'}")
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
