"""The crowd smoke test: fifty players at once, as fast as they can."""

import pytest

BOTS = "oracle:15,enumerator:10,copycat:5,typist:5,inducer:5,neighbour:5,prior:5"


@pytest.mark.crowd
@pytest.mark.timeout(110)
def test_fifty_players_without_a_pause_finish_two_worlds(make_playground, sqlite_url):
    blocks = [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [1]}]
    ground = make_playground(sqlite_url, blocks=blocks, order="fixed")
    ground.seat(BOTS)
    report = ground.play(in_order=False)
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (50, 0, 0)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
