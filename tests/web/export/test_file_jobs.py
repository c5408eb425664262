"""Long files are checked and imported by jobs, whatever they hold; short ones at once."""

import json
import time
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from app.store.models import results
from app.store.people import platforms
from app.store.play.participants import participant
from app.store.rating import items, judges
from app.store.uploads import upload
from app.study import jobs, uploads
from app.study.design.library import Library
from app.study.people import identifiers
from app.study.report.work import works
from app.study.tickets import new_ticket
from app.web.job_kinds import PLACES
from tests.rating_desk import model_line
from tests.walker import PageReader, Walker
from tests.web.people.listed import PROLIFIC, prolific

OWN = "/admin/studies/demo"
NUMBER, LONGEST_S = 1_100, 60
TEXT = "A rule of many words. " * 30  # makes a file of more than half a megabyte
MODELS = "\n".join(json.dumps(model_line(n, text=f"{n} {TEXT}")) for n in range(NUMBER))
JUDGES = "item,score\n" + "".join(f"m{n},{n % 3}\n" for n in range(NUMBER))
RESULTS = "task,seed,success,actions_used,ref_length,n_tries\n" + "".join(
    f"A-Over,{n + 10},1,9,9,6\n" for n in range(NUMBER)
)
LIST = "\n".join([PROLIFIC, *(prolific(n, "AWAITING REVIEW", "C1") for n in range(NUMBER))])
FILES = {
    "list": (LIST, {}, {"column_code": "Total approvals"}),
    "models": (MODELS, {}, {}),
    "judges": (JUDGES, {"judge": "j"}, {}),
    "results": (RESULTS, {"model": "gpt"}, {}),
}


def wait(boss, answer):
    """Reload a job's page until it leads on or has failed."""
    until = time.monotonic() + LONGEST_S
    while 'http-equiv="refresh"' in answer.text:
        assert "/jobs/" in str(answer.url)
        assert time.monotonic() < until, answer.text
        time.sleep(0.05)
        answer = boss.client.get(str(answer.url))
    return answer


def check(boss, kind, text, **fields):
    """Upload a file; return the page to which the job leads."""
    files = {"file": (f"{kind}.txt", text.encode(), "text/plain")}
    data = {"ticket": new_ticket(), **fields}
    return wait(boss, boss.client.post(f"{OWN}/{PLACES[kind][0]}", data=data, files=files))


def import_(boss, kind, page, **fields):
    """Press 'Store'; return the first answer and the page to which the job leads."""
    form = PageReader(page.text).form("upload")
    url = f"{OWN}/{PLACES[kind][0]}/store"
    first = boss.client.post(url, data={**form.fields, **fields}, follow_redirects=False)
    return first, wait(boss, boss.client.get(first.headers["location"]))


def kept(server):
    with server.store.read() as db:
        return db.execute(sa.select(upload)).all()


def stored(server, kind):
    tables = {"list": platforms.platform_record, "models": items.item, "judges": judges.judge_score}
    table = tables.get(kind, results.model_result)
    with server.store.read() as db:
        return db.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


@pytest.fixture
def boss(desk, server, monkeypatch):
    """Return a researcher; jobs work in this process, which spares the start of many."""

    def run(job):
        jobs.perform(server.store, job, works(server.runner.folder))

    monkeypatch.setattr(server.runner, "_run", run)
    return desk.browser("boss", "researcher")


def test_long_files_of_every_kind_are_checked_and_imported_by_jobs(boss, server):
    for kind, (text, fields, chosen) in FILES.items():
        page = check(boss, kind, text, **fields)
        assert page.status_code == 200, kind
        assert page.url.path == f"{OWN}/{PLACES[kind][0]}/check"
        assert f"<code>{kind}.txt</code>: nothing" in page.text
        assert stored(server, kind) == 0
        again = boss.client.get(str(page.url))  # the preview has an address of its own
        assert str(NUMBER) in again.text
        first, done = import_(boss, kind, page, **chosen)
        assert "/jobs/" in first.headers["location"]
        assert str(done.url).split("?", maxsplit=1)[0].endswith(f"{OWN}/{PLACES[kind][2]}"), kind
        assert done.status_code == 200
        assert stored(server, kind) == NUMBER
        assert kept(server) == []
    assert (
        f"People read from the list: {NUMBER}, {NUMBER} new"
        in boss.client.get(str(first_list(server))).text
    )
    with server.store.read() as db:
        assert {row.code for row in platforms.records(db, study_id(server))} == {"389"}
        assert [run.judge for run in judges.runs(db, study_id(server))] == ["j"]
        assert {row.model for row in results.of_study(db, study_id(server))} == {"gpt"}
    listed = boss.client.get(f"{OWN}/exports").text
    assert "Check of a file" in listed
    assert "Import of a file" in listed


