"""Time of an action with a thousand stored turns, and with a million.

Measures `Table.act`: check, step, one row, commit to disk. Both databases are open and take actions
alternately, so other load on the machine affects both.
"""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from app.store.db import Store
from app.study.design.library import Library
from app.study.play.commands import Table
from bench import crowd, measure, stage
from bench.measure import Result

TARGET = 1.1
ID_STEP = 10_000_000  # distance between the IDs of two copies
COPIED = ("participant", "block", "episode", "turn")
LINKS = {"participant_id", "block_id", "episode_id"}


class Game:
    """A database with a stream of actions: one participant and one episode after the other."""

    def __init__(self, store: Store) -> None:
        self.table = Table(store)
        self.moves = self.endless()

    def endless(self) -> Iterator[float]:
        """Yield the duration of each action in seconds."""
        while True:
            token = stage.enter(self.table.store, self.table.library)
            view = stage.first_view(self.table, token)
            lines = [f"go {view.places[0]}", f"go {view.places[1]}"]
            for seq in range(1, (view.budget or 12) - 1):
                began = time.perf_counter()
                self.table.act(token, 0, 0, seq, lines[seq % 2], stage.NOW)
                yield time.perf_counter() - began


def multiply(path: Path, times: int) -> int:
    """Copy all participants and their turns this many times; return the new number of turns."""
    db = sqlite3.connect(path)
    with db:
        for copy in range(1, times):
            for table in COPIED:
                db.execute(copying(db, table, copy * ID_STEP))
    db.execute("ANALYZE")
    (turns,) = db.execute("SELECT count(*) FROM turn").fetchone()
    db.close()
    return int(turns)


def copying(db: sqlite3.Connection, table: str, shift: int) -> str:
    """Return a statement that copies the first participants' rows of a table with shifted IDs."""
    columns = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    taken = []
    for name in columns:
        if name == "id" or name in LINKS or name == "arrival":
            taken.append(f"{name} + {shift}")
        elif name in {"public_id", "token"}:
            taken.append(f"{name} || '-{shift}'")
        else:
            taken.append(name)
    listed, wanted = ", ".join(columns), ", ".join(taken)
    return f"INSERT INTO {table} ({listed}) SELECT {wanted} FROM {table} WHERE id < {ID_STEP}"  # noqa: S608 - table names are ours


def run(*, tiny: bool) -> Iterator[Result]:
    """Create both databases, then act in them alternately."""
    few, many, actions, seeds = (100, 400, 30, 1) if tiny else (1000, 1_000_000, 3000, 20)
    with (
        stage.folder() as folder,
        stage.database(folder / "small.db", seeds) as small,
        stage.database(folder / "large.db", seeds) as large,
    ):
        crowd.fill(small, Library(), few)
        begun = crowd.fill(large, Library(), many // 50 if not tiny else few)
        stored = multiply(folder / "large.db", -(-many // begun))
        share, games = measure.wait_quiet(), (Game(large), Game(small))
        for game in games:
            for _ in range(actions // 10):
                next(game.moves)
        took: tuple[list[float], list[float]] = ([], [])
        for number in range(actions):
            for at in (0, 1) if number % 2 else (1, 0):
                took[at].append(next(games[at].moves))
        size = (folder / "large.db").stat().st_size / 1e6
    big, less = (median(one) * 1e6 for one in took)
    print(
        f"  {big:.0f} us with {stored:,} turns ({size:.0f} MB), {less:.0f} us with {few:,}"
        f"  ({actions} actions each, spin {measure.spin():.0f} ms, others busy {share:.0%})"
    )
    yield Result("growth: time of an action, 10^6 / 10^3 turns", big / less, TARGET, at_least=False)
