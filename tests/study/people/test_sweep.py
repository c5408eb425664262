"""hjstudy sweep: apply the clocks and deletion dates of every study."""

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.store import keys
from app.store.models import api_requests
from app.store.people import accounts as account_rows
from app.store.play import paces, participants

ROOT = Path(__file__).parents[3]


@pytest.fixture
def run(store_url, monkeypatch):
    """Run the command on the test's database."""
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", store_url)

    def sweep(*arguments):
        result = CliRunner().invoke(app, ["sweep", *arguments])
        assert result.exit_code == 0, result.output
        return result

    return sweep


def come_ago(crowd, who, **ago):
    """Add a person who has done nothing since entering."""
    token = crowd.come(who)
    then = datetime.now(UTC) - timedelta(**ago)
    with crowd.store.write() as db:
        values = {"consented_at": then, "seen_at": then, "created_at": then}
        participants.change(db, crowd.person(token, db).id, values)
    return token


def test_sweep_deletes_hashed_addresses_that_no_longer_limit_anyone(store, run):
    now = datetime.now(UTC)
    then, now_ms = now - timedelta(minutes=16), round(now.timestamp() * 1000)
    with store.write() as db:
        for source, at, free in (("old", then, now_ms - 1), ("new", now, now_ms + 600_000)):
            account_rows.add_guess(db, "ada", source, at)
            paces.ensure(db, 1, source)
            paces.put(db, 1, source, free)
            api_requests.count(db, f"stranger {source}", free - 60_000, 60_000)
        keys.make(db, "sources-2020-01-01", "x")
        keys.make(db, "entry_links", "y")
    run()
    with store.read() as db:
        tables = (account_rows.login_attempt, paces.entry_pace)
        assert [[row.source for row in db.execute(t.select())] for t in tables] == [["new"]] * 2
        assert [row.name for row in db.execute(api_requests.api_request.select())] == [
            "stranger new"
        ]
        assert [row.name for row in db.execute(keys.secret.select())] == ["entry_links"]


def test_sweep_counts_what_it_did_and_does_it_once(make_crowd, run):
    crowd = make_crowd()
    gone, stale = come_ago(crowd, "ann", hours=30), come_ago(crowd, "ben", hours=2)
    busy = come_ago(crowd, "cleo", minutes=2)

    counted = json.loads(run("--json").stdout)

    nothing = {"identifiers_deleted": 0, "files_deleted": 0, "compacted": False}
    assert counted == {"studies": 1, "timed_out": 1, "released": 2, **nothing}
    assert [crowd.person(one).state for one in (gone, stale, busy)] == [
        "timed_out",
        "active",
        "active",
    ]
    assert [crowd.person(one).seat for one in (stale, busy)] == ["released", "held"]
    again = json.loads(run("--json").stdout)
    assert again == {"studies": 1, "timed_out": 0, "released": 0, **nothing}


def test_sweep_deletes_platform_ids_whose_date_has_come(make_crowd, run):
    crowd = make_crowd(people={"identifiers_days": 7})
    come_ago(crowd, "ann", days=9)
    run()  # her part ends now, and her ids are kept for another week

    with crowd.store.write() as db:
        person = crowd.people()[0]
        values = {"ended_at": datetime.now(UTC) - timedelta(days=8)}
        participants.change(db, person.id, values)

    assert json.loads(run("--json").stdout)["identifiers_deleted"] == 1


def test_sweep_says_in_a_sentence_what_it_did(make_crowd, run):
    crowd = make_crowd()
    come_ago(crowd, "ann", hours=30)

    assert "Timed out: 1. Seats freed: 1." in run().stderr


def test_sweep_every_so_many_minutes_goes_on_until_it_is_stopped(make_crowd, store_url, tmp_path):
    crowd = make_crowd()
    gone = come_ago(crowd, "ann", hours=30)
    environment = {**os.environ, "HJSTUDY_DATABASE_URL": store_url}
    command = [str(Path(sys.executable).parent / "hjstudy"), "sweep", "--every", "1"]
    with (tmp_path / "told").open("w+") as errors_file:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=errors_file)
        try:
            for _ in range(900):
                if crowd.person(gone).state == "timed_out":
                    break
                time.sleep(0.1)
            assert crowd.person(gone).state == "timed_out"
            with pytest.raises(subprocess.TimeoutExpired):  # left for the next sweep
                process.wait(2)
        finally:
            process.terminate()
            process.wait(30)
