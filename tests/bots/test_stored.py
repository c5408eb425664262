"""The database behind bots may be away for a while, as it is for the server."""

import shutil
import threading
import time

import pytest

from app.bots import stored
from app.errors import UnavailableError
from app.store.db import Store
from tests.study.story import Story

AWAY_S = 1.0


@pytest.fixture
def away(sqlite_template, tmp_path):
    """A study and a player in a database whose folder has been moved elsewhere."""
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copyfile(sqlite_template, elsewhere / "test.db")
    store = Store(f"sqlite:///{elsewhere / 'test.db'}")
    token = Story(store).enter()
    store.dispose()
    moved = Store(f"sqlite:///{here / 'test.db'}")
    yield stored.Stored(moved), token, lambda: elsewhere.rename(here)
    moved.dispose()


def test_bots_wait_for_a_database_that_is_away(away):
    bots, token, come_back = away
    timer = threading.Timer(AWAY_S, come_back)
    timer.start()
    began = time.monotonic()
    variant, index = bots.knows(token, 0, 0)
    timer.join()
    assert variant.episodes[index]
    assert time.monotonic() - began >= AWAY_S


def test_bots_give_up_on_a_database_that_stays_away(away, monkeypatch):
    monkeypatch.setattr(stored, "PATIENCE_S", 0.2)
    bots, token, _ = away
    with pytest.raises(UnavailableError):
        bots.knows(token, 0, 0)
