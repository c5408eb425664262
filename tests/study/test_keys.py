"""Secrets of the server, and names of client addresses."""

from datetime import timedelta

import pytest

from app.store import keys as table
from app.study.keys import Keys, is_signed, network_of, signature
from tests.study.conftest import NOW


def test_address_has_one_name_a_day_that_does_not_contain_it(store):
    keys = Keys(store)
    name = keys.source("192.0.2.7", NOW)
    assert keys.source("192.0.2.7", NOW + timedelta(hours=11)) == name
    assert keys.source("192.0.2.8", NOW) != name
    assert keys.source("192.0.2.7", NOW + timedelta(days=1)) != name
    assert "192" not in name


def test_daily_key_is_shared_by_processes_on_postgres_only_and_replaced_the_next_day(store):
    one, two = Keys(store), Keys(store)
    same = one.source("192.0.2.7", NOW) == two.source("192.0.2.7", NOW)
    assert same == (not store.is_sqlite)
    one.source("192.0.2.7", NOW + timedelta(days=1))
    with store.read() as db:
        stored = [row.name for row in db.execute(table.secret.select()).all()]
    assert stored == ([] if store.is_sqlite else ["sources-2026-11-29"])


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", ""),
        ("", ""),
    ],
)
def test_one_household_is_one_network(address, network):
    assert network_of(address) == network


def test_signing_key_is_made_once_for_all_processes(store):
    assert Keys(store).signing("links") == Keys(store).signing("links")
    assert Keys(store).signing("links") != Keys(store).signing("others")


def test_signature_depends_on_where_one_text_ends():
    key = b"a key"
    assert signature(key, "ab", "c") != signature(key, "a", "bc")
    assert is_signed(key, signature(key, "ab", "c"), "ab", "c")
    assert not is_signed(key, "ü", "ab", "c")
