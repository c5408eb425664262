"""Logging in over a real OpenID Connect provider, a process of its own."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.errors import JoseError

from app import logs
from app.main import create_app
from app.settings import Settings, load_settings
from app.store.people import accounts as table
from app.study.people import accounts, audit
from app.study.people.form_keys import form_key_of
from app.web import oidc
from tests.e2e.serving import free_port
from tests.own_forms import PASSWORD, OwnForms, logged_in
from tests.web.people.signing_on import (
    Known,
    app,
    browser,
    come_back,
    leave,
    log_out,
    settings,
    wait_for,
)

__all__ = ["app", "browser", "settings"]
ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@pytest.fixture(scope="module")
def provider():
    port = str(free_port())
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "oidc_provider_mock",
        "--require-nonce",
        "true",
    ]
    out = subprocess.DEVNULL
    with subprocess.Popen([*command, "--port", port], stdout=out, stderr=out) as running:
        url = f"http://localhost:{port}"
        try:
            wait_for(url)
            yield Known(url)
        finally:
            running.terminate()


def away(browser, start="/admin/oidc", sub="ada@lab"):
    """Leave for the provider and log in there; return the address it sends the browser back to."""
    return httpx.post(leave(browser, start), data={"sub": sub}).headers["location"]


def sign_on(browser, start="/admin/oidc", sub="ada@lab"):
    return come_back(browser, away(browser, start, sub))


def invite(server, name="ada", role="researcher"):
    return accounts.add(server.store, name, role, datetime.now(UTC))


def test_invited_person_connects_the_account_and_logs_in_again(browser, server, study):
    link = invite(server)
    assert "/admin/oidc?link=" in browser.get(f"/admin/welcome/{link}").text
    assert sign_on(browser, f"/admin/oidc?link={link}").headers["location"] == "/admin"
    assert browser.get("/admin").url.path == "/admin"
    log_out(browser)
    assert browser.get("/admin").url.path == "/admin/login"
    assert "Log in with single sign-on" in browser.get("/admin/login").text
    asked = sign_on(browser, "/admin/oidc?next=/admin/new-study")
    assert asked.headers["location"] == "/admin/new-study"
    browser.get("/admin")
    assert browser.post("/admin/studies/demo/actions/close").status_code == 200  # forms work
    with server.store.read() as db:
        verbs = [one.verb for one in audit.whole(db, None)]
    assert verbs.count("GET /admin/oidc/callback") == 2


def test_stranger_of_the_provider_gets_no_account(browser, server, study):
    invite(server)
    answer = sign_on(browser, sub="mallory@lab")
    assert answer.status_code == 403
    assert "No account here is connected" in answer.text
    assert browser.get("/admin").url.path == "/admin/login"


def test_deactivated_account_is_not_logged_in(browser, server, study):
    sign_on(browser, f"/admin/oidc?link={invite(server)}")
    log_out(browser)
    with server.store.write() as db:
        table.set_active(db, table.by_name(db, "ada").id, active=False)
    assert sign_on(browser).status_code == 403
    assert "hjstudy_login" not in {one.name for one in browser.cookies.jar}


def test_link_is_used_up_and_a_subject_belongs_to_one_account(browser, server, study):
    first, second = invite(server), invite(server, "bob")
    sign_on(browser, f"/admin/oidc?link={first}")
    assert sign_on(browser, f"/admin/oidc?link={first}").status_code == 400
    taken = sign_on(browser, f"/admin/oidc?link={second}")
    assert taken.status_code == 403
    assert "already connected to another account" in taken.text
    assert sign_on(browser, f"/admin/oidc?link={second}", "bob@lab").status_code == 303


def test_account_is_connected_and_disconnected_on_its_own_page(app, settings, study):
    eve = logged_in(app, settings, "eve", "researcher")
    page = eve.get("/admin/account").text
    start = page.partition('href="/admin/oidc')[2].partition('"')[0].replace("&amp;", "&")
    assert sign_on(eve, f"/admin/oidc{start}", "eve@lab").headers["location"] == "/admin/account"
    assert "Your account is connected" in eve.get("/admin/account").text
    with OwnForms(app, base_url=settings.base_url) as other:
        assert sign_on(other, sub="eve@lab").status_code == 303
        eve.post("/admin/account/disconnect")
        assert sign_on(other, sub="eve@lab").status_code == 403


def test_another_site_cannot_connect_its_login_with_an_account(app, settings, study):
    eve = logged_in(app, settings, "eve", "researcher")
    for key in ("x", form_key_of(None) or "guess"):
        answer = eve.get(f"/admin/oidc?connect={key}", follow_redirects=False)
        assert answer.headers["location"].startswith("/admin/login")


@pytest.mark.parametrize("case", ["state", "other browser", "code", "cookie", "twice"])
def test_answer_that_does_not_belong_to_this_login_is_refused(
    browser, app, settings, server, study, case
):
    sign_on(browser, f"/admin/oidc?link={invite(server)}")
    log_out(browser)
    address = away(browser)
    if case == "state":
        address = address.replace("state=", "state=x")
    elif case == "other browser":
        browser = OwnForms(app, base_url=settings.base_url)
    elif case == "code":
        address = address.replace("code=", "code=x")
    elif case == "cookie":
        kept = browser.cookies["hjstudy_oidc"]
        text, _, sealed = kept.partition(".")
        forged = json.loads(bytes.fromhex(text)) | {"account": 1}
        browser.cookies.delete("hjstudy_oidc")
        browser.cookies.set("hjstudy_oidc", f"{json.dumps(forged).encode().hex()}.{sealed}")
    else:
        assert come_back(browser, address).status_code == 303
        log_out(browser)
    answer = come_back(browser, address)
    assert answer.status_code == 403
    assert "hjstudy_login" not in {one.name for one in browser.cookies.jar}


def test_token_for_another_login_or_another_client_is_refused(settings, provider):
    """The same code flow, but with the claims of someone else's login."""
    asked = oidc.Asked("s", "nonce-of-mine", "v" * 43)
    redirect = f"{settings.base_url}/admin/oidc/callback"

    def code(client, nonce):
        other = oidc.Provider(settings.model_copy(update={"oidc_client_id": client}))
        url = other.leave(oidc.Asked("s", nonce, "v" * 43), redirect)
        back = httpx.post(url, data={"sub": "ada@lab"}).headers["location"]
        return other, parse_qs(urlsplit(back).query)["code"][0]

    mine, right = code("hjstudy", "nonce-of-mine")
    assert mine.subject(asked, right, redirect) == f"{provider.issuer} ada@lab"
    mine, replayed = code("hjstudy", "another-nonce")
    with pytest.raises(oidc.SingleSignOnError):
        mine.subject(asked, replayed, redirect)
    other, foreign = code("other-client", "nonce-of-mine")
    with httpx.Client() as client:
        form = {
            "grant_type": "authorization_code",
            "code": foreign,
            "redirect_uri": redirect,
            "client_id": "other-client",
            "client_secret": "s",
            "code_verifier": "v" * 43,
        }
        token = client.post(other.metadata()["token_endpoint"], data=form).json()["id_token"]
    assert other.checked(token, "nonce-of-mine")["sub"] == "ada@lab"
    with pytest.raises(JoseError):
        mine.checked(token, "nonce-of-mine")


