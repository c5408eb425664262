"""The server is killed repeatedly while people play: nothing is lost or doubled."""

import signal

import pytest

from app.study.export.verify import verify

pytestmark = pytest.mark.timeout(240)
KILLS = (40, 110, 180)  # number of acknowledged actions before a kill


def test_killed_server_loses_and_doubles_no_acknowledged_action(
    make_playground, server_process, store_url
):
    server = server_process(store_url)
    ground = make_playground(
        store_url, server.url, options={"practice": False, "episodes_per_block": 1}
    )
    ground.seat("oracle:5,enumerator:5,copycat:5,typist:5", tries=80)
    report_of_all = ground.play_beside()
    for number in KILLS:
        ground.wait_for_actions(number)
        server.end(signal.SIGKILL)
        server.start()
    report = report_of_all()
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (20, 0, 0)
    assert report.resent >= len(KILLS)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.turns) == (True, report.actions)
