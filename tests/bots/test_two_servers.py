"""Two server processes on one database, each request to a random one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.play import seats
from app.study.export.verify import verify

pytestmark = pytest.mark.timeout(180)


@pytest.mark.long
@pytest.mark.long_on_postgres
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


@pytest.mark.long
def test_no_more_players_than_the_quotas_allow_enter_between_two_processes(
    make_playground, server_process, store_url
):
    addresses = [server_process(store_url).url for _ in range(2)]
    blocks = [{"task": name, "seeds": [2], "quota": 4} for name in ("A-Over", "P-Comp", "P-Cond")]
    ground = make_playground(
        store_url,
        addresses[0],
        blocks=blocks,
        per_player=2,
        people={"quota": 5},
        options={"practice": False, "episodes_per_block": 1},
    )
    ground.seat("oracle:16", addresses)
    report = ground.play(in_order=False)
    assert report.problems == ()
    assert (report.finished, report.full, report.mismatches) == (5, 11, 0)
    with ground.store.read() as db:
        study = ground.study("bots").id
        assert seats.people(db, study) == 5
        taken = [by["done"] for by in seats.counts(db, study).values()]
    assert sorted(taken) == [3, 3, 4]
    assert verify(ground.store, "bots").ok


@pytest.mark.long
def test_commands_work_beside_a_server_that_is_being_played_on(
    make_playground, server_process, store_url, tmp_path
):
    ground = make_playground(store_url, server_process(store_url).url)
    ground.seat("oracle:3,typist:3")
    report = ground.play_beside()
    own = {**os.environ, "HJSTUDY_DATABASE_URL": store_url}
    program = Path(sys.executable).parent / "hjstudy"
    ground.wait_for_actions(5)
    for arguments in (("verify",), ("export", "--study", "bots", "--out", "out")):
        done = subprocess.run(
            [program, *arguments], cwd=tmp_path, env=own, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert report().problems == ()
