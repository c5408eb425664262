"""`make mutants`: change the program in small ways and see whether a test notices.

Copies the tree to build/mutants/, lets mutmut make and try every mutant there (engine.py), and
prints one line a module. Fails if a mutant survives that explained.toml does not explain, and if
that file explains one which is not there or does not survive.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / "build" / "mutants"
COPIED = (
    "app",
    "bench",
    "docs",
    "migrations",
    "static",
    "templates",
    "tests",
    "pyproject.toml",
    "README.md",
)
ANY = "*"  # in place of a line in explained.toml
SETTINGS = """
[tool.mutmut]
source_paths = ["app"]
only_mutate = [{module}]
also_copy = ["bench", "docs", "migrations", "static", "templates", "README.md"]
pytest_add_cli_args = [
    "-p", "_hypothesis_pytestplugin", "-p", "pytest_timeout", "--hypothesis-profile=mutants",
    "-m", "not postgres",
]
pytest_add_cli_args_test_selection = {tests}
timeout_multiplier = 10.0
"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a module's mutants; `open` survive, and no one has said why."""

    module: str
    counted: Mapping[str, int]
    open: list[dict[str, str]]
    stale: list[str]

    def line(self) -> str:
        """Return the figures as a row of docs/testing.md."""
        total = sum(self.counted.values())
        noticed = self.counted["killed"] + self.counted["timeout"]
        explained = total - noticed - len(self.open)
        cells = (total, self.counted["killed"], self.counted["timeout"], explained, len(self.open))
        return f"| `{self.module}` | " + " | ".join(map(str, cells)) + " |"


def modules() -> dict[str, list[str]]:
    """Return module -> its tests, from modules.toml."""
    parts = tomllib.loads((HERE / "modules.toml").read_text("utf-8"))
    return {module: tests for part in parts.values() for module, tests in part.items()}


def explained(module: str) -> dict[tuple[str, str, str], str]:
    """Return (function, old line, new line) -> why it may survive, from explained.toml.

    Raises KeyError: a reason of one word is not the name of one under [reasons].
    """
    file = tomllib.loads((HERE / "explained.toml").read_text("utf-8"))
    return {
        (function, was, now): why if " " in why else file["reasons"][why]
        for function, entries in file.get(module, {}).items()
        for was, now, why in entries
    }


def anywhere() -> list[tuple[str, str]]:
    """Return (piece of a line, what it may become) for lines of any function."""
    file = tomllib.loads((HERE / "explained.toml").read_text("utf-8"))
    return [(was, now) for was, now, why in file["anywhere"] if file["reasons"][why]]


def fits_anywhere(one: Mapping[str, str], pieces: list[tuple[str, str]]) -> bool:
    """Tell whether a survivor changes only a piece that may change in any line."""

    def squeezed(line: str) -> str:
        return "".join(line.split())

    for was, now in pieces:
        parts = one["was"].split(was)
        for at in range(1, len(parts)):
            changed = was.join(parts[:at]) + now + was.join(parts[at:])
            if one["status"] == "survived" and squeezed(changed) == squeezed(one["now"]):
                return True
    return False


def try_all(module: str, tests: list[str], workers: int) -> list[dict[str, str]]:
    """Make and try a module's mutants in a scratch copy of the tree."""
    scratch = SCRATCH / Path(module).with_suffix("")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for name in COPIED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, scratch / name)
    with (scratch / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS.format(module=json.dumps(module), tests=json.dumps(tests)))
    out, log = scratch / "outcomes.json", scratch / "mutmut.log"
    with log.open("w") as file:
        command = [sys.executable, "-P", str(HERE / "engine.py"), str(workers), str(out)]
        subprocess.run(
            command,
            cwd=scratch,
            env=environment(scratch / "run"),
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if not out.exists():
        sys.exit(f"{module}: mutmut did not finish; see {log}")
    outcomes: list[dict[str, str]] = json.loads(out.read_text("utf-8"))
    return outcomes


def environment(folder: Path) -> dict[str, str]:
    """Return ours without what slows down thousands of small test runs, which share a folder."""
    folder.mkdir()
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HJSTUDY_TEST_DIR": str(folder)}


def judge(module: str, outcomes: list[dict[str, str]]) -> Verdict:
    """Set the survivors against those that are explained."""
    reasons, pieces = explained(module), anywhere()
    used, unexplained = set(), []
    for one in outcomes:
        if "name" in one:
            changes = ((one["was"], one["now"]), (one["was"], ANY), (ANY, ANY))
            fitting = [
                (one["in"], *change) for change in changes if (one["in"], *change) in reasons
            ]
            used.update(fitting)
            if not fitting and not fits_anywhere(one, pieces):
                unexplained.append(one)
    stale = [" / ".join(key) for key in reasons if key not in used]
    return Verdict(module, Counter(one["status"] for one in outcomes), unexplained, stale)


def report(verdict: Verdict) -> None:
    """Print a module's figures, then what needs an answer."""
    print(verdict.line(), flush=True)
    for one in verdict.open:
        print(f"  {one['status']}: {one['in']}\n    - {one['was']}\n    + {one['now']}")
    for entry in verdict.stale:
        print(f"  explained, but no survivor: {entry}")


def main() -> int:
    """Run all modules, or those whose path holds one of the words given."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("words", nargs="*", help="only modules whose path holds one of these")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    chosen = {
        module: tests
        for module, tests in modules().items()
        if not given.words or any(word in module for word in given.words)
    }
    print("| module | mutants | killed | timed out | explained | not explained |")
    print("|---|---|---|---|---|---|")
    is_open = False
    for module, tests in chosen.items():
        verdict = judge(module, try_all(module, tests, given.workers))
        report(verdict)
        is_open = is_open or bool(verdict.open or verdict.stale)
    return int(is_open)


if __name__ == "__main__":
    sys.exit(main())
