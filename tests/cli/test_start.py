"""The command line starts at once: what it imports, its version, and shell completion."""

import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.game.say import ENGINE_VERSION
from app.study import code_version

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    *("alembic", "argon2", "fastapi", "httpx", "jinja2", "matplotlib", "numpy", "rich"),
    *("sqlalchemy", "sqlmodel", "starlette", "structlog", "uvicorn", "yaml"),
}
LOADED = """
import sys
from app.cli import main
sys.argv = ["hjstudy", *sys.argv[1:]]
try:
    main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""
COMPLETED = """
eval "$(hjstudy --show-completion bash)"
COMP_WORDS=({words} "{begun}") COMP_CWORD={count}
_hjstudy_completion hjstudy
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def run(*command, **how):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, **how)


def loaded_by(*arguments):
    """Return the top-level packages that a process has imported when its command is done."""
    return set(run(sys.executable, "-c", LOADED, *arguments).stderr.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("export", "--help"),
        ("variant", "show", "--task", "A-Add", "--seed", "3", "--json"),
        ("play", "--task", "A-Add", "--seed", "3", "--commands", "/dev/null"),
    ],
    ids=" ".join,
)
def test_command_that_needs_no_server_loads_none_of_it(arguments):
    loaded = loaded_by(*arguments)
    assert "typer" in loaded
    assert loaded & HEAVY == set()


def test_command_that_needs_the_database_loads_no_server():
    assert "sqlalchemy" in loaded_by("migrate", "--json")
    assert loaded_by("migrate", "--json") & {"fastapi", "starlette", "uvicorn", "argon2"} == set()


def test_version_names_package_engine_and_commit():
    output = run(sys.executable, "-m", "app.cli", "--version").stdout
    commit, dirty = code_version.git_state().values()
    where = f"commit {commit[:12]}" if commit else "no git checkout"
    changed = ", with uncommitted changes" if dirty else ""
    assert output == f"hjstudy {__version__}, engine {ENGINE_VERSION}, {where}{changed}\n"


def test_version_shows_uncommitted_changes_and_a_missing_git_folder(hjstudy, monkeypatch):
    for state, state_text in (
        ({"git_commit": "0123456789abcdef", "git_dirty": True}, "commit 0123456789ab, with uncom"),
        ({"git_commit": "0123456789abcdef", "git_dirty": False}, "commit 0123456789ab\n"),
        ({"git_commit": None, "git_dirty": None}, "no git checkout\n"),
    ):
        monkeypatch.setattr(code_version, "git_state", lambda state=state: state)
        code, out, _ = hjstudy("--version")
        assert code == 0
        assert state_text in out


@pytest.fixture
def complete(tmp_path):
    """Return what bash, with our completion, offers for the last word."""
    program = tmp_path / "hjstudy"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m app.cli "$@"\n')
    program.chmod(0o755)

    def ask(*words):
        *before, begun = words
        script = COMPLETED.format(
            words=" ".join(["hjstudy", *before]), begun=begun, count=len(words)
        )
        found = run("bash", "-c", script, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        return found.stdout.split()

    return ask


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["var"], ["variant"]),
        (["study", "cl"], ["close"]),
        (["variant", "show", "--cov"], ["--coverage"]),
        (["variant", "show", "--task", "P-"], ["P-Add", "P-Comp", "P-Cond", "P-Over"]),
        (["variant", "show", "--lexicon", ""], ["semantic", "nonce"]),
        (["alpha", "x.csv", "--level", "o"], ["ordinal"]),
    ],
)
def test_bash_completes_commands_options_and_values(complete, words, found):
    assert complete(*words) == found