def study_id(server):
    with server.store.read() as db:
        return db.execute(sa.text("select id from study")).scalar_one()


def first_list(server):
    """Return the address to which the list's import led."""
    query = "select id from job where kind = 'import' and params like '%\"list\"%'"
    with server.store.read() as db:
        return f"{OWN}/recruit?job={db.execute(sa.text(query)).scalar_one()}"


def test_short_files_need_no_job(boss, server):
    text = "\n".join(LIST.split("\n")[:50])
    page = boss.client.post(f"{OWN}/recruit/import", data={"text": text})
    assert page.url.path == f"{OWN}/recruit/import"
    assert "Store 49 people" in page.text
    assert kept(server) == []


def test_choices_on_the_preview_of_a_long_list_are_checked_again_by_a_job(boss):
    text = LIST.replace("AWAITING REVIEW", "BAKED")
    form = PageReader(check(boss, "list", text).text).form("upload")
    assert form.fields["state_1"] == "BAKED"
    fields = {**form.fields, "meaning_1": "approved", "column_code": ""}
    page = wait(boss, boss.client.post(form.action, data=fields))
    form = PageReader(page.text).form("upload")
    assert form.fields["meaning_1"] == "approved"
    assert form.fields["column_code"] == ""
    assert f"<code>BAKED</code>: {NUMBER} people, approved there" in " ".join(page.text.split())


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("list", "a\n" * NUMBER, "Choose the column for: Participant ID, Status."),
        ("list", f"{PROLIFIC}\n{'a,b' * 3}\n" + LIST, "1 line has an error"),
        ("models", "id,text\n" + "a,b\n" * NUMBER, "Missing columns: source"),
        ("judges", "item,judge\n" + "a,b\n" * NUMBER, "The file needs a column item, and"),
        ("results", "task\n" + "a\n" * NUMBER, "Missing columns: seed, success"),
    ],
)
def test_errors_of_a_long_file_are_shown(boss, server, kind, text, words):
    page = check(boss, kind, text)
    said = " ".join("".join(PageReader(page.text).text).split()).replace(" ,", ",")
    assert words in said
    if "/jobs/" in str(page.url):
        assert "Try again" in page.text
        assert f"{OWN}/{PLACES[kind][2]}" in PageReader(page.text).links
    assert stored(server, kind) == 0


def test_a_form_sent_twice_starts_one_import_and_a_later_one_says_that_the_file_is_gone(boss):
    page = check(boss, "list", LIST)
    first, _ = import_(boss, "list", page)
    second, _ = import_(boss, "list", page)
    assert second.headers["location"] == first.headers["location"]
    fresh = boss.client.get(str(page.url))
    assert fresh.status_code == 404
    assert "This file is no longer on the server" in fresh.text
    form = PageReader(page.text).form("upload").fields | {"ticket": "another-ticket-of-mine"}
    answer = boss.client.post(f"{OWN}/recruit/import/store", data=form)
    assert "Choose the file again" in answer.text


def test_previews_belong_to_their_study_and_kind(boss, make_study):
    make_study(slug="other")
    job = str(check(boss, "list", LIST).url).rpartition("=")[2]
    for url in (f"{OWN}/rating/models/check", "/admin/studies/other/recruit/import/check"):
        assert boss.client.get(f"{url}?job={job}").status_code == 404
    upload_id = PageReader(boss.client.get(f"{OWN}/recruit/import/check?job={job}").text)
    fields = upload_id.form("upload").fields
    answer = boss.client.post("/admin/studies/other/recruit/import", data=fields)
    assert answer.status_code == 404
    answer = boss.client.post(f"{OWN}/rating/models/store", data=fields)
    assert answer.status_code == 404


def test_uploaded_files_go_with_time_with_ids_and_with_erased_people(boss, client, server, study):
    now = datetime.now(UTC)
    check(boss, "judges", JUDGES, judge="j")
    check(boss, "list", LIST)
    Walker(client).enter("/s/demo?PROLIFIC_PID=one")
    with server.store.write() as db:
        db.execute(sa.update(participant).values(state="withdrawn", ended_at=now))
    assert sorted(row.kind for row in kept(server)) == ["judges", "list"]
    identifiers.sweep(server.store, Library(), now)
    assert len(kept(server)) == 2
    with server.store.write() as db:
        db.execute(sa.update(participant).values(ended_at=now - timedelta(days=10_000)))
    identifiers.sweep(server.store, Library(), now)
    assert [row.kind for row in kept(server)] == ["judges"]
    identifiers.sweep(server.store, Library(), now + uploads.KEPT + timedelta(seconds=1))
    assert kept(server) == []
