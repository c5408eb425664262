"""Every kind of answer carries the headers that keep a browser from harm."""

import json
import re
from datetime import UTC, datetime

import pytest

from app.main import create_app
from app.study.people import accounts
from tests.own_forms import PASSWORD, OwnForms, logged_in

SITE = "https://study.example.org"
EXPECTED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "strict-transport-security": "max-age=31536000",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
}
NEVER = ("unsafe-inline", "unsafe-eval", "'strict-dynamic'", " *", "http:")


@pytest.fixture
def secure(settings, player):
    made = create_app(settings.model_copy(update={"base_url": SITE, "secure_cookies": True}))
    yield made
    made.state.server.store.dispose()


@pytest.fixture
def answers(secure, settings, player):
    """Return an answer of each kind: kind -> (answer, whether it is behind a login)."""
    stranger = OwnForms(secure, base_url=SITE, raise_server_exceptions=False)
    boss = OwnForms(secure, base_url=SITE, follow_redirects=False)
    token = accounts.add(secure.state.server.store, "eve", "researcher", datetime.now(UTC))
    boss.get("/admin/login")
    boss.post(f"/admin/welcome/{token}", data={"password": PASSWORD})
    long = {"raw": "x" * 600_000, "seq": "1"}
    return {
        "page of a player": stranger.get(player.url),
        "partial": stranger.get(player.url, headers={"HX-Request": "true"}),
        "refused form": stranger.post(player.url, data={"seq": "x"}),
        "foreign form": stranger.post(player.url, headers={"Sec-Fetch-Site": "cross-site"}),
        "unknown address": stranger.get("/nothing"),
        "wrong method": stranger.put("/s/demo"),
        "too long": stranger.post(player.url, data=long),
        "foreign host": stranger.get("/", headers={"Host": "evil.example"}),
        "odd address": stranger.get("/s/de%00mo"),
        "redirect": stranger.get("/admin", follow_redirects=False),
        "slash": stranger.get("/admin/", follow_redirects=False),
        "static file": stranger.get("/static/app.css"),
        "missing static file": stranger.get("/static/none.css"),
        "health": stranger.get("/healthz"),
        "head": stranger.head("/s/demo"),
        "page of a researcher": boss.get("/admin/account"),
        "download": boss.get("/admin/studies/demo/signs.csv"),
        "stream": boss.get("/admin/studies/demo/bundle.zip"),
    }


def test_every_kind_of_answer_has_every_header(answers):
    wrong = {}
    for kind, answer in answers.items():
        found = answer.headers
        policy = found.get("content-security-policy", "")
        missing = {name for name, text in EXPECTED.items() if found.get(name) != text}
        if "default-src 'none'" not in policy or "frame-ancestors 'none'" not in policy:
            missing.add("policy")
        if "form-action 'self'" not in policy or "base-uri 'none'" not in policy:
            missing.add("policy of forms")
        if any(word in policy for word in NEVER):
            missing.add("unsafe policy")
        if "static file" not in kind and found.get("cache-control") != "no-store":
            missing.add("cache-control")
        if missing:
            wrong[kind] = missing
    assert wrong == {}
    assert len({one.status_code for one in answers.values()}) >= 9


def test_pages_behind_a_login_are_cut_off_from_other_windows(answers):
    for kind, answer in answers.items():
        alone = answer.headers.get("cross-origin-opener-policy") == "same-origin"
        assert alone == (
            kind in {"page of a researcher", "download", "stream", "redirect", "slash"}
        )


def test_plain_http_promises_no_https(app, settings, study):
    boss = logged_in(app, settings, "boss", "researcher")
    assert "strict-transport-security" not in boss.get("/admin").headers


def test_htmx_takes_no_code_and_no_scripts_from_a_page_and_asks_only_this_server(client):
    page = client.get("/").text
    [config] = re.findall(r"<meta name=\"htmx-config\"\s+content='([^']+)'", page)
    known = json.loads(config)
    wanted = {"allowEval": False, "allowScriptTags": False, "selfRequestsOnly": True}
    assert {name: known[name] for name in wanted} == wanted
