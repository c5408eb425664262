"""What a bonus formula is given of a person's stored plays."""

from dataclasses import replace

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


def told(store, player, **changes):
    """Return the bonus that a player is told if these parts of the design are different."""
    parts = {
        name: getattr(player.spec, name).model_copy(update=new) for name, new in changes.items()
    }
    with store.read() as db:
        return earned.bonus_to_tell(db, replace(player, spec=player.spec.model_copy(update=parts)))


def test_bonus_is_told_once_it_is_final_unless_it_gives_outcomes_away(store):
    story = Story(
        store,
        blocks=[{"task": "A-Over", "seeds": [1]}],
        per_player=1,
        payment={"bonus": "50 * successes", "bonus_cap_cents": 500},
    )
    token, seen = story.enter(), []
    for position in range(2):
        story.win(token, 0, position)
        story.explain(token, 0, position)
        with store.read() as db:
            seen.append(players.load(db, token))
    going, done = seen
    stated = tuple(replace(one, direct=True) for one in done.progress.blocks)
    assert told(store, done) == 100
    assert told(store, going) is None
    assert told(store, done, payment={"bonus": ""}) is None
    assert told(store, done, payment={"bonus": "50 / (2 - successes)"}) is None
    assert told(store, done, options={"hide_outcomes": True}) is None
    assert told(store, replace(done, progress=replace(done.progress, blocks=stated))) is None
