"""What `hjstudy --version` prints."""

from app import __version__
from app.game.say import ENGINE_VERSION
from app.study import code_version


def line() -> str:
    """Return the versions of the package and of the game's engine, and the commit, in one line."""
    code = code_version.git_state()
    commit = code["git_commit"]
    where = f"commit {commit[: code_version.SHORT]}" if commit else "no git checkout"
    changed = ", with uncommitted changes" if code["git_dirty"] else ""
    return f"hjstudy {__version__}, engine {ENGINE_VERSION}, {where}{changed}"
