"""Archiving and deleting through the pages: who gets in, what is needed first, what is left."""

import io
import zipfile

import pytest
import sqlalchemy as sa

from app.store.tables import metadata
from app.study.design import draft, publishing
from app.web.report import reports
from tests.walker import Walker
from tests.web.conftest import NOW
from tests.web.export.test_jobs import start, wait

REMOVE = "/admin/studies/demo/remove"
BUNDLE = "/admin/studies/demo/bundle.zip"
KEPT = {"account", "login", "login_attempt", "login_link", "secret", "study_deletion"}


def everything(server):
    """Return every row of every table as text, without what accounts leave."""
    with server.store.read() as db:
        return {
            table.name: sorted(
                repr(tuple(row))
                for row in db.execute(sa.select(table))
                if table.name != "ticket" or not row.owner.startswith("account/")
            )
            for table in metadata.sorted_tables
            if table.name not in KEPT
        }


def do(walker, verb, **typed):
    form = next(one for one in walker.get(REMOVE).page.forms if one.action.endswith(f"/{verb}"))
    walker.answer = walker.client.post(form.action, data={**form.fields, **typed})
    return walker.answer


@pytest.fixture
def closed(server, study):
    publishing.change_state(server.store, "demo", "closed", by="ada", now=NOW)


def test_open_study_is_neither_archived_nor_deleted(researcher, server):
    page = researcher.get(REMOVE)
    assert [one for one in page.page.forms if "/remove/" in one.action] == []
    for verb in ("archive", "delete"):
        answer = researcher.client.post(f"{REMOVE}/{verb}", data={"name": "demo"})
        assert answer.status_code == 422
        assert "Close it to new players first" in answer.text


def test_archived_study_leaves_the_list_accepts_no_one_and_comes_back(
    researcher, client, closed, server
):
    link = publishing.test_link(server.store, "demo", now=NOW)
    read = Walker(client).get(link).page.form("answer").fields  # before it was archived
    do(researcher, "archive")
    assert "A small study" not in researcher.get("/admin").answer.text
    assert "A small study" in researcher.get("/admin/archive").answer.text
    for path in ("/s/demo", link):
        reader = Walker(client).get(path)
        assert not any("answer" in form.fields for form in reader.page.forms)
    assert client.post("/s/demo", data={**read, "answer": "yes"}).status_code == 403
    opened = researcher.client.post("/admin/studies/demo/actions/open")
    assert "This study is archived" in opened.text

    do(researcher, "restore")
    assert "A small study" in researcher.get("/admin").answer.text
    researcher.client.post("/admin/studies/demo/actions/open")
    assert client.get("/s/demo").status_code == 200


def test_person_under_way_finishes_in_an_archived_study(researcher, player, closed):
    do(researcher, "archive")
    assert player.get(f"/p/{player.token}").page.name == "game"


def test_deleting_needs_an_export_of_the_data_as_they_are(researcher, played, server, closed):
    answer = researcher.client.post(f"{REMOVE}/delete", data={"name": "demo"})
    assert "Export the full data first" in answer.text
    assert researcher.client.get(f"{BUNDLE}?shareable=1").status_code == 200
    assert "Export the full data first" in researcher.get(REMOVE).answer.text  # not in full
    researcher.client.get(BUNDLE)
    second = played[1]
    second.to_rule().explain()
    assert "The data have changed since the last full export" in researcher.get(REMOVE).answer.text
    researcher.client.get(BUNDLE)
    answer = do(researcher, "delete", name="Demo")
    assert answer.status_code == 422
    assert "Type the study’s address, demo, to confirm" in answer.text
    assert 'value="Demo"' in answer.text
    with server.store.read() as db:
        assert draft.load(db, "demo").slug == "demo"


@pytest.mark.long
def test_remove_page_exports_everything_in_a_job(researcher, played, server, closed):
    forms = researcher.get(REMOVE).page.forms
    form = next(one for one in forms if one.fields.get("kind") == "bundle")
    assert (form.fields["include_test"], form.fields["include_practice"]) == ("1", "1")
    page = wait(start(researcher, "bundle", REMOVE))
    link = next(one for one in page.page.links if one.endswith("/file"))
    assert zipfile.is_zipfile(io.BytesIO(page.client.get(link).content))
    assert "have not changed since" in researcher.get(REMOVE).answer.text


def test_deleted_study_leaves_nothing_in_any_table_and_its_log_line(
    researcher, client, make_study, server, desk, look
):
    make_study(slug="other")
    Walker(client).enter("/s/other?PROLIFIC_PID=one")
    # the small study was there first: rows of the other must survive its deletion
    others = {
        name: [row for row in rows if "'demo'" not in row]
        for name, rows in everything(server).items()
    }
    desk.models(2)
    desk.open(("ann", "bob"))
    player = Walker(client).enter("/s/demo?PROLIFIC_PID=two").leave_practice()
    player.type(*look.solution(player.token))
    publishing.change_state(server.store, "demo", "closed", by="ada", now=NOW)
    researcher.client.get(BUNDLE)
    answer = do(researcher, "delete", name="demo")
    assert answer.status_code == 200
    assert answer.url.path == "/admin/archive"
    assert ">demo</th>" in answer.text

    left = everything(server)
    assert left.pop("audit_entry")  # says who deleted what
    assert [name for name, rows in left.items() for row in rows if "'demo'" in row] == []
    for name in ("study", "design", "participant", "identity"):
        assert len(left[name]) == 1
    assert left["participant"] == others["participant"]
    assert left["episode"] == others["episode"]
    for path in ("/s/demo", f"/p/{player.token}"):
        assert client.get(path).status_code == 404
    for table in ("turn", "rating_item", "rating_round", "assignment", "explanation"):
        assert left[table] == []


def test_process_forgets_a_deleted_study_whose_row_ids_sqlite_gives_away_again(
    researcher, server, client
):
    Walker(client).enter().leave_practice().type("dance wildly")
    publishing.change_state(server.store, "demo", "closed", by="ada", now=NOW)
    researcher.client.get("/admin/studies/demo/report")
    researcher.client.get("/admin/studies/demo/monitor")
    researcher.client.get(BUNDLE)
    kept = (
        *(server.library._specs, server.library._variants, server.table.live._states),
        *(server.watching.looks, reports._kept, reports._made_of),
    )
    assert all(kept)
    assert do(researcher, "delete", name="demo").status_code == 200
    assert not any(kept[:4])
    assert not any((reports._kept, reports._made_of))


def test_empty_draft_is_deleted_without_an_export(researcher, server):
    researcher.get("/admin/new-study").send("title", title="Winter")
    page = researcher.get("/admin/studies/winter/remove")
    form = next(one for one in page.page.forms if one.action.endswith("/delete"))
    researcher.client.post(form.action, data={**form.fields, "name": "winter"})
    assert researcher.client.get("/admin/studies/winter/design").status_code == 404
