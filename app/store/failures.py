"""What the databases' errors mean: busy, not available at the moment, or our own mistake."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.errors import BusyError, UnavailableError

NOT_NOW = {  # SQLite's codes for a disk or a file that cannot be used at the moment
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM),
}
COLLISIONS = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
)
NO_WRITES = (  # a standby says one or the other, depending on the connection's history
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.FeatureNotSupported,
)
# stopped, unreachable, out of disk or connections, cut off, read-only
AWAY = (psycopg.OperationalError, psycopg.InterfaceError, *NO_WRITES)


@contextmanager
def naming_failures(*, may_write: bool = True) -> Iterator[None]:
    """Turn the databases' "waited too long" into `BusyError`, "not now" into `UnavailableError`.

    `may_write`: false = a write is our own mistake, not the database's refusal.
    """
    try:
        yield
    except PoolTimeoutError as error:
        raise BusyError from error
    except (DBAPIError, sqlite3.Error, psycopg.Error) as error:
        cause = driver_error(error)
        if is_busy(cause):
            raise BusyError from error
        if is_unavailable(cause) and (may_write or not is_refused_write(cause)):
            raise UnavailableError(str(cause).strip().partition("\n")[0]) from error
        raise


def driver_error(error: BaseException) -> BaseException | None:
    """Return the driver's own error."""
    return error.orig if isinstance(error, DBAPIError) else error


def is_busy(cause: BaseException | None) -> bool:
    """Tell whether a driver's error means that a lock was not free or two writers collided."""
    if isinstance(cause, sqlite3.Error):
        return primary_code(cause) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(cause, COLLISIONS)


def is_unavailable(cause: BaseException | None) -> bool:
    """Tell whether a driver's error means that the database cannot be used at the moment."""
    if isinstance(cause, sqlite3.Error):
        return primary_code(cause) in NOT_NOW
    return isinstance(cause, AWAY) and not isinstance(cause, COLLISIONS)


def is_refused_write(cause: BaseException | None) -> bool:
    """Tell whether a driver's error means a write in what only reads."""
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY
    return isinstance(cause, NO_WRITES)


def primary_code(cause: sqlite3.Error) -> int:
    """Return SQLite's error code without its extended part; 0 if there is none."""
    code: int = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return code
