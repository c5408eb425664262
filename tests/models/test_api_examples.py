"""The examples in docs/api.md run as they are, against a real server."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import app, client, make_study, server, settings
from tests.web.models.agent import MIXED, Agent
from tests.web.sockets import serving

__all__ = ["app", "client", "make_study", "server", "settings"]
DOCS = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


def block(language):
    """Return the one block of a language in the docs."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture
def run(app, server, client, make_study):
    """Run a command with the address and a key in its environment; returns its output."""
    make_study(**MIXED)
    key = Agent(server, client).key

    def made(*command):
        with serving(app, "h11") as (host, port):
            environment = {**os.environ, "URL": f"http://{host}:{port}", "KEY": key}
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return made


def test_python_example_plays_a_whole_run(run):
    output = run(sys.executable, "-c", block("python"))
    assert "'ecsr': {'A-Over': 0.0}" in output
    assert "'direct_accuracy': {'A-Comp': " in output


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_curl_example_shows_a_command_played_once_and_a_problem(run):
    opened, shown, first, again, wrong = run("bash", "-c", block("bash")).splitlines()
    assert '"episodes":[{"episode":1' in opened
    assert "THE WORLD" in shown
    assert first == again
    assert '"next_seq":2' in first
    assert '"code":"turn/stale"' in wrong
    assert '"expected":2' in wrong
