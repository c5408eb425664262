"""The rules of play, one by one."""

import pytest

from app.game.command import EmptyInputError, InputError
from app.game.model import Process, Variant
from app.game.world import (
    DoneError,
    Observation,
    State,
    World,
    build_world,
    episode_world,
    play,
    replay,
    start,
    used_verbs,
)

TO_SHOP, TO_GUARDIAN, DEFEAT = "go forge", "go quarry", "defeat Lyra Blackmoor"
PERFORM, DRINK, HALBERD = "perform moon_rite", "drink ember_draught", "buy iron_halberd"
WON = [TO_SHOP, "buy size_2_spear", TO_GUARDIAN, DEFEAT]
LOST = [TO_SHOP, "buy size_0_spear", TO_GUARDIAN, DEFEAT]


@pytest.fixture
def world(attribute_variant: Variant) -> World:
    """Size 2 defeats Lyra Blackmoor; 12 actions."""
    return episode_world(attribute_variant, 0)


@pytest.fixture(scope="module")
def rite_world(procedural_variant: Variant) -> World:
    """Two draughts after buying the halberd defeat Lyra Blackmoor; 24 actions."""
    return episode_world(procedural_variant, 0)


def last(world: World, commands: list[str]) -> tuple[State, Observation]:
    """Play the commands and return the result of the last one."""
    _, state, observation = replay(world, commands)[-1]
    return state, observation


def codes(world: World, commands: list[str]) -> list[str]:
    return [observation.code for _, _, observation in replay(world, commands)]


def test_start_is_a_neutral_place_with_empty_hands(world: World) -> None:
    assert start(world) == State("crossroads", None, (), 1000, 0, 1, done=False, success=False)


@pytest.mark.parametrize("place", ["forge", "mire", "old_vineyard"])
def test_go_elsewhere_moves(world: World, place: str) -> None:
    state, observation = last(world, [f"go {place}"])
    assert state.location == place
    assert observation == Observation("moved", (place,), True, False, False, 1)  # noqa: FBT003


def test_go_to_the_start_place_moves(world: World) -> None:
    assert codes(world, [TO_SHOP, "go crossroads"]) == ["moved", "moved"]


def test_go_to_the_current_place_is_refused(world: World) -> None:
    state, observation = last(world, ["go crossroads"])
    assert (observation.code, observation.ok, state.actions_used) == ("already_there", False, 1)


def test_buy_away_from_the_shop_is_refused_and_costs_nothing_but_the_action(world: World) -> None:
    state, observation = last(world, ["buy size_1_spear"])
    assert (observation.code, observation.params) == ("not_sold_here", ("size_1_spear", "forge"))
    assert (state.item, state.coins, state.did, state.actions_used) == (None, 1000, (), 1)


def test_buy_at_the_shop_takes_the_coins_and_is_remembered(world: World) -> None:
    state, observation = last(world, [TO_SHOP, "buy size_1_spear"])
    assert (state.item, state.coins, state.did) == ("size_1_spear", 970, ("buy size_1_spear",))
    assert (observation.code, observation.params) == ("bought", ("size_1_spear", "30", "970"))


def test_buy_without_enough_coins_is_refused(world: World) -> None:
    state = start(world)._replace(location="forge", coins=29)
    _, after, observation = play(world, state, "buy size_1_spear")
    assert (observation.code, observation.params) == ("too_dear", ("size_1_spear", "30", "29"))
    assert after.item is None


def test_buy_with_exactly_enough_coins_works(world: World) -> None:
    state = start(world)._replace(location="forge", coins=30)
    assert play(world, state, "buy size_1_spear")[1].coins == 0


@pytest.mark.parametrize("second", ["buy size_1_spear", "buy size_2_spear", "buy barbed_lance"])
def test_buy_twice_in_an_attempt_is_refused_with_the_way_to_start_over(
    world: World, second: str
) -> None:
    state, observation = last(world, [TO_SHOP, "buy size_1_spear", second])
    assert observation.code == "already_bought"
    assert observation.params == ("size_1_spear", "Lyra Blackmoor", "quarry")
    assert (state.item, state.coins, state.did) == ("size_1_spear", 970, ("buy size_1_spear",))


def test_buy_again_after_a_failed_attempt_works(world: World) -> None:
    assert codes(world, [*LOST, *WON])[-1] == "defeated"


