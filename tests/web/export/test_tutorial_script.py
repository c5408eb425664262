"""The tutorial's script reads every file that its reader can download."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.web.export import FORMATS
from tests.walker import Walker

DOCS = Path(__file__).parents[3] / "docs"
SCRIPT = re.compile(r'```python title="results.py"\n(.*?)```', re.DOTALL)
OWN = "/admin/studies/pilot"


def printed(folder, export):
    """Run the script on an export; return its lines."""
    script = SCRIPT.search((DOCS / "tutorial.md").read_text("utf-8"))[1]
    assert script.count('"pilot-data"') == 1
    script = script.replace('"pilot-data"', repr(str(export)))
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, check=False, cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("kind", FORMATS)
def test_script_of_the_tutorial_reads_every_download(researcher, make_study, look, tmp_path, kind):
    options = {"episodes_per_block": 1, "practice": False}
    make_study(
        slug="pilot", blocks=[{"task": "A-Over", "seeds": [1]}], per_player=1, options=options
    )
    walker = Walker(researcher.client).enter("/s/pilot")
    walker.type(*look.solution(walker.token)).to_rule().explain()
    answer = researcher.client.get(f"{OWN}/bundle.zip?format={kind}")
    (tmp_path / "pilot.zip").write_bytes(answer.content)
    with zipfile.ZipFile(tmp_path / "pilot.zip") as archive:
        archive.extractall(tmp_path / "pilot-data")
    table = researcher.client.get(f"{OWN}/download/baseline/{kind}")
    name = re.search(r'filename="([^"]+)"', table.headers["content-disposition"])[1]
    (tmp_path / name).write_bytes(table.content)
    wanted = printed(tmp_path, "pilot-data")
    assert len(wanted) == 1
    assert wanted[0].split()[1] == "A-Over"
    assert wanted == printed(tmp_path, "pilot.zip") == printed(tmp_path, name)
