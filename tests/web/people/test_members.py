"""Members of a study: what each sees of it, and how owners invite, change and remove them."""

import io
import zipfile

import pytest

from app.errors import StudyError
from app.store.people import accounts as account_table
from app.study.design import draft, members
from app.study.people import accounts, inviting
from app.study.tickets import new_ticket
from tests.own_forms import PASSWORD, logged_in
from tests.walker import Walker
from tests.web.conftest import NOW, SMALL

SECRET = "my name is Jo Bloggs"


@pytest.fixture
def enter(app, settings, server, researcher):
    """Return the browser of a researcher with a role; the fixture's researcher is the admin."""

    def made(name, role=""):
        browser = logged_in(app, settings, name, "researcher", is_admin=False)
        if role:
            inviting.put(server.store, "demo", name, role, "test", NOW)
        return Walker(browser)

    return made


def roles(server):
    with server.store.read() as db:
        return {one.name: one.role for one in members.listed(db, "demo")}


def test_list_shows_only_the_studies_one_belongs_to(enter, make_study):
    make_study(slug="other")
    assert "A small study" not in enter("ada").get("/admin").answer.text
    assert 'href="/admin/studies/demo"' in enter("eve", "viewer").get("/admin").answer.text
    paid = enter("pat", "payer").get("/admin").answer.text
    assert 'href="/admin/studies/demo/recruit"' in paid
    assert "/admin/studies/other" not in paid


def test_viewer_reads_nothing_that_a_participant_typed(enter, client, player):
    client.post(f"/p/{player.token}/problem", data={"text": SECRET, "ticket": new_ticket()})
    editor = enter("eddy", "editor").get("/admin/studies/demo/monitor").answer.text
    viewer = enter("eve", "viewer").get("/admin/studies/demo/monitor").answer.text
    assert SECRET in editor
    assert SECRET not in viewer


def test_viewer_gets_only_shareable_bundles(enter, played):
    eve = enter("eve", "viewer")
    assert eve.get("/admin/studies/demo/bundle.zip").answer.status_code == 403
    full = eve.client.post("/admin/studies/demo/jobs", data={"kind": "bundle"})
    assert full.status_code == 403
    shared = eve.get("/admin/studies/demo/bundle.zip?shareable=1").answer
    assert zipfile.ZipFile(io.BytesIO(shared.content)).namelist()


def test_job_of_a_full_bundle_is_closed_to_viewers(enter, played):
    eddy, eve = enter("eddy", "editor"), enter("eve", "viewer")
    sent = {"kind": "bundle", "ticket": new_ticket()}
    made = eddy.client.post("/admin/studies/demo/jobs", data=sent, follow_redirects=False)
    url = made.headers["location"]
    assert eddy.get(url).answer.status_code == 200
    for address in (url, f"{url}/file"):
        assert eve.get(address).answer.status_code == 403


def test_no_one_copies_or_finds_what_they_may_not_see(enter, look, player):
    ada = enter("ada")
    assert "copy:demo" not in ada.get("/admin/new-study").answer.text
    ada.send("title", title="Mine", start="copy:demo")
    assert ada.answer.status_code == 422
    assert "There is no study" in ada.answer.text
    ada.get("/admin/new-study").send("title", title="Mine")  # its owner sees people of its own
    found = ada.get(f"/admin/search?q={look.person(player.token).public_id}").answer
    assert "No participant has exactly" in found.text


def test_maker_of_a_study_owns_it(enter, server):
    ada = enter("ada")
    ada.get("/admin/new-study").send("title", title="Winter")
    with server.store.read() as db:
        assert [(one.name, one.role) for one in members.listed(db, "winter")] == [("ada", "owner")]
    assert ada.get("/admin/studies/winter/members").answer.status_code == 200
    assert enter("bob").get("/admin/studies/winter/design").answer.status_code == 404


def test_owner_invites_changes_and_removes_a_new_researcher(enter, server, client):
    ada = enter("ada", "owner").get("/admin/studies/demo/members")
    ada.send("role", name="Bob", role="payer")
    link = ada.answer.text.partition("/admin/welcome/")[2].partition("<")[0]
    assert roles(server) == {"ada": "owner", "bob": "payer"}
    bob = Walker(client).get(f"/admin/welcome/{link}").send("password", password=PASSWORD)
    assert bob.get("/admin/studies/demo/recruit").answer.status_code == 200
    assert bob.get("/admin/studies/demo/report").answer.status_code == 403
    again = ada.get("/admin/studies/demo/members").send("role", name="bob", role="viewer")
    assert "/admin/welcome/" not in again.answer.text  # no one takes over an account
    assert bob.get("/admin/studies/demo/report").answer.status_code == 200
    form = next(
        one
        for one in ada.page.forms
        if one.fields.get("name") == "bob" and "role" not in one.fields
    )
    ada.client.post(form.action, data=form.fields)
    assert roles(server) == {"ada": "owner"}
    assert bob.get("/admin/studies/demo/report").answer.status_code == 404


@pytest.mark.parametrize(
    ("name", "role", "message"),
    [
        ("ada", "viewer", "A study needs an owner"),
        ("bob", "king", "Choose one of these roles"),
        ("", "viewer", "1 to 64 visible characters"),
        ("a/b", "viewer", "cannot contain a slash"),
        ("..", "viewer", "or be only dots"),
        ("rater", "viewer", "is an annotator"),
    ],
)
def test_impossible_member_is_refused_with_the_reason(enter, server, name, role, message):
    accounts.add(server.store, "rater", "annotator", NOW)
    ada = enter("ada", "owner").get("/admin/studies/demo/members")
    ada.send("role", name=name, role=role)
    assert ada.answer.status_code == 422
    assert message in ada.answer.text
    assert roles(server) == {"ada": "owner"}


def test_last_owner_and_last_administrator_stay(enter, server):
    enter("ada", "owner")
    with pytest.raises(StudyError, match="needs an owner"):
        inviting.drop(server.store, "demo", "ada")
    with pytest.raises(StudyError, match="needs an administrator"):
        inviting.set_admin(server.store, "researcher", is_admin=False)
    inviting.set_admin(server.store, "ada", is_admin=True)
    inviting.set_admin(server.store, "researcher", is_admin=False)


def test_first_researcher_is_an_administrator_and_later_ones_are_not(server, study):
    for name in ("first", "second"):
        accounts.add(server.store, name, "researcher", NOW)
    with server.store.read() as db:
        seen = [
            members.rights_in(db, members.Who(number, number == 1), "demo") for number in (1, 2)
        ]
        assert [bool(one) for one in seen] == [True, False]
        assert account_table.admins(db) == [1]


def test_study_of_another_researcher_stays_secret_in_a_new_draft(enter, server):
    document = {**SMALL, "slug": "hidden", "title": "Hidden"}
    draft.make(server.store, document, ticket=new_ticket(), by="x", now=NOW)
    assert enter("ada").get("/admin/studies/hidden").answer.status_code == 404