def test_perform_and_drink_anywhere_are_remembered_in_order(rite_world: World) -> None:
    state, _ = last(rite_world, [DRINK, "go mire", PERFORM, PERFORM, TO_SHOP, HALBERD, DRINK])
    assert state.did == (DRINK, PERFORM, PERFORM, HALBERD, DRINK)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("get size_1_spear", "nothing_to_get"),
        ("rescue Orla Fenwick", "nobody_to_rescue"),
        ("rescue Lyra Blackmoor", "nobody_to_rescue"),
    ],
)
def test_get_and_rescue_are_understood_and_refused(world: World, command: str, code: str) -> None:
    typed, state, observation = replay(world, [command])[0]
    assert (typed.status, observation.code, observation.ok) == ("ok", code, False)
    assert state == start(world)._replace(actions_used=1)


@pytest.mark.parametrize(
    ("before", "command", "code", "params"),
    [
        ([], "check_inventory", "empty_hands", ("1000",)),
        ([TO_SHOP, "buy size_1_spear"], "check_inventory", "inventory", ("size_1_spear", "970")),
        (["go mire"], "check_location", "location", ("mire",)),
    ],
)
def test_check_commands_report_and_cost_an_action(
    world: World, before: list[str], command: str, code: str, params: tuple[str, ...]
) -> None:
    state, observation = last(world, [*before, command])
    assert (observation.code, observation.params, observation.ok) == (code, params, True)
    assert state.actions_used == len(before) + 1


def test_defeat_away_from_the_guardian_is_refused_and_the_attempt_goes_on(world: World) -> None:
    bought = [TO_SHOP, "buy size_2_spear"]
    state, observation = last(world, [*bought, DEFEAT])
    assert (observation.code, observation.ok) == ("entity_not_here", False)
    assert (state.item, state.attempt) == ("size_2_spear", 1)
    assert codes(world, [*bought, DEFEAT, TO_GUARDIAN, DEFEAT])[-1] == "defeated"


@pytest.mark.parametrize("place", ["tower", "quarry"])
def test_defeat_of_another_entity_is_refused_even_at_its_place(world: World, place: str) -> None:
    state, observation = last(world, [f"go {place}", "defeat Orla Fenwick"])
    assert (observation.code, observation.ok) == ("other_entity", False)
    assert observation.params == ("Orla Fenwick", "Lyra Blackmoor")
    assert state.attempt == 1


def test_defeat_of_an_unknown_entity_is_refused_and_the_attempt_goes_on(world: World) -> None:
    state, observation = last(world, [*LOST[:3], "defeat Nobody"])
    assert (observation.code, state.attempt, state.item) == ("unknown_name", 1, "size_0_spear")


def test_defeat_with_the_right_item_wins_and_ends_the_episode(world: World) -> None:
    state, observation = last(world, WON)
    assert (observation.code, observation.done, observation.success) == ("defeated", True, True)
    assert (state.done, state.success, state.actions_used, state.attempts) == (True, True, 4, 1)


def test_defeat_with_the_wrong_item_fails_the_attempt(world: World) -> None:
    state, observation = last(world, LOST)
    assert observation == Observation("failed", ("Lyra Blackmoor",), True, False, False, 1)  # noqa: FBT003
    assert state == State("quarry", None, (), 970, 4, 2, done=False, success=False)


def test_defeat_with_empty_hands_fails_the_attempt(world: World) -> None:
    state, observation = last(world, [TO_GUARDIAN, DEFEAT])
    assert (observation.code, observation.attempt, state.attempt) == ("failed", 1, 2)


def test_defeat_that_fails_carries_the_number_of_the_attempt_that_failed(world: World) -> None:
    turns = replay(world, [*LOST, DEFEAT, *WON])
    assert [o.attempt for _, _, o in turns] == [1, 1, 1, 1, 2, 3, 3, 3, 3]
    assert [s.attempt for _, s, _ in turns] == [1, 1, 1, 2, 3, 3, 3, 3, 3]
    assert turns[-1][1].attempts == 3


@pytest.mark.parametrize("wrong", [0, 1])
def test_defeat_that_fails_says_the_same_for_every_wrong_item(world: World, wrong: int) -> None:
    commands = [TO_SHOP, f"buy size_{wrong}_spear", TO_GUARDIAN, DEFEAT]
    assert last(world, commands) == last(world, [TO_SHOP, "buy size_0_spear", TO_GUARDIAN, DEFEAT])


