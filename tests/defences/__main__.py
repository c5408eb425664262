"""`make defences`: take each defence out of a copy of the program; its test has to fail.

`defences.toml` lists them: what is replaced, and the test that must notice. Prints one line for
each, and fails if a test still passes without its defence.
"""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / "build" / "defences"
COPIED = (
    "app",
    "docs",
    "migrations",
    "static",
    "templates",
    "tests",
    "pyproject.toml",
    "README.md",
)
OPTIONS = ("-q", "-x", "-m", "not postgres", "-p", "no:randomly", "--no-header", "--tb=no")


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


def fails_without(path: Path, old: str, new: str, tests: list[str]) -> bool | None:
    """Tell whether the tests fail with `new` for `old`; None = the text is not there once."""
    text = path.read_text("utf-8")
    if text.count(old) != 1:
        return None
    path.write_text(text.replace(old, new), "utf-8")
    try:
        command = [sys.executable, "-m", "pytest", *OPTIONS, *tests]
        done = subprocess.run(command, cwd=SCRATCH, capture_output=True, text=True, check=False)
    finally:
        path.write_text(text, "utf-8")
    return done.returncode == 1 and " failed" in done.stdout


def main() -> int:
    """Try every defence whose threat holds one of the words on the command line."""
    listed = tomllib.loads((HERE / "defences.toml").read_text("utf-8"))["defence"]
    chosen = [
        one for one in listed if not sys.argv[1:] or any(w in one["threat"] for w in sys.argv[1:])
    ]
    copy()
    missed = 0
    for one in chosen:
        found = fails_without(SCRATCH / one["file"], one["old"], one["new"], one["tests"])
        words = {True: "noticed", False: "NOT NOTICED", None: "TEXT NOT FOUND"}[found]
        missed += found is not True
        print(f"{words:14} {one['threat']}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
