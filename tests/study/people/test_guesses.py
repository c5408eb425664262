"""Guesses of passwords and of second factors: counted by name and source, and slowed down."""

import time
from datetime import timedelta

import pytest
from argon2 import Type, extract_parameters
from argon2.exceptions import VerifyMismatchError

from app.store.people import accounts as table
from app.store.people import logins
from app.study.people import accounts, known_browsers
from app.study.people.guesses import NO_SOURCE, TooManyGuessesError
from tests.study.people.ada import LIFE, NOW, PASSWORD, SECOND, guess_wrong, log_in, whose


def test_unknown_name_costs_as_much_work_as_a_known_one(cheap_passwords):
    """The hash that is checked when there is no account has the same cost, and is a valid one."""
    hasher, nobody = cheap_passwords
    assert extract_parameters(nobody) == extract_parameters(hasher.hash(PASSWORD))
    with pytest.raises(VerifyMismatchError):  # it was computed, not refused as no hash at all
        hasher.verify(nobody, PASSWORD)


def test_passwords_are_hashed_at_the_price_that_owasp_asks_for(cheap_passwords):
    """At least 19 MiB and two passes of argon2id."""
    hasher, _ = cheap_passwords
    cost = extract_parameters(hasher.hash(PASSWORD))
    assert cost.type is Type.ID
    assert cost.memory_cost >= 19 * 1024
    assert cost.memory_cost * cost.time_cost >= 38 * 1024


def work_of(stored):
    """Return the least processor time of ten checks of a wrong password."""
    took = []
    for _ in range(10):
        began = time.process_time()
        assert not accounts.fits(stored, "wrong password")
        took.append(time.process_time() - began)
    return min(took)


def test_password_of_an_unknown_name_is_hashed_too():
    assert work_of(None) > work_of(accounts.hasher.hash(PASSWORD)) / 4


def test_an_account_without_a_password_and_an_unknown_one_are_refused_alike(store, link):
    guess_wrong(store, 1)
    guess_wrong(store, 1, name="nobody")
    guess_wrong(store, 1, name="a\x00b")
    with store.read() as db:
        noted = db.execute(table.login_attempt.select()).all()
    assert sorted(row.name for row in noted) == ["ada", "nobody"]


def test_eight_wrong_guesses_close_a_name_for_15_minutes(store, cookie):
    guess_wrong(store, 8)
    with pytest.raises(TooManyGuessesError):
        log_in(store)
    for _ in range(8):  # tries while a name is closed do not keep it closed
        with pytest.raises(TooManyGuessesError):
            log_in(store, now=NOW + timedelta(minutes=15) - SECOND)
    with store.read() as db:
        assert len(db.execute(table.login_attempt.select()).all()) == 8
    assert log_in(store, now=NOW + timedelta(minutes=15))


def test_the_right_password_after_seven_wrong_ones_makes_them_forgotten(store, cookie):
    guess_wrong(store, 7)
    assert log_in(store)
    guess_wrong(store, 7)
    assert log_in(store)


def test_a_name_that_is_closed_closes_no_other(store, cookie):
    bob = accounts.add(store, "bob", "annotator", NOW)
    accounts.set_password(store, bob, PASSWORD, NOW, LIFE)
    guess_wrong(store, 8)
    assert log_in(store, name="bob")


def test_name_with_a_slash_is_limited_for_itself(store, cookie):
    guess_wrong(store, 8, name="lab/ada")
    with pytest.raises(TooManyGuessesError):
        log_in(store, name="lab/ada")
    guess_wrong(store, 1, name="lab")
    assert log_in(store)


@pytest.mark.long_on_postgres
def test_wrong_guesses_from_no_known_address_lock_no_one_out(store, cookie):
    """Without addresses, as behind a Unix socket, a stranger cannot be told from the researcher."""
    guess_wrong(store, 41, source="")
    assert log_in(store, source="")
    with store.write() as db:
        table.set_active(db, 1, active=False)
    for _ in range(9):
        with pytest.raises(accounts.LoginRefusedError):
            log_in(store, source="")
    with store.read() as db:
        assert db.execute(table.login_attempt.select()).all() == []


def test_second_factor_cannot_be_guessed_from_no_known_address_either(store, cookie):
    with store.write() as db:
        logins.set_totp(db, 1, "SECRET", 0)
    for refused in [*[accounts.LoginRefusedError] * 8, TooManyGuessesError]:
        with pytest.raises(refused):
            accounts.log_in(store, "ada", PASSWORD, NOW, LIFE, factor=lambda *_: False)


