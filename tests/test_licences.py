"""What the server and its extras install is MIT, BSD or Apache, or like them; nothing is GPL."""

import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FREE = re.compile(r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Unlicense|HPND)\b")
WEAK = {  # used unchanged, as a library; their licences ask for no more than that
    "certifi": "MPL-2.0",
    "pathspec": "MPL-2.0",
    "psycopg": "LGPL-3.0",
    "psycopg-binary": "LGPL-3.0",
}
OURS = {"dev", "audit", "mutants", "bench", "offline"}  # extras for work on hjstudy itself
NAME = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ; (.*?))?(?: \\)?$")


def pinned():
    """Return the packages of the server and its extras that this machine has: name -> version."""
    found = versions("extras.txt")
    installed = {one.metadata["Name"].lower().replace("_", "-") for one in metadata.distributions()}
    return {name: version for name, version in found.items() if name in installed}


def versions(name):
    """Return the packages in a file of requirements: name -> version."""
    lines = (ROOT / "requirements" / name).read_text("utf-8").splitlines()
    return {match[1]: match[2] for line in lines if (match := NAME.match(line))}


def licence(name):
    """Return what a package says of its licence."""
    facts: Any = metadata.metadata(name)
    licence_text = [facts.get("License-Expression") or "", (facts.get("License") or "")[:300]]
    named = [one for one in facts.get_all("Classifier") or [] if one.startswith("License ::")]
    files = [one for one in metadata.files(name) or [] if "LICEN" in one.name.upper()]
    begin = (
        [one.read_text("utf-8")[:60] for one in files[:1]]
        if not any([*licence_text, *named])
        else []
    )
    return " | ".join([*licence_text, *named, *begin])


def test_every_pinned_package_has_hashes():
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = path.read_text("utf-8")
        entries = re.split(r"\n(?=[A-Za-z0-9])", text)
        assert [one.partition(" ")[0] for one in entries if "--hash=sha256:" not in one] == []


def test_extras_that_people_install_are_pinned_with_the_server():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {re.split(r"[\[<>=]", one)[0] for name in extras.keys() - OURS for one in extras[name]}
    assert wanted <= versions("extras.txt").keys()
    assert versions("run.txt").items() <= versions("extras.txt").items()


def test_packages_are_installed_only_if_their_hashes_match():
    for name, least in (("Makefile", 6), ("Dockerfile", 3)):
        lines = (ROOT / name).read_text("utf-8").splitlines()
        found = [line for line in lines if "-r requirements/" in line]
        assert len(found) >= least
        assert [line for line in found if "--require-hashes" not in line] == []


@pytest.mark.parametrize("name", sorted(pinned()))
def test_licence_of_what_the_server_installs_is_permissive(name):
    licence_text = licence(name)
    if name in WEAK:
        assert (
            WEAK[name].partition("-")[0] in licence_text
            or "Lesser" in licence_text
            or "Mozilla" in licence_text
        )
        return
    assert FREE.search(licence_text), licence_text
    assert not re.search(r"\bGPL|Affero|General Public", licence_text), licence_text
