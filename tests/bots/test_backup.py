"""Backups made while bots play are whole: what was confirmed is in them, and exports are equal."""

import pytest

from app.store.play.turns import turn
from tests.restored import Backups, differing

pytestmark = pytest.mark.timeout(300)


@pytest.mark.long
@pytest.mark.long_on_postgres
def test_backups_made_while_bots_play_verify_and_export_alike_elsewhere(
    make_playground, server_process, store_url, tmp_path
):
    ground = make_playground(
        store_url,
        server_process(store_url).url,
        options={"practice": False, "episodes_per_block": 1},
    )
    ground.seat("oracle:4,typist:4,neighbour:4")
    backups = Backups(store_url, tmp_path / "backups")
    report = ground.play_beside()
    for number in (5, 40):
        ground.wait_for_actions(number)
        backups.take(ground.actions)
    assert report().problems == ()
    assert backups.problems(ground.store, "bots") == []
    assert len(backups.made) == 3
    with ground.store.write() as db:  # a backup that lost a row would be noticed
        db.execute(turn.update().where(turn.c.seq == 1).values(raw="go elsewhere"))
    found = backups.problems(ground.store, "bots")
    assert "backup 0: study-bots_level-turn_data.csv differs" in found


def test_row_that_differs_is_named():
    name = "study-a_level-turn_data.csv"
    assert differing({name: b"a\n1\n"}, {name: b"a\n1\n2\n"}) == []
    assert differing({name: b"a\n3\n"}, {name: b"a\n1\n2\n"}) == [name]
