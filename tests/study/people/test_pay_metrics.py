"""What a bonus formula is given of a person's stored plays."""

import pytest

from app.study.people import manual_actions
from app.study.play import earned, players
from app.study.tickets import new_ticket
from tests.study.story import Story


def metrics(story, token):
    with story.store.read() as db:
        player = players.load(db, token)
        return earned.stored_metrics(db, player.row, player.spec)


def by_hand(story, token, action, episode_id=None):
    who = story.person(token).public_id
    manual_actions.act(
        story.store, None, who, action, "stuck", new_ticket(), story.now(), episode_id
    )


def test_wins_and_losses_count_and_what_is_under_way_does_not(store):
    story = Story(store)
    found = metrics(story, story.varied())
    assert (found["episodes"], found["successes"], found["success_rate"]) == (2, 1, 0.5)
    assert found["ecsr"] == pytest.approx(found["norm_eff"] / 2)
    assert (found["explanations"], found["finished"]) == (2, 0)
    assert found["minutes"] > 0


def test_an_answer_that_was_never_stated_costs_nothing_even_when_no_longer_voided(store):
    blocks = [{"task": "A-Over", "seeds": [1], "format": "direct"}]
    story = Story(store, blocks=blocks, per_player=1)
    token = story.enter()
    item = story.solution(token, 0, 0)[1].removeprefix("buy ")
    story.state_directly(token, 0, 0, item=item)
    story.explain(token, 0, 0)
    by_hand(story, token, "unstick")
    by_hand(story, token, "unvoid", story.episode(token, 0, 1).id)
    found = metrics(story, token)
    assert (found["episodes"], found["success_rate"]) == (1, 1)