def put_guesses(store, number, source):
    with store.write() as db:
        for one in range(number):
            table.add_guess(db, f"somebody {one}", source, NOW)


def test_guesses_of_many_names_close_their_source_and_no_other(store, cookie):
    put_guesses(store, 39, "there")
    assert log_in(store, source="there")
    put_guesses(store, 1, "there")
    with pytest.raises(TooManyGuessesError):
        log_in(store, source="there")
    with store.read() as db:  # tries while a source is closed do not keep it closed
        assert len(db.execute(table.login_attempt.select()).all()) == 40
    assert log_in(store, source="here")


def test_no_number_of_guesses_from_elsewhere_closes_a_name(store, cookie):
    for number in range(60):
        put_guesses(store, 8, f"source {number}")
    with store.write() as db:
        for number in range(100):
            table.add_guess(db, "ada", f"source {number}", NOW)
    assert log_in(store, source="here")


def test_right_password_forgets_only_the_guesses_from_its_source(store, cookie):
    guess_wrong(store, 8, source="there")
    assert log_in(store, source="here")
    with pytest.raises(TooManyGuessesError):
        log_in(store, source="there")


def test_guesses_are_deleted_once_they_no_longer_count(store, cookie):
    guess_wrong(store, 3, source="there")
    guess_wrong(store, 1, now=NOW + timedelta(minutes=15), source="here")
    with store.read() as db:
        rows = db.execute(table.login_attempt.select()).all()
    assert [row.source for row in rows] == ["here"]


def test_browser_is_known_by_its_mark_for_its_own_name_only():
    mark = known_browsers.mark_of(b"a key", "Ada ")
    assert known_browsers.known_source(b"a key", "ada", mark).startswith("b-")
    assert len(known_browsers.known_source(b"a key", "ada", mark)) <= 32
    for key, name, value in [
        (b"another", "ada", mark),
        (b"a key", "bob", mark),
        (b"a key", "ada", f"{mark}0"),
        (b"a key", "ada", "ü" + mark[1:]),
        (b"a key", "ada", mark.partition(".")[2]),
        (b"a key", "ada", ""),
    ]:
        assert known_browsers.known_source(key, name, value) == ""


def test_second_factor_is_asked_for_the_account_whose_password_was_right(store, cookie):
    with store.write() as db:
        logins.set_totp(db, 1, "SECRET", 0)
    asked = []

    def log_in_with(answer, password=PASSWORD, source="home"):
        def factor(db, row):
            asked.append((row.id, row.totp_secret, table.by_name(db, "ada").id))
            return answer

        return accounts.log_in(store, "ada", password, NOW, LIFE, source, factor=factor)

    with pytest.raises(accounts.LoginRefusedError):
        log_in(store)  # without one
    with pytest.raises(accounts.LoginRefusedError):
        log_in_with(answer=True, password="not this password")
    assert asked == []
    for _ in range(5):
        with pytest.raises(accounts.LoginRefusedError):
            log_in_with(answer=False)
    assert whose(store, log_in_with(answer=True), NOW).name == "ada"
    assert asked == [(1, "SECRET", 1)] * 6
    guess_wrong(store, 8)  # the earlier ones were forgotten


def test_second_factor_without_an_address_counts_under_its_own_source(store, cookie):
    with store.write() as db:
        logins.set_totp(db, 1, "SECRET", 0)
    with pytest.raises(accounts.LoginRefusedError):
        accounts.log_in(store, "ada", PASSWORD, NOW, LIFE, factor=lambda *_: False)
    with store.read() as db:
        noted = db.execute(table.login_attempt.select()).all()
    assert [(row.name, row.source) for row in noted] == [("ada", NO_SOURCE)]
    assert accounts.log_in(store, "ada", PASSWORD, NOW, LIFE, factor=lambda *_: True)
    with store.read() as db:
        assert db.execute(table.login_attempt.select()).all() == []


def test_name_is_cut_to_the_longest_there_is_before_it_is_looked_up_or_counted(store):
    name = "x" * 64
    link = accounts.add(store, name, "annotator", NOW)
    accounts.set_password(store, link, PASSWORD, NOW, LIFE)
    assert log_in(store, name=f"{name}y")
    guess_wrong(store, 1, name=f"{name}z")
    with store.read() as db:
        assert [row.name for row in db.execute(table.login_attempt.select())] == [name]
