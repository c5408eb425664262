"""Twenty players go through a whole study with all eight tasks over HTTP."""

import sqlite3

import pytest

from app.game.tasks import TASK_NAMES
from app.study.export.verify import verify

pytestmark = pytest.mark.timeout(240)
BOTS = "oracle:6,typist:2,inducer:2,enumerator:2,copycat:2,eliminator:2,neighbour:2,prior:2"


@pytest.fixture
def played(make_playground, server_process, sqlite_url):
    """Return the playground after a game against `hjstudy serve`, and the players' report."""
    ground = make_playground(sqlite_url, server_process(sqlite_url).url)
    ground.seat(BOTS)
    report = ground.play()
    assert report.problems == ()
    return ground, report


def tasks_played(ground):
    found = [one.variant.task.name for p in ground.players for one in p.adventures.values()]
    return set(found) - {"practice"}


def change_one_byte(ground):
    """Change one letter of one stored answer; return the number of that turn."""
    db = sqlite3.connect(ground.store.url.database)
    with db:
        turn, seq, message = db.execute(
            "SELECT id, seq, message FROM turn ORDER BY id LIMIT 1 OFFSET 100"
        ).fetchone()
        changed = ("x" if message[0] != "x" else "y") + message[1:]
        db.execute("UPDATE turn SET message = ? WHERE id = ?", (changed, turn))
    db.close()
    return seq


def test_twenty_players_of_all_tasks_finish_and_the_log_is_what_they_saw(played):
    ground, report = played
    assert (report.players, report.finished, report.errors, report.mismatches) == (20, 20, 0, 0)
    assert (report.resent, report.conflicts) == (0, 0)
    assert tasks_played(ground) == set(TASK_NAMES)
    assert len({player.code for player in ground.players}) == 20
    assert report.per_bot["oracle"] == {"success_rate": 1.0, "norm_eff": 1.0, "ecsr": 1.0}
    assert 0 < report.per_bot["enumerator"]["ecsr"] < 1

    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.turns) == (True, report.actions)
    assert checked.episodes == 20 * 3

    seq = change_one_byte(ground)
    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.episodes_wrong) == (False, 1)
    assert checked.first_difference is not None
    assert (checked.first_difference.seq, checked.first_difference.field) == (seq, "message")
    assert len(ground.stored.compare(ground.players)) == 1


def test_stored_turns_that_players_did_not_see_are_mismatches(make_playground, sqlite_url):
    ground = make_playground(sqlite_url)
    ground.seat("oracle:2")
    assert ground.play().mismatches == 0
    missing, doubled = ground.players
    with ground.store.write() as db:
        for player, change in (
            (missing, "DELETE FROM turn"),
            (doubled, "UPDATE turn SET raw = 'x'"),
        ):
            last = (
                "SELECT max(turn.id) FROM turn JOIN episode ON episode.id = turn.episode_id "
                "JOIN participant ON participant.id = episode.participant_id WHERE token = ?"
            )
            db.exec_driver_sql(f"{change} WHERE id = ({last})", (player.token,))
    found = ground.stored.compare(ground.players)
    assert len(found) == 2
    assert "stored None" in found[0]
    assert "'x'" in found[1]


@pytest.mark.long
def test_same_seed_gives_the_same_games_and_another_seed_others(make_playground, sqlite_url):
    ground, games = make_playground(sqlite_url), []
    for slug, seed in (("first", 1), ("again", 1), ("other", 2)):
        ground.make_study(slug)
        ground.seat("enumerator:2,typist", seed=seed)
        assert ground.play(slug).problems == ()
        adventures = [one for player in ground.players for one in player.adventures.items()]
        games.append(
            [(place, [line.raw for line in one.acknowledged]) for place, one in adventures]
        )
    assert games[0] == games[1] != games[2]
