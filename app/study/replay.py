"""Play again from the log, fast: what the engine says to a line, worked out once and kept.

What a line leads to depends on where the player stands, what is carried and done, the coins, and
on whether it is the last action of the budget; the numbers of the action and of the attempt only
count. So each world is a small graph: spots (the first four fields of a state) joined by lines.
"""

import hashlib
import json
from functools import lru_cache

from app.errors import GameError
from app.game import world
from app.game.model import Variant
from app.game.say import say
from app.game.variant import content_hash, from_dict, from_json
from app.game.world import State, World

Things = tuple[str, str | None, tuple[str, ...], int]


# What one line at one spot leads to: (form, spot, failed).
# form: the stored fields seq to did as the digest takes them (log.py), to be filled with the
# numbers of the action, the attempt and the action. failed: 1 if an attempt ends here without
# success, else 0. (A plain tuple: a quarter of all turns make one.)
Edge = tuple[bytes, "Spot", int]


class Spot:
    """Where a player can stand. `edges`: stored line -> Edge; `last`: the same on the budget."""

    __slots__ = ("edges", "last", "things")

    def __init__(self, things: Things) -> None:
        self.things = things
        self.edges: dict[bytes, Edge] = {}
        self.last: dict[bytes, Edge] = {}


class Garden:
    """One episode of one variant: its world, and the spots found so far.

    `won` and `lost` are where play is over.
    """

    def __init__(self, here: World) -> None:
        self.world, self.budget = here, here.budget
        self._spots: dict[Things, Spot] = {}
        self.start = self.spot(world.start(here))
        self.won, self.lost = Spot(self.start.things), Spot(self.start.things)

    def spot(self, state: State) -> Spot:
        """Return the spot at which a state stands."""
        if state.done:
            return self.won if state.success else self.lost
        things = state[:4]
        found = self._spots.get(things)
        if found is None:
            found = self._spots[things] = Spot(things)
        return found

    def forget(self) -> None:
        """Take the graph apart, so that nothing waits for the search for garbage."""
        for spot in self._spots.values():
            spot.edges.clear()
            spot.last.clear()
        self._spots.clear()

    def is_over(self, spot: Spot) -> bool:
        """Tell whether nothing more can be played at a spot."""
        return spot is self.won or spot is self.lost

    def grow(self, spot: Spot, raw: bytes, used: int, attempt: int) -> Edge:
        """Play a line at a spot, as action number `used`, and keep what it leads to.

        Raises: UnicodeDecodeError, GameError: it cannot be played: no text, no command, or the
            episode is over.
        """
        line = raw.decode()
        before = State._make((*spot.things, used - 1, attempt, self.is_over(spot), False))
        typed, state, seen = world.play(self.world, before, line)
        code, params, ok, done, success, of_attempt = seen
        verb, argument, status, _ = typed
        place, carried, did, coins, _, upcoming, _, _ = state
        said = (
            f"{line}\x1f{verb or ''}\x1f{argument or ''}\x1f{status}\x1f{ok}\x1f{code}\x1f"
            f"{json_list(params)}\x1f{say(seen)}\x1f{done}\x1f{success}"
        )
        left = f"{place}\x1f{carried or ''}\x1f{coins}\x1f{json_list(did)}"
        if "%" in said or "%" in left:
            said, left = said.replace("%", "%%"), left.replace("%", "%%")
        form = f"%d\x1f{said}\x1f%d\x1f%d\x1f{left}\x1f".encode()
        edge = (form, self.spot(state), upcoming - of_attempt)
        (spot.last if used == self.budget else spot.edges)[raw] = edge
        return edge


def read_variant(content: bytes, name: str) -> Variant | str:
    """Return the variant of a stored text, or in words what is wrong with it.

    The text is canonical JSON with its hash put in: without it, it is what was hashed.
    """
    hashed = content.replace(b'"hash":"%b",' % name.encode(), b"", 1)
    if len(hashed) < len(content) and hashlib.sha256(hashed).hexdigest() == name:
        return from_dict(json.loads(content))
    try:
        return f"another text (its own hash: {content_hash(from_json(content.decode()))})"
    except GameError as error:
        return error.message
    except UnicodeDecodeError as error:
        return str(error)


@lru_cache(maxsize=4096)
def json_list(words: tuple[str, ...]) -> str:
    """Return words as the JSON list that is stored."""
    return json.dumps(words, ensure_ascii=False)
