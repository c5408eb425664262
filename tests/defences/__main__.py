"""`make defences`: take each defence out of a copy of the program, or break a promise of it.

The test that proves it has to fail.

The lists beside this file name what is replaced, and the test that must notice. All these tests run
in an untouched copy first, where they must pass. Prints one line for each defence, with what the
test said, and fails if a test still passes without its defence, or could not run. Words on the
command line choose the defences whose threat contains one of them, or whose list has that name.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.defences.listed import ROOT, Defence, listed

SCRATCH = ROOT / "build" / "defences"
COPIED = (
    *("app", "docs", "migrations", "static", "templates", "tests", "requirements"),
    *("bench", "pyproject.toml", "README.md", "Makefile", "Dockerfile", "docker-compose.yml"),
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "mkdocs.yml"),
)
OPTIONS = ("-q", "-m", "not postgres", "-p", "no:randomly", "--no-header", "--tb=no", "-rfE")
ON_POSTGRES = ("-m", "postgres")  # the last of two marks counts
PATIENCE_S, UNTOUCHED_S = 900, 7200  # for the tests of one defence, and for all in turn
WORKERS = int(os.environ.get("HJSTUDY_TEST_WORKERS", "2"))
PASSED, FAILED = "passed", "failed"
NOT_RUN = {2: "tests not collected", 4: "file or test missing", 5: "no tests ran"}
SAID = re.compile(r"^(?:FAILED|ERROR) (.*)$", re.MULTILINE)
TIMED_OUT = "Failed: Timeout"  # what pytest-timeout reports


class Ran(NamedTuple):
    """How tests ended: PASSED, FAILED, or why they say nothing; and what the failed ones said."""

    end: str
    said: list[str]


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


def environment(scratch: Path) -> dict[str, str]:
    """Return the environment of tests in a copy: the servers that they start run it too.

    Without this, `hjstudy` would run the program that is installed, with all its defences.
    """
    return {**os.environ, "PYTHONPATH": str(scratch)}


def run(scratch: Path, tests: tuple[str, ...], *options: str, patience_s: float) -> Ran:
    """Run tests in a copy. Only a test that ran and failed in time counts as failed."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *options, *tests],
            cwd=scratch,
            env=environment(scratch),
            capture_output=True,
            text=True,
            check=False,
            timeout=patience_s,
        )
    except subprocess.TimeoutExpired:
        return Ran("timed out", [])
    said = SAID.findall(done.stdout)
    if done.returncode == 0:
        return Ran(PASSED, [])
    if done.returncode != 1:
        return Ran(NOT_RUN.get(done.returncode, f"pytest ended with {done.returncode}"), said)
    if " failed" not in done.stdout:
        return Ran("error before the test", said)
    return Ran("timed out" if TIMED_OUT in done.stdout else FAILED, said)


def without(scratch: Path, one: Defence) -> Ran:
    """Run the tests of a defence that is taken out."""
    path = scratch / one.file
    text = path.read_text("utf-8")
    if text.count(one.old) != 1:
        return Ran("text not found", [])
    path.write_text(text.replace(one.old, one.new), "utf-8")
    try:
        own = ON_POSTGRES if one.postgres else ()
        return run(scratch, one.tests, "-x", *own, patience_s=PATIENCE_S)
    finally:
        path.write_text(text, "utf-8")


def attempt(copies: SimpleQueue[Path], one: Defence) -> bool:
    """Take one defence out of a copy that is free; print what happened."""
    scratch, began = copies.get(), time.monotonic()
    try:
        found = without(scratch, one)
    finally:
        copies.put(scratch)
    word = {PASSED: "NOT NOTICED", FAILED: "noticed"}.get(found.end, f"NOT TRIED: {found.end}")
    took = f"{time.monotonic() - began:.0f} s"
    said = found.said[0][:150] if found.said else ", ".join(one.tests)
    print(f"{word:14} {took:>5}  {one.threat} ({said})", flush=True)
    return found.end == FAILED


def passes_untouched(scratch: Path, chosen: list[Defence]) -> bool:
    """Run every test once with all defences in; print which do not pass."""
    passed = True
    for own in ((), ON_POSTGRES):
        here = [one for one in chosen if one.postgres == bool(own)]
        tests = tuple(dict.fromkeys(name for one in here for name in one.tests))
        if not tests:
            continue
        found = run(scratch, tests, "-n", str(WORKERS), *own, patience_s=UNTOUCHED_S)
        print(f"{len(tests)} tests or files in an untouched copy: {found.end}", flush=True)
        for line in found.said:
            print(f"  {line[:200]}", flush=True)
        passed = passed and found.end == PASSED
    return passed


def is_meant(one: Defence, word: str) -> bool:
    """Tell whether a word of the command line chooses a defence."""
    return word == one.list or word in one.threat


def main() -> int:
    """Try the defences asked for, or all. Returns 2 if a test fails with all defences in."""
    words = sys.argv[1:]
    chosen = [one for one in listed() if not words or any(is_meant(one, word) for word in words)]
    if not chosen:
        print(f"No threat or list holds one of these words: {' '.join(words)}")
        return 2
    copies = SimpleQueue[Path]()
    for number in range(WORKERS):
        copy(SCRATCH / str(number))
        copies.put(SCRATCH / str(number))
    if not passes_untouched(SCRATCH / "0", chosen):
        return 2
    with ThreadPoolExecutor(WORKERS) as pool:
        noticed = sum(pool.map(lambda one: attempt(copies, one), chosen))
    print(f"{noticed} of {len(chosen)} noticed")
    return int(noticed < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
