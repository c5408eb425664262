"""The defences that can be taken out, as the lists beside this file name them."""

import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Defence(NamedTuple):
    """What takes a defence out: `new` for `old` in `file`. `tests` must then fail.

    `row`: how the threat's row in docs/security.md begins.
    """

    row: str
    threat: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def listed() -> list[Defence]:
    """Return every defence."""
    lists = [tomllib.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("*.toml"))]
    entries = [entry for one in lists for entry in one["defence"]]
    return [Defence(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]
