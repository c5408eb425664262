"""The command itself, in this process, on the test's own SQLite file."""

import json
import shutil

import pytest

from app import cli
from app.store.db import Store


@pytest.fixture
def url(tmp_path, sqlite_template):
    shutil.copyfile(sqlite_template, tmp_path / "cli.db")
    return f"sqlite:///{tmp_path / 'cli.db'}"


@pytest.fixture
def store(url):
    made = Store(url, threads=4)
    yield made
    made.dispose()


@pytest.fixture
def hjstudy(url, tmp_path, monkeypatch, capsys):
    """Run a command line; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", url)
    monkeypatch.setenv("HJSTUDY_BASE_URL", "https://study.example.org")
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["hjstudy", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return (ended.value.code or 0, *capsys.readouterr())

    return run


@pytest.fixture
def facts(hjstudy):
    """Run a command line with --json that must succeed; returns the document on stdout."""

    def run(*arguments, code=0):
        found, out, _ = hjstudy(*arguments, "--json")
        assert found == code
        return json.loads(out)

    return run
