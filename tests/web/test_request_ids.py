"""Each request's id: who may choose it, and where it appears."""

import json
import re

import pytest

from app import logs
from tests.one_hop import QuickClient
from tests.walker import Walker

GIVEN = "7f3c1c9e-4d2a-4f0e-9a55-0c1d2e3f4a5b"
BAD = ("short", "x" * 65, "has space in it", "a_b_c_d_e_f", "<b>123456</b>", "-12345678", "")
HEADER = "X-Request-ID"


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"trusted_proxies": "10.0.0.0/8"})


@pytest.fixture
def ask(app, settings, client):
    """Open a page from an address with the headers given; return the answer's id."""

    def sent(address, *headers):
        browser = QuickClient(app, base_url=settings.base_url, client=(address, 1))
        return browser.get("/", headers=[(HEADER, one) for one in headers]).headers[HEADER]

    return sent


def test_id_of_a_trusted_proxy_is_kept(ask):
    assert ask("10.1.2.3", GIVEN) == GIVEN


def test_request_without_an_id_gets_a_new_one(ask):
    ids = {ask("10.1.2.3") for _ in range(3)}
    assert len(ids) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)


@pytest.mark.parametrize(
    ("address", "headers"),
    [("192.0.2.7", [GIVEN]), ("10.1.2.3", [GIVEN, GIVEN]), *(("10.1.2.3", [one]) for one in BAD)],
)
def test_id_of_a_stranger_or_a_malformed_one_is_replaced(ask, address, headers):
    assert re.fullmatch("[0-9a-f]{16}", ask(address, *headers))


def test_error_pages_show_the_id_that_the_log_has(client, settings, capsys):
    logs.set_up(settings.model_copy(update={"log_level": "info", "log_format": "json"}))
    page = Walker(client).get("/no/such/page")
    number = page.answer.headers[HEADER]
    assert f"give this number: {number}" in page.answer.text
    lines = [json.loads(text) for text in capsys.readouterr().err.splitlines()]
    [line] = [one for one in lines if one["event"] == "request.answered"]
    assert line["request"] == number


def test_other_pages_show_no_id(client):
    answer = client.get("/")
    assert answer.headers[HEADER] not in answer.text


@pytest.mark.parametrize(
    ("address", "headers", "seen"),
    [
        ("10.1.2.3", {}, "none"),
        ("10.1.2.3", {"X-Forwarded-For": "203.0.113.9"}, "trusted"),
        ("192.0.2.7", {"X-Forwarded-For": "203.0.113.9"}, "ignored"),
    ],
)
def test_health_check_says_whether_the_proxy_counts(app, settings, client, address, headers, seen):
    browser = QuickClient(app, base_url=settings.base_url, client=(address, 1))
    assert browser.get("/healthz", headers=headers).headers["X-Proxy"] == seen


def test_address_of_the_client_counts_from_a_trusted_proxy_only(app, settings, server, client):
    seen, add = [], server.counts.add

    def noting(scope, *rest):
        seen.append(scope["client"][0])
        add(scope, *rest)

    server.counts.add = noting
    for address in ("10.1.2.3", "192.0.2.7"):
        browser = QuickClient(app, base_url=settings.base_url, client=(address, 1))
        browser.get("/", headers={"X-Forwarded-For": "203.0.113.9"})
    assert seen == ["203.0.113.9", "192.0.2.7"]
