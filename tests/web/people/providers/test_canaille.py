"""Single sign-on with a provider that organisations use: `make providers`."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit, urlunsplit

import pytest

from app.store.people import accounts as table
from app.study.people import accounts
from tests.own_forms import OwnForms, logged_in
from tests.web.people.providers.canaille import CALLBACK, Browser, Canaille, install
from tests.web.people.signing_on import app, browser, come_back, leave, log_out, settings

__all__ = ["app", "browser", "settings"]
pytestmark = [pytest.mark.one_database, pytest.mark.timeout(900)]


@pytest.fixture(scope="module", params=[True, False], ids=["trusted", "asks"])
def provider(request, tmp_path_factory):
    install()
    made = Canaille(tmp_path_factory.mktemp("canaille"), trusted=request.param)
    for name in ("ada", "bob"):
        made.add_person(name)
    with made.running():
        yield made


def away(browser, there, start):
    """Leave for the provider, log in there; return the path it sends the browser back to."""
    back = urlsplit(there.answer(leave(browser, start)))
    assert f"{back.scheme}://{back.netloc}{back.path}" == CALLBACK
    return urlunsplit(("", "", back.path, back.query, ""))


def sign_on(browser, there, start):
    return come_back(browser, away(browser, there, start))


def subject_of(app, name):
    with app.state.server.store.read() as db:
        return table.by_name(db, name).oidc_subject


def test_invited_person_connects_the_account_and_logs_in_again(app, browser, provider, study):
    link = accounts.add(app.state.server.store, "ada", "researcher", datetime.now(UTC))
    there = Browser("ada")
    welcome = sign_on(browser, there, f"/admin/oidc?link={link}")
    assert welcome.status_code == 303, welcome.text
    assert welcome.headers["location"] == "/admin"
    assert there.pages[:2] == ["/login", "/auth/password"]
    assert subject_of(app, "ada") == f"{provider.issuer} ada"
    log_out(browser)
    there.pages.clear()
    again = sign_on(browser, there, "/admin/oidc?next=/admin/new-study")
    assert again.status_code == 303, again.text
    assert again.headers["location"] == "/admin/new-study"
    assert "/login" not in there.pages  # the provider still knows them


def test_nobody_else_gets_in_and_an_answer_counts_once(app, settings, browser, provider, study):
    owner, there = logged_in(app, settings, "ada", "researcher"), Browser("ada")
    connect = owner.get("/admin/account").text.partition("/admin/oidc?connect=")[2].split('"')[0]
    assert sign_on(owner, there, f"/admin/oidc?connect={connect}").status_code == 303
    refused = sign_on(browser, Browser("bob"), "/admin/oidc")
    assert (refused.status_code, "No account here" in refused.text) == (403, True)
    back = away(browser, there, "/admin/oidc")
    assert parse_qs(urlsplit(back).query).keys() >= {"code", "state"}
    assert come_back(browser, back).status_code == 303
    with OwnForms(app, base_url=settings.base_url) as thief:
        assert come_back(thief, back).status_code == 403
    assert come_back(browser, back).status_code == 403


def test_client_with_another_secret_is_refused(app, browser, provider, study):
    app.state.server.provider.secret = "another"
    refused = sign_on(browser, Browser("ada"), "/admin/oidc")
    assert (refused.status_code, "did not confirm" in refused.text) == (403, True)
