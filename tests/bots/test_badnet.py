"""Connections break before and after the server has done its work: everything is done once."""

import threading

import pytest

from app.study.people import overview
from tests.bots.badnet import BadNet

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def net(make_playground, sqlite_url):
    """Return a playground, and the unreliable network in front of its server."""
    ground = make_playground(sqlite_url)
    with BadNet(ground.url) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield ground, made
        made.shutdown()
        thread.join()


@pytest.mark.long
def test_lost_requests_and_answers_are_sent_again_and_nothing_is_doubled(net):
    ground, bad = net
    ground.seat("oracle:3,enumerator:3", bad.url)
    report = ground.play()
    assert report.problems == ()
    assert (report.finished, report.mismatches) == (6, 0)
    assert min(bad.lost.values()) > 3
    assert report.resent == sum(bad.lost.values())
    assert report.per_bot["oracle"]["ecsr"] == 1.0
    with ground.store.read() as db:
        people = overview.overview(db)[0]
    assert (people["started"], people["finished"]) == (6, 6)
