"""A cache of stored variants, with their worlds and what a player may see.

Everything cached here is immutable and keyed by content, so the cache can never be stale.
"""

from sqlalchemy import Connection

from app.game.model import Variant
from app.game.variant import from_json
from app.game.view import PlayerView, player_view
from app.game.world import World, episode_world
from app.store.design import studies, variants
from app.study.design import reference
from app.study.design.game_files import LEXICON_NAMES, UnknownNameError, lexicon, task
from app.study.design.spec import StudySpec, parse_spec


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
            found = reference.hosted(from_json(variants.content(db, content_hash)))
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

    def forget(self) -> None:
        """Forget everything: SQLite reuses the row ids of a deleted study."""
        self._specs.clear()
        self._variants.clear()
        self._worlds.clear()
        self._views.clear()

    def _make_room(self) -> None:
        if len(self._variants) >= self._keep:
            self._variants.clear()
            self._worlds.clear()
            self._views.clear()


__all__ = ["LEXICON_NAMES", "Library", "UnknownNameError", "lexicon", "task"]
