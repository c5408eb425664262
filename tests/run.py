"""Run the tests, two at a time: what `make test` and `make long` do. Arguments go on to pytest.

`-m long` takes the long ones; without `-m` all others run, unless tests are named.

What was skipped, and how to get it, is printed above pytest's closing line.
"""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKERS = "HJSTUDY_TEST_WORKERS"


def main(arguments: list[str]) -> int:
    """Return pytest's exit code."""
    os.chdir(ROOT)
    sys.path[0] = str(ROOT)  # not tests/, the folder of this file
    workers = os.environ.get(WORKERS, "2")
    chosen = [] if arguments else ["-m", "not long"]
    return int(pytest.main(["-n", workers, "--dist", "worksteal", *chosen, *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
