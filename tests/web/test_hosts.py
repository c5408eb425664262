"""Host names: which the server answers to, and that no answer repeats a forged one."""

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from app.main import create_app

pytestmark = pytest.mark.one_database

PUBLIC = "https://study.example.org"


@pytest.fixture
def public(settings, study):
    """Return a client of a server whose public address is configured."""
    app = create_app(settings.model_copy(update={"base_url": PUBLIC, "allowed_hosts": "hj"}))
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("study.example.org", 200),
        ("STUDY.example.org:8443", 200),
        ("hj:8000", 200),
        ("127.0.0.1:8000", 200),  # a proxy on this machine that does not pass the name on
        ("[::1]:8000", 200),
        ("localhost", 200),
        ("evil.example", 421),
        ("study.example.org.evil.example", 421),
        ("study.example.org@evil.example", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_configured_server_answers_to_its_own_names_only(public, host, status):
    answer = public.get("/s/demo", headers={"Host": host})
    assert answer.status_code == status
    assert (status == 200) == ("HJSTUDY_ALLOWED_HOSTS" not in answer.text)


def test_list_of_names_counts_without_an_address(settings, study):
    app = create_app(settings.model_copy(update={"allowed_hosts": "study.lan"}))
    with TestClient(app, base_url="http://study.lan:8000") as client:
        assert client.get("/s/demo").status_code == 200
        assert client.get("/s/demo", headers={"Host": "evil.example"}).status_code == 421


def test_metrics_can_be_asked_for_under_the_address_of_one_process(settings):
    token = "t" * 16
    changed = {"base_url": PUBLIC, "metrics_token": token}
    with TestClient(create_app(settings.model_copy(update=changed))) as client:
        ask = {"Host": "172.18.0.5:8000", "Authorization": f"Bearer {token}"}
        assert client.get("/metrics", headers=ask).status_code == 200
        assert client.get("/metrics/", headers=ask).status_code == 421


def test_any_name_of_a_laboratory_is_answered_without_configuration(client, study):
    assert client.get("/s/demo", headers={"Host": "study.lan:8000"}).status_code == 200


@pytest.mark.parametrize("path", ["/s/demo/", "/admin/login/", "/healthz/?a=1"])
def test_slash_at_the_end_leads_to_the_page_without_naming_a_host(client, study, path):
    answer = client.get(path, headers={"Host": "evil.example"}, follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == path.replace("/?", "?").rstrip("/")


@pytest.mark.parametrize("path", ["//evil.example/", "/s//evil.example/", "/%2Fevil.example/"])
def test_address_with_two_slashes_leads_nowhere(client, path):
    answer = client.get(f"http://127.0.0.1:8000{path}", follow_redirects=False)
    assert answer.status_code == 404


def test_proxy_that_rewrites_the_host_does_not_make_forms_foreign(public):
    """Without fields, the consent page is shown again (200); a foreign form is refused (403)."""
    for origin, status in ((PUBLIC, 200), ("null", 200), ("https://evil.example", 403)):
        sent = {"Host": "127.0.0.1:8000", "Origin": origin}
        assert (origin, public.post("/s/demo", data={}, headers=sent).status_code) == (
            origin,
            status,
        )


@pytest.mark.parametrize(
    ("peer", "trusted", "is_told"),
    [
        ("127.0.0.1", "127.0.0.1,::1", True),
        ("172.18.0.5", "172.16.0.0/12,192.168.0.0/16", True),
        ("172.18.0.5", "127.0.0.1,::1", False),
        ("203.0.113.9", "172.16.0.0/12", False),
    ],
)
def test_forwarded_scheme_and_address_count_from_trusted_peers_only(
    settings, peer, trusted, is_told
):
    app = create_app(settings.model_copy(update={"trusted_proxies": trusted}))
    seen = []

    @app.get("/seen")
    def tell(request: Request):
        seen.append((request.url.scheme, request.client.host))
        return Response()

    sent = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
    with TestClient(app, base_url="http://127.0.0.1:8000", client=(peer, 50_000)) as client:
        client.get("/seen", headers=sent)
    assert seen == [("https", "198.51.100.7") if is_told else ("http", peer)]
