"""Fast replay of the log: the engine's result for a line is computed once and reused.

The result of a line depends on the player's location, item and activities, on whether it is the
last action of the budget, and on the coins only if the result names or changes them. The numbers of
the action and of the attempt are mere counters. So each world is a small graph: spots (location,
item, activities) connected by lines.
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
# The result of one line at one spot: (form, spot, failed, paid).
# form: the stored fields seq to did as the digest takes them (log.py), to be filled with the
# numbers of the action, the attempt, the action again, and the coins. failed: 1 if an attempt
# ends here without success, else 0. paid: the change of the coins.
# (A plain tuple for speed: a sixth of all turns create one.)
Edge = tuple[bytes, "Spot", int, int]


class Spot:
    """A state of the player. `last`: the same as `edges`, for the last action of the budget.

    A key is a stored line, or (line, coins) if the coins matter.
    """

    __slots__ = ("edges", "last", "things")

    def __init__(self, things: Things) -> None:
        self.things = things
        self.edges: dict[bytes | tuple[bytes, int], Edge] = {}
        self.last: dict[bytes | tuple[bytes, int], Edge] = {}


class Garden:
    """One episode of one variant: its world, and the spots found so far.

    Play ends at `won` and `lost`.
    """

    def __init__(self, here: World) -> None:
        self.world, self.budget = here, here.budget
        self._spots: dict[Things, Spot] = {}
        start = world.start(here)
        self.start, self.coins = self.spot(start), start.coins
        self.won, self.lost = Spot(self.start.things), Spot(self.start.things)

    def spot(self, state: State) -> Spot:
        """Return the spot of a state."""
        if state.done:
            return self.won if state.success else self.lost
        things = state[:3]
        found = self._spots.get(things)
        if found is None:
            found = self._spots[things] = Spot(things)
        return found

    def forget(self) -> None:
        """Break up the graph, so that it is freed without the garbage collector."""
        for spot in self._spots.values():
            spot.edges.clear()
            spot.last.clear()
        self._spots.clear()

    def is_over(self, spot: Spot) -> bool:
        """Return whether play has ended at a spot."""
        return spot is self.won or spot is self.lost

    def grow(self, spot: Spot, raw: bytes, used: int, attempt: int, coins: int) -> Edge:
        """Play a line at a spot, as action number `used`, and keep the result.

        Raises: UnicodeDecodeError, GameError: the line is not text or not a command, or the
            episode is over.
        """
        line = raw.decode()
        before = State._make((*spot.things, coins, used - 1, attempt, self.is_over(spot), False))
        typed, state, seen = world.play(self.world, before, line)
        code, params, ok, done, success, of_attempt, _ = seen
        verb, argument, status, _ = typed
        place, carried, did, left, _, upcoming, _, _ = state
        answer = (
            f"{line}\x1f{verb or ''}\x1f{argument or ''}\x1f{status}\x1f{ok}\x1f{code}\x1f"
            f"{json_list(params)}\x1f{say(seen)}\x1f{done}\x1f{success}"
        )
        there, acts = f"{place}\x1f{carried or ''}", json_list(did)
        if "%" in answer or "%" in there or "%" in acts:
            answer, there, acts = (text.replace("%", "%%") for text in (answer, there, acts))
        form = f"\x1f%d\x1f{answer}\x1f%d\x1f%d\x1f{there}\x1f%d\x1f{acts}\x1f".encode()
        edge = (form, self.spot(state), upcoming - of_attempt, left - coins)
        of_coins = left != coins or str(coins) in params
        edges = spot.last if used == self.budget else spot.edges
        edges[(raw, coins) if of_coins else raw] = edge
        return edge


def read_variant(content: bytes, name: str) -> Variant | str:
    """Return the variant of a stored text without its demonstrations, or a text with its error.

    The stored text is the hashed canonical JSON with the hash added.
    """
    hashed = content.replace(b'"hash":"%b",' % name.encode(), b"", 1)
    if len(hashed) < len(content) and hashlib.sha256(hashed).hexdigest() == name:
        return from_dict({**json.loads(content), "demonstrations": []})
    try:
        return f"another text (with hash {content_hash(from_json(content.decode()))})"
    except GameError as error:
        return error.message
    except UnicodeDecodeError as error:
        return str(error)


@lru_cache(maxsize=4096)
def json_list(words: tuple[str, ...]) -> str:
    """Return strings as the stored JSON list."""
    return json.dumps(words, ensure_ascii=False)
