"""The whole server in one process, on both databases, with a small study in it."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from app.main import create_app
from app.settings import Settings
from app.store.play import episodes, participants, turns
from app.study.design import draft, studies
from app.study.design.spec import check_study
from app.study.export import files
from tests.own_forms import OwnForms, logged_in
from tests.rating_desk import Desk
from tests.walker import Walker
from tests.web.report.reported import NOW as LATER

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
SMALL = {
    "slug": "demo",
    "title": "A small study",
    "kind": "pilot",
    "seed": 7,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}],
    "per_player": 2,
    "order": "fixed",
    "questions": {"comment": False},
    "texts": {"contact": "study@example.org", "pay": "GBP 4 for about 20 minutes"},
}


@pytest.fixture
def settings(store_url, tmp_path):
    return Settings(
        database_url=store_url, data_dir=tmp_path / "data", htmx_source="local", threads=24
    )


@pytest.fixture
def app(settings):
    made = create_app(settings)
    yield made
    made.state.server.store.dispose()  # a test without a client never runs the shutdown


@pytest.fixture
def server(app):
    return app.state.server


@pytest.fixture
def client(app, settings):
    with OwnForms(app, base_url=settings.base_url, raise_server_exceptions=False) as made:
        yield made


@pytest.fixture
def clock(monkeypatch):
    """Stop the server's clock at NOW; setting `clock.now` moves it."""
    stopped = SimpleNamespace(now=NOW)
    monkeypatch.setattr("app.web.deps.datetime", SimpleNamespace(now=lambda _zone: stopped.now))
    return stopped


@pytest.fixture
def stopped_rates(monkeypatch):
    """Stop the clock of the request limits; `stopped_rates.s` moves it."""
    stopped = SimpleNamespace(s=1_000_000.0)
    clock = SimpleNamespace(time=lambda: stopped.s)
    for module in ("app.web.rates", "limits.storage.memory"):
        monkeypatch.setattr(f"{module}.time", clock)
    return stopped


@pytest.fixture
def make_study(server):
    """Store a study: the small one, with changes."""

    def make(**changes):
        return studies.create(server.store, check_study({**SMALL, **changes}), NOW)

    return make


@pytest.fixture
def study(make_study):
    return make_study()


@pytest.fixture
def walker(client, study):
    return Walker(client)


@pytest.fixture
def player(walker):
    """A player at the first guardian."""
    return walker.enter().leave_practice()


@pytest.fixture
def look(server):
    """Read a participant's stored rows."""
    return Rows(server)


class Rows:
    def __init__(self, server):
        self.server = server

    def person(self, token):
        with self.server.store.read() as db:
            return db.execute(
                participants.participant.select().where(participants.participant.c.token == token)
            ).one()

    def episodes(self, token):
        with self.server.store.read() as db:
            return episodes.episodes_of(db, self.person(token).id)

    def turns(self, token, kind="main"):
        with self.server.store.read() as db:
            rows = episodes.episodes_of(db, self.person(token).id)
            return [
                turn for row in rows if row.kind == kind for turn in turns.of_episode(db, row.id)
            ]

    def solution(self, token, block=0, position=0):
        """Return an episode's first solution."""
        row = next(
            one
            for one in self.episodes(token)
            if (one.block_position, one.position) == (block, position)
        )
        with self.server.store.read() as db:
            variant = self.server.library.variant(db, row.variant_hash)
        return variant.episodes[row.variant_episode].solutions[0]


@pytest.fixture
def researcher(app, client, settings, study):
    """A separate browser in which a researcher is logged in."""
    return Walker(logged_in(app, settings, "researcher", "researcher")).get("/admin/studies")


@pytest.fixture
def draft_of(server):
    """Read a study's stored draft."""

    def read(slug):
        with server.store.read() as db:
            return draft.load(db, slug)

    return read


@pytest.fixture
def desk(app, settings, study):
    """A researcher and the tools for rating the small study."""
    return Desk(app, settings)


@pytest.fixture
def played(client, look, study):
    """Two players: one wins everything, one loses once and leaves one guardian open."""
    first = Walker(client).enter("/s/demo?PROLIFIC_PID=one").leave_practice()
    first.type(*look.solution(first.token, 0, 0)).to_rule().explain()
    second = Walker(client).enter("/s/demo?PROLIFIC_PID=two").leave_practice()
    second.type("dance wildly", *look.solution(second.token, 0, 0))
    return first, second


@pytest.fixture
def bundle(played, server, tmp_path):
    """Return a bundle with the data of these two."""
    out = tmp_path / "bundle"
    files.export(server.store, "demo", out, LATER)
    return out
