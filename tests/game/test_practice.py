"""Practice: the goal names everything needed, nothing is hidden, nothing runs out."""

from app.game.practice import practice_variant
from app.game.variant import canonical_json, from_json
from app.game.view import player_view
from app.game.world import episode_world, replay


def test_practice_is_the_same_every_time() -> None:
    assert practice_variant() == practice_variant()


def test_practice_goal_names_item_ritual_shop_and_place() -> None:
    text = practice_variant().episodes[0].goal
    for word in ("practice_sword", "lantern_dance", "toy_shop", "wheat_field", "Old Scarecrow"):
        assert word in text


def test_practice_every_solution_wins() -> None:
    variant = practice_variant()
    for solution in variant.episodes[0].solutions:
        turns = replay(episode_world(variant, 0), solution)
        assert turns[-1][1].success
        assert len(turns) == variant.episodes[0].ref_length


def test_practice_has_no_limit_and_says_so() -> None:
    variant = practice_variant()
    view = player_view(variant, 0)
    assert view.budget is None
    assert "no limit" in view.budget_text
    assert not replay(episode_world(variant, 0), ["dance"] * 300)[-1][1].done


def test_practice_coins_last_for_a_hundred_failed_attempts() -> None:
    attempt = ["go toy_shop", "buy practice_sword", "go wheat_field", "defeat Old Scarecrow"]
    turns = replay(episode_world(practice_variant(), 0), attempt * 100)
    assert {o.code for _, _, o in turns} == {"moved", "bought", "failed"}


def test_practice_account_ends_in_victory() -> None:
    (account,) = player_view(practice_variant(), 0).tales
    assert account.entity == "Snow Figure"
    assert "yields" in account.steps[-1].message


def test_practice_variant_survives_storage() -> None:
    variant = practice_variant()
    assert from_json(canonical_json(variant)) == variant
