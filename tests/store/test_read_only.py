"""A SQLite file that cannot be written for a while, as after a disk error: no restart needed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DROP = "-dac_override,-dac_read_search"  # root, too, may then only write what its mode allows
PROGRAM = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from app.errors import UnavailableError
from app.store import health
from app.store.db import Store

path = Path(sys.argv[1])
store = Store(f"sqlite:///{path}")
write_first = sys.argv[2] == "written"

def write():
    try:
        with store.write() as db:
            health.put(db, datetime.now(UTC))
        return "written"
    except UnavailableError as error:
        return error.reason

def set_mode(mode):
    for file in path.parent.glob(f"{path.name}*"):  # its log has the mode that it had
        file.chmod(mode)

if write_first:
    print(write())
    store.dispose()  # new connections find the file read-only
set_mode(0o444)
print(write())
print(write())
set_mode(0o644)
print(write())
"""


@pytest.mark.parametrize("before", ["new", "written"])
def test_file_that_is_read_only_for_a_while_is_written_again_without_a_restart(
    sqlite_template, tmp_path, before
):
    path = tmp_path / "study.db"
    shutil.copyfile(sqlite_template, path)
    command = [sys.executable, "-c", PROGRAM, str(path), before]
    if os.geteuid() == 0:
        command = ["setpriv", f"--inh-caps={DROP}", f"--bounding-set={DROP}", *command]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    if "setpriv" in done.stderr:
        pytest.skip(f"no read-only file: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    first = ["written"] if before == "written" else []
    assert printed == [*first, *["attempt to write a readonly database"] * 2, "written"]