@pytest.mark.parametrize(
    "draughts",
    [
        [DRINK, DRINK, TO_GUARDIAN],
        [DRINK, TO_GUARDIAN, DRINK],
        [TO_GUARDIAN, DRINK, DRINK],
    ],
)
def test_defeat_succeeds_with_the_activity_on_either_side_of_the_last_journey(
    rite_world: World, draughts: list[str]
) -> None:
    assert codes(rite_world, [TO_SHOP, HALBERD, *draughts, DEFEAT])[-1] == "defeated"


def test_second_purchase_is_refused_so_it_does_not_count_against_a_right_attempt(
    rite_world: World,
) -> None:
    commands = [TO_SHOP, HALBERD, HALBERD, DRINK, DRINK, TO_GUARDIAN, DEFEAT]
    assert codes(rite_world, commands)[-1] == "defeated"


def test_budget_used_up_without_success_ends_the_episode_as_failed(world: World) -> None:
    turns = replay(world, ["dance"] * 12)
    assert [o.done for _, _, o in turns] == [False] * 11 + [True]
    assert (turns[-1][1].done, turns[-1][1].success, turns[-1][1].actions_used) == (True, False, 12)


def test_budget_last_action_may_still_win(world: World) -> None:
    state, observation = last(world, ["check_location"] * 8 + WON)
    assert (observation.success, state.success, state.actions_used) == (True, True, 12)


def test_budget_last_action_that_fails_counts_its_attempt(world: World) -> None:
    state, observation = last(world, LOST * 3)
    assert (observation.code, observation.done, observation.attempt) == ("failed", True, 3)
    assert (state.attempts, state.success) == (3, False)


def test_no_budget_means_no_end_without_success(attribute_variant: Variant) -> None:
    process = attribute_variant.episodes[0].process
    world = build_world(attribute_variant, "Lyra Blackmoor", process, None)
    assert not last(world, ["dance"] * 500)[0].done


@pytest.mark.parametrize("finished", [WON, LOST * 3])
@pytest.mark.parametrize("command", ["go forge", "dance"])
def test_play_after_the_end_is_refused(world: World, finished: list[str], command: str) -> None:
    state = replay(world, finished)[-1][1]
    with pytest.raises(DoneError) as caught:
        play(world, state, command)
    assert caught.value.code == "game/done"


def test_play_mistyped_command_is_an_action_that_changes_nothing_else(world: World) -> None:
    state = start(world)
    for command in ("go", "go nowhere", "dance", "buy forge", "go forge now"):
        _, after, observation = play(world, state, command)
        assert after == state._replace(actions_used=1)
        assert not observation.ok


def test_play_unknown_verb_lists_the_verbs_of_this_world(world: World, rite_world: World) -> None:
    params = "go, buy, defeat, check_inventory, check_location"
    assert last(world, ["dance"])[1].params == (params,)
    params = "go, buy, defeat, perform, drink, check_inventory, check_location"
    assert last(rite_world, ["dance"])[1].params == (params,)


def test_play_empty_command_is_not_an_action(world: World) -> None:
    with pytest.raises(EmptyInputError):
        play(world, start(world), "  ")


def test_play_input_that_is_not_a_command_is_not_an_action(world: World) -> None:
    for raw in ("go forge\n", "go\tforge", "go \x00", "g" * 201, "\ud800"):
        with pytest.raises(InputError):
            play(world, start(world), raw)


def test_used_verbs_are_those_the_world_has_a_use_for(
    attribute_variant: Variant, procedural_variant: Variant
) -> None:
    assert "perform" not in used_verbs(attribute_variant)
    assert used_verbs(procedural_variant)[3:5] == ("perform", "drink")
    assert "get" not in used_verbs(procedural_variant)


def test_build_world_with_an_unknown_name_is_refused(attribute_variant: Variant) -> None:
    process = attribute_variant.episodes[0].process
    with pytest.raises(KeyError):
        build_world(attribute_variant, "Nobody", process)
    with pytest.raises(KeyError):
        build_world(attribute_variant, "Lyra Blackmoor", Process("feather", None, None, 0))
