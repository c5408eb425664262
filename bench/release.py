"""Make a release: python -m bench.release VERSION (`make release VERSION=1.2.0`).

Sets the version, gives the changelog's unreleased part its version and date, commits and tags. It
never pushes: look at the commit first, then push it with its tag.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HEADING = "## Unreleased\n"
UPGRADING = re.compile(r"^### Upgrading\n+(?!#)\S", re.MULTILINE)  # and a text below it
VERSION = re.compile(r"\d+\.\d+\.\d+")
FILES = {  # file -> pattern of the line with the version; {} is the version
    "pyproject.toml": 'version = "{}"',
    "app/__init__.py": '__version__ = "{}"',
    "CITATION.cff": "version: {}",
}


class NotReadyError(Exception):
    """The checkout cannot be released; the message says what to do."""


def release(root: Path, version: str, today: str) -> str:
    """Commit and tag a version; returns the tag.

    Args:
        root: the checkout, without changes.
        version: three numbers, higher than the present version.
        today: the date, such as 2026-11-29.

    Raises:
        NotReadyError: nothing has been changed.
    """
    check(root, version)
    for name, pattern in FILES.items():
        path = root / name
        line = pattern.format(version)
        path.write_text(line_of(pattern).sub(line, path.read_text("utf-8"), count=1), "utf-8")
    citation = root / "CITATION.cff"
    lines = re.sub(r"date-released: .*\n", "", citation.read_text("utf-8"))
    dated = f'version: {version}\ndate-released: "{today}"\n'
    citation.write_text(lines.replace(f"version: {version}\n", dated, 1), "utf-8")
    changes = root / "CHANGELOG.md"
    moved = f"{HEADING}\n## {version} - {today}\n"
    changes.write_text(changes.read_text("utf-8").replace(HEADING, moved, 1), "utf-8")
    git(root, "commit", "-q", "-a", "-m", f"Release {version}")
    git(root, "tag", "-a", f"v{version}", "-m", f"hjstudy {version}")
    return f"v{version}"


def check(root: Path, version: str) -> None:
    """Refuse what cannot be released. Raises NotReadyError."""
    if not VERSION.fullmatch(version):
        raise NotReadyError(f"'{version}' is not a version. Write three numbers, such as 1.2.0.")
    if changed := git(root, "status", "--porcelain"):
        raise NotReadyError(f"Commit or undo your changes first:\n{changed}")
    present = {name: version_in(root / name, pattern) for name, pattern in FILES.items()}
    if len(set(present.values())) > 1:
        raise NotReadyError(f"The files do not have the same version: {present}")
    (now,) = set(present.values())
    if numbers(version) < numbers(now) or f"v{version}" in git(root, "tag").split():
        raise NotReadyError(f"{version} is not newer than {now}. Choose a higher version.")
    _, heading, after = (root / "CHANGELOG.md").read_text("utf-8").partition(HEADING)
    if not heading or not after.partition("\n## ")[0].strip():
        raise NotReadyError("CHANGELOG.md has nothing under '## Unreleased'. Say what is new.")
    is_major = numbers(version)[0] > numbers(now)[0]
    if is_major and not UPGRADING.search(after.partition("\n## ")[0]):
        raise NotReadyError(
            f"{version} is a major version. Say what people have to do in CHANGELOG.md, under "
            "'## Unreleased', below a heading '### Upgrading'."
        )


def line_of(pattern: str) -> re.Pattern[str]:
    """Return what finds the line with the version."""
    before, after = map(re.escape, pattern.split("{}"))
    return re.compile(f"^{before}({VERSION.pattern}){after}$", re.MULTILINE)


def version_in(path: Path, pattern: str) -> str:
    """Return the version that a file states; '' if none."""
    found = line_of(pattern).search(path.read_text("utf-8"))
    return found[1] if found else ""


def numbers(version: str) -> list[int]:
    """Return a version's parts, to compare them."""
    return [int(part) for part in version.split(".") if part]


def git(root: Path, *words: str) -> str:
    """Run git in the checkout; returns what it prints."""
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    try:
        tag = release(Path.cwd(), "".join(sys.argv[1:]), f"{datetime.now(UTC):%Y-%m-%d}")
    except NotReadyError as problem:
        sys.exit(str(problem))
    print(f"Committed and tagged {tag}. To publish it: git push --follow-tags")
