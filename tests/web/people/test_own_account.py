"""One's own logins: how they run out, where they are listed, and the second factor."""

import re
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
import sqlalchemy as sa

from app.main import create_app
from app.store.people.accounts import account, login
from app.study.people import accounts, guesses, logins, second_factor
from tests.own_forms import PASSWORD, OwnForms, logged_in
from tests.walker import Walker

PAGE, RATERS_PAGE = "/admin/account", "/rate/account"
ROLES = [("researcher", PAGE, "/admin"), ("annotator", RATERS_PAGE, "/rate")]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def ada(app, settings, study):
    return Walker(logged_in(app, settings, "ada", "researcher"))


@pytest.fixture(params=ROLES, ids=[role for role, *_ in ROLES])
def someone(request, app, settings, study):
    """Someone called Ada with each role, the address of their account, and their first page."""
    role, own, first = request.param
    return Walker(logged_in(app, settings, "ada", role)), own, first


@pytest.fixture
def enter(app, settings):
    """Return the answer to a login in a browser of its own."""

    def log_in(code="", name="ada", password=PASSWORD):
        made = OwnForms(app, base_url=settings.base_url, headers={"User-Agent": FIREFOX})
        form = {"name": name, "password": password, "code": code}
        return made, made.post("/admin/login", data=form, follow_redirects=False)

    return log_in


def set_seen(server, **values):
    with server.store.write() as db:
        db.execute(sa.update(login).values(**values))


def turn_on(walker, own=PAGE):
    """Turn the second factor on; return the secret and the recovery codes."""
    secret = walker.get(own).page.form("secret").fields["secret"]
    code = pyotp.TOTP(secret).now()
    walker.send("secret", code=code, password=PASSWORD)
    return secret, re.findall(r"<code>([0-9a-f-]{17})</code>", walker.answer.text)


def test_login_that_is_not_used_runs_out_and_use_prolongs_it(ada, server, settings):
    idle = timedelta(minutes=settings.login_idle_minutes)
    almost = datetime.now(UTC) - idle + timedelta(minutes=1)
    set_seen(server, seen_at=almost)
    assert ada.get("/admin").page.name == "studies"  # and it has been used now
    with server.store.read() as db:
        assert db.execute(sa.select(login.c.seen_at)).scalar_one() > almost + timedelta(minutes=1)
    set_seen(server, seen_at=datetime.now(UTC) - idle)
    assert ada.get("/admin").page.name == "login"


def test_use_does_not_prolong_a_login_beyond_its_end(ada, server):
    now = datetime.now(UTC)
    set_seen(server, seen_at=now, expires_at=now)
    assert ada.get("/admin").page.name == "login"


def test_own_logins_are_listed_and_ended_one_by_one_or_all_others(someone, enter, server):
    ada, own, first = someone
    phone, laptop = enter()[0], enter()[0]
    assert own in ada.get(first).page.links
    text = ada.get(own).answer.text
    assert text.count("Firefox on Linux") == 2
    assert text.count("this one") == 1
    mark = accounts.hashed(laptop.cookies["hjstudy_login"])[: logins.MARK]
    ada.client.post(f"{own}/logins", data={"mark": mark})
    assert laptop.get(first).url.path == "/admin/login"
    assert phone.get(first).url.path == first
    ada.client.post(f"{own}/logins")
    assert phone.get(first).url.path == "/admin/login"
    assert ada.get(first).page.name != "login"


def test_no_one_ends_anothers_login(ada, app, settings):
    bob = logged_in(app, settings, "bob", "researcher")
    mark = accounts.hashed(bob.cookies["hjstudy_login"])[: logins.MARK]
    for given in ({"mark": mark}, {"mark": "%"}, {"mark": ""}):
        ada.client.post(f"{PAGE}/logins", data=given)
    assert bob.get("/admin").url.path == "/admin"


