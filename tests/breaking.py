"""Databases that break for a while: full, closed, stopped, or refusing writes."""

import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.store import disk
from tests import databases

DISK = "12m"
SPARE_BLOCKS = 100
OUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


@contextmanager
def small_disk(folder: Path, size: str = DISK) -> Iterator[Path]:
    """Mount a small file system of its own; skip the test where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("no full disk: mounting a tmpfs needs root with CAP_SYS_ADMIN")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def filled(filler: Path) -> Iterator[None]:
    """Fill a file's disk to its last block with it for a while."""
    with filler.open("wb", buffering=0) as file, suppress(OSError):  # until it is full
        disk = os.statvfs(filler.parent)
        spare = max(1, disk.f_bavail - SPARE_BLOCKS) * disk.f_frsize
        os.posix_fallocate(file.fileno(), 0, spare)
        file.seek(spare)
        while True:  # what others write meanwhile may have taken some of it
            file.write(bytes(disk.f_frsize))
    try:
        yield
    finally:
        filler.unlink()


class FullDisk:
    """A SQLite file on a small disk."""

    stops_reading = False

    def __init__(self, folder: Path, template: Path):
        self.path, self.filler = folder / "study.db", folder / "filler"
        shutil.copyfile(template, self.path)
        self.url = f"sqlite:///{self.path}"

    @contextmanager
    def broken(self) -> Iterator[None]:
        with closing(sqlite3.connect(self.path)) as raw:  # so that a write needs new space
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        with filled(self.filler):
            yield


class ReadOnlyFile:
    """A SQLite file that refuses writes, also to connections that are open, and to root."""

    stops_reading = False

    def __init__(self, path: Path, template: Path):
        shutil.copyfile(template, path)
        self.url = f"sqlite:///{path}"

    @contextmanager
    def broken(self) -> Iterator[None]:
        def refuse(db: sa.Connection) -> None:
            if db.engine.url.database == sa.make_url(self.url).database:
                raw: Any = db.connection.dbapi_connection
                raw.execute("PRAGMA query_only=ON").close()

        sa.event.listen(sa.Engine, "begin", refuse)
        try:
            yield
        finally:
            sa.event.remove(sa.Engine, "begin", refuse)


class FailingDisk:
    """A SQLite file on a disk that takes all it is given, and then reports that it failed."""

    stops_reading = True

    def __init__(self, path: Path, template: Path):
        shutil.copyfile(template, path)
        self.url = f"sqlite:///{path}"

    @contextmanager
    def broken(self) -> Iterator[None]:
        def refuse(_file: object) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        real, disk.SYNC = disk.SYNC, refuse
        try:
            yield
        finally:
            disk.SYNC = real


class ClosedDatabase:
    """A PostgreSQL database that ends all connections and refuses new ones."""

    stops_reading = True

    def __init__(self, url: str):
        self.url, self.name = url, str(sa.make_url(url).database)

    @contextmanager
    def broken(self) -> Iterator[None]:
        databases.administer(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS false")
        databases.administer(OUT.format(self.name))
        try:
            yield
        finally:
            databases.administer(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS true")


class ReadOnlyDatabase(ClosedDatabase):
    """A PostgreSQL database whose new connections may only read.

    Those that were made meanwhile stay so when it may be written again.
    """

    stops_reading = False

    @contextmanager
    def broken(self) -> Iterator[None]:
        setting = f"ALTER DATABASE {self.name} {{}} default_transaction_read_only"
        databases.administer(f"{setting.format('SET')} = on")
        databases.administer(OUT.format(self.name))
        try:
            yield
        finally:
            databases.administer(setting.format("RESET"))


class OwnServer:
    """A PostgreSQL server of one's own, to be stopped or made a standby."""

    def __init__(self, disk: Path | None = None) -> None:
        """Start it, on the given `disk` if there is one."""
        programs = databases.installed_programs()
        if programs is None:
            pytest.skip(databases.HOW_TO_GET)
        self.folder = (disk or Path(os.environ[databases.TEST_DIR])) / f"own-{os.getpid()}"
        self.folder.mkdir(mode=0o755)
        self.url = databases.start_server(self.folder)
        self.pg_ctl = Path((self.folder / "postgres.programs").read_text()) / "pg_ctl"
        self.data = self.folder / "pg"

    def stop(self) -> None:
        databases.run(self.pg_ctl, "-D", self.data, "-m", "fast", "stop")

    def start(self) -> None:
        options = databases.SERVER_OPTIONS.format(folder=self.data)
        log = self.data / "log"
        databases.run(self.pg_ctl, "-D", self.data, "-l", log, "-w", "-o", options, "start")

    def end(self) -> None:
        databases.stop_server(self.folder)
        shutil.rmtree(self.folder)


class StoppedDatabase:
    """A database whose server is stopped and started again."""

    stops_reading = True

    def __init__(self, server: OwnServer, url: str):
        self.server, self.url = server, url

    @contextmanager
    def broken(self) -> Iterator[None]:
        self.server.stop()
        try:
            yield
        finally:
            self.server.start()


class FullServer:
    """A database whose server's disk is full for a while; a server that stopped is started."""

    stops_reading = False

    def __init__(self, server: OwnServer, url: str):
        self.server, self.url = server, url

    @contextmanager
    def broken(self) -> Iterator[None]:
        with filled(self.server.folder / "filler"):
            yield
        pid = self.server.data / "postmaster.pid"
        if not pid.exists():  # a full disk of its log stops PostgreSQL
            self.server.start()


class Standby(StoppedDatabase):
    """A database whose server becomes a standby, which takes no writes, and is promoted again."""

    stops_reading = False

    @contextmanager
    def broken(self) -> Iterator[None]:
        data = self.server.data
        self.server.stop()
        signal = data / "standby.signal"
        signal.touch(0o600)
        shutil.chown(signal, data.stat().st_uid, data.stat().st_gid)
        self.server.start()
        try:
            yield
        finally:
            databases.run(self.server.pg_ctl, "-D", data, "-w", "promote")
