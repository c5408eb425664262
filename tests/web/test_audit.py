"""The audit log: every change and download of a researcher is in it, and its chain holds."""

import csv
import io
from datetime import timedelta

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from app.cli import app as command_line
from app.store.people.audit import audit_entry
from app.study.people import audit, inviting
from tests.own_forms import PASSWORD, logged_in
from tests.walker import Walker
from tests.web.conftest import NOW
from tests.web.test_access import SITE, TABLE
from tests.web.test_roles import OPEN

SECRET = "Jo Bloggs wrote this"


@pytest.fixture
def log(server):
    def read():
        with server.store.read() as db:
            return audit.whole(db, None)[::-1]

    return read


@pytest.fixture
def boss(app, settings, study):
    return logged_in(app, settings, "boss", "researcher")


@pytest.mark.long
def test_every_change_and_every_download_of_every_route_is_recorded(
    boss, bundle, played, look, log
):
    names = {
        "slug": "demo",
        "verb": "none",
        "table": "turn",
        "flavour": "csv",
        "folder": "tables",
        "suffix": "csv",
        "public_id": look.person(played[0].token).public_id,
        "name": "payments",
        "section": "texts",
        "number": 7,
        "episode": 1,
        "task": "A-Add",
        "job": "none",
        "place": 1,
        "variant_hash": look.episodes(played[0].token)[1].variant_hash,
    }
    missing, downloads = [], 0
    for row in TABLE:
        method, path = row.split(" ")
        if not path.startswith("/admin") or path in OPEN:
            continue
        before = len(log())
        answer = boss.request(method, path.format(**names), follow_redirects=False, headers=SITE)
        answer.read()
        is_file = "attachment" in answer.headers.get("content-disposition", "")
        downloads += is_file
        added = [one.verb for one in log()[before:]]
        if (method == "POST" or is_file) and added != [row]:
            missing.append((row, added))
    assert missing == [], "recorded otherwise: downloads go into DOWNLOADS in app/web/audit.py"
    assert downloads >= 8


def test_entry_says_who_did_what_to_which_study_and_nothing_that_was_written(
    boss, played, look, log
):
    person = look.person(played[0].token)
    url = f"/admin/participants/{person.public_id}/actions"
    boss.post(url, data={"action": "note", "reason": SECRET, "ticket": "t" * 20})
    boss.get("/admin/search?q=one")
    boss.get("/admin/studies/demo/bundle.zip?shareable=1&format=csv")
    found = [(one.name, one.verb, one.study, one.object) for one in log()]
    assert found == [
        (
            "boss",
            "POST /admin/participants/{public_id}/actions",
            "demo",
            f"public_id={person.public_id} action=note",
        ),
        (
            *("boss", "GET /admin/participants/{public_id}", "demo"),
            f"public_id={person.public_id}",
        ),
        ("boss", "GET /admin/search", "", ""),
        ("boss", "GET /admin/studies/{slug}/bundle.zip", "demo", "format=csv shareable=1"),
    ]


def test_refusals_logins_and_logouts_are_recorded(app, settings, server, client, study, log):
    eve = logged_in(app, settings, "eve", "researcher", is_admin=False)
    inviting.put(server.store, "demo", "eve", "viewer", "test", NOW)
    assert eve.get("/admin/studies/demo/texts").status_code == 403
    walker = Walker(client).get("/admin/login")
    walker.send("password", name="eve", password="wrong password")
    walker.send("password", name="eve", password=PASSWORD)
    client.post("/admin/logout")
    assert [(one.verb, one.outcome) for one in log()] == [
        ("GET /admin/studies/{slug}/texts", "refused"),
        ("POST /admin/login", "refused"),
        ("POST /admin/login", "allowed"),
        ("POST /admin/logout", "allowed"),
    ]


