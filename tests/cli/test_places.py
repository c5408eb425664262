"""Odd folders and terminals: the command works there, or says what to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.breaking import small_disk

HJSTUDY = Path(sys.executable).parent / "hjstudy"
STUDY = """slug: odd
title: Rätsel → 雪 “x”
blocks: [{task: A-Add, seeds: 1}]
"""
TITLE = "Rätsel → 雪 “x”"
FOLDERS = ["two words", "Prüfung 100%", "%(here)s", "what?", "a?b=c&d#e", "it's", "%3F"]
TERMINALS = [
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "ascii", "HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"},
]


@pytest.fixture
def run(tmp_path, url, hjstudy):
    """Run the command in a process of its own; returns (exit code, stdout, stderr)."""
    (tmp_path / "odd.yaml").write_text(STUDY, "utf-8")
    assert hjstudy("study", "create", "odd.yaml")[0] == 0

    def call(*arguments, **environment):
        found = subprocess.run(
            [HJSTUDY, *arguments],
            env={**os.environ, "HJSTUDY_DATABASE_URL": url, **environment},
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return found.returncode, found.stdout, found.stderr.decode("utf-8", "replace")

    return call


@pytest.mark.parametrize("name", FOLDERS)
def test_data_folder_of_any_name_holds_the_database(hjstudy, tmp_path, monkeypatch, name):
    monkeypatch.delenv("HJSTUDY_DATABASE_URL")
    folder = tmp_path / "odd" / name
    monkeypatch.setenv("HJSTUDY_DATA_DIR", str(folder / "data"))
    assert hjstudy("migrate")[0] == 0
    assert (folder / "data" / "hjstudy.db").is_file()
    assert [one.name for one in folder.parent.iterdir()] == [name]
    assert hjstudy("study", "list", "--json")[0] == 0


@pytest.mark.parametrize("terminal", TERMINALS, ids=str)
@pytest.mark.long
def test_any_terminal_shows_what_it_can_and_json_loses_nothing(run, terminal):
    code, out, err = run("study", "list", **terminal)
    assert (code, err) == (0, "")
    assert b"odd" in out
    code, out, err = run("study", "list", "--json", **terminal)
    encoding = terminal.get("PYTHONIOENCODING", "utf-8")
    assert json.loads(out.decode(encoding))["studies"][0]["title"] == TITLE
    assert run("export", "--study", "odd", "--out", "out", **terminal)[0] == 0


@pytest.mark.parametrize("inside", ["", "a", "a/b"])
def test_data_folder_that_is_a_file_is_refused_with_what_to_do(
    hjstudy, tmp_path, monkeypatch, inside
):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("HJSTUDY_DATABASE_URL")
    monkeypatch.setenv("HJSTUDY_DATA_DIR", str(tmp_path / "file" / inside))
    code, _, err = hjstudy("migrate")
    assert code == 2
    assert "it is a file, or inside one" in err
    assert "HJSTUDY_DATA_DIR" in err
    code, _, err = hjstudy("serve")
    assert (code, "hjstudy migrate" in err) == (2, True)


def test_data_folder_that_cannot_be_made_is_refused_with_what_to_do(hjstudy, monkeypatch):
    monkeypatch.delenv("HJSTUDY_DATABASE_URL")
    monkeypatch.setenv("HJSTUDY_DATA_DIR", "/proc/nowhere")
    code, _, err = hjstudy("migrate")
    assert (code, "cannot be used" in err) == (2, True)


def test_database_that_may_not_be_changed_is_refused_with_what_to_do(
    hjstudy, tmp_path, sqlite_template, monkeypatch
):
    with small_disk(tmp_path / "disk") as folder:
        shutil.copyfile(sqlite_template, folder / "study.db")
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{folder / 'study.db'}")
        code, _, err = hjstudy("serve")
        assert (code, "is read-only for this user. Let it write there" in err) == (2, True)
        assert str(folder / "study.db") in err
        code, _, err = hjstudy("migrate")
        assert (code, f"The folder for the database, {folder}, cannot be used" in err) == (2, True)


@pytest.mark.parametrize("command", ["serve", "sweep"])
def test_database_that_cannot_even_be_looked_at_is_named(hjstudy, monkeypatch, command):
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:////tmp/{'x' * 300}.db")
    code, _, err = hjstudy(command)
    assert (code, err.count("\n")) == (2, 1)
    assert "The database cannot be used: /tmp/xxx" in err
