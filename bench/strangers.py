"""Strangers at one address send 2,000 entries and 500 wrong logins; meanwhile people take part.

The strangers open the consent page and agree, with and without invented ids, refuse, or send forms
of their own; and they guess passwords. Meanwhile 20 people with ids enter from other addresses,
play and finish, and a researcher logs in. Counts are printed; times are printed and never fail.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Self
from urllib.parse import urlencode

from app.bots import crowd
from app.bots.player import HttpPlayer
from app.bots.sender import Answer, Sender
from app.bots.stored import Stored
from app.store.db import Store
from app.store.play import seats as table
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.people import accounts
from app.study.play import questions, seats
from app.study.tickets import new_ticket
from bench import serving, stage
from bench.measure import Result

SLUG, PLACES = "door", 60
STUDY = {
    "slug": SLUG,
    "title": "A study with a door",
    "seed": 1,
    "blocks": [{"task": "A-Over", "seeds": [1, 2]}, {"task": "P-Comp", "seeds": [1, 2]}],
    "per_player": 2,
    "options": {"episodes_per_block": 1},
    "people": {"quota": PLACES},
}
STRANGER, RESEARCHER = "127.0.0.66", "127.0.2.1"
ENTRIES, GUESSES, PEOPLE, THREADS = 2_000, 500, 20, 4
NAME, PASSWORD = "ada", "four words in a row"
ARRIVAL_S = 0.5  # between two people
POLL_S = 0.01
TICKET = re.compile(r'name="ticket" value="([^"]+)"')
SEEN = re.compile(r'name="seen" value="([^"]+)"')


def run(*, tiny: bool) -> Iterator[Result]:
    """Let the strangers and the people come, and compare what each of them got."""
    entries, guesses, people = (60, 60, 2) if tiny else (ENTRIES, GUESSES, PEOPLE)
    with stage.folder() as folder, stage.database(folder / "door.db", 1) as store:
        studies.create(store, check_study(STUDY), datetime.now(UTC))
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "cdn"}
        with serving.server(serving.OURS, folder, "/healthz", **url) as port:
            yield from compare(store, f"http://{serving.HOST}:{port}", entries, guesses, people)


def compare(
    store: Store, address: str, entries: int, guesses: int, people: int
) -> Iterator[Result]:
    """Run both crowds at once and yield the ratios."""
    known = first_login(store, address)
    door = Strangers(address, entries, guesses)
    players = make_players(store, address, people)
    began = time.perf_counter()
    with door, ThreadPoolExecutor(1) as pool:
        login = pool.submit(log_in_halfway, door, address, known)
        outcomes = crowd.run(players, arriving, in_order=False)
        logins = login.result()
    took, now = time.perf_counter() - began, datetime.now(UTC)
    taken = held(store)
    seats.sweep(store, now + timedelta(minutes=check_study(STUDY).clocks.untouched_minutes))
    report = crowd.report(outcomes, Stored(store).compare(players))
    tell(door, report, took)
    left = PLACES - held(store)
    yield Result("strangers: people who finish / all", report.finished / people, 1)
    yield Result("strangers: a researcher logs in / tries", sum(logins) / len(logins), 1)
    share = (taken - report.finished) / (PLACES / 2)
    yield Result("strangers: places held / half of all", share, 1, at_least=False)
    yield Result(
        "strangers: places left after the untouched time / not taken by people",
        left / (PLACES - people),
        1,
    )


def tell(door: "Strangers", report: crowd.Report, took: float) -> None:
    """Print the counts."""
    got = ", ".join(f"{count} {what}" for what, count in sorted(door.got.items()))
    print(f"  strangers in {took:.0f} s: {got}")
    print(
        "  rule: strangers at one address may hold half of all places at most, and each place only "
        "until its untouched time is over"
    )
    print(
        f"  people: {report.finished} of {report.players} finished, {report.errors} errors, "
        f"{report.mismatches} mismatches; an action: p50 {report.p50_ms} ms, "
        f"p95 {report.p95_ms} ms"
    )
    for problem in report.problems:
        print(f"  {problem}")


def make_players(store: Store, address: str, people: int) -> list[HttpPlayer]:
    """Return people at addresses of their own."""
    stored = Stored(store)
    with store.read() as db:
        hints = questions.stated(studies.find(db, SLUG).spec)
    players = crowd.make(
        address, ["oracle"] * people, stored.knows, seed=1, think_s=0.05, hints=hints
    )
    for number, one in enumerate(players):
        one.sender = Sender([address], Random(number), source=f"127.0.1.{number + 1}")
    return players


def arriving(number: int) -> str:
    """Wait for a person's arrival; return their link."""
    time.sleep(ARRIVAL_S * number)
    return f"/s/{SLUG}?PROLIFIC_PID=5f3c{number:04}"


