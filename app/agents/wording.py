"""The prompts: files of our own wording, versioned together and known by their hashes.

A changed prompt needs a new version: a folder `prompts/v<n>` with all files.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

VERSION = "1"


@cache
def prompts(version: str = VERSION) -> Mapping[str, str]:
    """Return every prompt of a version by name. Raises FileNotFoundError: no such version."""
    folder = files("app.agents") / "prompts" / f"v{version}"
    found = sorted(one.name for one in folder.iterdir() if one.name.endswith(".txt"))
    return {
        name.removesuffix(".txt"): (folder / name).read_text(encoding="utf-8") for name in found
    }


def hashes(version: str = VERSION) -> dict[str, str]:
    """Return the SHA-256 (hex) of every prompt of a version."""
    return {
        name: hashlib.sha256(text.encode()).hexdigest() for name, text in prompts(version).items()
    }


def fill(name: str, **values: object) -> str:
    """Return a prompt of the newest version with its places filled.

    Raises: KeyError: there is no such prompt, or a value is missing.
    """
    return Template(prompts()[name]).substitute(values).strip() + "\n"
