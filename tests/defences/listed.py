"""The defences that can be taken out, as the lists beside this file name them."""

import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Defence(NamedTuple):
    """What takes a defence out: `new` for `old` in `file`. `tests` must then fail.

    `row`: how the threat's row in docs/security.md begins; empty for a promise that is none of
    its threats. `postgres`: the tests run on PostgreSQL, otherwise on SQLite. `list`: the file that
    names it, without `.toml`.
    """

    threat: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    row: str = ""
    postgres: bool = False
    list: str = ""


def listed() -> list[Defence]:
    """Return every defence."""
    return [
        Defence(**{**entry, "tests": tuple(entry["tests"])}, list=path.stem)
        for path in sorted(HERE.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["defence"]
    ]
