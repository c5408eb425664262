"""Accounts: one-time links, logins that run out, and guesses that are slowed down."""

from datetime import UTC, datetime, timedelta

import pytest
from argon2 import extract_parameters
from argon2.exceptions import VerifyMismatchError

from app.store.people import accounts as table
from app.store.people import logins
from app.study.people import accounts, known_browsers
from app.study.people.accounts import AccountView

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
LIFE = timedelta(hours=2)
SECOND = timedelta(seconds=1)
PASSWORD = "a long password"


@pytest.fixture
def link(store):
    """The token of Ada's one-time link."""
    return accounts.add(store, " Ada ", "researcher", NOW)


@pytest.fixture
def cookie(store, link):
    """The token of Ada's first login."""
    return accounts.set_password(store, link, PASSWORD, NOW, LIFE)


def whose(store, token, now):
    with store.read() as db:
        return accounts.whose(db, token, now)


def log_in(store, password=PASSWORD, now=NOW, name="ada", source="home"):
    return accounts.log_in(store, name, password, now, LIFE, source)


def guess_wrong(store, times, now=NOW, name="ada", source="home"):
    for _ in range(times):
        with pytest.raises(accounts.LoginRefusedError):
            log_in(store, "not this password", now, name, source)


def test_a_login_is_good_until_its_last_second_and_not_after(store, cookie):
    found = whose(store, cookie, NOW + LIFE - SECOND)
    assert (found.id, found.name, found.role) == (1, "ada", "researcher")
    assert whose(store, cookie, NOW + LIFE) is None
    assert whose(store, cookie, NOW + LIFE + SECOND) is None


def test_an_unknown_token_and_a_deactivated_account_belong_to_no_one(store, cookie):
    assert whose(store, "somebody-elses-token", NOW) is None
    with store.write() as db:
        table.set_active(db, 1, active=False)
    assert whose(store, cookie, NOW) is None
    with pytest.raises(accounts.LoginRefusedError):
        log_in(store)


def test_unknown_name_costs_as_much_work_as_a_known_one():
    """The hash that is checked when there is no account has the same cost, and is a valid one."""
    checked, real = (
        extract_parameters(one) for one in (accounts.NOBODY, accounts.hasher.hash(PASSWORD))
    )
    assert checked == real
    with pytest.raises(VerifyMismatchError):  # it was computed, not refused as no hash at all
        accounts.hasher.verify(accounts.NOBODY, PASSWORD)


def test_tokens_of_links_and_logins_are_24_random_bytes(store, link, cookie):
    found = {link, cookie, log_in(store), accounts.add(store, "bob", "annotator", NOW)}
    assert [len(token) for token in found] == [32] * 4


def test_logging_in_starts_a_login_of_the_life_given(store, cookie):
    second = log_in(store, now=NOW + SECOND)
    assert second != cookie
    assert whose(store, second, NOW + LIFE).name == "ada"
    assert whose(store, second, NOW + LIFE + SECOND) is None


def test_logging_out_ends_that_login_alone(store, cookie):
    second = log_in(store)
    accounts.log_out(store, cookie)
    assert whose(store, cookie, NOW) is None
    assert whose(store, second, NOW).name == "ada"


def test_logins_that_have_run_out_are_deleted_at_the_next_login(store, cookie):
    log_in(store, now=NOW + LIFE)
    with store.read() as db:
        assert len(db.execute(table.login.select()).all()) == 1


def test_a_new_password_ends_older_logins_and_the_old_password(store, cookie):
    again = accounts.add(store, "ada", "researcher", NOW)
    accounts.set_password(store, again, "another password", NOW, LIFE)
    assert whose(store, cookie, NOW) is None
    with pytest.raises(accounts.LoginRefusedError):
        log_in(store)
    assert log_in(store, "another password")


def test_a_link_is_good_for_seven_days(store, link):
    last = NOW + timedelta(days=7)
    with store.read() as db:
        owner = accounts.link_owner(db, link, last - SECOND)
        assert owner == AccountView(1, "ada", "researcher")
        with pytest.raises(accounts.BadLinkError):
            accounts.link_owner(db, link, last)


