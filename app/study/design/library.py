"""A cache of files and stored variants: lexica, variants, worlds, what a player may see.

Everything cached here is immutable and keyed by content, so the cache can never be stale.
"""

from functools import lru_cache
from pathlib import Path

from sqlalchemy import Connection

from app.errors import FieldError, StudyError
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Task, Variant
from app.game.tasks import TASKS, parse_task
from app.game.variant import from_json
from app.game.view import PlayerView, player_view
from app.game.world import World, episode_world
from app.store.design import studies, variants
from app.study.design.spec import StudySpec, parse_spec

LEXICA = Path(__file__).resolve().parents[2] / "lexica"
LEXICON_NAMES = ("semantic", "nonce")


class UnknownNameError(StudyError):
    """There is no task, lexicon or file with this name."""

    code = "study/unknown_name"


@lru_cache(maxsize=16)
def lexicon(name: str) -> Lexicon:
    """Return a lexicon by name (semantic, nonce) or from a JSON file's path."""
    if name in LEXICON_NAMES:
        return parse_lexicon((LEXICA / f"{name}.json").read_text("utf-8"))
    return parse_lexicon(read_file(name, f"lexicon: use {' or '.join(LEXICON_NAMES)}, or a file"))


def task(name: str) -> Task:
    """Return a task by name (A-Add, ...) or from a JSON file's path."""
    if name in TASKS:
        return TASKS[name]
    return parse_task(read_file(name, f"task: use one of {', '.join(TASKS)}, or a JSON file"))


def read_file(name: str, hint: str) -> str:
    """Return the text of a JSON file. Raises UnknownNameError, which says what is expected."""
    path = Path(name)
    if path.suffix != ".json":
        raise UnknownNameError(f"'{name}' is not known. {hint}.")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnknownNameError(f"'{name}' cannot be read: {error}. {hint}.") from error


class Library:
    """Variants, worlds and views of one database, cached by content hash."""

    def __init__(self, keep: int = 2000) -> None:
        self._variants: dict[str, Variant] = {}
        self._worlds: dict[tuple[str, int], World] = {}
        self._views: dict[tuple[str, int], PlayerView] = {}
        self._specs: dict[int, StudySpec] = {}
        self._keep = keep

    def variant(self, db: Connection, content_hash: str) -> Variant:
        """Return a stored variant; KeyError if the database has none with this hash."""
        found = self._variants.get(content_hash)
        if found is None:
            found = from_json(variants.content(db, content_hash))
            self._make_room()
            self._variants[content_hash] = found
        return found

    def world(self, db: Connection, content_hash: str, index: int) -> World:
        """Return the compiled world of one episode of a stored variant."""
        key = (content_hash, index)
        found = self._worlds.get(key)
        if found is None:
            found = self._worlds[key] = episode_world(self.variant(db, content_hash), index)
        return found

    def view(self, db: Connection, content_hash: str, index: int) -> PlayerView:
        """Return what a player of one episode may see."""
        key = (content_hash, index)
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = player_view(self.variant(db, content_hash), index)
        return found

    def spec(self, db: Connection, design_id: int) -> StudySpec:
        """Return the study file of a design version."""
        found = self._specs.get(design_id)
        if found is None:
            found = self._specs[design_id] = parse_spec(studies.design_text(db, design_id))
        return found

    def _make_room(self) -> None:
        if len(self._variants) >= self._keep:
            self._variants.clear()
            self._worlds.clear()
            self._views.clear()


__all__ = ["FieldError", "Library", "UnknownNameError", "lexicon", "task"]
