"""Exports by episode: first-episode scores and block scores, and which row belongs to whom."""

import csv
import io

import pytest

from app.game.tiers import FLOORS
from app.store.play.participants import participant
from app.store.play.process_data import insert as insert_process
from app.study.export import files
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
    actions = (("void", story.episode(token, 0, 1).id), ("note", None))
    for action, one in actions:
        manual_actions.act(story.store, None, name, action, "why", new_ticket(), story.now(), one)
    found = [(row["block_id"], row["episode_index"]) for row in rows(story.store, "hand")]
    assert found == [(f"{name}-w1", "2"), ("", "")]


def test_floors_of_each_played_episode_are_the_bots_exact_expectations(store):
    blocks = [{"task": "A-Over", "seeds": [1]}, {"task": "A-Cond", "seeds": [2]}]
    story = Story(store, blocks=blocks)
    story.enter()
    found = rows(store, "episode")
    assert [row["task"] for row in found] == ["A-Over"] * 2 + ["A-Cond"] * 4
    enumerated = {"A-Over": 13 / 36, "A-Cond": 29 / 100}
    for row in found:
        assert float(row["floor_enumerator"]) == enumerated[row["task"]]
        halved = 2 if row["task"] == "A-Cond" else 1  # 6 of its 12 listed items are in reach
        assert float(row["floor_prior"]) == enumerated[row["task"]] / halved
        assert float(row["floor_oracle"]) == float(row["floor_inducer"]) == 1
    for variant in rows(store, "variant"):
        own = [row for row in found if row["variant_hash"] == variant["variant_hash"]]
        for name in FLOORS:
            mean = sum(float(row[f"floor_{name}"]) for row in own) / len(own)
            assert float(variant[f"floor_{name}"]) == pytest.approx(mean, abs=1e-12)


def test_practice_and_stated_answers_have_no_floors(store):
    blocks = [{"task": "A-Over", "seeds": [1], "format": "direct"}]
    story = Story(store, blocks=blocks, per_player=1)
    story.enter()
    text = b"".join(files.stream_csv(store, "story", "episode", "csv", include_practice=True))
    found = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    assert {(row["kind"], row["format"]) for row in found} == {
        ("practice", ""),
        ("main", "direct"),
    }
    assert {row[f"floor_{name}"] for row in found for name in FLOORS} == {""}
