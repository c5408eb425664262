"""What changes while a login or a one-time link is being checked counts, not what was before."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from app.errors import StudyError
from app.store.people import accounts as table
from app.store.people import logins
from app.study.people import accounts, guesses, single_sign_on
from tests.study.people.ada import LIFE, NOW, PASSWORD

A_MOMENT = 0.5  # seconds; long enough for a password to be checked
OTHER = accounts.hasher.hash(b"another password")


@pytest.fixture
def link(store, cookie):
    """The token of a second one-time link of Ada, who has a password."""
    return accounts.add(store, "ada", "researcher", NOW)


def while_open(store, change, *calls):
    """Call functions in threads of their own while a transaction that makes a change is open.

    Returns their results, or the codes of their errors.
    """
    with ThreadPoolExecutor(len(calls)) as pool:
        with store.write() as db:
            change(db)
            later = [pool.submit(tried, call) for call in calls]
            wait(later, timeout=A_MOMENT)
        return [one.result(timeout=30) for one in later]


def tried(call):
    try:
        return call()
    except StudyError as error:
        return error.code


@pytest.mark.parametrize(
    "change",
    [
        lambda db: table.set_password(db, 1, OTHER),
        lambda db: table.set_active(db, 1, active=False),
        lambda db: logins.set_totp(db, 1, "SECRET", 0),
    ],
    ids=["new password", "deactivated", "second factor"],
)
def test_login_under_way_is_refused_when_its_account_changes(store, link, change):
    def log_in():
        return accounts.log_in(store, "ada", PASSWORD, NOW, LIFE)

    assert while_open(store, change, log_in) == ["account/refused"]
    with store.read() as db:
        assert len(logins.of_account(db, 1, NOW)) == 1  # of the first password


def test_one_time_link_is_good_for_one_of_two_who_use_it_at_once(store, link):
    def spend(db):
        table.spend_link(db, accounts.hashed(link), NOW)

    found = while_open(
        store,
        spend,
        lambda: accounts.set_password(store, link, "another password", NOW, LIFE),
        lambda: single_sign_on.accept(store, link, "a subject", NOW, LIFE, ""),
    )
    assert found == ["account/bad_link"] * 2


def test_guesses_sent_at_the_same_time_are_limited_like_others(store, link):
    """All pass the first check, before any of them is counted."""

    def guess():
        return guesses.limit_guesses(store, "ada", "there", NOW)

    def lock(db):
        table.by_name(db, "ada", lock=True)

    found = while_open(store, lock, *[guess] * 20)
    assert found.count(None) <= guesses.MAX_GUESSES
