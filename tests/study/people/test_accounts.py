"""Accounts: names, one-time links, passwords, logins that run out, and keys of forms."""

import hmac
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.people import accounts as table
from app.store.people import logins
from app.study.design.members import Who
from app.study.people import accounts
from app.study.people.accounts import AccountView
from app.study.people.form_keys import form_key_of
from app.study.people.logins import log_out
from tests.study.people.ada import LIFE, NOW, PASSWORD, SECOND, guess_wrong, log_in, whose


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


def test_database_holds_no_link_or_login_that_works(store, link, cookie):
    with store.read() as db:
        rows = [
            *db.execute(sa.select(table.login)),
            *db.execute(sa.select(table.login_link)),
            *db.execute(sa.select(table.account)),
        ]
    assert len(rows) == 3
    assert [one for one in (link, cookie, PASSWORD) if one in str(rows)] == []


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
    log_out(store, cookie)
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
    assert "'ada' is taken by an account with the role researcher. 'ada-2' is free." in str(
        caught.value
    )


def test_names_are_the_same_whatever_their_case_and_blanks(store, cookie):
    assert log_in(store, name="  ADA ")


def test_surrogates_in_a_password_are_no_error(store, link):
    accounts.set_password(store, link, "\ud800" * 10, NOW, LIFE)
    assert log_in(store, "\ud800" * 10)
    assert whose(store, "\ud800", NOW) is None


def test_someone_is_known_once_a_researcher_has_a_password(store, link):
    annotator = accounts.add(store, "bob", "annotator", NOW)
    accounts.set_password(store, annotator, PASSWORD, NOW, LIFE)
    assert not accounts.anybody(store)
    accounts.set_password(store, link, PASSWORD, NOW, LIFE)
    assert accounts.anybody(store)


def test_login_ends_unused_after_the_idle_time_since_its_last_use(store, cookie):
    idle = timedelta(minutes=30)

    def found(at):
        with store.read() as db:
            return accounts.whose(db, cookie, at, idle)

    assert found(NOW + idle - SECOND).seen_at == NOW
    assert found(NOW + idle) is None
    with store.write() as db:
        logins.touch(db, accounts.hashed(cookie), NOW + 60 * SECOND)
    assert found(NOW + idle).seen_at == NOW + 60 * SECOND
    assert found(NOW + idle + 60 * SECOND) is None
    with store.write() as db:  # as logins of older versions are stored
        db.execute(table.login.update().values(seen_at=None))
    assert found(NOW + idle - SECOND).seen_at == NOW
    assert found(NOW + idle) is None


def test_forms_carry_a_key_of_the_password_hash_that_only_the_server_knows(store, cookie):
    with store.read() as db:
        stored = table.by_name(db, "ada").password_hash
    key = whose(store, cookie, NOW).form_key
    assert key == hmac.new(stored.encode(), b"forms", "sha256").hexdigest()
    assert form_key_of("\ud800") != form_key_of("?")
    assert form_key_of(None) == ""
    assert key != whose_key_after_another_password(store)


def whose_key_after_another_password(store):
    again = accounts.add(store, "ada", "researcher", NOW)
    token = accounts.set_password(store, again, "another password", NOW, LIFE)
    return whose(store, token, NOW).form_key


def test_first_researcher_alone_is_an_administrator(store):
    for name, role in [("bob", "annotator"), ("ada", "researcher"), ("cleo", "researcher")]:
        accounts.add(store, name, role, NOW)
    with store.read() as db:
        assert [(one.name, one.is_admin) for one in table.of_role(db, "researcher")] == [
            ("ada", True),
            ("cleo", False),
        ]
        assert not table.by_name(db, "bob").is_admin
        assert table.by_name(db, "bob").created_at == NOW


def test_rights_depend_on_the_account_and_whether_it_administers(store, cookie):
    assert whose(store, cookie, NOW).who == Who(1, is_admin=True)
    cleo = accounts.add(store, "cleo", "researcher", NOW)
    token = accounts.set_password(store, cleo, PASSWORD, NOW, LIFE)
    assert whose(store, token, NOW).who == Who(2, is_admin=False)


def test_browser_is_stored_with_each_login(store, link):
    accounts.set_password(store, link, PASSWORD, NOW, LIFE, "Firefox on Linux")
    accounts.set_password(store, accounts.add(store, "bob", "annotator", NOW), PASSWORD, NOW, LIFE)
    accounts.log_in(store, "ada", PASSWORD, NOW + SECOND, LIFE, browser="Safari on iPad")
    accounts.log_in(store, "bob", PASSWORD, NOW + SECOND, LIFE)
    with store.write() as db:
        accounts.open_login(db, 2, NOW + SECOND, LIFE)
    with store.read() as db:
        found = [[one.browser for one in logins.of_account(db, who, NOW)] for who in (1, 2)]
    assert found == [["Safari on iPad", "Firefox on Linux"], ["", "", ""]]


def test_leaked_password_is_refused_and_leaves_the_link_unused(store, link):
    with pytest.raises(accounts.LeakedPasswordError) as caught:
        accounts.set_password(store, link, "password123", NOW, LIFE)
    assert caught.value.code == "account/leaked_password"
    assert accounts.set_password(store, link, PASSWORD, NOW, LIFE)


def test_password_is_compared_up_to_the_longest_there_is(store, link):
    accounts.set_password(store, link, "x" * 1000, NOW, LIFE)
    assert log_in(store, "x" * 1001)
    guess_wrong(store, 1)
