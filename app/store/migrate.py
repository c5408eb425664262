"""Migrate a database to the newest tables, and report its revision.

The history is in the folder `migrations`. It runs in the calling process; only the bare `alembic`
reads `pyproject.toml` and `HJSTUDY_DATABASE_URL`.
"""

import sqlite3
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from app import paths
from app.errors import StoreError
from app.progress import Track, untracked
from app.store.db import normal_url
from app.store.play import events

SCRIPTS = paths.folder("migrations")
LOCK_KEY = 0x686A7374  # "hjst": PostgreSQL's advisory lock during a migration
LONGEST_WAIT_S, PAUSE_S = 60.0, 0.02  # for another process that migrates the same SQLite file


def alembic_config(url: str) -> Config:
    """Return Alembic's configuration for one database.

    Raises:
        StoreError: the address is not of a supported database, or `migrations/` is missing.
    """
    if not (SCRIPTS / "env.py").is_file():
        raise StoreError(f"{SCRIPTS} is missing. Install hjstudy again.")
    config = Config(attributes={"url": normal_url(url)})
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return config


def upgrade(url: str, to: str = "head", *, track: Track = untracked) -> str | None:
    """Migrate the database to a revision (by default the newest) and return its new revision.

    A missing SQLite file and its folder are created. Two processes that migrate at once take
    turns; the second finds nothing left to do. All steps are one transaction. `track` reports
    each step.
    """
    parsed = normal_url(url)
    if parsed.get_backend_name() == "sqlite":
        Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    config = alembic_config(url)
    steps: Iterator[int] = count()

    def begun(total: int) -> None:
        nonlocal steps
        steps = iter(track(count(), "Bringing the tables up to date", total))
        next(steps)  # each step that env.py reports is one more

    config.attributes |= {"begun": begun, "applied": lambda **_: next(steps)}
    command.upgrade(config, to)
    if to == "head":
        begin_chains(parsed)
    return revision(url)


def begin_chains(url: sa.URL) -> None:
    """Begin the chained log of participants who are older than it, once."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as db:
        events.adopt(db)
    engine.dispose()


def use_wal(raw: sqlite3.Connection) -> None:
    """Switch a SQLite file to its write-ahead log.

    When several processes do so at once with a new file, SQLite refuses some of them without
    waiting, whatever the connection's timeout. Raises sqlite3.OperationalError after a long wait.
    """
    end = time.monotonic() + LONGEST_WAIT_S
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(PAUSE_S)
        else:
            return


def head() -> str | None:
    """Return the newest revision that this program knows."""
    return ScriptDirectory(SCRIPTS).get_current_head()


def revision(url: str) -> str | None:
    """Return the revision of a database; None if it is empty or the file does not exist.

    Raises:
        StoreError: the database does not answer, or the file is not a database.
    """
    parsed = normal_url(url)
    if parsed.get_backend_name() == "sqlite" and not is_there(Path(str(parsed.database))):
        return None
    engine = sa.create_engine(parsed, poolclass=sa.NullPool)
    try:
        with engine.connect() as db:
            return MigrationContext.configure(db).get_current_revision()
    except sa.exc.DatabaseError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise StoreError(f"The database cannot be used: {reason}") from error


def is_there(path: Path) -> bool:
    """Tell whether a SQLite file exists. Raises StoreError if this user may not even look."""
    try:
        return path.is_file()
    except OSError as error:
        raise StoreError(f"The database cannot be used: {path}: {error.strerror}.") from error


def is_current(url: str) -> bool:
    """Tell whether a database has the newest tables. Raises StoreError."""
    return revision(url) == head()
