"""The crowd smoke test: fifty players at once, as fast as they can."""

import pytest

BOTS = "oracle:30,enumerator:5,copycat:5,typist:5,neighbour:5"
STUDY = {
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [1]}],
    "order": "fixed",
    "options": {"practice": False, "episodes_per_block": 1},
}


@pytest.mark.crowd
@pytest.mark.timeout(240)
@pytest.mark.long
def test_fifty_players_without_a_pause_finish_two_worlds(
    make_playground, server_process, sqlite_url
):
    ground = make_playground(sqlite_url, server_process(sqlite_url).url, **STUDY)
    ground.seat(BOTS)
    report = ground.play(in_order=False)
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (50, 0, 0)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
