"""What players, models and bots get of the package's variants, and what is refused."""

import re
from dataclasses import replace
from random import Random

import pytest

from app.errors import FieldError, GameError
from app.game.bots import make_bot
from app.game.expectation import floors
from app.game.say import say
from app.game.tasks import TASKS
from app.game.variant import canonical_json, from_json
from app.game.view import player_view, text_view
from app.game.world import episode_world, play, start
from app.paths import how_to_add
from app.study.design import reference
from tests.study.design.hosted import of, played, solution


def test_view_says_nothing_of_our_rules_and_has_the_goal_in_the_package_s_words():
    for task in TASKS:
        variant = of(task)
        view = player_view(variant, 0)
        text = text_view(view)
        assert "purchase" not in text
        assert "the next one begins" not in text
        assert view.goal.text.startswith(f"=== Your task: defeat {view.goal.entity} ===")
        assert (view.goal.item is not None) == (variant.task.family == "procedural")
        assert view.start == "GameStart"


def test_player_learns_the_same_whatever_the_answer_is_before_the_first_defeat():
    """The engine gets only what had an effect, so a state says everything about the world."""
    variant = of("P-Cond")
    lines = [*solution(variant)[:-1], "check_inventory", "check_location"]
    turns = played(variant, *lines)
    assert turns[-1][0].did == tuple(solution(variant)[:-1])
    assert say(turns[-1][1]) == f"Current location: {turns[-1][0].location}"


def test_nothing_is_claimed_of_bots_in_another_world():
    assert floors(of("A-Add")) == {}


def test_variant_is_never_played_in_our_world():
    bare = from_json(canonical_json(of("A-Add")))
    assert bare.engine is None
    with pytest.raises(FieldError, match="another engine"):
        episode_world(bare, 0)


def test_package_in_another_version_is_refused_with_what_to_install():
    stored = replace(from_json(canonical_json(of("A-Add"))), engine_version="9.9")
    assert reference.missing(of("A-Add")) == ""
    assert "herosjourney 9.9" in reference.missing(stored)
    with pytest.raises(reference.NoReferenceError, match=re.escape(how_to_add("reference"))):
        played(reference.hosted(stored), "check_location")
    assert not issubclass(reference.NoReferenceError, GameError)


def test_bots_play_in_the_package_s_world_where_nothing_is_undone():
    for task in TASKS:
        variant = of(task)
        for at, name in ((at, b) for at in range(len(variant.episodes)) for b in TRIERS):
            here = replace(episode_world(variant, at), budget=250)
            bot, state, seen = make_bot(name, variant, at, Random(1)), start(here), None
            while line := bot.next_command(seen, state):
                _, state, seen = play(here, state, line)
            assert state.success
            assert name != "oracle" or state.attempts == 1


TRIERS = ("oracle", "enumerator")
