"""A server process on the test's own database, with a crowd of bots as players."""

import shutil
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from app.bots import crowd
from app.bots.stored import Stored
from app.cli.own_server import server_at
from app.game.tasks import TASK_NAMES
from app.settings import Settings
from app.store.db import Store
from app.study.design import studies
from app.study.design.spec import check_study
from tests.e2e.serving import ServerProcess

EIGHT = {
    "slug": "bots",
    "title": "Bots",
    "kind": "bots",
    "seed": 5,
    "blocks": [{"task": name, "seeds": [2]} for name in TASK_NAMES],
    "per_player": 2,
    "options": {"episodes_per_block": 1},
}
WAIT_S = 200


def now():
    return datetime.now(UTC)


class Playground:
    """A database with a study in it, the address of a server on it, and the players."""

    def __init__(self, url, address, changes):
        self.store, self.changes = Store(url, threads=8), changes
        self.make_study("bots")
        self.stored, self.url = Stored(self.store), address
        self.players = []

    def make_study(self, slug):
        spec = check_study({**EIGHT, **self.changes, "slug": slug})
        studies.create(self.store, spec, now())

    def study(self, slug):
        with self.store.read() as db:
            return studies.find(db, slug)

    def seat(self, bots, address=None, seed=1, **options):
        names = crowd.read_bots(bots)
        self.players = crowd.make(address or self.url, names, self.stored.knows, seed, **options)

    @property
    def actions(self):
        return sum(len(player.took_ms) for player in self.players)

    def play(self, slug="bots", *, in_order=True):
        """Let all bots play at once; `in_order`: they arrive one after the other."""
        outcomes = crowd.run(self.players, lambda _: f"/s/{slug}", in_order=in_order)
        return crowd.report(outcomes, self.stored.compare(self.players))

    def play_beside(self):
        """Let all bots play in the background; returns a function that waits for the report."""
        found = []
        thread = threading.Thread(target=lambda: found.append(self.play(in_order=False)))
        thread.start()

        def report():
            thread.join(WAIT_S)
            assert found, "they still play"
            return found[0]

        return report

    def wait_for_actions(self, number):
        end = time.monotonic() + WAIT_S
        while self.actions < number:
            still = time.monotonic() < end and not all(p.code for p in self.players)
            assert still, f"only {self.actions} of {number} actions"
            time.sleep(0.01)


@pytest.fixture
def sqlite_url(tmp_path, sqlite_template):
    shutil.copyfile(sqlite_template, tmp_path / "bots.db")
    return f"sqlite:///{tmp_path / 'bots.db'}"


@pytest.fixture
def server_process(tmp_path):
    """Start a server process on a database; it can be killed and started again."""
    made = []

    def start(url):
        made.append(ServerProcess(tmp_path, url))
        return made[-1].start()

    yield start
    for one in made:
        one.end()


@pytest.fixture
def make_playground():
    """Make a playground; without an address, with a server in a thread of this process."""
    with ExitStack() as stack:

        def make(url, address=None, **changes):
            if address is None:
                settings = Settings(database_url=url, htmx_source="local", log_level="error")
                address = stack.enter_context(server_at("", settings))
            made = Playground(url, address, changes)
            stack.callback(made.store.dispose)
            return made

        yield make