def held(store: Store) -> int:
    """Return how many places are taken."""
    with store.read() as db:
        return table.people(db, studies.find(db, SLUG).id)


def first_login(store: Store, address: str) -> Sender:
    """Let the researcher set a password at the strangers' address; return their browser."""
    link = accounts.add(store, NAME, "researcher", datetime.now(UTC))
    browser = Sender([address], Random(1), source=STRANGER)
    assert browser.post(f"/admin/welcome/{link}", {"password": PASSWORD}, {}).status == 200
    return browser


def log_in_halfway(door: "Strangers", address: str, known: Sender) -> list[bool]:
    """Log in from another address and in a known browser when half of the strangers have come.

    Raises RuntimeError: the strangers had finished before, so nothing was tested.
    """
    while door.sent < door.all // 2:
        time.sleep(POLL_S)
    logins = [logs_in(Sender([address], Random(1), source=RESEARCHER)), logs_in(known)]
    if door.sent == door.all:
        raise RuntimeError("the strangers finished before the researcher had logged in")
    print(f"  the researcher logged in after {door.sent} of {door.all} strangers")
    return logins


def logs_in(browser: Sender) -> bool:
    """Tell whether the researcher can log in with the right password."""
    answer = browser.post("/admin/login", {"name": NAME, "password": PASSWORD}, {})
    browser.close()
    return answer.path == "/admin"


class Strangers:
    """Sends all entries and guesses from one address; `got` counts their outcomes."""

    def __init__(self, address: str, entries: int, guesses: int) -> None:
        self.address, self.got = address, Counter[str]()
        self.all = entries + guesses
        self.work = iter(mixed(entries, guesses))
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.send_all) for _ in range(THREADS)]

    @property
    def sent(self) -> int:
        """Return how many entries and guesses have been answered."""
        with self.lock:
            return self.got.total()

    def __enter__(self) -> Self:
        for one in self.threads:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.threads:
            one.join()

    def send_all(self) -> None:
        """Send until nothing is left to send."""
        browser = Sender([self.address], Random(2), source=STRANGER)
        while True:
            with self.lock:
                what = next(self.work, "")
            if not what:
                break
            got = self.send(browser, what)
            with self.lock:
                self.got[got] += 1
        browser.close()

    def send(self, browser: Sender, what: str) -> str:
        """Send one entry or guess; return its outcome."""
        kind, _, number = what.partition(" ")
        if kind == "guess":
            name = NAME if int(number) % 2 else f"name{number}"
            posted = {"name": name, "password": f"guess {number}"}
            status = browser.post("/admin/login", posted, {}).status
            return {422: "logins wrong", 429: "logins refused"}.get(status, f"login {status}")
        fields = {"PROLIFIC_PID": f"made-up-{number}"} if kind == "invented" else {}
        posted = {**fields, "ticket": new_ticket()}
        if kind != "bare":
            page = browser.get(f"/s/{SLUG}?{urlencode(fields)}").text
            (ticket,), (seen,) = TICKET.findall(page), SEEN.findall(page)
            posted |= {"ticket": ticket, "seen": seen}
        posted["answer"] = "no" if kind == "refusal" else "yes"
        return outcome(browser.post(f"/s/{SLUG}", posted, {}))


def mixed(entries: int, guesses: int) -> Sequence[str]:
    """Return every entry and guess, evenly mixed."""
    kinds = ("plain", "invented", "plain", "invented", "bare", "refusal")
    sent = [f"{kinds[number % len(kinds)]} {number}" for number in range(entries)]
    sent += [f"guess {number}" for number in range(guesses)]
    Random(3).shuffle(sent)
    return sent


def outcome(answer: Answer) -> str:
    """Return what a stranger's entry led to."""
    if answer.status != 200:
        return f"entries refused ({answer.status})"
    if answer.path.endswith("/wait"):
        return "entries waiting"
    return "entries in" if answer.path.startswith("/p/") else "refusals"
