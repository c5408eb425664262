"""An account, its one-time link and its first login."""

import pytest

from app.study.people import accounts
from tests.study.people.ada import LIFE, NOW, PASSWORD


@pytest.fixture
def link(store):
    """The token of Ada's one-time link."""
    return accounts.add(store, " Ada ", "researcher", NOW)


@pytest.fixture
def cookie(store, link):
    """The token of Ada's first login."""
    return accounts.set_password(store, link, PASSWORD, NOW, LIFE)
