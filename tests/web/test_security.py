"""Headers, same-site check, limits, logins."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from app.main import create_app
from app.store.people.accounts import add_guess, login_attempt
from app.study.people import accounts, guesses
from app.web.pages import HTMX_INTEGRITY, HTMX_URL
from app.web.routes import STAFF
from app.web.uploads import read_file_form
from tests.walker import PageReader, Walker


def test_every_answer_carries_the_policy_without_inline(player, client):
    for url in (player.url, "/s/demo", "/nothing", "/static/app.css"):
        headers = client.get(url).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_inline_script_style_or_handler(player, client):
    for url in (player.url, "/s/demo", f"/p/{player.token}/instructions"):
        html = client.get(url).text
        assert "<style" not in html
        assert " style=" not in html
        assert "<script>" not in html
        assert " onclick" not in html


def test_htmx_is_served_from_the_package_with_the_pinned_bytes(client):
    answer = client.get("/static/htmx.js")
    assert answer.status_code == 200
    assert len(answer.content) == 51238


def test_htmx_of_the_cdn_is_pinned_by_its_hash_and_nothing_else_may_run(settings, study):
    app = create_app(settings.model_copy(update={"htmx_source": "cdn"}))
    with TestClient(app) as client:
        answer = client.get("/s/demo")
    [tag] = re.findall(r"<script [^>]*htmx[^>]*>", answer.text)
    assert f'src="{HTMX_URL}"' in tag
    assert f'integrity="{HTMX_INTEGRITY}"' in tag
    assert 'crossorigin="anonymous"' in tag
    policy = answer.headers["content-security-policy"]
    assert f"script-src 'self' {HTMX_URL};" in policy


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example", "Host": "study.lan"}, 403),
        ({"Origin": "http://study.lan", "Host": "127.0.0.1:8000"}, 200),  # behind a plain proxy
        ({"Origin": "http://study.lan", "Host": "study.lan:8000"}, 200),
        ({"Origin": "null"}, 200),  # a browser over plain http, or a page that hides its address
        ({"Cookie": "hjstudy_login=x"}, 200),  # the address is the credential, not a cookie
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://127.0.0.1:8000"}, 200),
        ({}, 200),
    ],
)
def test_post_from_another_site_is_not_carried_out(player, look, headers, status):
    answer = player.client.post(
        player.url,
        data={"seq": "1", "raw": "check_location"},
        headers={"HX-Request": "true", **headers},
    )
    assert answer.status_code == status
    assert len(look.turns(player.token)) == (status == 200)


TOO_LONG = "Shorten it, then send it again"


def pieces(number):
    yield b"seq=1&raw="
    for _ in range(number):
        yield b"x" * 10_000


def test_huge_body_is_refused_before_it_is_read_by_a_page_that_says_what_to_do(player, look):
    answer = player.client.post(player.url, data={"seq": "1", "raw": "x" * 600_000})
    assert answer.status_code == 413
    assert TOO_LONG in answer.text
    assert PageReader(answer.text).name == "error"
    assert look.turns(player.token) == []


def test_chunked_huge_body_is_refused_by_the_same_page(player, look):
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = player.client.post(player.url, content=pieces(60), headers=kind)
    assert answer.status_code == 413
    assert TOO_LONG in answer.text
    assert look.turns(player.token) == []


def test_body_just_within_the_limit_is_read(player):
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert player.client.post(player.url, content=pieces(50), headers=kind).status_code == 422


def test_what_never_reaches_a_route_is_answered_by_a_page_too(player, client):
    foreign = {"Sec-Fetch-Site": "cross-site"}
    long_name = {"name": "x" * 600_000}
    for answer, status in (
        (client.post(player.url, data={"raw": "go"}, headers=foreign), 403),
        (client.get("/s/de%00mo"), 404),
        (client.post("/admin/login", data=long_name), 413),
    ):
        assert answer.status_code == status
        assert PageReader(answer.text).name == "error"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_huge_numbers_in_an_address_are_a_plain_404(player):
    for number in ("99999999999999999999", "-1", "0", "1e9", "abc"):
        answer = player.client.get(f"/p/{player.token}/world/{number}/guardian/1")
        assert answer.status_code == 404


def test_one_time_link_works_once(client, server, study):
    token = accounts.add(server.store, "ada", "researcher", datetime.now(UTC))
    url = f"/admin/welcome/{token}"
    client.get(url)
    assert client.post(url, data={"password": "short"}).status_code == 422
    page = Walker(client).get(url).send("password", password="a long password")
    assert page.page.name == "studies"
    assert client.get(url).status_code == 400
    cookie = next(iter(client.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "lax"


def test_old_one_time_link_is_refused(server):
    then = datetime.now(UTC) - timedelta(days=8)
    token = accounts.add(server.store, "ada", "researcher", then)
    with server.store.read() as db, pytest.raises(accounts.BadLinkError):
        accounts.link_owner(db, token, datetime.now(UTC))


def test_guessing_is_slowed_down_even_for_the_right_password(browser):
    client = browser("192.0.2.7")
    wrong = {"name": "researcher", "password": "not the password"}
    for _ in range(guesses.MAX_GUESSES):
        assert client.post("/admin/login", data=wrong).status_code == 422
    right = {"name": "researcher", "password": "a long password"}
    assert client.post("/admin/login", data=right).status_code == 429


def test_guesses_sent_at_once_are_slowed_down_too(browser):
    client = browser("192.0.2.7")
    wrong = {"name": "researcher", "password": "not the password"}
    with ThreadPoolExecutor(20) as pool:
        answers = pool.map(lambda _: client.post("/admin/login", data=wrong), range(20))
        codes = sorted(answer.status_code for answer in answers)
    assert codes.count(422) <= guesses.MAX_GUESSES
    assert set(codes) <= {422, 429}


@pytest.fixture
def browser(app, settings, researcher):
    """Return a browser at an address, with or without the mark of an earlier login."""

    def open_one(address, *, known=False):
        own = {"Sec-Fetch-Site": "same-origin"}
        made = TestClient(app, base_url=settings.base_url, client=(address, 50_000), headers=own)
        if known:
            earlier = TestClient(app, base_url=settings.base_url, headers=own)
            assert logs_in(earlier)
            made.cookies.set("hjstudy_known", earlier.cookies.get("hjstudy_known"))
        return made

    return open_one


RIGHT = {"name": "researcher", "password": "a long password"}


def logs_in(browser):
    answer = browser.post("/admin/login", data=RIGHT, follow_redirects=False)
    return answer.status_code == 303


def test_stranger_who_guesses_locks_out_neither_other_addresses_nor_known_browsers(browser, server):
    stranger, known = browser("192.0.2.7"), browser("192.0.2.7", known=True)
    wrong = {**RIGHT, "name": "another", "password": "not the password"}
    assert stranger.post("/admin/login", data=wrong).status_code == 422
    with server.store.write() as db:  # as if it went on with other names
        source = db.execute(sa.select(login_attempt.c.source)).scalar_one()
        for number in range(39):
            add_guess(db, f"name {number}", source, datetime.now(UTC))
    assert stranger.post("/admin/login", data=wrong).status_code == 429
    assert not logs_in(browser("192.0.2.7"))
    assert logs_in(browser("192.0.2.8"))
    assert logs_in(known)


def test_known_browser_may_not_guess_for_ever(browser):
    known = browser("192.0.2.7", known=True)
    wrong = {**RIGHT, "password": "not the password"}
    codes = [known.post("/admin/login", data=wrong).status_code for _ in range(10)]
    assert codes == [422] * 8 + [429] * 2
    assert logs_in(browser("192.0.2.7"))


def test_login_leads_back_only_to_our_own_pages(researcher):
    client = researcher.client
    client.cookies.clear()
    form = {"name": "Researcher ", "password": "a long password", "next": "//evil.example/admin"}
    answer = client.post("/admin/login", data=form, follow_redirects=False)
    assert answer.headers["location"] == "/admin"


def test_logged_out_cookie_is_worth_nothing(researcher):
    client = researcher.client
    kept = client.cookies["hjstudy_login"]
    client.post("/admin/logout")
    client.cookies.set("hjstudy_login", kept)
    assert client.get("/admin").url.path == "/admin/login"


def test_lost_login_says_what_to_do(researcher):
    client = researcher.client
    client.cookies.clear()
    answer = client.post(
        "/admin/studies/demo/actions/close", headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert answer.status_code == 401
    assert "Log in in another tab" in answer.text


def test_text_sent_after_the_login_ran_out_is_kept_and_sent_again(researcher, draft_of):
    text = 'Who may read "this"?\r\n\r\nNobody <b>else</b> & no tracking: 5 × 5.'
    researcher.get("/admin/studies/demo/design/texts")
    cookie = researcher.client.cookies["hjstudy_login"]
    researcher.client.cookies.clear()
    researcher.send("texts.consent", **{"texts.consent": text})
    assert researcher.answer.status_code == 401
    assert draft_of("demo").document["texts"].get("consent") != text.replace("\r\n", "\n")
    researcher.client.cookies.set("hjstudy_login", cookie)  # as if logged in on another tab
    researcher.send("texts.consent")
    assert researcher.answer.status_code == 200
    assert draft_of("demo").document["texts"]["consent"] == text.replace("\r\n", "\n")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", pytest.param(None, id="huge")])
def test_odd_form_after_the_login_ran_out_is_no_server_error(researcher, content):
    client = researcher.client
    client.cookies.clear()
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    sent = pieces(60) if content is None else content
    answer = client.post("/admin/new-study", content=sent, headers=kind)
    assert answer.status_code == 401


def test_head_of_a_page_is_that_of_get_and_has_no_body(client, player, look):
    before = look.person(player.token)
    for url in ("/s/demo", player.url, "/healthz", "/static/app.css"):
        head, whole = client.head(url), client.get(url)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
    assert look.person(player.token) == before


def takes_a_file(dependant):
    """Tell whether a route reads an uploaded table, by itself or by what it depends on."""
    return dependant.call is read_file_form or any(map(takes_a_file, dependant.dependencies))


def test_every_form_with_a_table_takes_a_long_one(researcher):
    paths = [
        one.path.format(slug="demo", number=1)
        for router in STAFF
        for one in router.routes
        if isinstance(one, APIRoute) and takes_a_file(one.dependant)
    ]
    answers = {
        path: researcher.client.post(path, data={"text": "x" * 700_000}).status_code
        for path in paths
    }
    assert "/admin/studies/demo/recruit/bonus/sent" in answers
    assert [path for path, status in answers.items() if status == 413] == []
