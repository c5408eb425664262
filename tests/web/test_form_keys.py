"""Forms behind a login: only the account's own page can send them, and only after a login."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.study.people.form_keys import form_key_of
from tests.web.test_access import TABLE

pytestmark = pytest.mark.one_database

NAMES = {
    "slug": "demo",
    "verb": "open",
    "public_id": "x",
    "section": "texts",
    "number": 1,
    "place": 1,
    "name": "ada",
    "token": "x",
}
POSTS = sorted(
    row.removeprefix("POST ")
    for row in TABLE
    if row.startswith(("POST /admin", "POST /rate"))
    and not row.startswith(("POST /admin/log", "POST /admin/welcome"))
)
NULL = {"Origin": "null"}


@pytest.fixture
def browser(researcher):
    """Return a client with the researcher's cookie that adds nothing to what a test sends."""
    plain = TestClient(researcher.client.app, base_url=researcher.client.base_url)
    plain.cookies = researcher.client.cookies
    return plain


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("headers", [{}, NULL, {"Sec-Fetch-Site": "same-origin"}])
def test_post_without_the_key_is_refused(browser, path, headers):
    answer = browser.post(path.format(**NAMES), data={"form_key": "x" * 64}, headers=headers)
    assert answer.status_code == 403
    assert "nothing was stored" in answer.text


@pytest.mark.parametrize("path", POSTS)
def test_file_sent_after_the_login_ran_out_is_asked_for_again(client, path, study):
    sent = {
        "data": {"note": "typed for an hour"},
        "files": {"file": ("a.csv", b"a,b\n\xff", "x/y")},
    }
    answer = client.post(path.format(**NAMES), **sent)
    assert answer.status_code == 401
    assert "typed for an hour" in answer.text
    assert "Choose the file again" in answer.text
    assert re.search(r'<input id="lost-file"\s+name="file"\s+type="file"', answer.text)


@pytest.mark.parametrize("path", POSTS)
def test_body_that_cannot_be_read_is_not_looked_at_before_the_login(client, path, study):
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = client.post(path.format(**NAMES), content=b"no parts", headers=kind)
    assert answer.status_code == 401


def test_key_is_the_accounts_own_and_outlives_a_login_but_not_a_password():
    first, second = form_key_of("hash one"), form_key_of("hash two")
    assert first == form_key_of("hash one")
    assert first != second


def test_every_form_of_a_researchers_pages_carries_the_key(researcher):
    for page in ("/admin", "/admin/studies/demo", "/admin/studies/demo/design/texts"):
        html = researcher.get(page).answer.text
        forms = re.findall(r'<form[^>]*method="post".*?</form>', html, re.DOTALL)
        assert forms
        assert all('name="form_key"' in form for form in forms)


def test_logout_needs_the_key_too(browser):
    assert browser.post("/admin/logout", headers=NULL).status_code == 403
    assert browser.get("/admin").url.path == "/admin"


def test_no_one_is_logged_in_by_another_sites_form(client, researcher):
    form = {"name": "researcher", "password": "a long password"}
    answer = client.post("/admin/login", data=form, headers=NULL)
    assert answer.status_code == 403
    assert "Allow cookies for this site" in answer.text
    assert "hjstudy_login" not in client.cookies


ROOT = Path(__file__).parents[2] / "templates"
WITHOUT = {"login_lost.html", "unavailable.html", "welcome.html", "withdrawal.html"}
STAFF_PAGES = [
    path
    for path in sorted(ROOT.rglob("*.html"))
    if path.relative_to(ROOT).parts[0] != "play" and path.name not in WITHOUT
]


@pytest.mark.parametrize("path", STAFF_PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_form_of_a_template_behind_a_login_has_the_key(path):
    text = path.read_text("utf-8")
    assert text.count("{{ form_key }}") == text.count('method="post"')
