"""Soak test: 500 bots with 3 s of thinking time on both databases, also during outages.

python -m bench.soak [NAME ...] [--players N] [--think S]. SQLite runs with one server process and
PostgreSQL with two (each request goes to a random one). Each then runs again with an outage
halfway: a server is killed (kill) or stopped (term) and started again, the disk is full for a
while (full), the database server is restarted (restart). Or backups are made (backup), restored
elsewhere and compared. A bare page from a separate process is timed during the same minutes.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Self

from app.bots import crowd
from app.bots.player import HttpPlayer
from app.bots.sender import Sender
from app.bots.stored import Stored
from app.game.tasks import TASK_NAMES
from app.store import migrate
from app.store.db import Store
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.export.verify import verify
from app.study.play import questions
from bench import serving
from tests import breaking, databases
from tests.e2e.serving import ServerProcess
from tests.restored import Backups

BOTS = ("oracle", "enumerator", "typist", "neighbour", "copycat")
STUDY = {
    "slug": "soak",
    "title": "Soak",
    "seed": 1,
    "blocks": [{"task": name, "seeds": [1, 2]} for name in TASK_NAMES],
    "per_player": 2,
    "options": {"episodes_per_block": 1},
    "people": {"burst": 10_000},  # all come from one address
}
PLAIN_EVERY = 10  # one player in ten has no JavaScript
PROBE_S = 0.1  # between two requests for the bare page
ARRIVAL_THINKS = 8  # people arrive within this many thinking times
KILL_AT = 0.4  # share of the actions (of an oracle) after which a server is killed
ACTIONS_EACH = 5 + 2 * 5
Breakable = breaking.FullDisk | breaking.FullServer | breaking.StoppedDatabase


@dataclass(frozen=True, slots=True)
class Scenario:
    """How a study is served."""

    name: str
    postgres: bool
    processes: int
    outage: str = ""


SCENARIOS = (
    Scenario("sqlite", postgres=False, processes=1),
    Scenario("postgres", postgres=True, processes=2),
    Scenario("sqlite-kill", postgres=False, processes=1, outage="kill"),
    Scenario("postgres-kill", postgres=True, processes=2, outage="kill"),
    Scenario("sqlite-term", postgres=False, processes=1, outage="term"),
    Scenario("postgres-term", postgres=True, processes=2, outage="term"),
    Scenario("sqlite-full", postgres=False, processes=1, outage="full"),
    Scenario("postgres-full", postgres=True, processes=2, outage="full"),
    Scenario("postgres-restart", postgres=True, processes=2, outage="restart"),
    Scenario("sqlite-backup", postgres=False, processes=1, outage="backup"),
    Scenario("postgres-backup", postgres=True, processes=2, outage="backup"),
)
SIGNALS = {"kill": signal.SIGKILL, "term": signal.SIGTERM}
DISK, SERVER_DISK = "64m", "256m"  # of the scenarios in which it gets full
BACKUPS = 3
BACKUP_EVERY_S = 10.0
AWAY_S = 10.0  # how long the disk stays full, and the database server stopped


class Probe:
    """Requests the bare page repeatedly while players play."""

    def __init__(self, address: str) -> None:
        self._sender = Sender([address], Random(1))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.ask)
        self.took_ms: list[float] = []

    def ask(self) -> None:
        while not self._stop.wait(PROBE_S):
            began = time.perf_counter()
            self._sender.get("/")
            self.took_ms.append((time.perf_counter() - began) * 1000)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._sender.close()


@contextmanager
def database(folder: Path, scenario: Scenario) -> Iterator[tuple[str, Breakable | None]]:
    """Create a database with the current schema; yield its URL, and it if it can be broken."""
    name = f"soak_{scenario.name.replace('-', '_')}"
    breakable: Breakable | None = None
    with ExitStack() as stack:
        if scenario.outage == "full" and scenario.postgres:
            disk = stack.enter_context(breaking.small_disk(folder / name, SERVER_DISK))
            own = breaking.OwnServer(disk)
            stack.callback(own.end)
            url = databases.create_database(name, own.url)
            breakable = breaking.FullServer(own, url)
        elif scenario.outage == "full":
            template = folder / "template.db"
            migrate.upgrade(f"sqlite:///{template}")
            disk = stack.enter_context(breaking.small_disk(folder / name, DISK))
            breakable = breaking.FullDisk(disk, template)
            url = breakable.url
        elif scenario.outage == "restart":
            own = breaking.OwnServer()
            stack.callback(own.end)
            url = databases.create_database(name, own.url)
            breakable = breaking.StoppedDatabase(own, url)
        elif scenario.postgres:
            url = databases.create_database(name)
            stack.callback(databases.drop_database, name)
        else:
            url = f"sqlite:///{folder / name}.db"
        migrate.upgrade(url)
        yield url, breakable


def actions(players: list[HttpPlayer]) -> int:
    """Return how many commands the players have seen answered."""
    return sum(len(one.took_ms) for one in players)


def interrupt(
    scenario: Scenario,
    servers: list[ServerProcess],
    breakable: Breakable | None,
    backups: Backups,
    players: list[HttpPlayer],
) -> None:
    """Wait until halfway, then let the outage happen and end, or make backups."""
    while actions(players) < KILL_AT * ACTIONS_EACH * len(players):
        time.sleep(0.1)
    began = time.perf_counter()
    if scenario.outage == "backup":
        for _ in range(BACKUPS):
            backups.take(actions(players))
            time.sleep(BACKUP_EVERY_S)
    elif breakable is not None:
        with breakable.broken():
            time.sleep(AWAY_S)
    else:
        servers[0].end(SIGNALS[scenario.outage])
        servers[0].start()
    print(f"  {scenario.outage}: took {time.perf_counter() - began:.1f} s", flush=True)


def seat(stored: Stored, addresses: list[str], players: int, think: float) -> list[HttpPlayer]:
    """Return the players."""
    with stored.store.read() as db:
        hints = questions.stated(studies.find(db, "soak").spec)
    names = [BOTS[number % len(BOTS)] for number in range(players)]
    return crowd.make(
        addresses,
        names,
        stored.knows,
        seed=1,
        plain_every=PLAIN_EVERY,
        think_s=think,
        tries=100,
        hints=hints,
    )


def play(folder: Path, scenario: Scenario, players: int, think: float) -> bool:
    """Let the crowd play once; print the result and return whether it was free of errors."""
    with ExitStack() as stack:
        url, breakable = stack.enter_context(database(folder, scenario))
        store = Store(url, threads=8)
        stack.callback(store.dispose)
        studies.create(store, check_study(STUDY), datetime.now(UTC))
        servers = [ServerProcess(folder, url) for _ in range(scenario.processes)]
        for one in servers:
            stack.callback(one.end)
            one.start()
        sizes = {"BENCH_BARE_SIZES": "1000,0,0"}
        bare = stack.enter_context(serving.server(serving.BARE, folder, "/", **sizes))
        stored = Stored(store)
        crew = seat(stored, [one.url for one in servers], players, think)
        backups = Backups(url, folder / f"{scenario.name}-backups")
        parts = (scenario, servers, breakable, backups, crew)
        if scenario.outage:
            threading.Thread(target=interrupt, args=parts, daemon=True).start()
        began = time.perf_counter()
        with Probe(f"http://127.0.0.1:{bare}") as probe:
            outcomes = crowd.run(crew, arriving(players, think), in_order=False)
        wall = time.perf_counter() - began
        report = crowd.report(outcomes, stored.compare(crew))
        checked = verify(store, "soak")
        wrong = backups.problems(store, "soak") if scenario.outage == "backup" else []
    tell(scenario, report, wall, probe)
    print(f"  verify: {checked.turns} turns {'as played' if checked.ok else 'NOT AS PLAYED'}")
    for made in backups.made:
        print(f"  {made.path.parent.name}: {made.confirmed} actions confirmed before")
    print("".join(f"  {problem}\n" for problem in wrong), end="")
    return report.ok and checked.ok and checked.turns == report.actions and not wrong


def arriving(players: int, think: float) -> Callable[[int], str]:
    """Return a function that makes each player wait for their arrival and returns the URL."""
    rng = Random(2)
    delays = [rng.random() * ARRIVAL_THINKS * think for _ in range(players)]

    def arrive(number: int) -> str:
        time.sleep(delays[number])
        return "/s/soak"

    return arrive


def tell(scenario: Scenario, report: crowd.Report, wall: float, probe: Probe) -> None:
    """Print the results of one crowd."""
    middle, late = crowd.percentiles(probe.took_ms)
    print(
        f"{scenario.name}, {scenario.processes} process(es): {report.finished} of "
        f"{report.players} finished in {wall:.0f} s, {report.actions} actions "
        f"({report.actions / wall:.0f}/s), {report.errors} errors, {report.mismatches} mismatches, "
        f"{report.resent} requests resent\n"
        f"  an action: p50 {report.p50_ms} ms, p95 {report.p95_ms} ms; "
        f"the bare page: p50 {middle} ms, p95 {late} ms",
        flush=True,
    )
    for problem in report.problems:
        print(f"  {problem}")


def main(arguments: list[str] | None = None) -> int:
    """Run the scenarios; return 1 if a player failed or the log differs from what players saw."""
    names = [one.name for one in SCENARIOS]
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds of thought")
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - set(names)
    if unknown:
        parser.error(f"no scenario {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    os.environ.setdefault("HJSTUDY_HTMX_SOURCE", "cdn")
    fine = True
    with tempfile.TemporaryDirectory(prefix="hjstudy-soak-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # if we are root, the database server runs as another user
        os.environ[databases.TEST_DIR] = name
        try:
            for one in SCENARIOS:
                if not asked.names or one.name in asked.names:
                    fine = play(folder, one, asked.players, asked.think) and fine
        except databases.NoPostgresError as error:
            print(f"NOT TESTED HERE: {error}")
            fine = False
        finally:
            databases.stop_server(folder)
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
