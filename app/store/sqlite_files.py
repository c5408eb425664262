"""The files of a SQLite database: what was deleted must not stay in them."""

import sqlite3
from contextlib import closing

WAIT_MS = 500  # for readers; writers wait as long


def use_log(raw: sqlite3.Connection) -> None:
    """Use a write-ahead log, which `disk.py` syncs; where there can be none, commits sync."""
    value(raw, "PRAGMA journal_mode=WAL")
    value(raw, f"PRAGMA synchronous={'NORMAL' if has_log(raw) else 'FULL'}")


def has_log(raw: sqlite3.Connection) -> bool:
    """Tell whether there is a write-ahead log: some network file systems cannot have one."""
    return value(raw, "PRAGMA journal_mode") == "wal"


def compact(raw: sqlite3.Connection, mark: int, *, again: bool, rewrite: bool) -> bool:
    """Rewrite the file and empty its log, unless the file has this mark; tell whether it was done.

    Without `rewrite`, only the log is emptied, and the file does not get the mark.

    Deleted rows are overwritten at once (`secure_delete`), but pages that were split keep copies
    of earlier rows, and the log keeps earlier pages until a checkpoint.
    """
    value(raw, "PRAGMA synchronous=FULL")
    try:
        if again:
            value(raw, "PRAGMA user_version=0")
        if value(raw, "PRAGMA user_version") == mark:
            return False
        if rewrite:
            value(raw, "VACUUM")
        value(raw, f"PRAGMA busy_timeout={WAIT_MS}")
        if value(raw, "PRAGMA wal_checkpoint(TRUNCATE)"):
            return False  # someone is reading
        if rewrite:
            value(raw, f"PRAGMA user_version={mark}")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return False
        raise
    return rewrite


def value(raw: sqlite3.Connection, statement: str) -> object:
    """Run a statement and return the first value, if there is one."""
    with closing(raw.execute(statement)) as found:
        row = found.fetchone()
    return None if row is None else row[0]
