"""Studies under load: one server beside oTree, and hundreds of people who think.

oTree submits a form with one field and shows the next page. We play a command: as a fragment (with
JavaScript), and as a form and the whole next page (without). One driver loads both in turn. Then
500 people with 8 seconds of thought play on each database. `python -m bench.load` makes a table
with more numbers of people (see docs/performance.md).
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from app.store.db import Store
from app.study.design.library import Library
from bench import otree, pacing, playground, scripts, serving, stage
from bench.measure import Result, alternate
from bench.pacing import Work
from bench.playground import Ground, Setup
from bench.scripts import COMMAND, PAGE

TARGETS = {COMMAND: 12.0, PAGE: 6.0}
TARGET_MS = 100.0
MANY = 20  # users beside oTree
MOST = {COMMAND: 1500, PAGE: 600}  # units per second; enough people are enrolled for these rates
SETUPS = (
    *(Setup("sqlite", 1), Setup("sqlite", 2)),
    *(Setup("postgres", 1), Setup("postgres", 2), Setup("postgres", 4)),
)
TARGETED = (SETUPS[0], SETUPS[3])
PLAYERS = (50, 100, 200, 350, 500, 750, 1000)
THINK_S, SATURATING = 8.0, 40  # people without thought, who show the most that a server can do
Peer = Callable[[Path], AbstractContextManager[int]]


def run(*, tiny: bool, peer: Peer = otree.server) -> Iterator[Result]:
    """Compare with oTree; then let many people play on both databases."""
    seconds, rounds, players, think_s = (0.2, 1, 5, 0.1) if tiny else (2.0, 7, 500, THINK_S)
    yield from beside_otree(peer, seconds, rounds)
    for setup in TARGETED:
        with playground.opened(setup, players) as ground:
            level = ground.play(players, seconds * 15, think_s)
        print(f"  {playground.HEAD}\n  {level.line()}")
        name = f"load: p95 of an action in ms, {players} players, {setup}"
        yield Result(name, level.p95_ms, TARGET_MS, at_least=False)


def beside_otree(peer: Peer, seconds: float, rounds: int) -> Iterator[Result]:
    """Load our server and oTree's in turn, with one user and with many."""
    with stage.folder() as folder, stage.database(folder / "load.db", 3) as store:
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "cdn"}
        with (
            serving.server(serving.OURS, folder, "/healthz", **url) as ours,
            peer(folder) as other,
        ):
            for users in (1, MANY):
                for kind in (COMMAND, PAGE):
                    ratio = compare(store, (ours, other), kind, users, seconds, rounds)
                    if users == MANY:
                        name = f"load: our {kind}s / oTree's pages, {users} users"
                        yield Result(name, ratio, TARGETS[kind])


def compare(
    store: Store, ports: tuple[int, int], kind: str, users: int, seconds: float, rounds: int
) -> float:
    """Load both servers alternately; return the ratio of the rates."""
    library, theirs = Library(), otree.crowd(ports[1], users)
    enough = int(MOST[kind] * seconds)

    def ours() -> float:
        return rate(scripts.endless(store, library, kind, users, enough), ports[0], seconds)

    def other() -> float:
        return rate(theirs, ports[1], seconds)

    ours()
    other()
    pair = alternate(ours, other, rounds)
    print(f"{pair.line('a second', f'our {kind}s', 'oTree')}  {users} users, {pair.ratio:.1f} x")
    return pair.ratio


def rate(crowd: list[Work], port: int, seconds: float) -> float:
    """Let a crowd work without thought; return the units per second."""
    tally = pacing.run(crowd, [port], seconds, 0)
    assert not tally.problems, tally.problems
    return tally.number() / tally.wall_s


def main(arguments: list[str] | None = None) -> None:
    """Print a table for each kind of server."""
    names = [str(one) for one in SETUPS]
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("setups", nargs="*", metavar="SETUP", help=", ".join(names))
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    parser.add_argument("--think", type=float, default=THINK_S, help="mean seconds of thought")
    parser.add_argument("--seconds", type=float, default=60, help="length of each measurement")
    asked = parser.parse_args(arguments)
    unknown = set(asked.setups) - set(names)
    if unknown:
        parser.error(f"no setup {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for setup in SETUPS:
        if not asked.setups or str(setup) in asked.setups:
            with playground.opened(setup, max(asked.players)) as ground:
                table(ground, asked.players, asked.seconds, asked.think)


def table(ground: Ground, players: list[int], seconds: float, think_s: float) -> None:
    """Print a line for each number of players, one for saturation, and sizes."""
    print(f"\n{playground.HEAD}", flush=True)
    for number in sorted(players):
        print(ground.play(number, seconds, think_s).line(), flush=True)
    print(ground.play(min(SATURATING, max(players)), seconds / 4, 0).line())
    print(ground.sizes(), flush=True)


if __name__ == "__main__":
    main()
