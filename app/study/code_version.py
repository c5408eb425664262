"""The code that wrote a file or made a run: its commit, and whether it had uncommitted changes."""

import shutil
import subprocess
from functools import lru_cache
from typing import Any

from app import __version__
from app.paths import ROOT

PATIENCE_S = 5
SHORT = 12  # digits of a commit


@lru_cache(maxsize=1)
def git_state() -> dict[str, Any]:
    """Return `git_commit` and `git_dirty`, or None outside a git checkout."""
    git = shutil.which("git")
    commit = None if git is None else asked(git, "rev-parse", "HEAD")
    if git is None or not commit:
        return {"git_commit": None, "git_dirty": None}
    changed = asked(git, "status", "--porcelain", "--untracked-files=no")
    return {"git_commit": commit, "git_dirty": None if changed is None else bool(changed)}


def code_version() -> str:
    """Return the version of hjstudy, with its commit in a git checkout, and whether it changed."""
    state = git_state()
    commit = (state["git_commit"] or "")[:SHORT]
    return f"{__version__} {commit}{' changed' if state['git_dirty'] else ''}".strip()


def asked(git: str, *words: str) -> str | None:
    """Return git's output for this folder, or None if git fails."""
    if not (ROOT / ".git").exists():
        return None
    command = [git, "-C", str(ROOT), *words]
    try:
        found = subprocess.run(  # noqa: S603 - fixed arguments, in this folder
            command, capture_output=True, text=True, check=True, timeout=PATIENCE_S
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
