"""Players while a job runs: the 95th percentile of an action with and without one, alternately.

The job verifies a large log, or makes a report or a bundle of it, in a process of its own, as the
server starts it, over and over.
"""

import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from app.store import jobs as rows
from app.store.db import Store
from app.study import jobs
from app.study.design import studies
from app.study.design.library import Library
from app.study.report.options import Options
from app.study.report.work import BUNDLE, REPORT, VERIFY
from bench import crowd, driver, growth, serving, stage
from bench.measure import Result, alternate
from bench.web import Player, give_moves

TARGET_P95, USERS = 1.3, 20
LEXICA = ("semantic", "nonce")
FLAGS = {"include_test": False, "include_practice": False, "shareable": False}
KINDS: dict[str, dict[str, Any]] = {  # each with its settings, as its page sends them
    VERIFY: {},
    REPORT: {"options": Options().as_dict()},
    BUNDLE: {"flavour": "csv", **FLAGS},
}


@contextmanager
def working(store: Store, folder: Path, add: Callable[[], str]) -> Iterator[None]:
    """Keep a job running, one after the other; `add` stores one and returns its id."""
    stop = threading.Event()
    ends: list[int | str] = []

    def work() -> None:
        while not stop.is_set():
            job = add()
            command = [sys.executable, "-m", "app.work"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as process:
                assert process.stdin is not None
                process.stdin.write(jobs.order_of(store, job, folder))
                process.stdin.close()
                while process.poll() is None and not stop.wait(0.05):
                    pass
                process.terminate()
            with store.read() as db:
                row = rows.find(db, job)
            ends.append((row and row.error) or process.returncode)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        if set(ends) - {0, -signal.SIGTERM}:  # the last one is stopped
            raise RuntimeError(f"The jobs did not run; they ended with {ends}.")


def add_job(store: Store, kind: str) -> str:
    """Store a job of this kind on the study."""
    with store.read() as db:
        study = studies.find(db, stage.SLUG).id
    return jobs.add(store, study, kind, KINDS[kind], "bench", datetime.now(UTC))


def run(*, tiny: bool) -> Iterator[Result]:
    """Fill a database, then let people play beside jobs of each kind and alone."""
    turns, seconds, rounds = (400, 0.2, 1) if tiny else (200_000, 4.0, 5)
    with stage.folder() as folder, stage.database(folder / "jobs.db", 1, lexica=LEXICA) as store:
        crowd.HESITATION = 1.0  # many turns
        begun = crowd.fill(store, Library(), turns // 50 if not tiny else turns)
        growth.multiply(folder / "jobs.db", -(-turns // begun))
        for kind in KINDS:
            ratio = compare(store, folder, partial(add_job, store, kind), seconds, rounds)
            name = f"jobs: p95 of an action, beside {kind} / alone"
            yield Result(name, ratio, TARGET_P95, at_least=False)


def compare(
    store: Store, folder: Path, add: Callable[[], str], seconds: float, rounds: int
) -> float:
    """Return the ratio of the 95th percentiles of an action beside jobs and alone."""
    environment = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "local"}
    with serving.server(serving.OURS, folder, "/healthz", **environment) as port:
        players, library = [Player(port) for _ in range(USERS)], Library()
        found: dict[bool, list[driver.Load]] = {True: [], False: []}

        def alone() -> float:
            give_moves(store, library, players, seconds)
            found[False].append(driver.run(players, seconds))
            return found[False][-1].p95_ms

        def beside() -> float:
            give_moves(store, library, players, seconds)
            with working(store, folder, add):
                found[True].append(driver.run(players, seconds))
            return found[True][-1].p95_ms

        alone()
        before = worked_s()
        pair = alternate(beside, alone, rounds)
        worked = worked_s() - before
        for player in players:
            player.client.close()
    print(f"{pair.line('ms', 'p95 beside a job', 'p95 alone')}  {USERS} users")
    print(f"    jobs used {worked:.1f} s of processor time in {rounds * seconds:.0f} s")
    for name, loads in (("beside", found[True]), ("alone", found[False])):
        p95, longest = median(one.p95_ms for one in loads), max(one.longest_ms for one in loads)
        print(f"    {name}: p95 {p95:.1f} ms, longest {longest:.1f} ms")
    return pair.ratio


def worked_s() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
