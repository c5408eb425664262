"""What `make defences` tries is the copy, also where a test starts a process of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.defences.__main__ import environment
from tests.defences.listed import ROOT


def test_servers_that_a_test_starts_run_the_copy(tmp_path):
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "app" / "__init__.py").write_text('__version__ = "without its defence"\n')
    command = [Path(sys.executable).parent / "hjstudy", "--version"]
    own = environment(tmp_path)
    done = subprocess.run(command, cwd="/", env=own, capture_output=True, text=True, check=False)
    assert "without its defence" in done.stdout + done.stderr
