"""Long work as jobs: a bundle, a verification, a large report; killed, stopped, failed, silent."""

import io
import json
import time
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from app.store import jobs as table
from app.store.design import designs
from app.store.play.turns import turn
from app.study import jobs
from app.study.design import publishing, studies
from app.study.people import removal
from app.study.report.work import BUNDLE, PLAN, VERIFY, works
from app.study.uploads import IMPORT
from app.web import deidentification, report
from app.web.job_kinds import KINDS
from tests.walker import Walker
from tests.web.conftest import NOW
from tests.web.design.designing import part

OWN = "/admin/studies/demo"
LONGEST_S = 60
FLAGS = {"flavour": "csv", "include_test": False, "include_practice": False, "shareable": False}


def start(walker, kind, page=f"{OWN}/exports"):
    form = next(one for one in walker.get(page).page.forms if one.fields.get("kind") == kind)
    walker.answer = walker.client.post(form.action, data=form.fields)
    return walker


def wait(walker):
    """Reload a job's page, as the browser does, until it has ended."""
    url, until = str(walker.answer.url), time.monotonic() + LONGEST_S
    while 'http-equiv="refresh"' in walker.get(url).answer.text:
        assert time.monotonic() < until, walker.answer.text
        time.sleep(0.2)
    return walker


def rows(server):
    with server.store.read() as db:
        return db.execute(sa.select(table.job)).all()


def study_id(server):
    with server.store.read() as db:
        return studies.find(db, "demo").id


def changes(server):
    with server.store.read() as db:
        return designs.changes_of(db, study_id(server))


@pytest.mark.long
def test_bundle_is_made_by_a_job_downloaded_and_goes_with_the_study(researcher, played, server):
    page = wait(start(researcher, "bundle"))
    link = next(one for one in page.page.links if one.endswith("/file"))
    data = researcher.client.get(link)
    assert data.headers["content-type"] == "application/zip"
    names = zipfile.ZipFile(io.BytesIO(data.content)).namelist()
    assert any(name.endswith("manifest.json") for name in names)
    assert ">Bundle</a>" in researcher.get(f"{OWN}/exports").answer.text

    publishing.change_state(server.store, "demo", "closed", by="ada", now=NOW)
    with server.store.read() as db:
        assert removal.standing(db, "demo").may_go  # it counts as the export
    file = server.runner.file_of(rows(server)[0].id)
    assert file.is_file()
    form = next(
        one for one in researcher.get(f"{OWN}/remove").page.forms if one.action.endswith("/delete")
    )
    researcher.client.post(form.action, data={**form.fields, "name": "demo"})
    assert not file.exists()
    assert rows(server) == []


def test_shareable_bundle_is_made_as_wished(researcher, played, server):
    form = next(one for one in researcher.get(f"{OWN}/exports").page.forms if "times" in one.fields)
    wished = {"shareable": "1", "times": "relative", "shuffle": "1"}
    researcher.answer = researcher.client.post(form.action, data={**form.fields, **wished})
    wait(researcher)
    (made,) = rows(server)
    assert json.loads(made.params) | {"times": "relative", "shuffle": True} == json.loads(
        made.params
    )
    with zipfile.ZipFile(server.runner.file_of(made.id)) as archive:
        names = archive.namelist()
    assert any(name.endswith("documentation/deidentification.md") for name in names)


@pytest.mark.long
def test_verification_says_what_matches_and_what_does_not(researcher, played, server):
    page = wait(start(researcher, "verify"))
    assert "All match." in page.answer.text
    with server.store.write() as db:
        db.execute(sa.update(turn).where(turn.c.seq == 1).values(message="changed"))
    page = wait(start(researcher, "verify"))
    assert "differ from what the log says" in page.answer.text
    assert "“changed”" in page.answer.text