def test_second_factor_is_needed_once_it_is_on(someone, enter, server):
    ada, own, _ = someone
    secret, codes = turn_on(ada, own)
    assert len(codes) == second_factor.CODES
    used = pyotp.TOTP(secret).now()
    later = pyotp.TOTP(secret).at(int(datetime.now(UTC).timestamp()) + second_factor.STEP_S)
    assert enter()[1].status_code == 422
    assert enter("000000")[1].status_code == 422
    assert enter(used)[1].status_code == 422  # it turned the factor on, and counts once
    assert enter(later)[1].status_code == 303
    assert enter(later)[1].status_code == 422
    assert enter(codes[0].upper().replace("-", " "))[1].status_code == 303
    assert enter(codes[0])[1].status_code == 422
    assert enter(codes[1], password="not the password")[1].status_code == 422
    assert enter(codes[1])[1].status_code == 303  # the wrong password did not use it up


def test_second_factor_needs_the_password_to_be_turned_on_or_off(someone, enter):
    ada, own, _ = someone
    secret = ada.get(own).page.form("secret").fields["secret"]
    ada.send("secret", code=pyotp.TOTP(secret).now(), password="not the password")
    assert ada.answer.status_code == 422
    assert secret in ada.answer.text
    assert enter()[1].status_code == 303
    secret, codes = turn_on(ada, own)
    for _ in range(guesses.MAX_GUESSES):
        ada.client.post(f"{own}/second-factor/off", data={"password": "guess"})
    off = ada.client.post(f"{own}/second-factor/off", data={"password": PASSWORD})
    assert off.status_code == 429
    assert enter(codes[0])[1].status_code == 303  # guessing here locks no one out there


def test_second_factor_is_turned_off_with_the_password_or_by_the_command(someone, enter, server):
    ada, own, _ = someone
    turn_on(ada, own)
    assert ada.client.post(f"{own}/second-factor/off", data={"password": PASSWORD}).is_success
    assert enter()[1].status_code == 303
    with server.store.write() as db:
        db.execute(sa.update(account).values(totp_step=0))
    turn_on(ada, own)
    second_factor.reset(server.store, "Ada")
    assert enter()[1].status_code == 303


@pytest.mark.parametrize("password", ["qwertyuiop", "Password123", "1q2w3e4r5t", "qwertyuiop2026!"])
def test_leaked_password_is_refused_with_the_reason(client, server, study, password):
    token = accounts.add(server.store, "eve", "researcher", datetime.now(UTC))
    answer = client.post(f"/admin/welcome/{token}", data={"password": password})
    assert answer.status_code == 422
    assert "list of leaked ones" in answer.text


def test_page_of_a_link_that_a_newer_one_replaced_says_so(client, server, study):
    old = accounts.add(server.store, "eve", "researcher", datetime.now(UTC))
    new = accounts.add(server.store, "eve", "researcher", datetime.now(UTC))
    answer = client.get(f"/admin/welcome/{old}")
    assert answer.status_code == 400
    assert "a newer link has replaced it" in answer.text
    assert "<code>hjstudy user add NAME</code>" in answer.text
    assert "`" not in answer.text
    assert client.get(f"/admin/welcome/{new}").is_success


def test_cookies_behind_https_are_of_this_host_alone(settings):
    secure = settings.model_copy(
        update={"base_url": "https://study.example.org", "secure_cookies": True}
    )
    app = create_app(secure)
    with OwnForms(app, base_url="https://study.example.org") as browser:
        token = accounts.add(app.state.server.store, "eve", "researcher", datetime.now(UTC))
        browser.get("/admin/login")
        browser.post(f"/admin/welcome/{token}", data={"password": PASSWORD})
        assert browser.get("/admin").url.path == "/admin"
        found = {one.name: one for one in browser.cookies.jar}
        assert set(found) == {
            *("__Host-hjstudy_login", "__Host-hjstudy_known", "__Host-hjstudy_login_form")
        }
        for one in found.values():
            assert one.secure
            assert one.path == "/"
            assert not one.domain_specified
            assert one.has_nonstandard_attr("HttpOnly")
        browser.post("/admin/logout")
        assert "__Host-hjstudy_login" not in {one.name for one in browser.cookies.jar}
