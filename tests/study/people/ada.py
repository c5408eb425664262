"""Ada, a researcher who logs in, for tests of accounts; a password costs almost nothing there."""

from datetime import UTC, datetime, timedelta

import pytest

from app.study.people import accounts

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
LIFE = timedelta(hours=2)
SECOND = timedelta(seconds=1)
PASSWORD = "a long password"


def whose(store, token, now):
    with store.read() as db:
        return accounts.whose(db, token, now)


def log_in(store, password=PASSWORD, now=NOW, name="ada", source="home"):
    return accounts.log_in(store, name, password, now, LIFE, source)


def guess_wrong(store, times, now=NOW, name="ada", source="home"):
    for _ in range(times):
        with pytest.raises(accounts.LoginRefusedError):
            log_in(store, "not this password", now, name, source)