@pytest.mark.long
def test_large_report_is_made_by_a_job_and_is_the_same(researcher, played, monkeypatch, server):
    inline = researcher.get(f"{OWN}/report").answer.text.split('select">')[1].partition("<")[0]
    report.reports.forget()
    monkeypatch.setattr(report, "MOST_TURNS", 0)
    assert "its report takes a while" in researcher.get(f"{OWN}/report").answer.text
    page = wait(start(researcher, "report", f"{OWN}/report"))
    assert page.answer.url.path == f"{OWN}/report"
    assert inline in page.answer.text
    report.reports.forget()  # as after a restart: the job still has it
    page = researcher.get(f"{OWN}/report")
    assert inline in page.answer.text
    files = [one for one in page.page.links if one.endswith(f"of={inline}")]
    assert researcher.client.get(files[0]).status_code == 200
    played[1].to_rule().explain()
    assert "its report takes a while" in researcher.get(f"{OWN}/report").answer.text


def test_large_deidentification_report_is_made_by_a_job_and_is_the_same(
    researcher, played, monkeypatch
):
    address = f"{OWN}/deidentification?times=day&shuffle=1"
    inline = researcher.get(address).answer.text
    monkeypatch.setattr(deidentification, "MOST_TURNS", 0)
    assert "the report takes a while" in researcher.get(address).answer.text
    page = wait(start(researcher, "deidentify", address))
    assert page.answer.url.path == f"{OWN}/deidentification"
    assert page.answer.text.partition("<main")[2] == inline.partition("<main")[2]
    assert "the report takes a while" in researcher.get(f"{OWN}/deidentification").answer.text
    played[1].to_rule().explain()
    again = researcher.get(address)
    assert "which have changed since" in again.answer.text
    assert again.page.form("kind").fields["kind"] == "deidentify"


@pytest.mark.long
def test_what_jobs_led_to_goes_when_a_person_withdraws(researcher, played, monkeypatch, server):
    monkeypatch.setattr(report, "MOST_TURNS", 0)
    address = str(wait(start(researcher, "bundle")).answer.url)
    wait(start(researcher, "report", f"{OWN}/report"))
    made = rows(server)
    other = jobs.add(server.store, study_id(server), IMPORT, {}, "ada", datetime.now(UTC))
    files = [server.runner.file_of(one.id) for one in made if one.kind == BUNDLE]
    assert [file.is_file() for file in files] == [True]
    assert all(one.state == "done" and one.result for one in made)

    leaving = Walker(played[0].client).get(f"/p/{played[0].token}/leave")
    leaving.send("ticket")
    assert [file.exists() for file in files] == [False]
    ended = {one.id: (one.state, one.result, one.error) for one in rows(server)}
    assert ended.pop(other) == ("waiting", "", "")  # an import holds nothing of theirs
    assert set(ended.values()) == {("failed", "", jobs.ERASED)}
    assert "their data were erased after this was started" in researcher.get(address).answer.text
    assert researcher.client.get(f"{address}/file").status_code == 404
    assert "its report takes a while" in researcher.get(f"{OWN}/report").answer.text


def test_bundle_that_is_written_meanwhile_is_removed_by_its_own_job(played, server, tmp_path):
    """The withdrawal comes between the snapshot and the end of the job."""
    job = jobs.add(server.store, study_id(server), BUNDLE, FLAGS, "ada", datetime.now(UTC))

    def track(things, what, total=None):
        with server.store.write() as db:
            jobs.cancel(db, study_id(server))
        yield from things

    with server.store.read() as db:
        view = jobs.find(db, study_id(server), job, NOW)
    with pytest.raises(jobs.CancelledError):
        works(tmp_path / "jobs")[BUNDLE](server.store, view, track)
    assert list((tmp_path / "jobs").iterdir()) == []
    assert [one.event for one in changes(server) if one.event == "exported"] == []


def test_sweep_deletes_files_that_belong_to_no_job(server, study, tmp_path):
    folder = tmp_path / "jobs"
    folder.mkdir()
    new = [jobs.add(server.store, study_id(server), BUNDLE, FLAGS, "ada", NOW) for _ in range(3)]
    jobs.end(server.store, new[1], "done", result="{}")
    jobs.end(server.store, new[2], "failed")
    for name in (*new, "unknown"):
        (folder / f"{name}.zip").touch()
    (folder / f"{new[2]}.zip.partial-0a1b2c3d").touch()
    assert jobs.tidy(server.store, folder, NOW) == 3
    assert {path.stem for path in folder.iterdir()} == set(new[:2])
    assert jobs.tidy(server.store, folder, NOW + timedelta(days=1)) == 1  # silent since


