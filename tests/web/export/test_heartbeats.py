"""Signs of life of jobs: their own, and those of the server that runs them."""

import os
import signal
import time
from datetime import UTC, datetime, timedelta

import pytest

from app.store import jobs as table
from app.store.db import Store
from app.study import jobs
from app.study.report.work import VERIFY
from tests.web.export.test_jobs import LONGEST_S, OWN, rows, start, study_id, wait


def beaten(server, since):
    """Wait for a sign of life of the only job."""
    until = time.monotonic() + 10
    while rows(server)[0].beat_at <= since:
        assert time.monotonic() < until
        time.sleep(0.02)
    return True


@pytest.mark.parametrize("state", [table.WAITING, table.RUNNING])
def test_silent_job_counts_as_interrupted_on_any_server(researcher, server, state):
    then = datetime.now(UTC) - jobs.SILENT - timedelta(seconds=1)
    job = jobs.add(server.store, study_id(server), VERIFY, {}, "ada", then)
    with server.store.write() as db:
        table.change(db, job, table.STATES, {"state": state})
    page = researcher.get(f"{OWN}/jobs/{job}")
    assert "interrupted" in page.answer.text
    assert 'http-equiv="refresh"' not in page.answer.text
    assert "interrupted" in researcher.get(f"{OWN}/exports").answer.text


def test_job_lives_on_while_another_holds_the_database(server, monkeypatch, researcher):
    monkeypatch.setattr(jobs, "BEAT_S", 0.05)
    hasty = Store(server.store.url.render_as_string(hide_password=False), write_timeout_s=0.1)
    job = jobs.add(server.store, study_id(server), VERIFY, {}, "ada", datetime.now(UTC))

    def work(_store, _job, track):
        with server.store.write() as db:
            table.change(db, job, table.STATES, {"what": "held"})
            assert list(track(range(3), "Importing", 3)) == [0, 1, 2]
        return {"beaten": beaten(server, datetime.now(UTC))}

    jobs.perform(hasty, job, {VERIFY: work})
    hasty.dispose()
    assert [(row.state, row.result) for row in rows(server)] == [(table.DONE, '{"beaten": true}')]


def test_job_whose_process_starts_slowly_is_still_alive(researcher, played, server, monkeypatch):
    monkeypatch.setattr(jobs, "BEAT_S", 0.05)
    start(researcher, "verify")
    until = time.monotonic() + LONGEST_S
    while not server.runner._running:
        assert time.monotonic() < until
        time.sleep(0.01)
    process = next(iter(server.runner._running.values()))
    os.kill(process.pid, signal.SIGSTOP)
    try:
        beaten(server, datetime.now(UTC))
    finally:
        os.kill(process.pid, signal.SIGCONT)
    assert "All match." in wait(researcher.get(str(researcher.answer.url))).answer.text
