"""The live monitor with 2,000 players and a million stored turns, and while people play.

Measures the response time of an open monitor when an update is due, against an empty study. Also
measures the 95th percentile of an action with ten open monitors against none, alternately on one
server; each monitor polls every five seconds and has polled before the load begins. Also prints the
cost of the first view in a server process, when nothing is cached yet.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from app.store.db import Store
from app.study.design import draft
from app.study.design.library import Library
from app.study.people import accounts, inviting, monitor
from bench import crowd, driver, growth, serving, stage
from bench.driver import Client
from bench.measure import Result, alternate
from bench.web import HEADERS, Player, give_moves

TARGET_TIME, TARGET_P95 = 3.0, 1.3
MONITORS, REFRESH_S, USERS = 10, 5.0, 20
PATH = f"/admin/studies/{stage.SLUG}/monitor"
LEXICA = ("semantic", "nonce")  # sixteen blocks per person: about five hundred turns
OWN = {"Sec-Fetch-Site": "same-origin"}
# Of every hundred people, 85 have finished, 10 have left and 5 are in an episode.
ENDED = """UPDATE participant SET seat = 'done', state = 'finished', instructions_at = consented_at,
    finished_at = datetime(consented_at, '+40 minutes') WHERE rowid % 100 >= 15"""
LEFT = """UPDATE participant SET seat = 'released', state = 'withdrawn', ended_at = consented_at,
    instructions_at = consented_at WHERE rowid % 100 BETWEEN 5 AND 14"""
OPEN = """UPDATE episode SET state = 'open', actions_used = NULL, attempts = NULL,
    finished_at = NULL WHERE id IN (SELECT max(id) FROM episode GROUP BY participant_id)
    AND participant_id IN (SELECT id FROM participant WHERE state != 'finished')"""


def spread(path: Path) -> tuple[int, int]:
    """Mark most people as finished and some as gone; return the number of active and of all."""
    db = sqlite3.connect(path)
    with db:
        for statement in (ENDED, LEFT, OPEN):
            db.execute(statement)
    db.execute("ANALYZE")
    (under_way,) = db.execute("SELECT count(*) FROM participant WHERE state = 'active'").fetchone()
    (everyone,) = db.execute("SELECT count(*) FROM participant").fetchone()
    db.close()
    return int(under_way), int(everyone)


class Researcher:
    """A logged-in researcher who watches the monitor."""

    def __init__(self, store: Store, port: int, name: str, pause_s: float) -> None:
        self.client, self.pause_s = Client(port), pause_s
        link = accounts.add(store, name, "researcher", datetime.now(UTC))
        inviting.set_admin(store, name, is_admin=True)
        form = {"password": "four words in a row"}
        status, _, _ = self.client.send("POST", f"/admin/welcome/{link}", form, OWN)
        assert status == 303, status

    def look(self) -> float:
        """Return the milliseconds of one request for the whole page."""
        self.client.close()  # servers close connections that are idle for long
        time.sleep(self.pause_s)
        began = time.perf_counter()
        self.ask({})
        return (time.perf_counter() - began) * 1000

    def ask(self, headers: dict[str, str]) -> None:
        """Request the monitor."""
        status, _, body = self.client.send("GET", PATH, None, headers)
        assert status == 200, (status, body[:300])


@contextmanager
def watching(people: list[Researcher]) -> Iterator[None]:
    """Keep monitors open: each requests its fragment every few seconds."""
    stop = threading.Event()

    def watch(number: int, one: Researcher) -> None:
        stop.wait(REFRESH_S * number / MONITORS)
        one.client.close()  # servers close connections that are idle for long
        while not stop.is_set():
            one.ask(HEADERS)
            one.client.close()
            stop.wait(REFRESH_S)

    threads = [threading.Thread(target=watch, args=pair, daemon=True) for pair in enumerate(people)]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join()


def run(*, tiny: bool) -> Iterator[Result]:
    """Fill one database and leave the other empty; view both, then play in the full one."""
    people, turns, rounds = (1, 400, 2) if tiny else (2000, 1_000_000, 11)
    # An update is due after each response, but none is too old: at most three pauses add up.
    pause_s = 0.0 if tiny else monitor.LOOK_S + 0.1
    assert 3 * pause_s < monitor.OLDEST_S - 1
    with (
        stage.folder() as folder,
        stage.database(folder / "empty.db", 1, lexica=LEXICA) as empty,
        stage.database(folder / "full.db", 1, lexica=LEXICA) as full,
    ):
        crowd.HESITATION = 1.0  # many turns
        begun = crowd.fill(full, Library(), turns // 50 if not tiny else turns)
        stored = growth.multiply(folder / "full.db", -(-turns * 21 // (20 * begun)))
        under_way, everyone = spread(folder / "full.db")
        assert everyone >= people, everyone
        urls = [
            {"HJSTUDY_DATABASE_URL": str(s.url), "HJSTUDY_HTMX_SOURCE": "local"}
            for s in (empty, full)
        ]
        with (
            serving.server(serving.OURS, folder, "/healthz", **urls[0]) as first,
            serving.server(serving.OURS, folder, "/healthz", **urls[1]) as second,
        ):
            idle = Researcher(empty, first, "idle", pause_s)
            crew = [Researcher(full, second, f"watcher-{n}", pause_s) for n in range(MONITORS)]
            pair = alternate(crew[0].look, idle.look, rounds)
            print(pair.line("ms", "full", "empty"))
            print(f"    {stored:,} turns of {everyone:,} people, {under_way} of them under way")
            tell_first(empty, full)
            yield Result(
                "monitor: time, full / empty study", pair.ratio, TARGET_TIME, at_least=False
            )
            yield beside(full, second, crew, tiny=tiny)
            for one in (idle, *crew):
                one.client.close()


def tell_first(empty: Store, full: Store) -> None:
    """Print the milliseconds of all queries of a first view, without a cache."""

    def first(store: Store) -> float:
        library, now = Library(), datetime.now(UTC)
        with store.read() as db:
            study = draft.load(db, stage.SLUG).published
            assert study is not None
            began = time.perf_counter()
            monitor.facts(db, library, monitor.Memory(), study, now)
        return (time.perf_counter() - began) * 1000

    print(
        alternate(lambda: first(full), lambda: first(empty), 5).line(
            "ms", "first look, full", "empty"
        )
    )


def beside(store: Store, port: int, crew: list[Researcher], *, tiny: bool) -> Result:
    """Return how much the p95 of an action grows while monitors are open."""
    seconds, rounds, opening_s = (0.2, 1, 0.0) if tiny else (5.0, 5, REFRESH_S)
    players, library = [Player(port) for _ in range(USERS)], Library()
    found: dict[bool, list[float]] = {True: [], False: []}

    def p95() -> float:
        give_moves(store, library, players, seconds)
        return driver.run(players, seconds).p95_ms

    def watched() -> float:
        give_moves(store, library, players, seconds)
        with watching(crew):
            time.sleep(opening_s)  # all of them have polled once
            found[True].append(driver.run(players, seconds).p95_ms)
        return found[True][-1]

    def alone() -> float:
        found[False].append(p95())
        return found[False][-1]

    alone()
    pair = alternate(watched, alone, rounds)
    for player in players:
        player.client.close()
    print(f"{pair.line('ms', 'p95 watched', 'p95 alone')}  {USERS} users, {MONITORS} monitors")
    print(f"    p95: watched {median(found[True]):.1f} ms, alone {median(found[False]):.1f} ms")
    return Result(
        "monitor: p95 of an action, watched / alone", pair.ratio, TARGET_P95, at_least=False
    )