def test_provider_that_is_away_says_so_and_passwords_still_work(settings, study, server):
    away_app = create_app(settings.model_copy(update={"oidc_issuer": "http://localhost:9"}))
    eve = logged_in(away_app, settings, "eve", "researcher")
    assert "cannot be reached" in eve.get("/admin/oidc").text
    form = {"name": "eve", "password": PASSWORD}
    assert eve.post("/admin/login", data=form).url.path == "/admin"
    with server.store.read() as db:
        assert table.by_name(db, "eve").oidc_subject is None
    away_app.state.server.store.dispose()


class Failing(BaseHTTPRequestHandler):
    """A provider that has an address for everything, and fails when it is asked who someone is."""

    def do_GET(self):
        issuer = f"http://localhost:{self.server.server_address[1]}"
        addresses = {name: f"{issuer}/{name}" for name in ADDRESSES}
        facts = {"issuer": issuer, "keys": [], **addresses}
        self.answer(200, json.dumps(facts).encode())

    def do_POST(self):
        self.answer(500, b"Internal server error")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def failing():
    """The issuer of a provider that fails."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture
def warnings():
    """Log warnings, one JSON object a line."""
    logs.set_up(load_settings(log_format="json", log_level="warning"))
    yield
    logs.set_up(load_settings())


@pytest.mark.parametrize(("case", "reason"), [("code", "invalid_grant"), ("500", "answered 500")])
def test_log_says_why_the_provider_confirmed_nobody(
    settings, provider, failing, warnings, capsys, case, reason
):
    issuer = provider.issuer if case == "code" else failing
    ours = oidc.Provider(settings.model_copy(update={"oidc_issuer": issuer}))
    asked = oidc.Asked("s", "nonce-of-mine", "v" * 43)
    with pytest.raises(oidc.SingleSignOnError):
        ours.subject(asked, "hush", f"{settings.base_url}/admin/oidc/callback")
    [line] = capsys.readouterr().err.splitlines()
    assert (json.loads(line)["event"], reason in line) == ("single_sign_on.failed", True)
    assert "hush" not in line


@pytest.mark.parametrize(
    ("issuer", "is_fine"),
    [
        ("https://login.example.org", True),
        ("http://localhost:9", True),
        ("http://[::1]:9", True),
        ("http://127.8.8.8", True),
        ("http://login.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("ftp://localhost", False),
        ("login.example.org", False),
        ("https://x?y=1", False),
    ],
)
def test_provider_needs_https_except_on_this_machine(issuer, is_fine):
    if is_fine:
        assert Settings(oidc_issuer=issuer).oidc_issuer == issuer
    else:
        with pytest.raises(ValueError, match="must be an address such as"):
            Settings(oidc_issuer=issuer)
