"""The store on both databases: what is committed, what is not, and who waits for whom."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from app.errors import BusyError, StoreError
from app.store.db import Store

POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)
metadata = sa.MetaData()
counter = sa.Table(
    "counter", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("n", sa.Integer)
)
entry = sa.Table(
    "entry",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column(
        "counter_id",
        sa.ForeignKey("counter.id", deferrable=True, initially="DEFERRED"),  # fails at commit
    ),
)
COUNT = sa.select(sa.func.count()).select_from(counter)
LOCKED = sa.select(counter.c.n).where(counter.c.id == 1).with_for_update()


@pytest.fixture
def store_url(empty_db_url: str) -> str:
    """These tests create their own tables, so they use their own database."""
    return empty_db_url


@pytest.fixture
def made(store: Store) -> Store:
    """A store with one counter at 0, and an entry table whose references are checked at commit."""
    with store.write() as db:
        metadata.create_all(db)
        db.execute(sa.insert(counter).values(id=1, n=0))
    return store


def add_one(store: Store) -> None:
    with store.write() as db:
        n = db.execute(LOCKED).scalar_one()
        db.execute(sa.update(counter).where(counter.c.id == 1).values(n=n + 1))


def write_and_raise(store: Store) -> None:
    with store.write() as db:
        db.execute(sa.update(counter).values(n=7))
        raise ZeroDivisionError


def write_and_fail_to_commit(store: Store) -> None:
    with store.write() as db:
        db.execute(sa.update(counter).values(n=7))
        db.execute(sa.insert(entry).values(id=1, counter_id=99))  # refused only at the commit


def value(store: Store) -> int:
    with store.read() as db:
        return int(db.execute(sa.select(counter.c.n).where(counter.c.id == 1)).scalar_one())


def test_write_that_ends_well_is_seen_by_the_next_read(made):
    add_one(made)
    assert value(made) == 1


def test_write_that_raises_leaves_no_trace(made):
    with pytest.raises(ZeroDivisionError):
        write_and_raise(made)
    assert value(made) == 0


def test_write_after_one_that_raised_works(made):
    with pytest.raises(ZeroDivisionError):
        write_and_raise(made)
    add_one(made)
    assert value(made) == 1


def test_commit_that_fails_raises_and_stores_nothing(made):
    with pytest.raises(sa.exc.IntegrityError):
        write_and_fail_to_commit(made)
    assert value(made) == 0


def test_write_after_a_commit_that_failed_works(made):
    with pytest.raises(sa.exc.IntegrityError):
        write_and_fail_to_commit(made)
    add_one(made)
    assert value(made) == 1


def test_read_cannot_write(made):
    with pytest.raises(sa.exc.DBAPIError), made.read() as db:
        db.execute(sa.update(counter).values(n=7))
    assert value(made) == 0


def test_read_sees_one_snapshot_whatever_is_committed_meanwhile(made):
    with made.read() as db:
        before = db.execute(COUNT).scalar_one()
        with made.write() as other:
            other.execute(sa.insert(counter).values(id=2, n=0))
        assert db.execute(COUNT).scalar_one() == before
    with made.read() as db:
        assert db.execute(COUNT).scalar_one() == before + 1


def test_read_does_not_wait_for_a_write(made):
    with made.write() as db:
        db.execute(sa.update(counter).values(n=7))
        assert value(made) == 0


def test_two_hundred_increments_by_twenty_threads_lose_none(made):
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: add_one(made), range(200)))
    assert value(made) == 200


def test_increments_by_two_stores_lose_none(made, store_url):
    """Two stores share no process lock, just like two server processes."""
    other = Store(store_url)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add_one, [made, other] * 40))
    other.dispose()
    assert value(made) == 80


@pytest.mark.parametrize("same_process", [True, False], ids=["same store", "other store"])
def test_write_that_waits_too_long_raises_busy(made, store_url, same_process):
    hasty = Store(store_url, write_timeout_s=0.2)
    holder = hasty if same_process else made
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with holder.write() as db:
            db.execute(LOCKED)
            held.set()
            release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    began = time.monotonic()
    with pytest.raises(BusyError) as caught:
        add_one(hasty)
    waited = time.monotonic() - began
    release.set()
    thread.join()
    add_one(hasty)  # the failed write left nothing locked
    hasty.dispose()
    assert caught.value.code == "store/busy"
    assert 0.1 < waited < 5


def test_error_of_the_database_does_not_repeat_what_was_typed(made):
    with pytest.raises(sa.exc.DBAPIError) as caught, made.write() as db:
        db.execute(sa.text("INSERT INTO nowhere VALUES (:raw)"), {"raw": "go forge"})
    assert "go forge" not in str(caught.value)


@pytest.mark.parametrize("empty_db_url", ["sqlite"], indirect=True)
def test_sqlite_file_is_written_to_survive_power_loss(store):
    with store.write() as db:
        found = [
            db.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert found == ["wal", 1, 1]  # 1 = NORMAL: test_disk.py shows who waits for the disk


@pytest.mark.parametrize("empty_db_url", [POSTGRES], indirect=True)
def test_postgres_commit_waits_for_the_disk_whatever_the_servers_default(store):
    """The tests' own server has synchronous_commit=off."""
    with store.write() as db:
        assert db.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"


@pytest.mark.parametrize("empty_db_url", [POSTGRES], indirect=True)
def test_postgres_commit_that_waits_for_a_standby_goes_on_doing_so(store_url):
    own = Store(f"{store_url}&options=-csynchronous_commit%3Dremote_apply")
    with own.write() as db:
        assert db.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "remote_apply"
    own.dispose()


def test_store_that_is_disposed_can_be_used_again(made):
    made.dispose()
    add_one(made)
    assert value(made) == 1


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:///var/x.db", "sqlite"),
        ("postgres://u:p@h/d", "postgresql+psycopg"),
        ("postgresql://u:p@h/d", "postgresql+psycopg"),
        ("postgresql+psycopg://u:p@h/d", "postgresql+psycopg"),
    ],
)
def test_address_in_each_usual_form_names_our_driver(url, driver):
    store = Store(url)
    assert store.url.drivername == driver
    store.dispose()


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "mysql://u:hush@h/d", "hush", ""]
)
def test_address_of_another_database_is_refused_without_repeating_it(url):
    with pytest.raises(StoreError) as caught:
        Store(url)
    assert "hush" not in str(caught.value)