def test_failed_logins_have_one_entry_an_hour_for_each_researcher_and_none_for_other_names(
    app, settings, server, client, clock, log
):
    for name, role in (("eve", "researcher"), ("ada", "researcher"), ("rater", "annotator")):
        logged_in(app, settings, name, role)
    walker, before = Walker(client), len(log())
    for name in ("eve", "Eve ", "nobody", "rater", "", "eve", "ada", "x" * 900):
        walker.get("/admin/login").send("password", name=name, password=SECRET)
    found = log()[before:]
    assert [(one.name, one.verb, one.object, one.outcome) for one in found] == [
        ("eve", "POST /admin/login", "", "refused"),
        ("ada", "POST /admin/login", "", "refused"),
    ]
    clock.now += timedelta(minutes=61)
    walker.get("/admin/login").send("password", name="eve", password=SECRET)
    assert [one.name for one in log()[before:]] == ["eve", "ada", "eve"]
    with server.store.read() as db:
        assert audit.verify(db).broken == 0


def test_owner_reads_the_log_of_the_study_and_an_administrator_all(app, settings, server, study):
    ada = logged_in(app, settings, "ada", "researcher", is_admin=False)
    inviting.put(server.store, "demo", "ada", "owner", "test", NOW)
    boss = logged_in(app, settings, "boss", "researcher")
    ada.post("/admin/new-study", data={"title": "Elsewhere", "ticket": "e" * 20})
    ada.post("/admin/studies/demo/actions/close")
    page = ada.get("/admin/studies/demo/audit").text
    assert "POST /admin/studies/{slug}/actions/{verb}" in page
    assert "new-study" not in page
    assert ada.get("/admin/audit").status_code == 403
    assert "new-study" in boss.get("/admin/audit").text
    rows = list(csv.DictReader(io.StringIO(ada.get("/admin/studies/demo/audit.csv").text)))
    assert [one["verb"] for one in rows][-1] == "POST /admin/studies/{slug}/actions/{verb}"
    assert {one["account"] for one in rows} == {"ada"}


def test_altered_or_deleted_entry_breaks_the_chain(boss, server):
    for _ in range(4):
        boss.post("/admin/studies/demo/actions/close")
    with server.store.read() as db:
        assert audit.verify(db).broken == 0
        assert audit.verify(db).entries == 4
    for change in (
        sa.update(audit_entry).where(audit_entry.c.seq == 2).values(name="innocent"),
        sa.delete(audit_entry).where(audit_entry.c.seq == 2),
    ):
        with server.store.write() as db:
            db.execute(change)
        with server.store.read() as db:
            assert audit.verify(db).broken == 2


def test_command_names_the_entry_that_was_changed(boss, server, settings, monkeypatch):
    for name in ("database_url", "data_dir"):
        monkeypatch.setenv(f"HJSTUDY_{name.upper()}", str(getattr(settings, name)))
    boss.post("/admin/studies/demo/actions/close")
    boss.post("/admin/studies/demo/actions/open")
    run = CliRunner()
    assert "2 entries, none changed" in run.invoke(command_line, ["audit", "verify"]).output
    assert "actions/{verb}" in run.invoke(command_line, ["audit", "csv", "demo"]).output
    with server.store.write() as db:
        db.execute(sa.update(audit_entry).where(audit_entry.c.seq == 1).values(study="other"))
    broken = run.invoke(command_line, ["audit", "verify"])
    assert broken.exit_code == 1
    assert "Entry 1 does not match" in broken.output


def rename(server, old, new):
    with server.store.write() as db:
        db.execute(sa.text(f"ALTER TABLE {old} RENAME TO {new}"))


def test_nothing_is_done_that_cannot_be_recorded(boss, server, study):
    rename(server, "audit_entry", "hidden")
    try:
        with pytest.raises(sa.exc.DBAPIError):
            boss.post("/admin/studies/demo/actions/close")
    finally:
        rename(server, "hidden", "audit_entry")  # other tests use this database too
    with server.store.read() as db:
        state = db.execute(sa.text("SELECT state FROM study WHERE slug = 'demo'")).scalar()
    assert state == "open"