def test_job_that_fails_says_why_and_can_be_tried_again(researcher, make_study, server):
    job = jobs.add(server.store, study_id(server), BUNDLE, FLAGS | {"flavour": "odd"}, "ada",
                   datetime.now(UTC))  # fmt: skip
    server.runner.start(job)
    researcher.get(f"{OWN}/jobs/{job}")
    page = wait(researcher)
    assert "format: &#39;odd&#39; is not one of" in page.answer.text
    assert any(one.fields.get("kind") == "bundle" for one in page.page.forms)
    assert page.client.get(f"{OWN}/jobs/{job}/file").status_code == 404


def test_killed_process_is_reported_and_the_next_job_runs(researcher, played, server):
    start(researcher, "verify")
    first = str(researcher.answer.url)
    until = time.monotonic() + LONGEST_S
    while not server.runner._running and time.monotonic() < until:
        time.sleep(0.01)
    next(iter(server.runner._running.values())).kill()
    researcher.get(first)
    page = wait(researcher)
    assert "The work stopped because of an error on our side" in page.answer.text
    form = next(one for one in page.page.forms if one.fields.get("kind") == "verify")
    researcher.answer = researcher.client.post(form.action, data=form.fields)
    assert "All match." in wait(researcher).answer.text


def test_jobs_wait_for_each_other_and_end_with_the_server(researcher, played, server):
    for _ in range(3):
        start(researcher, "verify")
    server.runner.stop()
    states = [row.state for row in rows(server)]
    assert set(states) <= {table.INTERRUPTED, table.DONE}
    assert states.count(table.INTERRUPTED) >= 2
    page = researcher.get(str(researcher.answer.url))
    assert "The server was stopped" in page.answer.text


def test_bar_is_stored_and_shown(researcher, server):
    job = jobs.add(server.store, study_id(server), VERIFY, {}, "ada", datetime.now(UTC))
    bar = jobs.Bar(server.store, job)
    for number, _ in enumerate(bar(range(3), "Replaying episodes", 3)):
        bar._stored -= 2 * jobs.STORE_S  # as if each had taken two seconds
        if number == 2:
            text = researcher.get(f"{OWN}/jobs/{job}").answer.text
            assert "Replaying episodes: 2 of 3" in text
            assert '<progress id="bar" value="2" max="3">' in text


def test_ended_job_is_not_started_again(researcher, server):
    job = jobs.add(server.store, study_id(server), VERIFY, {}, "ada", datetime.now(UTC))
    assert jobs.end(server.store, job, table.INTERRUPTED)
    jobs.perform(server.store, job, {})
    assert not jobs.end(server.store, job, table.DONE)
    assert [row.state for row in rows(server)] == [table.INTERRUPTED]


def test_page_of_a_job_opens_though_its_draft_has_become_invalid(researcher, server, draft_of):
    researcher.get("/admin/new-study").send("title", title="Winter")
    own, wanted = draft_of("winter").study_id, {"people": "1", "simulated": "1"}
    job = jobs.add_once(server.store, own, PLAN, wanted, "researcher", "t" * 20, NOW)
    part(researcher, "cells").send("revision", per_player="many")
    assert draft_of("winter").spec is None
    page = researcher.get(f"/admin/studies/winter/jobs/{job}")
    assert (page.page.name, page.answer.status_code) == ("job", 200)
    assert "Winter" in page.answer.text


def test_unknown_kind_and_job_of_another_study_are_not_found(researcher, make_study, server):
    make_study(slug="other")
    job = jobs.add(server.store, study_id(server), VERIFY, {}, "ada", datetime.now(UTC))
    assert researcher.client.get(f"/admin/studies/other/jobs/{job}").status_code == 404
    researcher.get(f"{OWN}/exports")
    answer = researcher.client.post(f"{OWN}/jobs", data={"kind": "mine"})
    assert answer.status_code == 404


def test_page_of_exports_lists_every_kind_of_job(researcher, server):
    for kind in KINDS:
        jobs.add(server.store, study_id(server), kind, {}, "ada", datetime.now(UTC))
    assert researcher.get(f"{OWN}/exports").page.name == "exports"
