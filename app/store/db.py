"""Engines, the write lock and transactions: the only place that begins, commits or rolls back.

A use case opens one `Store.write()`, runs its queries in it, and commits before it answers. On
SQLite writers queue at one lock per process and then take the file's own lock at once (`BEGIN
IMMEDIATE`): a plain `BEGIN` fails with "database is locked" as soon as two people act. On
PostgreSQL a use case locks its rows with `FOR UPDATE`.
"""

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from app.errors import BusyError, StoreError
from app.store import base, disk, sqlite_files, waiting
from app.store.bulk import Incoming
from app.store.failures import driver_error, is_unavailable, naming_failures

SPARE_CONNECTIONS = 10  # beyond one per thread: for commands and tests that read meanwhile
# A commit waits until it is on disk, also where the server's default does not ask for that; what
# waits for a standby too stays as it is.
DURABLE = """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') IN ('off', 'local')"""
KEEPALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}  # seconds
LARGE_BYTES = 50 * 1024 * 1024  # a smaller file is rewritten in about a second
SNAPSHOT = "SELECT 1 FROM sqlite_master LIMIT 1"  # a plain BEGIN fixes none
WAL_LIMIT_BYTES = 64 * 1024 * 1024  # the log file shrinks to this after a long read held it open


class Store:
    """The database of one process. Make one at the start; call `dispose()` at the end."""

    def __init__(
        self,
        url: str,
        *,
        write_timeout_s: float = 10,
        threads: int = 40,
        id_key_path: Path | None = None,
        signing_key_path: Path | None = None,
    ) -> None:
        """Prepare engines; no connection is made yet.

        Args:
            url: `sqlite:///path`, or `postgresql://...` (`postgres://` means the same).
            write_timeout_s: longest wait for the write lock, a locked row or a connection, seconds.
            threads: how many threads may use the store at once.
            id_key_path: file with the key of deleted IDs; None = `id.key` next to the SQLite file.
            signing_key_path: file with the key that signs manifests; None = next to it.

        Raises:
            StoreError: the address is not of a supported database.
        """
        self.url = normal_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        file = Path(str(self.url.database)) if self.is_sqlite else None
        beside = file or Path("var") / "hjstudy.db"
        self.id_key_path = id_key_path or beside.with_name("id.key")
        self.signing_key_path = signing_key_path or beside.with_name("signing-key.pem")
        make = sqlite_engines if self.is_sqlite else postgres_engines
        self._writer, self._reader = make(self.url, write_timeout_s, threads)
        self._timeout_s = write_timeout_s
        self.waiting = waiting.Waiting()
        self._disk = disk.Disk(file, write_timeout_s)
        self._lock = Lock()
        self._kept: Connection | None = None  # SQLite's one writer, open between writes
        self._is_refused = False  # PostgreSQL did not take the last write
        self._renew_before = 0.0  # of the monotonic clock
        if not self.is_sqlite:
            sa.event.listen(self._writer, "checkout", self._renew)

    @contextmanager
    def write(self, incoming: Incoming | None = None) -> Iterator[Connection]:
        """Run one transaction: commit at the end of the block, roll back when it raises.

        Once this returns or raises, whatever the block stored or read is on disk.
        Never open a second write inside the block: it would wait for itself. `incoming`: rows that
        the block will insert, so many that writing them takes long.

        Raises:
            BusyError: the lock, a row or a connection was not free in time.
            UnavailableError: the disk is full or read-only, or PostgreSQL is away.
        """
        begun = self._begin_in_turn(incoming) if self.is_sqlite else self._begin()
        with naming_failures(), self.waiting.joined() as has_begun, begun as db:
            has_begun()
            db.info.pop(base.CHANGED, None)  # of a transaction that failed
            yield db
            base.close(db)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read one consistent snapshot, all of it on disk; writing is refused.

        On PostgreSQL, the block's first query fixes it.

        Raises:
            BusyError: no connection was free in time.
            UnavailableError: the file cannot be read or synced, or PostgreSQL is away.
        """
        if self._disk.problem:
            with self.write():
                pass  # a write has the disk checked anew
        with naming_failures(may_write=False), self._reader.begin() as db:
            self._disk.wait(self._disk.newest)
            yield db

    def compact(self, mark: int, *, again: bool, is_quiet: bool) -> bool:
        """Take what was deleted out of SQLite's files: rewrite the file, and empty its log.

        `mark`: of everything deleted so far, stored in the file; with the same mark there is
        nothing to do, unless `again`. A large file is rewritten only if it `is_quiet`, because
        writers wait. Returns whether it was done, which a long read prevents. Never on PostgreSQL,
        which cleans up by itself.
        """
        if not self.is_sqlite:
            return False
        rewrite = is_quiet or Path(str(self.url.database)).stat().st_size < LARGE_BYTES
        raw: Any = self._writer.raw_connection()
        try:
            return sqlite_files.compact(raw.dbapi_connection, mark, again=again, rewrite=rewrite)
        finally:
            raw.invalidate()

    def dispose(self) -> None:
        """Close all connections; no write may be running."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None
        self._writer.dispose()
        self._reader.dispose()
        self._disk.close()

    def _renew(self, _raw: object, record: ConnectionPoolEntry, _proxy: object) -> None:
        """Replace a connection that was made before PostgreSQL last refused a write."""
        if record.info.setdefault("made", time.monotonic()) < self._renew_before:
            raise DisconnectionError

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """Hold one PostgreSQL transaction.

        The server says whether it may write: SQLAlchemy would ask for it after each read. What was
        read-only when a connection was made stays so, so after a refusal there are new ones.
        """
        if self._is_refused:
            self._renew_before = time.monotonic()
        with self._writer.connect() as db:
            raw: Any = db.connection.driver_connection
            if raw.read_only is not None:
                raw.read_only = None
            try:
                with db.begin():
                    yield db
            except BaseException as error:
                self._is_refused = is_unavailable(driver_error(error))
                raise
        self._is_refused = False

    @contextmanager
    def _begin_in_turn(self, incoming: Incoming | None) -> Iterator[Connection]:
        """Hold the write lock and one SQLite transaction.

        The connection stays checked out between writes, which saves a tenth of an action's time;
        after any error it goes back to the pool, which cleans it up. If the file could not be
        written, it is closed instead: SQLite keeps a file that it opened read-only as it is.
        """
        if not self._lock.acquire(timeout=self._timeout_s):
            raise BusyError
        try:
            db, self._kept = self._kept or self._writer.connect(), None
            try:
                with prepared(db, incoming), db.begin():
                    self._disk.begin(raw_of(db))
                    yield db
                    self._disk.commit()
            except BaseException as error:
                if is_unavailable(driver_error(error)):
                    db.invalidate()
                db.close()
                raise
            self._kept = db
        finally:
            newest = self._disk.end()
            self._lock.release()
            self._disk.wait(newest)


