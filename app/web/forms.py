"""Read values from forms and addresses: whole numbers, positions, texts."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import Path

MAX_DIGITS = 17  # of any number that a page sends


Place = Annotated[int, Path(ge=1, le=10_000)]


def read_count(text: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`; return None if it is invalid."""
    text = text.strip()
    if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS and int(text) <= most:
        return int(text)
    return None


def wanted_by(raw: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the decisions of a form: on single texts, and the one on all other commands."""
    found = {}
    for name, text_hash in raw.items():
        key = name.removeprefix("hash-")
        rest = raw.get("all-commands", "") if key.startswith("turn-") else ""
        value = raw.get(f"decision-{key}", "") or rest
        if key != name and value:
            found[key] = value, text_hash
    return found
