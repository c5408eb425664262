"""Server processes on one PostgreSQL count the API's requests together; rows do not pile up."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from app.store.db import Store
from app.store.models.api_requests import api_request
from app.store.tables import metadata
from app.study.models.request_counts import RequestCounts
from app.web import rates
from tests import databases

NOW_MS = 1_800_000_000_000
KEY = "LIMITER/key 1/100/1/minute"
MINUTE = 60


@pytest.fixture
def on_postgres(request):
    """The stores of two server processes on one PostgreSQL.

    Without the mark `postgres`, so that `make defences` runs what needs them.
    """
    try:
        url = request.getfixturevalue("postgres_copy")
    except databases.NoPostgresError as error:
        pytest.skip(str(error))
    tables = [table.name for table in reversed(metadata.sorted_tables)]
    databases.clean_database(url, tables)
    made = [Store(url) for _ in range(2)]
    yield made
    for one in made:
        one.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path, sqlite_template):
    if request.param == "postgres":
        yield request.getfixturevalue("on_postgres")[0]
        return
    made = Store(f"sqlite:///{shutil.copyfile(sqlite_template, tmp_path / 'counts.db')}")
    yield made
    made.dispose()


@pytest.fixture
def count(store):
    """Count a request at a time in ms; return how many there were in the window."""

    def at(after_ms, name="key 1"):
        counts = RequestCounts(store, NOW_MS + after_ms)
        return counts.incr(KEY.replace("key 1", name), MINUTE)

    return at


def names(store):
    with store.read() as db:
        return sorted(db.execute(sa.select(api_request.c.name)).scalars())


def test_two_servers_allow_together_what_one_allows_however_requests_are_spread(on_postgres):
    servers = [rates.Rates(one) for one in on_postgres]

    def take(number):
        try:
            servers[number % 8 == 0].take("key 1", 100)  # one gets seven times as many
        except rates.RateError:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(400))) == 100
    assert names(on_postgres[0]) == ["key 1"]


def test_counting_never_waits_for_the_disk(on_postgres):
    with on_postgres[0].read() as db:
        query = sa.text("SELECT relpersistence FROM pg_class WHERE relname = 'api_request'")
        assert db.scalar(query) == "u"


def test_window_begins_with_the_first_request_and_lasts_a_minute(count):
    assert [count(0), count(1), count(59_999)] == [1, 2, 3]
    assert count(30_000, "key 2") == 1
    assert [count(60_000), count(119_999), count(120_000)] == [1, 2, 1]


def test_servers_whose_clocks_differ_count_in_one_window(count):
    assert [count(0), count(-5_000), count(4_000), count(-1_000)] == [1, 2, 3, 4]


def test_clock_that_is_set_back_makes_no_one_wait(count):
    assert [count(0), count(1), count(-3_600_000), count(-3_599_000)] == [1, 2, 1, 2]


def test_whoever_begins_a_window_deletes_those_that_are_over(store, count):
    for number in range(50):
        count(number, f"stranger {number}")
    count(50, "key 1")
    assert len(names(store)) == 51
    count(60_020, "stranger 20")  # its own window is over, like those of 0 to 19
    assert names(store) == sorted(["key 1", *(f"stranger {one}" for one in range(20, 50))])


def test_waiting_as_long_as_told_is_enough(store, monkeypatch):
    clock = SimpleNamespace(s=1_800_000_000.0)
    for module in ("app.web.rates", "limits.storage.memory"):
        monkeypatch.setattr(f"{module}.time", SimpleNamespace(time=lambda: clock.s))
    limits, waits = rates.Rates(store), []
    for number in range(1, 40):
        try:
            limits.take("key", 5)
        except rates.RateError as error:
            waits.append(error.wait_s)
            clock.s += error.wait_s
            limits.take("key", 5)
        clock.s += number % 7 / 3
    assert waits
    assert all(1 <= one <= MINUTE + 1 for one in waits)
