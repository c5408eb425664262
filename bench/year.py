"""A year of a busy laboratory on PostgreSQL: what 10^8 stored turns change.

Bots play whole visits over HTTP, and their rows are copied into many studies (`bench.copies`).
Beside it, a database of the same server holds the bots alone. Actions, arrivals and views of the
monitor are timed in both in turn; exports and the sweep once each.
"""

import argparse
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import sqlalchemy as sa

from app.bots import crowd
from app.bots.stored import Stored
from app.game.tasks import TASK_NAMES
from app.store.db import Store
from app.store.design.studies import design
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.export import files
from app.study.people import identifiers, monitor
from app.study.play import seats
from bench import copies, measure, playground, serving, stage
from bench.growth import Game
from tests import databases

TURNS, STUDIES, BOTS, ROUNDS = 100_000_000, 100, 48, 400
BYTES = 700  # of disk that a turn takes while it is copied: the row, its indexes, the log
KEPT_FREE = 15_000_000_000
OPTIONS = playground.OPTIONS + (
    " -c max_wal_size=4GB -c checkpoint_timeout=30min -c wal_level=minimal -c max_wal_senders=0"
)
KINDS = ("typist", "neighbour", "eliminator", "enumerator", "inducer", "oracle")
TABLES = """SELECT relname, pg_total_relation_size(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 5"""


@dataclass(frozen=True, slots=True)
class Base:
    """A database in which people act: the game, and the study that is exported and watched."""

    store: Store
    library: Library
    game: Game
    turns: int

    def action_ms(self) -> float:
        """Return the milliseconds of the next action, commit to disk included."""
        return next(self.game.moves) * 1000

    def arrival_ms(self) -> float:
        """Return the milliseconds in which one more person consents and reads on."""
        return timed(lambda: stage.enter(self.store, self.library))

    def monitor_ms(self) -> float:
        """Return the milliseconds of a first view of the monitor, when nothing is cached."""

        def look() -> None:
            with self.store.read() as db:
                study = studies.find(db, stage.SLUG)
                monitor.look(db, self.library, monitor.Memory(), study, stage.NOW)

        return timed(look)

    def sweep_ms(self) -> float:
        """Return the milliseconds of one sweep over all studies."""

        def sweep() -> None:
            seats.sweep(self.store, stage.NOW)
            identifiers.sweep(self.store, self.library, stage.NOW)

        return timed(sweep)

    def exported(self) -> float:
        """Return how many turns of one study are exported in a second."""
        began, rows = time.perf_counter(), 0
        for piece in files.stream_csv(self.store, stage.SLUG, "turn", "csv"):
            rows += piece.count(b"\r\n")
        return rows / (time.perf_counter() - began)


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that it takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def fill(store: Store, folder: Path, bots: int) -> None:
    """Let bots play their visits over HTTP."""
    stored = Stored(store)
    url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "cdn"}
    with serving.server(serving.OURS, folder, "/healthz", **url) as port:
        names = [KINDS[number % len(KINDS)] for number in range(bots)]
        players = crowd.make(f"http://{serving.HOST}:{port}", names, stored.knows, seed=1)
        starts = [f"/p/{stage.enter(store, stored.library)}" for _ in players]
        done = crowd.report(crowd.run(players, starts.__getitem__, in_order=False), ())
    assert done.finished == bots, done.problems


def make_studies(store: Store, number: int) -> list[tuple[int, int]]:
    """Add studies of the same worlds; return the ID and design of each, and of the first."""
    for one in range(1, number):
        spec = stage.study_file(3, TASK_NAMES) | {"slug": f"{stage.SLUG}-{one}"}
        studies.create(store, check_study(spec), stage.NOW)
    with store.read() as db:
        rows = db.execute(
            sa.select(design.c.study_id, sa.func.max(design.c.id))
            .group_by(design.c.study_id)
            .order_by(design.c.study_id)
        )
        return [(int(study), int(newest)) for study, newest in rows]


