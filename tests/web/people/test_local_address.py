"""Links that only this machine can open are named before people get them."""

import pytest

from app.addresses import is_local
from app.settings import Settings
from tests.web.conftest import SMALL

PUBLIC = "http://study.example.org"
LOCAL = "http://127.0.0.1:8124"


@pytest.fixture(params=[LOCAL, PUBLIC])
def base_url(request):
    return request.param


@pytest.fixture
def settings(store_url, tmp_path, base_url):
    return Settings(
        database_url=store_url,
        data_dir=tmp_path / "data",
        htmx_source="local",
        threads=24,
        base_url=base_url,
    )


@pytest.mark.parametrize("kind", ["pilot", "real", "demo", "bots"])
def test_checklist_says_whether_people_can_open_the_links(researcher, make_study, kind, base_url):
    make_study(kind=kind, slug="own")
    text = researcher.get("/admin/studies/own/open").answer.text
    local = base_url == LOCAL
    concerns_people = kind in {"pilot", "real"}

    assert ("<h2>Address</h2>" in text) == concerns_people
    assert ("which only this machine itself can open" in text) == (concerns_people and local)
    assert ("Set HJSTUDY_BASE_URL to the address that people use" in text) == (
        concerns_people and local
    )


def test_recruitment_page_warns_of_links_that_only_this_machine_can_open(
    researcher, study, base_url
):
    text = researcher.get("/admin/studies/demo/recruit").answer.text

    assert f"{base_url}/s/{SMALL['slug']}?PROLIFIC_PID=" in text
    assert ("Only this machine can open these links" in text) == (base_url == LOCAL)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        (LOCAL, True),
        ("http://127.8.0.1", True),
        ("http://[::1]:8000", True),
        ("http://0.0.0.0:8000", True),
        ("http://localhost:8000", True),
        ("http://LOCALHOST.", True),
        ("http://study.localhost", True),
        (PUBLIC, False),
        ("http://study.lan", False),
        ("http://10.0.0.2", False),
        ("http://192.168.1.20:8000", False),
        ("http://[2001:db8::1]", False),
        ("https://localhost.example.org", False),
        ("https://127.0.0.1.example.org", False),
    ],
)
def test_local_addresses_are_known(url, local):
    assert is_local(url) == local
