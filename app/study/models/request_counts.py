"""Requests of the API, counted in PostgreSQL, where all server processes share them."""

from typing import Any, NoReturn

from limits.storage.base import Storage

from app.errors import StoreError
from app.store.db import Store
from app.store.models import api_requests

MS = 1000


class RequestCounts(Storage):
    """The counts at one time, for fixed windows. A limit's key is `LIMITER/name/...`.

    A name's window begins with its first request. Whoever begins one deletes those that are over,
    so there are never more rows than names of the last two windows.
    """

    def __init__(self, store: Store, now_ms: int) -> None:
        super().__init__()
        self._store, self._now_ms = store, now_ms
        self._found = (0, now_ms)

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return what a database raises that is away; it is passed on."""
        return StoreError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:  # noqa: ARG002
        """Count a request, and return how many there were in the window of `expiry` seconds."""
        name = key.split("/")[1]
        with self._store.write() as db:
            self._found = api_requests.count(db, name, self._now_ms, expiry * MS)
        if self._found[0] == 1:
            with self._store.write() as db:  # holds no row, so it cannot wait in a circle
                api_requests.drop_old(db, self._now_ms)
        return self._found[0]

    def get(self, key: str) -> int:  # noqa: ARG002
        """Return how many requests there were when the last one was counted."""
        return self._found[0]

    def get_expiry(self, key: str) -> float:  # noqa: ARG002
        """Return when the window ends, in seconds since 1970, as of the last request counted."""
        return self._found[1] / MS

    def _unused(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError  # nothing resets a count

    check = reset = clear = _unused
