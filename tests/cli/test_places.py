"""Odd folders and terminals: the command works there, or says what to do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HJSTUDY = Path(sys.executable).parent / "hjstudy"
STUDY = """slug: odd
title: Rätsel → 雪 “x”
blocks: [{task: A-Add, seeds: 1}]
"""
TITLE = "Rätsel → 雪 “x”"
FOLDERS = [
    "two words",
    "Prüfung",
    "100%",
    "100%s %(here)s",
    "what?",
    "a#b",
    "a?b=c&d#e",
    "it's",
    "%3A",
]
TERMINALS = [
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "", "LANG": "de_DE.ISO-8859-1"},
    {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "ascii"},
    {"HOME": "/proc/nowhere"},
    {"HOME": "/dev/null", "XDG_CACHE_HOME": "/proc/nowhere"},
]


@pytest.fixture
def run(tmp_path):
    """Run the command in a process of its own; returns (exit code, stdout, stderr)."""

    def call(*arguments, data=tmp_path / "var", **environment):
        own = {name: text for name, text in os.environ.items() if not name.startswith("HJSTUDY_")}
        found = subprocess.run(
            [HJSTUDY, *map(str, arguments)],
            env={**own, "HJSTUDY_DATA_DIR": str(data), **environment},
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return found.returncode, found.stdout, found.stderr.decode("utf-8", "replace")

    (tmp_path / "odd.yaml").write_text(STUDY, "utf-8")
    return call


@pytest.mark.parametrize("name", FOLDERS)
def test_data_folder_of_any_name_holds_the_database(run, tmp_path, name):
    folder = tmp_path / name / "data"
    assert run("migrate", data=folder)[0] == 0
    assert run("study", "create", "odd.yaml", data=folder)[0] == 0
    assert (folder / "hjstudy.db").stat().st_size > 100_000
    assert {one.name for one in tmp_path.iterdir()} == {"odd.yaml", name}
    code, out, _ = run("study", "list", "--json", data=folder)
    assert (code, [one["slug"] for one in json.loads(out)["studies"]]) == (0, ["odd"])


@pytest.mark.parametrize("terminal", TERMINALS, ids=str)
def test_any_terminal_shows_what_it_can_and_json_loses_nothing(run, terminal):
    for arguments in (("migrate",), ("study", "create", "odd.yaml"), ("study", "list")):
        code, out, err = run(*arguments, **terminal)
        assert (code, "Traceback" in err, "warning" in err.lower()) == (0, False, False), err
    assert b"odd" in out
    code, out, _ = run("study", "list", "--json", **terminal)
    encoding = terminal.get("PYTHONIOENCODING", "utf-8")
    assert json.loads(out.decode(encoding))["studies"][0]["title"] == TITLE
    code, _, err = run("export", "--study", "odd", "--out", "out", **terminal)
    assert code == 0, err


@pytest.mark.parametrize("inside", ["", "a", "a/b"])
def test_data_folder_that_is_a_file_is_refused_with_what_to_do(run, tmp_path, inside):
    (tmp_path / "file").write_text("")
    code, _, err = run("migrate", data=tmp_path / "file" / inside)
    assert (code, "Traceback" in err) == (2, False)
    assert "it is a file, or inside one" in err
    assert "HJSTUDY_DATA_DIR" in err
    code, _, err = run("serve", data=tmp_path / "file" / inside)
    assert (code, "Traceback" in err) == (2, False)
    assert "hjstudy migrate" in err


def test_data_folder_that_cannot_be_made_is_refused_with_what_to_do(run):
    code, _, err = run("migrate", data="/proc/nowhere")
    assert (code, "Traceback" in err) == (2, False)
    assert "cannot be used" in err
