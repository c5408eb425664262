"""Servers with people who play whole visits, and what that costs."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from app.store.db import Store
from app.store.play.turns import turn
from app.study.design.library import Library
from bench import pacing, scripts, serving, stage, usage
from bench.pacing import Tally, Work
from tests import databases

# What a database of real data needs: the tests' own server does not wait for the disk.
OPTIONS = (
    "-c listen_addresses='' -c max_connections=300 -c shared_buffers=512MB "
    "-c unix_socket_directories={folder}"
)
SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
KB = 1024
HEAD = (
    "setup        players think  actions/s pages/s | action p50   p95   p99 | page p50   p95 "
    "| errors | servers database driver (cores) | memory MB"
)


@dataclass(frozen=True, slots=True)
class Setup:
    """A database, and the number of server processes."""

    database: str
    processes: int

    def __str__(self) -> str:
        """Return its name on the command line."""
        return f"{self.database}-{self.processes}"


@dataclass(frozen=True, slots=True)
class Level:
    """What a number of players saw, and what the processes used meanwhile."""

    setup: Setup
    players: int
    think_s: float
    tally: Tally
    cores: tuple[float, float, float]  # used by servers, database and driver
    memory_mb: float  # of the servers

    @property
    def p95_ms(self) -> float:
        """Return the 95th percentile of actions."""
        return self.tally.percentiles(scripts.COMMAND)[1]

    def line(self) -> str:
        """Return a line of the table under `HEAD`."""
        actions, pages = (
            self.tally.number(kind) / self.tally.wall_s for kind in (scripts.COMMAND, scripts.PAGE)
        )
        p50, p95, p99 = self.tally.percentiles(scripts.COMMAND)
        page_p50, page_p95, _ = self.tally.percentiles(scripts.PAGE)
        servers, database, driver = self.cores
        problems = self.tally.problems
        found = "".join(f"\n    {number} x {text}" for text, number in problems.items())
        return (
            f"{self.setup!s:<12} {self.players:7} {self.think_s:5.1f}  {actions:9.1f} "
            f"{pages:7.1f} |      {p50:5.1f} {p95:5.1f} {p99:5.1f} |    {page_p50:5.1f} "
            f"{page_p95:5.1f} | {problems.total():6} | {servers:7.2f} {database:8.2f} "
            f"{driver:6.2f}         | {self.memory_mb:6.0f}{found}"
        )


@dataclass(slots=True)
class Ground:
    """Running servers and the people who can play on them."""

    setup: Setup
    store: Store
    crowd: list[Work]
    ports: Sequence[int]
    servers: Sequence[int]  # process ids
    postmaster: int  # 0: SQLite
    empty_bytes: int
    enrolled_bytes: int

    def play(self, players: int, seconds: float, think_s: float) -> Level:
        """Let the first people play; what they do first warms the caches and is not timed."""
        crowd = self.crowd[:players]
        warm = pacing.run(crowd, self.ports, min(seconds, 2 * think_s + 1), think_s)
        before, began = self.used(), time.perf_counter()
        tally = pacing.run(crowd, self.ports, seconds, think_s)
        wall = time.perf_counter() - began
        after = self.used()
        tally.problems += warm.problems
        servers, database, driver = ((b - a) / wall for a, b in zip(before, after, strict=True))
        memory = usage.of(self.servers).memory_mb
        return Level(self.setup, players, think_s, tally, (servers, database, driver), memory)

    def used(self) -> tuple[float, float, float]:
        """Return the processor seconds of servers, database and this process."""
        database = usage.of(usage.family(self.postmaster)).cpu_s if self.postmaster else 0.0
        return usage.of(self.servers).cpu_s, database, time.process_time()

    def sizes(self) -> str:
        """Say how much the database holds for a player and for a turn."""
        with self.store.read() as db:
            turns = db.execute(sa.select(sa.func.count()).select_from(turn)).scalar_one()
        players, played = len(self.crowd), size(self.store) - self.enrolled_bytes
        each = (self.enrolled_bytes - self.empty_bytes) / players
        return (
            f"database: {each / KB:.1f} KB for a player at the start, "
            f"{played / max(turns, 1) / KB:.2f} KB for a turn ({turns:,} turns, pages and forms "
            f"included); empty {self.empty_bytes / KB:,.0f} KB"
        )


def size(store: Store) -> int:
    """Return the bytes of the database."""
    with store.read() as db:
        return int(db.exec_driver_sql(SIZE[db.dialect.name]).scalar_one())


@contextmanager
def opened(setup: Setup, players: int) -> Iterator[Ground]:
    """Enrol people in a new database, and serve it."""
    with ExitStack() as stack:
        folder = stack.enter_context(stage.folder())
        folder.chmod(0o755)  # if we are root, the database server runs as another user
        url, postmaster = f"sqlite:///{folder / 'load.db'}", 0
        if setup.database == "postgres":
            server = databases.start_server(folder, OPTIONS)
            stack.callback(databases.stop_server, folder)
            url = databases.create_database("load", server)
            postmaster = int((folder / "pg" / "postmaster.pid").read_text().split()[0])
        store = stack.enter_context(stage.database_at(url, 3))
        library, empty = Library(), size(store)
        crowd = [scripts.visit(store, library) for _ in range(players)]
        environment = {"HJSTUDY_DATABASE_URL": url, "HJSTUDY_HTMX_SOURCE": "cdn"}
        running = [
            stack.enter_context(serving.process(serving.OURS, folder, "/healthz", **environment))
            for _ in range(setup.processes)
        ]
        ports, pids = zip(*running, strict=True)
        yield Ground(setup, store, crowd, ports, pids, postmaster, empty, size(store))
