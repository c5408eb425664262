"""One command over HTTP, form in and fragment out, against a minimal server on the same stack.

Both servers stay up, and the same driver loads them alternately. Our players play first episodes:
they fail one attempt after the other, and a new person starts when the budget is nearly used.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from statistics import median

from app.game.model import Variant
from app.store.db import Store
from app.store.play import progress
from app.study.design.library import Library
from bench import driver, serving, stage
from bench.driver import Client, Load, User
from bench.measure import Result, alternate

TARGET = 0.6
HEADERS = {"HX-Request": "true", "Sec-Fetch-Site": "same-origin"}
HIGHEST_RATE = 1500  # commands per second; enough people are enrolled in advance for this rate

Move = tuple[str, str, str]  # path, seq, command


class Player:
    """Types the given commands."""

    def __init__(self, port: int) -> None:
        self.client, self.moves = Client(port), deque[Move]()

    def step(self) -> None:
        """Send one command."""
        path, seq, line = self.moves.popleft()
        form = {"seq": seq, "raw": line, "taps": "0"}
        form |= {"client_ms": "1795780800000", "think_ms": "2412"}
        status, headers, body = self.client.send("POST", path, form, HEADERS)
        assert status == 200, (status, body[:300])
        assert headers["X-Seq"] == seq, (seq, body[:300])


class FloorUser:
    """Sends the form of the minimal server."""

    def __init__(self, port: int) -> None:
        self.client = Client(port)
        self.csrf = self.client.send("GET", "/token")[2].decode().strip('"')

    def step(self) -> None:
        """Send one form."""
        form = {"csrf": self.csrf, "rating": "3", "action": "buy lantern"}
        status, _, body = self.client.send("POST", "/act", form)
        assert status == 200, (status, body[:300])


def moves(store: Store, library: Library) -> list[Move]:
    """Enrol one more person; return what to type in the first episode."""
    token = stage.enter(store, library)
    with store.read() as db:
        row = progress.to_play(db, token, 0, 0)
        assert row is not None
        variant = library.variant(db, row.variant_hash)
    lines = failures(variant, row.variant_episode)
    path = f"/p/{token}/world/1/guardian/1"
    return [(path, str(seq), line) for seq, line in enumerate(lines, start=1)]


def failures(variant: Variant, index: int) -> Iterator[str]:
    """Yield failing attempts, and stop before the budget is used up."""
    episode = variant.episodes[index]
    item = next(one for one in variant.items if one.name != episode.process.item)
    place = variant.entity(episode.entity).place
    attempt = (f"go {item.shop}", f"buy {item.name}", f"go {place}", f"defeat {episode.entity}")
    for number in range((episode.budget or 12) - 1):
        yield attempt[number % 4]


def give_moves(store: Store, library: Library, players: Sequence[Player], seconds: float) -> None:
    """Give every player enough to type for this long."""
    for player in players:
        while len(player.moves) < HIGHEST_RATE * seconds / len(players) + 2:
            player.moves.extend(moves(store, library))


def run(*, tiny: bool) -> Iterator[Result]:
    """Load both servers with one user and with twenty users."""
    seconds, rounds, seeds = (0.1, 1, 1) if tiny else (1.5, 9, 3)
    with stage.folder() as folder, stage.database(folder / "web.db", seeds) as store:
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "cdn"}
        floor_url = {"BENCH_FLOOR_URL": f"sqlite:///{folder / 'floor.db'}"}
        with (
            serving.server(serving.OURS, folder, "/healthz", **url) as ours,
            serving.server(serving.FLOOR, folder, "/token", **floor_url) as floor,
        ):
            for users in (1, 20):
                yield compare(store, (ours, floor), users, seconds, rounds)


def compare(
    store: Store, ports: tuple[int, int], users: int, seconds: float, rounds: int
) -> Result:
    """Load both servers alternately with this many users."""
    players = [Player(ports[0]) for _ in range(users)]
    others = [FloorUser(ports[1]) for _ in range(users)]
    found: dict[str, list[Load]] = {"ours": [], "floor": []}
    library = Library()

    def loaded(name: str, crowd: Sequence[User]) -> float:
        found[name].append(driver.run(crowd, seconds))
        return found[name][-1].rate

    def loaded_ours() -> float:
        give_moves(store, library, players, seconds)
        return loaded("ours", players)

    loaded_ours()
    loaded("floor", others)
    pair = alternate(loaded_ours, lambda: loaded("floor", others), rounds)
    for client in [one.client for one in players] + [one.client for one in others]:
        client.close()
    print(f"{pair.line('commands/s', 'ours', 'floor')}  {users} users")
    for name, loads in found.items():
        p50, p95 = median(one.p50_ms for one in loads), median(one.p95_ms for one in loads)
        print(f"    {name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms")
    return Result(f"web: commands/s, ours / floor, {users} users", pair.ratio, TARGET)
