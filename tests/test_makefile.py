"""`make` in odd folders and without a home: the commands it runs are quoted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ["Prüfung 100%s %(here)s", "a #1? it's"]
PARTS = ("app", "migrations", "templates", "static")


def run(command, cwd, **environment):
    others = ("HJSTUDY_", "UV_CACHE_DIR", "XDG_CACHE_HOME")
    own = {name: text for name, text in os.environ.items() if not name.startswith(others)}
    return subprocess.run(
        command,
        cwd=cwd,
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.fixture(params=NAMES)
def checkout(request, tmp_path):
    """A copy of the program in a folder with an odd name; `hjstudy` there runs that copy."""
    folder = tmp_path / request.param
    folder.mkdir()
    ignored = shutil.ignore_patterns("__pycache__")
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "requirements").mkdir()
    (folder / "requirements" / "run.txt").touch()
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "uv").touch()
    script = f'#!/bin/sh\nexec "{sys.executable}" -m app.cli "$@"\n'
    (programs / "hjstudy").write_text(script)
    (programs / "hjstudy").chmod(0o755)
    (folder / ".venv" / ".run").touch()
    return folder


def test_make_works_in_a_folder_of_any_name_and_keeps_its_data_there(checkout):
    done = run(["make", "migrate"], checkout, HOME="/proc/nowhere")  # nothing is kept in a home
    assert done.returncode == 0, done.stderr
    assert "The database is now at" in done.stderr
    assert (checkout / "var" / "hjstudy.db").is_file()
    assert [one.name for one in checkout.parent.iterdir()] == [checkout.name]


def test_make_run_says_what_to_do_when_the_data_folder_is_a_file(checkout):
    (checkout / "var").write_text("")
    done = run(["make", "run"], checkout)
    assert done.returncode != 0
    assert "it is a file, or inside one" in done.stderr


@pytest.mark.parametrize("home", ["/proc/nowhere", "/dev/null"])
def test_packages_are_installed_without_a_home(home, tmp_path):
    environment = Path(sys.executable).parents[1]
    if not (environment / "bin" / "uv").exists():
        pytest.skip("no uv in this environment: run `make setup-dev`")
    (tmp_path / "env").symlink_to(environment)  # make cannot take a path with blanks
    probe = "probe: ; @$(UV) --dry-run --offline pytest"
    target = ["make", "-s", f"BIN={tmp_path / 'env' / 'bin'}", f"--eval={probe}", "probe"]
    done = run(target, ROOT, HOME=home)
    assert done.returncode == 0, done.stderr
