"""The words: one table, the same form for everything, and nothing about the answer."""

from string import Formatter

import pytest

from app.game.command import STATUSES, UNDERSTOOD
from app.game.model import Variant
from app.game.say import ENDING, ENGINE_NAME, ENGINE_VERSION, WORDS, say
from app.game.world import EFFECTIVE, Observation, World, episode_world, replay


@pytest.fixture
def world(attribute_variant: Variant) -> World:
    return episode_world(attribute_variant, 0)


def heard(world: World, commands: list[str]) -> list[str]:
    return [say(observation) for _, _, observation in replay(world, commands)]


def observe(code: str, *, done: bool = False, success: bool = False) -> Observation:
    params = tuple(f"<{name}>" for name in WORDS[code][0])
    return Observation(code, params, code in EFFECTIVE, done, success, 1)


def test_words_cover_every_effective_code_and_every_parse_status() -> None:
    assert set(WORDS) >= EFFECTIVE | (set(STATUSES) - set(UNDERSTOOD))


@pytest.mark.parametrize("code", WORDS)
def test_words_use_exactly_the_parameters_they_declare(code: str) -> None:
    names, words = WORDS[code]
    used = {name for _, name, _, _ in Formatter().parse(words) if name}
    assert used <= set(names)
    assert code in {"missing_argument", "unknown_name"} or used == set(names)


@pytest.mark.parametrize("code", WORDS)
def test_say_any_code_is_a_sentence_without_gaps(code: str) -> None:
    words = say(observe(code))
    assert words[0].isupper() or words[0] == "<"
    assert "{" not in words
    assert len(words) < 200


@pytest.mark.parametrize("code", sorted(set(WORDS) - {"defeated"}))
def test_say_last_action_without_success_says_that_the_episode_is_over(code: str) -> None:
    assert say(observe(code, done=True)).endswith(ENDING)
    assert ENDING not in say(observe(code))


def test_say_winning_last_action_announces_no_defeat(world: World) -> None:
    assert ENDING not in heard(world, [*["check_location"] * 8, *WIN])[-1]


def test_say_last_failed_attempt_announces_no_new_one(world: World) -> None:
    words = heard(world, LOSE * 3)
    assert "new attempt" in words[3]
    assert "new attempt" not in words[-1]


WIN = ["go forge", "buy size_2_spear", "go quarry", "defeat Lyra Blackmoor"]
LOSE = ["go forge", "buy size_0_spear", "go quarry", "defeat Lyra Blackmoor"]


def test_say_solved_episode_reads_as_the_transcript(world: World) -> None:
    """Golden words: a change here is a new ENGINE_VERSION."""
    assert (ENGINE_NAME, ENGINE_VERSION) == ("hjstudy", "1")
    assert heard(world, WIN) == [
        "You travel to forge.",
        "You buy size_2_spear for 30 coins. You have 970 coins left.",
        "You travel to quarry.",
        "Lyra Blackmoor yields, and the road is free. The day is yours!",
    ]


def test_say_refusals_read_as_the_transcript(world: World) -> None:
    commands = ["go", "go nowhere", "go forge now", "dance", "buy forge", "go crossroads"]
    verbs = "go, buy, defeat, check_inventory, check_location"
    assert heard(world, commands) == [
        "Which place? Type go and then the name.",
        "No place of that name is known here.",
        "One thing at a time, please. Perhaps: go forge",
        f"That is not something to do here. You can: {verbs}.",
        "forge is not the name of any item.",
        "You are at crossroads already.",
    ]


def test_say_failed_defeat_never_reveals_what_was_wrong(world: World) -> None:
    assert heard(world, LOSE)[-1] == (
        "Lyra Blackmoor holds firm. Something was missing, wrong or out of order. What you "
        "carried and all you did is undone; a new attempt begins where you stand."
    )


def test_say_second_purchase_says_how_to_start_over(world: World) -> None:
    assert heard(world, ["go forge", "buy size_0_spear", "buy size_1_spear"])[-1] == (
        "You carry size_0_spear already, and one purchase is all an attempt allows. To start "
        "over, finish this attempt: defeat Lyra Blackmoor at quarry."
    )


@pytest.mark.parametrize("size", [0, 1, 2])
def test_say_purchase_has_the_same_form_for_every_item(world: World, size: int) -> None:
    words = heard(world, ["go forge", f"buy size_{size}_spear", "check_inventory"])
    shape = [text.replace(f"size_{size}_spear", "<item>") for text in words]
    assert shape[1:] == [
        "You buy <item> for 30 coins. You have 970 coins left.",
        "You carry <item> and 970 coins.",
    ]


def test_say_unknown_code_is_an_error(world: World) -> None:
    with pytest.raises(KeyError):
        say(observe("moved")._replace(code="flown"))
