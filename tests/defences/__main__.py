"""`make defences`: take each defence out of a copy of the program; its test has to fail.

The lists beside this file name what is replaced, and the test that must notice. Prints one line for
each, and fails if a test still passes without its defence. Words on the command line choose the
defences whose threat contains one of them.
"""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.defences.listed import ROOT, Defence, listed

SCRATCH = ROOT / "build" / "defences"
COPIED = (
    *("app", "docs", "migrations", "static", "templates", "tests", "requirements"),
    *("pyproject.toml", "README.md", "Makefile", "Dockerfile"),
)
OPTIONS = ("-q", "-x", "-m", "not postgres", "-p", "no:randomly", "--no-header", "--tb=no")
PATIENCE_S = 900
WORKERS = int(os.environ.get("HJSTUDY_TEST_WORKERS", "2"))
ENDS = {True: "noticed", False: "NOT NOTICED", None: "TEXT NOT FOUND"}


def copy(scratch: Path) -> None:
    """Copy the tree, without what earlier runs left."""
    shutil.rmtree(scratch, ignore_errors=True)
    for name in COPIED:
        source, target = ROOT / name, scratch / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def passes(scratch: Path, tests: tuple[str, ...]) -> bool | None:
    """Run tests in the copy; return whether they pass. None: they could not be run."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *tests],
            cwd=scratch,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode == 1 and " failed" in done.stdout:
        return False
    return True if done.returncode == 0 else None


def fails_without(scratch: Path, one: Defence) -> bool | None:
    """Tell whether the tests fail without a defence; None = its text is not there once."""
    path = scratch / one.file
    text = path.read_text("utf-8")
    if text.count(one.old) != 1:
        return None
    path.write_text(text.replace(one.old, one.new), "utf-8")
    try:
        return passes(scratch, one.tests) is False
    finally:
        path.write_text(text, "utf-8")


def attempt(copies: SimpleQueue[Path], one: Defence) -> bool:
    """Take one defence out of a copy that is free; print what happened."""
    scratch, began = copies.get(), time.monotonic()
    try:
        found = fails_without(scratch, one)
    finally:
        copies.put(scratch)
    took = f"{time.monotonic() - began:.0f} s"
    print(f"{ENDS[found]:14} {took:>5}  {one.threat} ({', '.join(one.tests)})", flush=True)
    return found is True


def main() -> int:
    """Try the defences asked for, or all."""
    words = sys.argv[1:]
    chosen = [one for one in listed() if not words or any(word in one.threat for word in words)]
    copies = SimpleQueue[Path]()
    for number in range(WORKERS):
        copy(SCRATCH / str(number))
        copies.put(SCRATCH / str(number))
    with ThreadPoolExecutor(WORKERS) as pool:
        noticed = sum(pool.map(lambda one: attempt(copies, one), chosen))
    print(f"{noticed} of {len(chosen)} noticed")
    return int(noticed < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
