"""The server is killed or stopped while people play: nothing is lost or doubled."""

import signal
import sqlite3
import threading
import time
from contextlib import closing
from itertools import cycle

import httpx
import pytest

from app.study.export.verify import verify
from tests.walker import PageReader

pytestmark = pytest.mark.timeout(240)
ENDS = ((40, signal.SIGKILL), (90, signal.SIGTERM), (140, signal.SIGKILL), (180, signal.SIGTERM))


@pytest.mark.long
@pytest.mark.long_on_postgres
@pytest.mark.parametrize("processes", [1, 2])
def test_server_killed_or_redeployed_loses_and_doubles_no_acknowledged_action(
    make_playground, server_process, store_url, processes
):
    """With two processes, the other one goes on; each request goes to a random one."""
    servers = [server_process(store_url) for _ in range(processes)]
    ground = make_playground(
        store_url, servers[0].url, options={"practice": False, "episodes_per_block": 1}
    )
    addresses = [one.url for one in servers]
    ground.seat("oracle:5,enumerator:5,copycat:5,typist:5", addresses, tries=80)
    report_of_all = ground.play_beside()
    for server, (number, how) in zip(cycle(servers), ENDS, strict=False):
        ground.wait_for_actions(number)
        server.end(how)
        server.start()
    report = report_of_all()
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (20, 0, 0)
    assert report.resent >= len(ENDS)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.turns) == (True, report.actions)


@pytest.mark.long
def test_stopping_server_answers_what_has_arrived(
    make_playground, server_process, sqlite_url, tmp_path
):
    server = server_process(sqlite_url)
    make_playground(sqlite_url, server.url)
    found, sent = [], threading.Event()
    with httpx.Client(base_url=server.url) as client:
        form = PageReader(client.get("/s/bots").text).form("answer")

        def agree():
            sent.set()
            found.append(client.post(form.action, data={**form.fields, "answer": "yes"}))

        with closing(sqlite3.connect(tmp_path / "bots.db", isolation_level=None)) as raw:
            raw.execute("BEGIN IMMEDIATE")
            asking = threading.Thread(target=agree)
            asking.start()
            sent.wait()
            time.sleep(0.5)  # the request waits for the lock
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            assert (found, server.runs()) == ([], True)
            raw.execute("ROLLBACK")
        asking.join(20)
    server.process.wait(20)
    assert found[0].status_code == 303
