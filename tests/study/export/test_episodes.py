"""Exports by episode: first-episode scores and block scores, and which row belongs to whom."""

import pytest

from app.store.play.participants import participant
from app.store.play.process_data import insert as insert_process
from app.study.people import manual_actions
from app.study.play import problems
from app.study.tickets import new_ticket
from tests.study.story import ODD, Story, rows


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture
def token(story):
    return story.varied()


def test_first_episode_has_all_figures_of_the_block_in_baseline(store):
    """The first episode is won with five mistyped commands, the second without."""
    story = Story(store, per_player=1)
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0)
    story.type(token, 0, 1, *story.solution(token, 0, 1))
    with store.write() as db:
        db.execute(participant.update().values(state="timed_out"))
    (found,) = rows(store, "baseline")
    clean = (4 / ((len(ODD) - 5 + 4) / 4) - 1) / 3
    assert float(found["first_clean_norm_eff"]) == pytest.approx(clean)
    assert float(found["first_clean_ecsr"]) == pytest.approx(clean)
    assert float(found["clean_ecsr"]) == pytest.approx((clean + 1) / 2)
    assert (found["first_finished_success_rate"], found["finished_success_rate"]) == ("1.0", "1.0")
    assert found["first_finished_ecsr"] == found["first_ecsr"] != found["finished_ecsr"]


def test_first_episode_left_unfinished_is_missing_in_its_finished_figures(story, token):
    with story.store.write() as db:
        db.execute(participant.update().values(state="timed_out"))
    found = rows(story.store, "baseline")[1]
    assert (found["first_ecsr"], found["first_clean_ecsr"]) == ("0.0", "0.0")
    assert (found["first_finished_success_rate"], found["first_finished_ecsr"]) == ("", "")


def test_logs_name_the_episode_that_they_are_about(story, token):
    person = story.person(token)
    name, now = person.public_id, story.now()
    pages = {
        "world/2/guardian/1": ("w2", "1"),
        "world/1/guardian/2/rule": ("w1", "2"),
        "world/1/guardian/2/answer": ("w1", "2"),
        "world/2/rule": ("w2", ""),
        "practice": ("", ""),
        "world/1/guardian/2/else": ("", ""),
        "": ("", ""),
    }
    common = {"participant_id": person.id, "detail": "", "client_ms": None, "received_ms": 1}
    seen = [{**common, "page": page, "kind": "open", "value": 1} for page in pages]
    with story.store.write() as db:
        insert_process(db, seen)
    for page in pages:
        problems.report(story.store, token, page, "it froze", new_ticket(), now)
    wanted = [(block and f"{name}-{block}", index) for block, index in pages.values()]
    for table in ("process", "problem"):
        found = [(row["block_id"], row["episode_index"]) for row in rows(story.store, table)]
        assert found == wanted, table


def test_hand_actions_name_the_episode_that_they_are_about(story, token):
    name = story.person(token).public_id
    deeds = (("void", story.episode(token, 0, 1).id), ("note", None))
    for action, one in deeds:
        manual_actions.act(story.store, None, name, action, "why", new_ticket(), story.now(), one)
    found = [(row["block_id"], row["episode_index"]) for row in rows(story.store, "hand")]
    assert found == [(f"{name}-w1", "2"), ("", "")]
