"""Players while a job runs: the 95th percentile of an action with and without one, alternately.

The job verifies a large log in a process of its own, as the server starts it, over and over.
"""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from app.store.db import Store
from app.study import jobs
from app.study.design import studies
from app.study.design.library import Library
from app.study.report.work import VERIFY
from bench import crowd, driver, growth, serving, stage
from bench.measure import Result, alternate
from bench.web import Player, give_moves

TARGET_P95, USERS = 1.3, 20
LEXICA = ("semantic", "nonce")


@contextmanager
def working(store: Store, folder: Path) -> Iterator[None]:
    """Keep a verification running, one after the other."""
    stop = threading.Event()
    with store.read() as db:
        study = studies.find(db, stage.SLUG).id

    ends: list[int] = []

    def work() -> None:
        while not stop.is_set():
            job = jobs.add(store, study, VERIFY, {}, "bench", datetime.now(UTC))
            command = [sys.executable, "-m", "app.work"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as process:
                assert process.stdin is not None
                process.stdin.write(jobs.order_of(store, job, folder))
                process.stdin.close()
                while process.poll() is None and not stop.wait(0.05):
                    pass
                process.terminate()
            ends.append(process.returncode)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        if set(ends) - {0, -signal.SIGTERM}:  # the last one is stopped
            raise RuntimeError(f"The jobs did not run; they ended with {ends}.")


def run(*, tiny: bool) -> Iterator[Result]:
    """Fill a database, then let people play beside a job and alone."""
    turns, seconds, rounds = (400, 0.2, 1) if tiny else (200_000, 5.0, 5)
    with stage.folder() as folder, stage.database(folder / "jobs.db", 1, lexica=LEXICA) as store:
        crowd.HESITATION = 1.0  # many turns
        begun = crowd.fill(store, Library(), turns // 50 if not tiny else turns)
        growth.multiply(folder / "jobs.db", -(-turns // begun))
        environment = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "local"}
        with serving.server(serving.OURS, folder, "/healthz", **environment) as port:
            players, library = [Player(port) for _ in range(USERS)], Library()
            found: dict[bool, list[float]] = {True: [], False: []}

            def alone() -> float:
                give_moves(store, library, players, seconds)
                found[False].append(driver.run(players, seconds).p95_ms)
                return found[False][-1]

            def beside() -> float:
                give_moves(store, library, players, seconds)
                with working(store, folder):
                    found[True].append(driver.run(players, seconds).p95_ms)
                return found[True][-1]

            alone()
            pair = alternate(beside, alone, rounds)
            for player in players:
                player.client.close()
        print(f"{pair.line('ms', 'p95 beside a job', 'p95 alone')}  {USERS} users")
        print(f"    p95: beside {median(found[True]):.1f} ms, alone {median(found[False]):.1f} ms")
        yield Result(
            "jobs: p95 of an action, beside / alone", pair.ratio, TARGET_P95, at_least=False
        )
