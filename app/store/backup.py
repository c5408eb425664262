"""Backups of the whole database: made while the server runs, and checked before they count."""

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import URL

from app.errors import StoreError
from app.store import age, retention
from app.store.db import normal_url

SUFFIXES = {"sqlite": ".db", "postgresql": ".dump"}
SHA = ".sha256"
NAME = re.compile(r"hjstudy-(\d{8}T\d{6}Z)\.(?:db|dump)(?:\.age)?")
TIME = "%Y%m%dT%H%M%SZ"
BESIDE = ("-wal", "-shm", "-journal")


class BackupError(StoreError):
    """A backup cannot be made or restored; the message says what to do."""

    code = "store/backup"


def make(url: str, folder: Path, now: datetime, encrypt_to: Sequence[str] = ()) -> Path:
    """Write a backup and its SHA-256 to a folder; return its path. Readers and writers continue.

    It gets its name once it is complete and has been read back. With public keys, only an
    encrypted file reaches the folder. Raises BackupError, AgeError.
    """
    age.recipients(encrypt_to)  # before anything is written
    found = normal_url(url)
    kind = found.get_backend_name()
    end = SUFFIXES[kind] + (age.SUFFIX if encrypt_to else "")
    target = folder / f"hjstudy-{now.astimezone(UTC).strftime(TIME)}{end}"
    partial = target.with_name(f"{target.name}.partial")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        copy = copy_sqlite if kind == "sqlite" else dump_postgres
        if encrypt_to:
            with room(found) as inside:
                copy(found, inside / "plain")
                age.encrypt(inside / "plain", partial, encrypt_to)
        else:
            copy(found, partial)
        target.with_name(target.name + SHA).write_text(f"{digest(partial)}  {target.name}\n")
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"Cannot write the backup to {folder}: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return target


@contextmanager
def room(url: URL) -> Iterator[Path]:
    """Yield a folder that only we can read, for what is not encrypted; it is removed afterwards.

    On SQLite it is beside the database, whose content is there anyway.
    """
    beside = Path(str(url.database)).parent if url.get_backend_name() == "sqlite" else None
    if beside is not None:
        beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hjstudy-backup-", dir=beside) as name:
        yield Path(name)


def copy_sqlite(url: URL, partial: Path) -> None:
    """Copy a SQLite database from one snapshot, and check the copy."""
    path = Path(str(url.database))
    if not path.is_file():
        raise BackupError(f"There is no database at {path}.")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(partial)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    check_sqlite(partial)


def check_sqlite(path: Path) -> None:
    """Read a whole SQLite file. Raises BackupError if it is damaged."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            [(found,)] = db.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{path} is not a complete SQLite database: {error}.") from error
    if found != "ok":
        raise BackupError(f"{path} is damaged: {found}.")


def dump_postgres(url: URL, partial: Path) -> None:
    """Dump a PostgreSQL database from one snapshot, and read the dump's table of contents."""
    owners = ["--no-owner", "--no-privileges"]
    run(["pg_dump", "--format=custom", *owners, f"--file={partial}", address(url)], url)
    run(["pg_restore", "--list", str(partial)], url)


def restore(url: str, backup: Path, key: Path | None = None) -> None:
    """Put a backup into a database that does not exist (SQLite) or is empty (PostgreSQL).

    `key`: the file with the secret key of an encrypted backup. Nothing is overwritten. Raises
    BackupError, AgeError.
    """
    check_digest(backup)
    found = normal_url(url)
    if backup.suffix != age.SUFFIX:
        restore_plain(found, backup)
        return
    if key is None:
        raise BackupError(f"{backup.name} is encrypted. Give the file with its key: --identity.")
    try:
        with room(found) as inside:
            plain = inside / backup.stem
            age.decrypt(backup, plain, key)
            restore_plain(found, plain)
    except OSError as error:
        raise BackupError(f"Cannot decrypt {backup}: {error}.") from error


def restore_plain(found: URL, backup: Path) -> None:
    """Put a backup that is not encrypted into a database."""
    kind = found.get_backend_name()
    if backup.suffix != SUFFIXES[kind]:
        raise BackupError(
            f"{backup.name} is not a backup of {kind}: its name must end in {SUFFIXES[kind]}."
        )
    if kind == "sqlite":
        restore_sqlite(Path(str(found.database)), backup)
    else:
        restore_postgres(found, backup)


def check_digest(backup: Path) -> None:
    """Compare a backup with the SHA-256 beside it. Raises BackupError."""
    try:
        noted = backup.with_name(backup.name + SHA).read_text("ascii").split()[:1]
        same = noted == [digest(backup)]
    except (OSError, ValueError) as error:
        raise BackupError(
            f"Cannot read {backup} and {backup.name}{SHA} beside it: {error}."
        ) from error
    if not same:
        raise BackupError(f"{backup} was changed or damaged: its SHA-256 does not match.")


def restore_sqlite(path: Path, backup: Path) -> None:
    """Copy a backup to where the database is expected."""
    there = [one for end in ("", *BESIDE) if (one := path.with_name(path.name + end)).exists()]
    if there:
        names = ", ".join(map(str, there))
        raise BackupError(f"Stop the server and move {names} away: nothing is overwritten.")
    check_sqlite(backup)
    partial = path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(backup, partial)
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise BackupError(f"Cannot write {path}: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)


def restore_postgres(url: URL, backup: Path) -> None:
    """Load a dump into an empty database, all of it or nothing."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    try:
        tables = sa.inspect(engine).get_table_names()
    finally:
        engine.dispose()
    if tables:
        raise BackupError(
            f"The database {url.database} has tables. Create an empty one: nothing is overwritten."
        )
    whole = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    run(["pg_restore", *whole, f"--dbname={address(url)}", str(backup)], url)


def address(url: URL) -> str:
    """Return a PostgreSQL address without its password, which other users could read."""
    return url.set(drivername="postgresql", password=None).render_as_string()


def run(command: list[str], url: URL) -> None:
    """Run a program of PostgreSQL's. Raises BackupError with what it says."""
    password = {"PGPASSWORD": str(url.password)} if url.password else {}
    try:
        subprocess.run(  # noqa: S603
            command, env={**os.environ, **password}, capture_output=True, text=True, check=True
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"The program {command[0]} is missing. Install PostgreSQL's client programs."
        ) from error
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{command[0]} failed: {error.stderr.strip()}") from error


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tidy(newest: Path, rule: Sequence[retention.Part]) -> list[Path]:
    """Delete the backups of a folder that a rule does not keep; return what was deleted.

    Backups later than `newest`, the one just made, were named by a clock that was ahead, or this
    one by a clock that was set back: they are neither counted nor deleted.
    """
    times = {one: read_time(one) for one in newest.parent.iterdir() if NAME.fullmatch(one.name)}
    found = {one: time for one, time in times.items() if time <= read_time(newest)}
    kept = retention.kept(found.values(), rule)
    old = sorted(one for one, time in found.items() if time not in kept)
    for one in old:
        one.unlink()
        one.with_name(one.name + SHA).unlink(missing_ok=True)
    return old


def read_time(backup: Path) -> datetime:
    """Return when a backup was made, by its name."""
    written = backup.name.removeprefix("hjstudy-").partition(".")[0]
    return datetime.strptime(written, TIME).replace(tzinfo=UTC)