def count(store: Store, table: sa.Table) -> int:
    """Return the number of rows of a table."""
    with store.read() as db:
        return int(db.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


@contextmanager
def opened(folder: Path, wanted: int, many: int, bots: int) -> Iterator[tuple[Base, Base]]:
    """Fill both databases of a new server; yield the full one, then the one with the bots alone."""
    with ExitStack() as stack:
        folder.chmod(0o755)  # if we are root, the database server runs as another user
        server = databases.start_server(folder, OPTIONS)
        stack.callback(databases.stop_server, folder)
        made = []
        for name, size, number in (("year", wanted, many), ("bots", 0, 1)):
            url = databases.create_database(name, server)
            store = stack.enter_context(stage.database_at(url, 3))
            fill(store, folder, bots)
            if size:
                grow(store, size, number)
            made.append(Base(store, Library(), Game(store), count(store, turn)))
        yield made[0], made[1]


def grow(store: Store, wanted: int, many: int) -> None:
    """Copy the bots' rows until this many turns are stored, and print how long it took."""
    places, began = make_studies(store, many), time.perf_counter()
    copies.multiply(store, places, -(-wanted // count(store, turn)) - 1)
    with store.write() as db:
        db.exec_driver_sql("CHECKPOINT")
    took = time.perf_counter() - began
    print(f"  copied in {took:.0f} s", flush=True)


def tell_sizes(base: Base) -> None:
    """Print how much the database holds."""
    size, people = playground.size(base.store), count(base.store, participant)
    print(
        f"  {base.turns:,} turns by {people:,} people: {size / 1e9:.2f} GB, "
        f"{size / base.turns:.0f} bytes for each turn with all that belongs to it"
    )
    with base.store.read() as db:
        for name, used in db.exec_driver_sql(TABLES):
            print(f"    {name:<16} {used / 1e9:6.2f} GB")


def compare(full: Base, few: Base, rounds: int) -> None:
    """Print a line for each kind of work: the full database, the other one, and the ratio."""
    for name, kind, number in (
        ("action", Base.action_ms, rounds),
        ("arrival", Base.arrival_ms, max(2, rounds // 8)),
        ("first view of the monitor", Base.monitor_ms, 3),
        ("sweep of all studies", Base.sweep_ms, 2),
    ):
        took: tuple[list[float], list[float]] = ([], [])
        for one in range(number + 1):
            for at in (0, 1) if one % 2 else (1, 0):
                value = kind((full, few)[at])
                if one:  # the first one warms the caches
                    took[at].append(value)
        (median, p95), (less, less95) = (middle(one) for one in took)
        print(
            f"  {name:<26} p50 {median:9.1f} ms, p95 {p95:9.1f} ms  |  {less:7.1f}, "
            f"{less95:7.1f} ms  |  {median / less:6.2f} times",
            flush=True,
        )
    rate, other = full.exported(), few.exported()
    print(f"  export of one study: {rate:,.0f} turns a second | {other:,.0f}", flush=True)


def middle(values: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    cut = quantiles(values, n=20, method="inclusive")
    return cut[9], cut[18]


def main(arguments: list[str] | None = None) -> None:
    """Fill the databases as far as the disk allows, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.year", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--studies", type=int, default=STUDIES)
    parser.add_argument("--bots", type=int, default=BOTS)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="actions that are timed")
    asked = parser.parse_args(arguments)
    with stage.folder() as folder:
        room = int((shutil.disk_usage(folder).free - KEPT_FREE) / BYTES)
        wanted = min(asked.turns, max(1, room))
        if wanted < asked.turns:
            print(f"  the disk has room for {wanted:,} turns of {asked.turns:,}")
        with opened(folder, wanted, asked.studies, asked.bots) as (full, few):
            tell_sizes(full)
            print(f"  in turn: {full.turns:,} turns | {few.turns:,} turns | ratio")
            compare(full, few, asked.rounds)
            print(f"  others were busy for {measure.busy():.0%} of the time just now")


if __name__ == "__main__":
    main()
