"""What a power cut may take: nothing that was stored, or read, by someone who got an answer.

The tests watch the operating system's call that waits for the disk.
"""

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import pytest
import sqlalchemy as sa

from app.errors import UnavailableError
from app.store import disk
from app.store.db import Store

READ = sa.text("SELECT n FROM counter")
ADD = sa.text("UPDATE counter SET n = n + 1 RETURNING n")
NAP_S = 0.02  # longer than many commits
PATIENCE_S = 20


class Platter:
    """The disk of a counter's database: what would be left of it after a power cut right now."""

    def __init__(self, log: Path) -> None:
        self.log, self.real, self.syncs, self.left = log, disk.SYNC, 0, 0
        self.look: Callable[[], int] = lambda: 0
        self.before: Callable[[], object] = lambda: None

    def sync(self, file: disk.OpenLog) -> None:
        """Wait for the disk, which holds afterwards what was committed before."""
        assert os.path.samestat(os.fstat(file.fileno()), self.log.stat()), "another file is synced"
        committed = self.look()
        self.before()
        self.real(file)
        self.syncs, self.left = self.syncs + 1, max(self.left, committed)


@pytest.fixture
def empty_db_url(tmp_path: Path) -> str:
    """PostgreSQL waits for its disk itself."""
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def platter(tmp_path: Path, monkeypatch) -> Platter:
    found = Platter(tmp_path / "test.db-wal")
    monkeypatch.setattr(disk, "SYNC", found.sync)
    return found


@pytest.fixture
def made(empty_db_url: str, platter: Platter) -> Iterator[Store]:
    """A store with a counter at 0."""
    store = Store(empty_db_url, write_timeout_s=PATIENCE_S)
    with store.write() as db:
        db.execute(sa.text("CREATE TABLE counter (n INTEGER)"))
        db.execute(sa.text("INSERT INTO counter VALUES (0)"))
    watcher = sa.create_engine(empty_db_url, poolclass=sa.NullPool)

    def look() -> int:
        with watcher.connect() as db:
            return int(db.execute(READ).scalar_one())

    platter.look = look
    yield store
    platter.before = lambda: None
    store.dispose()


def add_one(store: Store) -> int:
    with store.write() as db:
        return int(db.execute(ADD).scalar_one())


def value(store: Store) -> int:
    with store.read() as db:
        return int(db.execute(READ).scalar_one())


def fail() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


class Held:
    """A write of another thread that has committed, and whose sync is held until the end."""

    def __init__(self, store: Store, platter: Platter) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()
        platter.before = self.hold
        self.thread = threading.Thread(target=add_one, args=[store])

    def hold(self) -> None:
        self.begun.set()
        assert self.let_go.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        self.thread.start()
        assert self.begun.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go.set()
        self.thread.join()


def test_what_twenty_threads_stored_or_read_is_on_disk_when_they_get_their_answers(made, platter):
    def write(_: int) -> int:
        return add_one(made) - platter.left

    def read(_: int) -> int:
        return value(made) - platter.left

    with ThreadPoolExecutor(20) as pool:
        written, seen = pool.map(write, range(300)), pool.map(read, range(300))
        missing = [*written, *seen]
    assert value(made) == 300
    assert max(missing) <= 0


def test_many_who_commit_at_once_share_a_sync(made, platter):
    platter.before, before = lambda: time.sleep(NAP_S), platter.syncs
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: add_one(made), range(100)))
    assert platter.left == 100
    assert platter.syncs - before <= 50


def test_read_waits_until_what_it_sees_is_on_disk(made, platter):
    with Held(made, platter) as held, ThreadPoolExecutor(1) as pool:
        seen = pool.submit(value, made)
        time.sleep(NAP_S)
        assert not seen.done()
        held.let_go.set()
        assert seen.result(PATIENCE_S) == platter.left == 1


def test_read_that_has_begun_sees_nothing_that_is_committed_later(made, platter):
    with made.read() as db, Held(made, platter):
        assert db.execute(READ).scalar_one() == platter.left == 0