def test_a_link_is_good_once_and_a_newer_one_replaces_it(store, link):
    newer = accounts.add(store, "ada", "researcher", NOW)
    with pytest.raises(accounts.BadLinkError):
        accounts.set_password(store, link, PASSWORD, NOW, LIFE)
    accounts.set_password(store, newer, PASSWORD, NOW, LIFE)
    with pytest.raises(accounts.BadLinkError):
        accounts.set_password(store, newer, PASSWORD, NOW, LIFE)


def test_a_link_of_a_deactivated_account_is_not_good(store, link):
    with store.write() as db:
        table.set_active(db, 1, active=False)
    with pytest.raises(accounts.BadLinkError):
        accounts.set_password(store, link, PASSWORD, NOW, LIFE)


@pytest.mark.parametrize(
    ("length", "is_good"), [(9, False), (10, True), (1000, True), (1001, False)]
)
def test_a_password_has_10_to_1000_characters(store, link, length, is_good):
    if is_good:
        accounts.set_password(store, link, "x" * length, NOW, LIFE)
        assert log_in(store, "x" * length)
        return
    with pytest.raises(accounts.BadPasswordError) as caught:
        accounts.set_password(store, link, "x" * length, NOW, LIFE)
    assert caught.value.code == "account/bad_password"


@pytest.mark.parametrize(
    ("name", "role"),
    [(" ", "researcher"), ("x" * 65, "researcher"), ("a\x00b", "researcher"), ("bob", "king")],
)
def test_odd_names_and_roles_are_refused(store, name, role):
    with pytest.raises(accounts.BadNameError):
        accounts.add(store, name, role, NOW)


def test_the_longest_name_can_log_in(store):
    name = "x" * 64
    link = accounts.add(store, name, "annotator", NOW)
    accounts.set_password(store, link, PASSWORD, NOW, LIFE)
    assert whose(store, log_in(store, name=name), NOW).role == "annotator"


def test_an_accounts_role_never_changes(store, link):
    with pytest.raises(accounts.BadNameError) as caught:
        accounts.add(store, "ADA", "annotator", NOW)
    assert "'ada' already exists as researcher" in str(caught.value)


def test_names_are_the_same_whatever_their_case_and_blanks(store, cookie):
    assert log_in(store, name="  ADA ")


def test_an_account_without_a_password_and_an_unknown_one_are_refused_alike(store, link):
    guess_wrong(store, 1)
    guess_wrong(store, 1, name="nobody")
    guess_wrong(store, 1, name="a\x00b")
    with store.read() as db:
        noted = db.execute(table.login_attempt.select()).all()
    assert sorted(row.name for row in noted) == ["ada", "nobody"]


def test_surrogates_in_a_password_are_no_error(store, link):
    accounts.set_password(store, link, "\ud800" * 10, NOW, LIFE)
    assert log_in(store, "\ud800" * 10)
    assert whose(store, "\ud800", NOW) is None


def test_eight_wrong_guesses_close_a_name_for_15_minutes(store, cookie):
    guess_wrong(store, 8)
    with pytest.raises(accounts.TooManyGuessesError):
        log_in(store)
    for _ in range(8):  # tries while a name is closed do not keep it closed
        with pytest.raises(accounts.TooManyGuessesError):
            log_in(store, now=NOW + timedelta(minutes=15) - SECOND)
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


def test_wrong_guesses_from_no_known_address_lock_no_one_out(store, cookie):
    """Without addresses, as behind a Unix socket, a stranger looks like the researcher."""
    guess_wrong(store, 41, source="")
    assert log_in(store, source="")
    with store.read() as db:
        assert db.execute(table.login_attempt.select()).all() == []


def test_second_factor_cannot_be_guessed_from_no_known_address_either(store, cookie):
    with store.write() as db:
        logins.set_totp(db, 1, "SECRET", 0)
    for refused in [*[accounts.LoginRefusedError] * 8, accounts.TooManyGuessesError]:
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
    with pytest.raises(accounts.TooManyGuessesError):
        log_in(store, source="there")
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
    with pytest.raises(accounts.TooManyGuessesError):
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


def test_someone_is_known_once_a_researcher_has_a_password(store, link):
    annotator = accounts.add(store, "bob", "annotator", NOW)
    accounts.set_password(store, annotator, PASSWORD, NOW, LIFE)
    assert not accounts.anybody(store)
    accounts.set_password(store, link, PASSWORD, NOW, LIFE)
    assert accounts.anybody(store)
