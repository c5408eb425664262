"""Stored turns verified per second, including the database, against steps of the reference.

A file database holds turns by five kinds of bots in 160 variants. `verify` reads, replays and
compares all of them. The reference takes as many steps of its own solutions and reads nothing.
"""

import time
from collections.abc import Iterator

from app.game.tasks import TASK_NAMES
from app.store.db import Store
from app.study.design.library import Library
from app.study.export import verify
from bench import crowd, reference, stage
from bench.measure import Result, alternate

TARGET = 3.0


def turns_per_second(store: Store, turns: int) -> float:
    """Verify the whole database; return the rate."""
    began = time.perf_counter()
    report = verify.verify(store)
    took = time.perf_counter() - began
    assert report.ok, f"the database is not right: {report}"
    assert report.turns == turns, f"{report.turns} turns of {turns} were verified"
    return turns / took


def steps_per_second(peers: list[reference.Episode], steps: int) -> float:
    """Play this many steps of the reference, cycling through all tasks; return the rate."""
    done, began = 0, time.perf_counter()
    while done < steps:
        for peer in peers:
            done += peer.play()
    return done / (time.perf_counter() - began)


def run(*, tiny: bool, make: reference.Maker = reference.make_episode) -> Iterator[Result]:
    """Fill a database, then alternately verify it and step the reference."""
    wanted, seeds, rounds = (300, 1, 1) if tiny else (200_000, 20, 5)
    peers = [make(task) for task in TASK_NAMES]
    with stage.folder() as folder, stage.database(folder / "verify.db", seeds) as store:
        turns = crowd.fill(store, Library(), wanted)
        pair = alternate(
            lambda: turns_per_second(store, turns),
            lambda: steps_per_second(peers, turns),
            rounds,
        )
        line = pair.line("a second", "turns verified", "reference steps")
        print(f"{line}  {turns:,} turns in {8 * seeds} variants")
    yield Result("verify: turns/s, ours / reference steps/s", pair.ratio, TARGET)
