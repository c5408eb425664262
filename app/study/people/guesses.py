"""How often someone may guess a password or a code: counted by name and source, and by source.

The limits are those of the library `limits`; the attempts are rows of the database, where server
processes share them.
"""

from datetime import datetime, timedelta
from typing import Any, NoReturn

from limits import RateLimitItemPerMinute
from limits.storage.base import MovingWindowSupport, Storage
from limits.strategies import MovingWindowRateLimiter

from app.errors import StoreError, StudyError
from app.store.db import Store
from app.store.people import accounts

WINDOW_MINUTES = 15
GUESS_WINDOW = timedelta(minutes=WINDOW_MINUTES)
MAX_GUESSES = 8  # failed logins for one name from one source within the window
MAX_GUESSES_SOURCE = 40  # for all names from one source; never over all sources
NO_SOURCE = "factor"  # for guesses of a second factor with the right password, from no address
BY_NAME = RateLimitItemPerMinute(MAX_GUESSES, WINDOW_MINUTES)
BY_SOURCE = RateLimitItemPerMinute(MAX_GUESSES_SOURCE, WINDOW_MINUTES)


class TooManyGuessesError(StudyError):
    """Too many failed logins recently."""

    code = "account/too_many"

    def __init__(self) -> None:
        super().__init__(
            "Too many failed logins. Please wait 15 minutes, or ask for a new one-time link "
            "(`hjstudy user add NAME`)."
        )


class Attempts(Storage, MovingWindowSupport):
    """The attempts in the database at one time. One row counts for its name and for its source.

    A limit's key is `LIMITER/source/name/...`, or `LIMITER/source/...` for all names. A source has
    no slash; a name may have some.
    """

    def __init__(self, store: Store, now: datetime) -> None:
        super().__init__()
        self._store, self._now = store, now

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return what a database raises that is away; it is passed on."""
        return StoreError

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002
        """Return when the window began, and the number of attempts in it."""
        _, source, *name = key.split("/")[:-3]
        since = self._now - timedelta(seconds=expiry)
        with self._store.read() as db:
            found = accounts.guesses(db, source, "/".join(name) if name else None, since)
        return since.timestamp(), found

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:  # noqa: ARG002
        """Count an attempt, and tell whether it is within the limit.

        It is counted before it is checked, and in a transaction of its own, so that simultaneous
        attempts see each other.
        """
        _, source, *name = key.split("/")[:-3]
        with self._store.write() as db:
            accounts.drop_old_guesses(db, self._now - timedelta(seconds=expiry))
            accounts.add_guess(db, "/".join(name), source, self._now)
        return self.get_moving_window(key, limit, expiry)[1] <= limit

    def _unused(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError  # fixed windows are not offered

    incr = get = get_expiry = check = reset = clear = _unused


def limit_guesses(store: Store, name: str, source: str, now: datetime) -> None:
    """Count an attempt, unless there were too many. Raises TooManyGuessesError."""
    limiter = MovingWindowRateLimiter(Attempts(store, now))
    if not (
        limiter.test(BY_NAME, source, name)
        and limiter.test(BY_SOURCE, source)
        and limiter.hit(BY_NAME, source, name)
        and limiter.test(BY_SOURCE, source, cost=0)
    ):
        raise TooManyGuessesError
