"""The database behind the players: what people cannot see, and whether the log matches."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from threading import Lock

from sqlalchemy import Connection

from app.bots.player import HttpPlayer, Place
from app.errors import UnavailableError
from app.game.model import Variant
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import turns
from app.study.design import arms
from app.study.design.library import Library
from app.study.play import enrol, players
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket

TEST = Arrival(is_test=True)
PATIENCE_S, AGAIN_S = 120.0, 0.5  # how long a database may be away, and between two looks


class Stored:
    """The database that the server works on."""

    def __init__(self, store: Store) -> None:
        self.store, self.library = store, Library()
        self._lock = Lock()

    def knows(self, token: str, block: int, position: int) -> tuple[Variant, int]:
        """Return the variant and the index of the episode at a player's place.

        Waits for a database that is away, as players wait for the server's answer.
        """
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._look(token, block, position)
            except UnavailableError:
                if time.monotonic() > end:
                    raise
            time.sleep(AGAIN_S)

    def _look(self, token: str, block: int, position: int) -> tuple[Variant, int]:
        with self._lock, self.store.read() as db:  # hundreds of players share few connections
            row = players.load(db, token).episode(block, position)
            return self.library.variant(db, row.variant_hash), int(row.variant_episode)

    def enrol_test(self, slug: str, now: datetime) -> str:
        """Enrol a test player, who counts nowhere; return their address."""
        token = enrol.agree(self.store, self.library, slug, TEST, new_ticket(), now)
        return f"/p/{token}"

    def cells(self, crowd: Sequence[HttpPlayer]) -> dict[str, int]:
        """Return cell key -> how many of these players were given it, in order of the keys."""
        with self.store.read() as db:
            loaded = [players.load(db, one.token) for one in crowd if one.token]
        return dict(sorted(Counter(b.cell for one in loaded for b in one.blocks).items()))

    def treatments(self, crowd: Sequence[HttpPlayer], between: str) -> dict[str, int]:
        """Return each treatment -> how many of these players have it; {} if there are none."""
        if between == arms.NONE:
            return {}
        with self.store.read() as db:
            loaded = [players.load(db, one.token) for one in crowd if one.token]
        first = (getattr(one.blocks[0], between) for one in loaded if one.blocks)
        return dict(sorted(Counter(map(str, first)).items()))

    def compare(self, players: Sequence[HttpPlayer], track: Track = untracked) -> list[str]:
        """Return a sentence for each difference between players' own logs and stored turns."""
        with self.store.read() as db:
            compared = track(players, "Comparing with the log", len(players))
            return [found for player in compared for found in differences(db, player)]


def differences(db: Connection, player: HttpPlayer) -> Iterator[str]:
    """Yield what is stored differently from what the player saw."""
    if not player.token:
        return
    person = players.load(db, player.token)
    who = f"{person.row.public_id} ({player.bot})"
    if player.code and (person.row.state, person.row.code) != ("finished", player.code):
        yield f"{who}: shown the code {player.code}, stored {person.row.code}"
    for row in person.episodes:
        place = row.block_position, row.position
        for found in episode_differences(player, place, row, turns.of_episode(db, row.id)):
            yield f"{who}, world {place[0] + 1}, guardian {place[1] + 1}: {found}"


def episode_differences(
    player: HttpPlayer, place: Place, row: AnyRow, stored: Sequence[AnyRow]
) -> Iterator[str]:
    """Yield each stored turn that the player saw differently, and each of theirs not stored."""
    one = player.adventures.get(place)
    shown = [(line.seq, line.raw, line.message) for line in one.acknowledged] if one else []
    kept = [(turn.seq, turn.raw, turn.message) for turn in stored]
    for number in range(max(len(shown), len(kept))):
        mine = shown[number] if number < len(shown) else None
        theirs = kept[number] if number < len(kept) else None
        if mine != theirs:
            yield f"acknowledged {mine}, stored {theirs}"
    if one is None or not one.state.done:
        return
    state = one.state
    seen = ("won" if state.success else "lost", state.actions_used, state.attempts)
    if seen != (row.state, row.actions_used, row.attempts):
        yield f"seen {seen}, stored {(row.state, row.actions_used, row.attempts)}"
