"""Which links lead into a study and back: ids, personal links, signatures."""

import csv
import io
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.testclient import TestClient

from app.main import create_app
from app.store.play import participants
from app.study.people import recruitment
from tests.study.play.test_prolific_token import put_keys
from tests.walker import Walker

ANN = "/s/demo?PROLIFIC_PID=ann"


@pytest.fixture
def signed(server):
    """Return a signed link for someone."""

    def make(one="ann", name="participant", group="", expires=None):
        sign = recruitment.signer(server.keys, "demo", expires)
        tag = f"&group={group}" if group else ""
        return f"/s/demo?{name}={one}{tag}&entry={sign(name, one, group)}"

    return make


def enter(client, link):
    return Walker(client).get(link).send("answer", answer="yes")


def test_id_alone_opens_a_place_by_default(client, study):
    first = enter(client, ANN)
    assert Walker(client).get(ANN).token == first.token


def test_id_alone_opens_no_place_where_only_the_own_link_does(client, make_study, server):
    make_study(people={"resume": "link"})
    kept = Walker(client).get(ANN)
    page = kept.page
    token = kept.send("answer", answer="yes").token
    stranger = Walker(client).get(ANN)
    assert (stranger.answer.status_code, stranger.page.name) == (403, "error")
    assert "your own link" in stranger.answer.text
    assert token not in stranger.answer.text
    assert Walker(client).get(f"/p/{token}").page.name == "instructions"
    kept.page = page  # a double click on the first page is still the same person
    assert kept.send("answer", answer="yes").token == token
    with server.store.read() as db:
        assert len(db.execute(participants.participant.select()).all()) == 1


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_stale_page_with_someone_elses_id_opens_no_place(client, make_study, answer):
    make_study(people={"resume": "link"})
    stale = Walker(client).get(ANN)
    token = enter(client, ANN).token
    stale.send("answer", answer=answer)
    assert stale.answer.status_code == 403
    assert token not in stale.answer.text


def test_signed_link_leads_in_and_back_where_only_the_own_link_does(client, make_study, signed):
    make_study(people={"resume": "link", "require": "signature"})
    first = enter(client, signed())
    assert first.page.name == "instructions"
    assert Walker(client).get(signed()).token == first.token


@pytest.mark.parametrize(
    ("require", "link", "status"),
    [
        ("nothing", "/s/demo", 200),
        ("id", "/s/demo", 403),
        ("id", ANN, 200),
        ("signature", "/s/demo", 403),
        ("signature", ANN, 403),
    ],
)
def test_study_admits_only_links_that_carry_what_it_requires(
    client, make_study, require, link, status
):
    make_study(people={"require": require})
    assert client.get(link).status_code == status


def test_signed_link_that_was_changed_is_refused(client, make_study, signed):
    make_study(people={"groups": ["linguist", "other"]})
    for link in (
        signed().replace("=ann", "=bob"),
        signed().replace("participant", "PROLIFIC_PID"),
        signed()[:-1],
        signed(group="linguist").replace("linguist", "other"),
        f"{signed()}&group=other",
        "/s/demo?participant=ann&entry=x",
        f"/s/demo?entry={signed().partition('entry=')[2]}",
    ):
        assert client.get(link).status_code == 403, link
    assert client.get(signed(group="linguist").replace("participant", "Participant")).is_success


def test_signed_link_of_another_study_is_refused(client, make_study, signed):
    make_study()
    make_study(slug="two")
    assert client.get(signed().replace("/s/demo", "/s/two")).status_code == 403


def test_expired_link_says_so(client, study, signed):
    past, future = (datetime.now(UTC) + timedelta(minutes=one) for one in (-1, 1))
    assert "has expired" in client.get(signed(expires=past)).text
    assert client.get(signed(expires=future)).is_success


def test_people_with_signed_links_never_wait(app, settings, make_study, signed, client):
    make_study(people={"burst": 1})
    with TestClient(app, base_url=settings.base_url, client=("192.0.2.7", 1)) as browser:
        pages = [enter(browser, signed(f"p{number}")).page.name for number in range(3)]
        assert pages == ["instructions"] * 3
        assert [enter(browser, "/s/demo").page.name for _ in range(2)] == ["instructions", "wait"]


def test_recruitment_page_makes_signed_links_that_work(researcher, client):
    page = researcher.get("/admin/studies/demo/recruit")
    form = page.page.form("count")
    posted = {**form.fields, "count": "2", "signed": "yes", "days": "3"}
    answer = researcher.client.post(form.action, data=posted)
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 2
    link = rows[0]["link"].partition("/s/")[2]
    assert enter(client, f"/s/{link}").page.name == "instructions"
    assert client.get(f"/s/{link[:-1]}").status_code == 403
    wrong = researcher.client.post(form.action, data={**posted, "days": "x"})
    assert wrong.status_code == 422


def test_links_are_signed_without_asking_where_the_study_requires_it(researcher, make_study):
    make_study(slug="two", people={"require": "signature"})
    page = researcher.get("/admin/studies/two/recruit")
    assert "admits only signed links" in page.answer.text
    form = page.page.form("count")
    fields = {name: value for name, value in form.fields.items() if name != "signed"}
    answer = researcher.client.post(form.action, data={**fields, "count": "1"})
    assert "&entry=0." in answer.text


@pytest.fixture
def prolific(settings, tmp_path, make_study):
    """Return a browser at a server that knows Prolific's keys, and what signs links."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    path = put_keys(tmp_path / "jwks.json", private)
    app = create_app(settings.model_copy(update={"prolific_keys": path}))

    def link(person, minutes=1):
        claims = {
            "aud": "127.0.0.1",
            "exp": datetime.now(UTC) + timedelta(minutes=minutes),
            "prolific": {"PROLIFIC_PID": person, "STUDY_ID": "s1", "SESSION_ID": "x1"},
        }
        token = jwt.encode(claims, private, "RS256", headers={"kid": "k1"})
        return f"/s/demo?prolific_token={token}"

    with TestClient(app, base_url=settings.base_url) as client:
        yield client, link


def test_prolifics_signed_link_leads_in_and_back_with_its_ids(prolific, make_study, server):
    client, link = prolific
    make_study(people={"require": "signature", "resume": "link"})
    first = enter(client, link("5f3c"))
    assert first.page.name == "instructions"
    assert Walker(client).get(link("5f3c")).token == first.token
    with server.store.read() as db:
        [row] = db.execute(participants.identity.select()).all()
    assert (row.platform, row.external_id) == ("prolific_pid", "5f3c")
    assert (row.external_study, row.external_session) == ("s1", "x1")


def test_prolifics_token_beats_an_id_beside_it(prolific, make_study, server):
    client, link = prolific
    make_study()
    enter(client, f"{link('5f3c')}&PROLIFIC_PID=somebody-else")
    with server.store.read() as db:
        assert [row.external_id for row in db.execute(participants.identity.select())] == ["5f3c"]


def test_expired_or_unfilled_token_of_prolific_is_refused(prolific, make_study):
    client, link = prolific
    make_study()
    answer = client.get(link("5f3c", minutes=-5))
    assert (answer.status_code, "has expired" in answer.text) == (403, True)
    assert client.get(link("{{%PROLIFIC_PID%}}")).status_code == 400


def test_prolifics_token_on_a_server_without_keys_is_not_ignored(prolific, client, make_study):
    make_study()
    answer = client.get(prolific[1]("5f3c"))
    assert answer.status_code == 403
    assert "HJSTUDY_PROLIFIC_KEYS" in answer.text
