"""Commands that may take long show their progress at a terminal, and nowhere else."""

import os
import pty
import sys
import threading

import pytest

from tests.pages import ROOT
from tests.study.story import Story

STUDY = """slug: autumn
title: Autumn
blocks: [{task: A-Over, seeds: 0-1}]
"""
BOTS = ("--bots", "oracle:1", "--as", "test")
LONG = [  # every command that may take over two seconds, and what it must show
    (("migrate",), ["Bringing the tables up to date"]),
    (("demo",), ["Certifying variants"]),
    (("study", "create", "autumn.yaml"), ["Certifying variants"]),
    (("study", "update", "story.yaml"), ["Certifying variants"]),
    (("variant", "export", "--out", "variants"), ["Writing variants"]),
    (("simulate", "--study", "story", *BOTS), ["Players entering", "Comparing with the log"]),
    (("verify",), ["Replaying episodes"]),
    (
        ("export", "--study", "story", "--out", "out"),
        ["table participant", "Replaying", "table turn"],
    ),
    (
        ("report", "bundle", "--out", "report", "--bootstrap", "100"),
        ["Reading the bundle", "Making tables", "Writing files"],
    ),
    (
        ("alpha", "long.csv", "--level", "ordinal", "--bootstrap", "200"),
        ["Reading ratings", "Drawing replicates"],
    ),
    (("sweep",), ["Sweeping studies", "Checking deletion dates"]),
    (("audit", "verify"), ["Checking the log"]),
]
BARE = [  # the same of commands without --json
    (("manifest", "--study", "story", "--out", "manifest.json"), ["Computing digests"]),
    (("backup", "--to", "copies"), ["Copying the database"]),
]


class Terminal:
    """A pseudo-terminal: what is written to `stderr` comes out as `text`."""

    def __init__(self):
        self._ours, theirs = pty.openpty()
        self.stderr = os.fdopen(theirs, "w")
        self._pieces = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        try:
            while piece := os.read(self._ours, 65536):
                self._pieces.append(piece)
        except OSError:  # Linux signals like this that the other end is closed
            pass

    def text(self):
        """Close the terminal; return all that was written to it."""
        self.stderr.close()
        self._reader.join()
        os.close(self._ours)
        return b"".join(self._pieces).decode()


@pytest.fixture
def ground(store, facts, tmp_path):
    """Create data for every command to work on."""
    story = Story(store)
    story.win(story.enter(), 0, 0)
    (tmp_path / "autumn.yaml").write_text(STUDY)
    Story(store, slug="empty")  # its report has no figures, which take long to draw
    facts("export", "--study", "empty", "--out", "bundle")
    rows = [f"i{n},{r},{(n * k) % 3}" for n in range(12) for r, k in (("a", 1), ("b", 2))]
    (tmp_path / "long.csv").write_text("\n".join(["item,rater,value", *rows]) + "\n")


@pytest.fixture
def at_terminal(hjstudy, monkeypatch, tmp_path):
    """Run a command whose stderr is a terminal; returns (exit code, stdout, what was shown)."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments):
        if arguments[0] == "migrate":
            monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
        if arguments[:2] == ("study", "update"):
            _, file, _ = hjstudy("study", "file", "story")
            (tmp_path / "story.yaml").write_text(file.replace("seed: 7\n", "seed: 8\n"))
        terminal = Terminal()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", terminal.stderr)
            code, out, _ = hjstudy(*arguments)
        return code, out, terminal.text()

    return run


@pytest.mark.parametrize(("arguments", "shown"), LONG + BARE, ids=lambda part: " ".join(part[:2]))
def test_long_command_shows_how_far_it_is_at_a_terminal(ground, at_terminal, arguments, shown):
    code, out, seen = at_terminal(*arguments)
    assert code == 0
    assert [words for words in shown if words not in seen] == []
    assert "━" in seen
    assert "━" not in out


@pytest.mark.parametrize(("arguments", "shown"), LONG, ids=lambda part: " ".join(part[:2]))
def test_long_command_with_json_shows_nothing_at_a_terminal(ground, at_terminal, arguments, shown):
    code, _, seen = at_terminal(*arguments, "--json")
    assert (code, seen) == (0, "")


def test_migration_says_how_many_steps_there_are(at_terminal):
    revisions = len(list((ROOT / "migrations" / "versions").glob("*.py")))
    _, _, seen = at_terminal("migrate")
    assert f"0/{revisions}" in seen
    assert "/?" not in seen


def test_bar_is_taken_away_before_the_last_words(ground, at_terminal):
    _, _, seen = at_terminal("variant", "export", "--tasks", "A-Add", "--out", "variants")
    drawn, _, last = seen.rpartition("\x1b[2K")  # a line is erased
    assert "Writing variants" in drawn
    assert last.endswith("Wrote 20 variants to variants.\r\n")
    assert "Writing variants" not in last


def test_long_command_whose_stderr_is_a_file_writes_its_last_words_alone(ground, hjstudy):
    code, out, seen = hjstudy("variant", "export", "--tasks", "A-Add", "--out", "variants")
    assert (code, out, seen) == (0, "", "Wrote 20 variants to variants.\n")


def test_error_in_the_middle_removes_the_bar_and_is_reported(ground, at_terminal, tmp_path):
    (tmp_path / "bad.csv").write_text("item,rater,value\na,x,1\na,x,2\n")
    code, _, seen = at_terminal("alpha", "bad.csv", "--level", "ordinal")
    assert code == 2
    assert "\x1b[?25h" in seen  # the cursor is shown again
    assert "line 3" in seen.split("\x1b[?25h")[-1]
