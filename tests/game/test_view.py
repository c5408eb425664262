"""What a player sees: everything needed, in an order that reveals nothing, and no more."""

from dataclasses import replace

import pytest

from app.game.model import Demonstration, Step, Variant
from app.game.tasks import TASKS
from app.game.view import GoalView, Person, Tale, Ware, player_view, text_view

SHOWN = Demonstration(
    "Orla Fenwick", distractor=False, steps=(Step("go forge", "You travel to forge."),)
)


def test_view_lists_everything_in_alphabetical_order(variant: Variant) -> None:
    view = player_view(variant, 0)
    assert list(view.people) == sorted(view.people)
    assert list(view.items) == sorted(view.items)
    assert list(view.activities) == sorted(view.activities)
    assert list(view.places) == sorted(view.places)
    assert {p.name for p in view.people} == {e.name for e in variant.entities}
    assert {i.name for i in view.items} == {i.name for i in variant.items}
    assert set(view.places) == set(variant.places)
    assert view.labels == ("class", "omen", "role", "sign")


def test_view_does_not_depend_on_the_order_in_the_variant(variant: Variant) -> None:
    turned = replace(
        variant,
        entities=variant.entities[::-1],
        items=variant.items[::-1],
        places=variant.places[::-1],
        activities=variant.activities[::-1],
    )
    assert player_view(turned, 0) == player_view(variant, 0)


def test_view_goal_of_an_attribute_world_names_no_item(attribute_variant: Variant) -> None:
    assert player_view(attribute_variant, 0).goal == GoalView(
        "Lyra Blackmoor",
        "quarry",
        (("class", "scribe"), ("role", "berserker")),
        "Defeat Lyra Blackmoor.",
        None,
    )


def test_view_goal_of_a_procedural_world_names_the_item(procedural_variant: Variant) -> None:
    assert player_view(procedural_variant, 0).goal.item == "iron_halberd"


def test_view_parts_carry_name_place_and_price(procedural_variant: Variant) -> None:
    view = player_view(procedural_variant, 0)
    assert view.people[0] == Person(
        "Bram Holloway", "mill", (("class", "ranger"), ("role", "berserker"))
    )
    assert view.items[0] == Ware("barbed_lance", "club_stall", 30)
    assert view.activities == (("drink", "ember_draught"), ("perform", "moon_rite"))
    assert (view.start, view.coins) == ("crossroads", 1000)


def test_view_tales_keep_the_shown_order(attribute_variant: Variant) -> None:
    other = replace(SHOWN, entity="Nils Harrow", distractor=True)
    view = player_view(replace(attribute_variant, demonstrations=(SHOWN, other)), 0)
    assert [(t.number, t.entity) for t in view.tales] == [(1, "Orla Fenwick"), (2, "Nils Harrow")]
    attributes = (("class", "ranger"), ("role", "prophet"))
    assert view.tales[0] == Tale(1, "Orla Fenwick", "tower", attributes, SHOWN.steps)


def test_view_verbs_are_those_of_the_world_with_what_they_ask_for(
    attribute_variant: Variant, procedural_variant: Variant
) -> None:
    assert player_view(attribute_variant, 0).verbs == (
        ("go", "place"),
        ("buy", "item"),
        ("defeat", "guardian"),
        ("check_inventory", ""),
        ("check_location", ""),
    )
    assert ("drink", "potion") in player_view(procedural_variant, 0).verbs


@pytest.mark.parametrize("wanted", [None, True])
def test_budget_of_a_task_with_one_length_is_shown(
    attribute_variant: Variant, wanted: bool | None
) -> None:
    view = player_view(attribute_variant, 0, budget_shown=wanted)
    assert view.budget == 12
    assert "12 actions" in view.budget_text


def test_budget_a_study_hides_is_in_no_field_and_no_word(attribute_variant: Variant) -> None:
    view = player_view(attribute_variant, 0, budget_shown=False)
    assert view.budget is None
    assert view.budget_text == "The number of your actions is limited."


@pytest.mark.parametrize("wanted", [None, True])
def test_budget_that_would_give_the_count_away_is_never_shown(
    procedural_answers: tuple[Variant, ...], wanted: bool | None
) -> None:
    """The words come from the number of tries, so they hold in every cell."""
    views = {player_view(v, 0, budget_shown=wanted) for v in procedural_answers}
    assert len(views) == 1
    (view,) = views
    assert view.budget is None
    assert "enough for about four full attempts" in view.budget_text


def test_budget_of_the_paper_task_with_a_count_reads_three_attempts(
    procedural_variant: Variant,
) -> None:
    episode = replace(procedural_variant.episodes[0], n_tries=TASKS["P-Add"].n_tries)
    variant = replace(procedural_variant, task=TASKS["P-Add"], episodes=(episode,))
    assert "enough for about three full attempts" in player_view(variant, 0).budget_text


def test_view_holds_no_word_for_split_rule_or_origin(variant: Variant) -> None:
    """Only the listed fields of the variant are shown; the seed is easy to recognise."""
    marked = replace(variant, seed=987654, lexicon="marked-lexicon", coverage="2/3")
    words = repr(player_view(marked, 0)) + text_view(player_view(marked, 0))
    for secret in ("987654", "marked-lexicon", "2/3", "gen", "source", "distractor", "Tiny"):
        assert secret not in words


def test_text_view_contains_everything_in_the_view(procedural_variant: Variant) -> None:
    view = player_view(replace(procedural_variant, demonstrations=(SHOWN,)), 0)
    text = text_view(view)
    words = [name for p in view.people for name in (p.name, p.place)]
    words += [i.name for i in view.items] + [name for _, name in view.activities]
    words += [*view.places, *view.labels, view.goal.text, view.budget_text, view.start]
    words += [verb for verb, _ in view.verbs] + ["1000 coins", "30 coins", "> go forge"]
    assert [word for word in words if word not in text] == []


def test_text_view_reads_as_the_golden_text(attribute_variant: Variant) -> None:
    text = text_view(player_view(replace(attribute_variant, demonstrations=(SHOWN,)), 0))
    assert text[text.index("ACCOUNTS") :].splitlines() == [
        "ACCOUNTS OF EARLIER TRAVELLERS",
        "Every account ends in victory. Some share a hidden pattern, others follow none.",
        "1. Orla Fenwick (class: ranger, role: prophet) at tower",
        "  > go forge",
        "  You travel to forge.",
        "",
        "COMMANDS",
        "  go <place>",
        "  buy <item>",
        "  defeat <guardian>",
        "  check_inventory",
        "  check_location",
        "One purchase is all an attempt allows. A defeat that fails ends the attempt,",
        "and the next one begins where you stand.",
        "",
        "YOUR GOAL",
        "Defeat Lyra Blackmoor.",
        "You have 12 actions. Every command counts as one.",
    ]
