"""`make defences`: take each defence out of a copy of the program; its test has to fail.

The lists beside this file name what is replaced, and the test that must notice. Prints one line for
each, and fails if a test still passes without its defence. Words on the command line choose the
defences whose threat contains one of them.
"""

import shutil
import subprocess
import sys
import time

from tests.defences.listed import ROOT, Defence, listed

SCRATCH = ROOT / "build" / "defences"
COPIED = (
    *("app", "docs", "migrations", "static", "templates", "tests", "requirements"),
    *("pyproject.toml", "README.md", "Makefile", "Dockerfile"),
)
OPTIONS = ("-q", "-x", "-m", "not postgres", "-p", "no:randomly", "--no-header", "--tb=no")
PATIENCE_S = 900
ENDS = {True: "noticed", False: "NOT NOTICED", None: "TEXT NOT FOUND"}


def copy() -> None:
    """Copy the tree, without what earlier runs left."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    for name in COPIED:
        source, target = ROOT / name, SCRATCH / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def passes(tests: tuple[str, ...]) -> bool | None:
    """Run tests in the copy; return whether they pass. None: they could not be run."""
    command = [sys.executable, "-m", "pytest", *OPTIONS, *tests]
    try:
        done = subprocess.run(
            command,
            cwd=SCRATCH,
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


def fails_without(one: Defence) -> bool | None:
    """Tell whether the tests fail without a defence; None = its text is not there once."""
    path = SCRATCH / one.file
    text = path.read_text("utf-8")
    if text.count(one.old) != 1:
        return None
    path.write_text(text.replace(one.old, one.new), "utf-8")
    try:
        return passes(one.tests) is False
    finally:
        path.write_text(text, "utf-8")


def main() -> int:
    """Try the defences asked for, or all."""
    words = sys.argv[1:]
    chosen = [one for one in listed() if not words or any(word in one.threat for word in words)]
    copy()
    missed = 0
    for one in chosen:
        began = time.monotonic()
        found = fails_without(one)
        missed += found is not True
        took = f"{time.monotonic() - began:.0f} s"
        print(f"{ENDS[found]:14} {took:>5}  {one.threat} ({', '.join(one.tests)})", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