def test_write_that_fails_waits_until_what_it_saw_is_on_disk(made, platter):
    def refuse() -> None:
        with made.write() as db:
            assert db.execute(READ).scalar_one() == 1
            raise ZeroDivisionError

    with Held(made, platter) as held, ThreadPoolExecutor(1) as pool:
        refused = pool.submit(refuse)
        time.sleep(NAP_S)
        assert not refused.done()
        held.let_go.set()
        assert isinstance(refused.exception(PATIENCE_S), ZeroDivisionError)
        assert platter.left == 1


def test_write_does_not_wait_for_the_syncs_of_others_before_it_commits(made, platter):
    with Held(made, platter) as held:
        with made.write() as db:
            assert db.execute(ADD).scalar_one() == 2
            held.let_go.set()
        assert platter.left == 2


def test_commit_whose_process_was_killed_before_its_sync_is_synced_before_it_is_shown(
    made, platter, empty_db_url
):
    platter.before = fail
    with pytest.raises(UnavailableError):
        add_one(made)
    platter.before = lambda: None
    later = Store(empty_db_url)
    assert value(later) == platter.left == 1
    later.dispose()


def test_log_that_was_removed_and_made_again_is_synced_too(made, platter):
    add_one(made)
    made.dispose()  # the last to close the file empties its log and removes it
    assert not platter.log.exists()
    assert add_one(made) == platter.left == 2


def test_log_that_was_replaced_while_the_store_was_open_is_synced_too(made, platter):
    def fill() -> None:
        with made.write() as db:
            db.execute(sa.text("PRAGMA max_page_count = 1"))
            db.execute(sa.text("INSERT INTO counter VALUES (zeroblob(100000))"))

    before = platter.log.stat()
    with pytest.raises(UnavailableError):
        fill()
    assert not platter.log.exists()  # its only connection was closed
    assert add_one(made) == platter.left == 1
    assert not os.path.samestat(before, platter.log.stat())


def test_log_of_a_database_behind_a_link_is_synced_too(made, platter, tmp_path):
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.db"
    link.symlink_to(tmp_path / "test.db")
    store = Store(f"sqlite:///{link}")
    assert add_one(store) == platter.left == 1
    store.dispose()


def test_database_whose_log_is_gone_confirms_nothing(made, platter):
    platter.log.unlink()
    with pytest.raises(UnavailableError):
        add_one(made)


@pytest.mark.parametrize("act", [add_one, value])
def test_failed_sync_confirms_nothing_till_the_log_has_been_written_again(made, platter, act):
    """The system takes what it could not write for written, so a second sync proves nothing."""
    platter.before = fail
    with pytest.raises(UnavailableError) as caught:
        add_one(made)
    assert caught.value.reason == os.strerror(errno.EIO)
    kept, written = platter.log.read_bytes(), platter.log.stat().st_mtime_ns
    with pytest.raises(UnavailableError):
        value(made)
    time.sleep(NAP_S)  # clocks of files are coarse
    found = []
    platter.before = lambda: found.append((platter.log.read_bytes(), platter.log.stat()))
    assert act(made) - platter.left <= 0
    assert found[0][0] == kept
    assert found[0][1].st_mtime_ns > written


def test_log_that_cannot_be_written_again_either_is_tried_at_the_next_write(made, platter):
    platter.before = fail
    for _ in range(3):
        with pytest.raises(UnavailableError):
            add_one(made)
    platter.before = lambda: None
    assert add_one(made) == platter.left == 2  # only the first was committed


def test_disk_that_does_not_answer_ends_the_wait_of_those_behind(made, platter, empty_db_url):
    hasty = Store(empty_db_url, write_timeout_s=0.2)
    value(hasty)
    with Held(hasty, platter), pytest.raises(UnavailableError) as caught:
        value(hasty)
    assert caught.value.reason == disk.SLOW
    hasty.dispose()
