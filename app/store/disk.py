"""Wait until what was committed to SQLite is on disk: one wait for all who commit meanwhile.

SQLite would make each commit wait for the disk while everyone else waits for the write lock. With
`synchronous=NORMAL` it does not wait: a commit is in the log (`FILE-wal`), where everyone can read
it, but a power cut may take the newest ones away. So whoever commits or reads waits here, without
the lock, until a sync of the log that began after the commit has ended. Whatever leaves the log
is on disk already: SQLite syncs the log before it copies pages into the database file, and that
file before it starts the log anew (https://www.sqlite.org/wal.html).
"""

import os
import sqlite3
import threading
from pathlib import Path

from app.errors import UnavailableError
from app.store import sqlite_files

SYNC = getattr(os, "fdatasync", os.fsync)  # macOS has only fsync
PIECE_BYTES = 1024 * 1024
SLOW = "the disk does not answer"


class Disk:
    """The log of one SQLite file and how much of it is on disk. Thread-safe.

    Commits are numbered. Commit 1 stands for what others have left in the log before.
    """

    def __init__(self, database: Path | None, timeout_s: float) -> None:
        """Take the database's file; None = PostgreSQL, which waits for the disk itself."""
        file = (database or Path()).resolve()  # SQLite, too, follows links
        self._log = file.with_name(f"{file.name}-wal")
        self._timeout_s = timeout_s
        self._turn = threading.Condition()
        self._begun = self._ended = 1 if database else 0  # commits; they end in the same order
        self._synced = 0
        self._is_syncing = False
        self.problem = ""  # of the last sync; until the next write nothing more is confirmed
        self._file: OpenLog | None = None

    @property
    def newest(self) -> int:
        """Return the newest commit that a transaction which sees data by now may have seen."""
        return self._begun

    def begin(self, raw: sqlite3.Connection) -> None:
        """Prepare to commit, within a connection's write transaction. Raises UnavailableError.

        The log's file is opened before anything is written, because only such a file reports every
        failure to write. After a failure the system believes that all is written, so a second sync
        would prove nothing: the log is then written once more. Nobody else changes it meanwhile.
        """
        try:
            if self._file is None or not os.path.samestat(self._log.stat(), self._file.stat):
                self._file = self._opened()
            if self.problem:
                write_again(self._log)
                self._file = self._opened()
                SYNC(self._file)
        except OSError as error:
            if not isinstance(error, FileNotFoundError) or sqlite_files.has_log(raw):
                raise UnavailableError(reason(error)) from error
        if self.problem:
            with self._turn:
                self.problem, self._synced = "", self._ended

    def commit(self) -> None:
        """Note that a commit begins: from now on others may see it."""
        self._begun += 1

    def end(self) -> int:
        """Note that a write has ended, well or not; return the newest commit that it saw."""
        with self._turn:
            self._ended = self._begun
            self._turn.notify_all()
        return self._ended

    def wait(self, number: int) -> None:
        """Wait until a commit and all before it are on disk. Raises UnavailableError."""
        while self._synced < number:
            covered = self._take_turn(number)
            if covered:
                self._sync(covered)

    def close(self) -> None:
        """Close the file."""
        self._file = None

    def _take_turn(self, number: int) -> int:
        """Wait until a commit is on disk, or until it is this thread's turn to sync the log.

        Returns the newest commit that the sync will cover, 0 if there is nothing left to do.
        """

        def is_over() -> bool:
            free = not self._is_syncing and self._ended > self._synced
            return self._synced >= number or bool(self.problem) or free

        with self._turn:
            if not self._turn.wait_for(is_over, self._timeout_s):
                raise UnavailableError(SLOW)
            if self._synced >= number:
                return 0
            if self.problem:
                raise UnavailableError(self.problem)
            self._is_syncing = True
            return self._ended

    def _sync(self, covered: int) -> None:
        """Write the log to disk for all commits up to this one."""
        problem = "the sync of the log was interrupted"
        try:
            self._file = file = self._file or self._opened()
            SYNC(file)
            problem = ""
        except FileNotFoundError:
            problem = ""  # SQLite removes the log when all of it is in the database file
        except OSError as error:
            problem = reason(error)
        finally:
            with self._turn:
                self._is_syncing, self.problem = False, problem
                self._synced = self._synced if problem else covered
                self._turn.notify_all()

    def _opened(self) -> "OpenLog":
        """Open the log. Raises OSError."""
        return OpenLog(os.open(self._log, os.O_RDONLY))


class OpenLog:
    """A log's file, closed after its last use, which may be in another thread than the others.

    Closing it drops none of SQLite's locks: they are on the other files.
    """

    _close = staticmethod(os.close)  # `os` may be gone by the end of the program

    def __init__(self, number: int) -> None:
        """Take an open file by its number."""
        self._number = number
        self.stat = os.fstat(number)

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def __del__(self) -> None:
        """Close it."""
        self._close(self._number)


def write_again(log: Path) -> None:
    """Write every byte of the log once more, as it is."""
    with log.open("rb+", buffering=0) as file:
        while piece := file.read(PIECE_BYTES):
            file.seek(-len(piece), os.SEEK_CUR)
            file.write(piece)


def reason(error: OSError) -> str:
    """Return why the log could not be written."""
    return error.strerror or type(error).__name__