@contextmanager
def prepared(db: Connection, incoming: Incoming | None) -> Iterator[None]:
    """Keep rows ready for a SQLite transaction."""
    if incoming is None:
        yield
        return
    try:
        incoming.prepare(db)
        yield
    finally:
        incoming.end(db)


def normal_url(url: str) -> URL:
    """Return the address with our driver in it.

    Raises:
        StoreError: it is neither SQLite in a file nor PostgreSQL.
    """
    if url.startswith("postgres://"):
        url = "postgresql" + url.removeprefix("postgres")
    try:
        parsed = sa.make_url(url)
    except ArgumentError as error:
        raise StoreError(
            "The database address must be sqlite:///FILE or postgresql://..."
        ) from error
    backend = parsed.get_backend_name()
    if backend == "sqlite" and parsed.database not in {None, "", ":memory:"}:
        return parsed.set(drivername="sqlite")
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError("The database must be SQLite in a file or PostgreSQL.")


def sqlite_engines(url: URL, write_timeout_s: float, threads: int) -> tuple[Engine, Engine]:
    """Return the engines that write and read a SQLite file (WAL; a power cut loses nothing)."""
    common: dict[str, Any] = {
        "pool_timeout": write_timeout_s,
        "connect_args": {"timeout": write_timeout_s},
        "hide_parameters": True,  # errors are logged; what a person typed never is
    }
    writer = sa.create_engine(url, pool_size=1, max_overflow=1, **common)
    reader = sa.create_engine(url, pool_size=threads, max_overflow=SPARE_CONNECTIONS, **common)
    sa.event.listen(writer, "connect", lambda raw, _record: sqlite_files.use_log(raw))
    prepare_sqlite(writer, ["BEGIN IMMEDIATE"], ["foreign_keys=ON", "secure_delete=ON"])
    prepare_sqlite(reader, ["BEGIN", SNAPSHOT], ["query_only=ON"])
    return writer, reader


def raw_of(db: Connection) -> Any:
    """Return the driver's connection."""
    return db.connection.dbapi_connection


def prepare_sqlite(engine: Engine, begin: list[str], pragmas: list[str]) -> None:
    """Set up each new connection, and open transactions with `begin` instead of the driver's."""

    def connected(raw: sqlite3.Connection, _record: object) -> None:
        raw.isolation_level = None  # the driver's own BEGIN comes too late: updates get lost
        for setting in [*pragmas, f"journal_size_limit={WAL_LIMIT_BYTES}"]:
            raw.execute(f"PRAGMA {setting}").close()

    def begun(db: Connection) -> None:
        raw = raw_of(db)
        for statement in begin:
            raw.execute(statement).close()  # bypasses SQLAlchemy's layers: this runs at each action

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begun)


def postgres_engines(url: URL, write_timeout_s: float, threads: int) -> tuple[Engine, Engine]:
    """Return the engines that write and read PostgreSQL; both share one pool."""
    writer = sa.create_engine(
        url,
        pool_size=threads,
        max_overflow=SPARE_CONNECTIONS,
        pool_timeout=write_timeout_s,
        pool_pre_ping=True,
        hide_parameters=True,
        pool_use_lifo=True,
        connect_args=patience(url, write_timeout_s),
    )

    def connected(raw: psycopg.Connection[Any], _record: object) -> None:
        raw.execute(f"SET lock_timeout = {int(write_timeout_s * 1000)}").close()
        raw.execute(DURABLE).close()
        raw.commit()

    sa.event.listen(writer, "connect", connected)
    snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    return writer, writer.execution_options(**snapshot)


def patience(url: URL, write_timeout_s: float) -> dict[str, Any]:
    """Return how long to wait for a server that does not answer; the address takes precedence."""
    wait_s = max(2, math.ceil(write_timeout_s))  # libpq's least
    wanted = {"connect_timeout": wait_s, "tcp_user_timeout": wait_s * 1000, **KEEPALIVE}
    return {name: value for name, value in wanted.items() if name not in url.query}
