"""Play again from the log, fast: what the engine says to a line, worked out once and kept.

What a line leads to depends on where the player stands, on what is carried and done, on whether it
is the last action of the budget, and on the coins only where the answer names or changes them. The
numbers of the action and of the attempt only count. So each world is a small graph: spots
(location, item, deeds) joined by lines.
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

Things = tuple[str, str | None, tuple[str, ...]]  # the first three fields of a state
# What one line at one spot leads to: (form, spot, failed, paid).
# form: the stored fields seq to did as the digest takes them (log.py), to be filled with the
# numbers of the action, the attempt, the action again, and the coins. failed: 1 if an attempt
# ends here without success, else 0. paid: what the line does to the coins.
# (A plain tuple: a sixth of all turns make one.)
Edge = tuple[bytes, "Spot", int, int]


class Spot:
    """Where a player can stand. `last`: the same as `edges`, for the last action of the budget.

    A key is a stored line, or (line, coins) where the coins matter.
    """

    __slots__ = ("edges", "last", "things")

    def __init__(self, things: Things) -> None:
        self.things = things
        self.edges: dict[bytes | tuple[bytes, int], Edge] = {}
        self.last: dict[bytes | tuple[bytes, int], Edge] = {}


class Garden:
    """One episode of one variant: its world, and the spots found so far.

    `won` and `lost` are where play is over.
    """

    def __init__(self, here: World) -> None:
        self.world, self.budget = here, here.budget
        self._spots: dict[Things, Spot] = {}
        start = world.start(here)
        self.start, self.coins = self.spot(start), start.coins
        self.won, self.lost = Spot(self.start.things), Spot(self.start.things)

    def spot(self, state: State) -> Spot:
        """Return the spot at which a state stands."""
        if state.done:
            return self.won if state.success else self.lost
        things = state[:3]
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

    def grow(self, spot: Spot, raw: bytes, used: int, attempt: int, coins: int) -> Edge:
        """Play a line at a spot, as action number `used`, and keep what it leads to.

        Raises: UnicodeDecodeError, GameError: it cannot be played: no text, no command, or the
            episode is over.
        """
        line = raw.decode()
        before = State._make((*spot.things, coins, used - 1, attempt, self.is_over(spot), False))
        typed, state, seen = world.play(self.world, before, line)
        code, params, ok, done, success, of_attempt = seen
        verb, argument, status, _ = typed
        place, carried, did, left, _, upcoming, _, _ = state
        said = (
            f"{line}\x1f{verb or ''}\x1f{argument or ''}\x1f{status}\x1f{ok}\x1f{code}\x1f"
            f"{json_list(params)}\x1f{say(seen)}\x1f{done}\x1f{success}"
        )
        there, deeds = f"{place}\x1f{carried or ''}", json_list(did)
        if "%" in said or "%" in there or "%" in deeds:
            said, there, deeds = (text.replace("%", "%%") for text in (said, there, deeds))
        form = f"\x1f%d\x1f{said}\x1f%d\x1f%d\x1f{there}\x1f%d\x1f{deeds}\x1f".encode()
        edge = (form, self.spot(state), upcoming - of_attempt, left - coins)
        of_coins = left != coins or str(coins) in params
        edges = spot.last if used == self.budget else spot.edges
        edges[(raw, coins) if of_coins else raw] = edge
        return edge


def read_variant(content: bytes, name: str) -> Variant | str:
    """Return the variant of a stored text without its demonstrations, or what is wrong with it.

    The text is canonical JSON with its hash put in: without it, it is what was hashed.
    """
    hashed = content.replace(b'"hash":"%b",' % name.encode(), b"", 1)
    if len(hashed) < len(content) and hashlib.sha256(hashed).hexdigest() == name:
        return from_dict({**json.loads(content), "demonstrations": []})
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
