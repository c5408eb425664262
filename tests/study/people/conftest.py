"""Accounts whose passwords cost almost nothing to check."""

import pytest
from argon2 import PasswordHasher

from app.study.people import accounts
from tests.study.people.ada import LIFE, NOW, PASSWORD

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def cheap(monkeypatch):
    """Let a password cost almost nothing; return what the program uses instead."""
    real = (accounts.hasher, accounts.NOBODY)
    salt_and_hash = accounts.NOBODY.split("$", 4)[4]
    monkeypatch.setattr(accounts, "hasher", CHEAP)
    monkeypatch.setattr(accounts, "NOBODY", f"$argon2id$v=19$m=8,t=1,p=1${salt_and_hash}")
    return real


@pytest.fixture
def link(store, cheap):
    """The token of Ada's one-time link."""
    return accounts.add(store, " Ada ", "researcher", NOW)


@pytest.fixture
def cookie(store, link):
    """The token of Ada's first login."""
    return accounts.set_password(store, link, PASSWORD, NOW, LIFE)
