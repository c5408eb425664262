"""Two server processes on one PostgreSQL, each request to a random one."""

import pytest

from app.study.export.verify import verify

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]


@pytest.mark.parametrize("store_url", ["postgres"], indirect=True)
def test_players_between_two_processes_lose_and_double_no_turn(
    make_playground, server_process, store_url
):
    addresses = [server_process(store_url).url for _ in range(2)]
    ground = make_playground(
        store_url, addresses[0], options={"practice": False, "episodes_per_block": 1}
    )
    ground.seat("oracle:5,enumerator:5,typist:5,neighbour:5", addresses)
    report = ground.play(in_order=False)
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (20, 0, 0)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.turns) == (True, report.actions)
