"""Variants of the authors' package in its own world: every known difference, as players meet it."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from herosjourney import get_task
from herosjourney.core import generator
from herosjourney.core.demo_generator import (
    build_world_listing,
    generate_demos,
    generate_mixed_demos,
)
from herosjourney.core.elements import fill_elements, load_lexicons
from herosjourney.core.generator import generate_tasks

from app.agents import playing
from app.agents.presets import PACKAGE, PAPER
from app.game.certify import certify
from app.game.rules import truth
from app.game.say import say
from app.game.tasks import TASKS
from app.game.variant import content_hash
from app.game.view import player_view
from app.study.ground_truth import truth_of
from tests.agents.driving import drive, named
from tests.study.design.hosted import made, of, other_items, played, solution


@pytest.mark.parametrize("lexicon", ["semantic", "nonce"])
@pytest.mark.parametrize("task", TASKS)
def test_every_guardian_is_defeated_by_its_solution_and_the_rule_is_the_package_s(task, lexicon):
    for seed in range(3):
        variant = made(task, seed, lexicon)
        assert variant.grid == truth(variant.task)
        for at, episode in enumerate(variant.episodes):
            *_, (state, seen) = played(variant, *episode.solutions[0], at=at)
            assert (state.success, state.done, state.attempts, seen.code) == (
                *(True, True, 1),
                "defeated",
            )
            assert state.actions_used == episode.ref_length
            cell = variant.entity(episode.entity).cell
            assert episode.output == variant.grid[cell[0]][cell[1]]
            meant = dict(variant.outputs)[episode.output]
            assert replace(meant, item=episode.process.item) == episode.process
            if variant.task.family == "attribute":
                assert meant.item == episode.process.item
        assert certify(variant).share_determined == 1
        assert truth_of(variant).sentences


def test_demonstrations_are_the_package_s_own_words_and_wins():
    for task in TASKS:
        variant = of(task)
        assert len(variant.demonstrations) == len(variant.entities) - len(variant.episodes)
        for one in variant.demonstrations:
            assert one.steps[-1].command == f"defeat {one.entity}"
            assert "MAIN GOAL ACHIEVED" in one.steps[-1].message


FOLLOWS_NO_RULE = Path(generator.__file__).parent / (
    "distractors/canonical_property_distractor.json"
)
NAME = re.compile(r"^\[ (.+?) \]", re.MULTILINE)


@pytest.mark.parametrize("number", [0, 4])
def test_demonstrations_and_listing_have_the_order_of_the_package_s_own_runner(number):
    """As in herosjourney.runner.adventure_pipeline, without and with its file of distractors."""
    seed, spec = 3, get_task("conditional")
    rule = json.loads(Path(spec.rules).read_text("utf-8"))
    elements = fill_elements(rule, *load_lexicons(), seed=seed, split_spec=spec.split)
    source = spec.gen_fn(elements, split="source", use_nonce=False)
    gen = spec.gen_fn(elements, split="gen", use_nonce=False)
    shown = list(source)
    Random(seed).shuffle(shown)
    demos, listing = generate_demos(shown, 500, seed=seed), build_world_listing(source + gen)
    if number:
        file = json.loads(FOLLOWS_NO_RULE.read_text("utf-8"))
        filled = fill_elements(file, *load_lexicons(file["lexicon"]), seed=seed)
        every = generate_tasks(filled, None, None, template_name="additive", seed=seed)
        few = Random(seed).sample(every, number)
        demos = generate_mixed_demos(shown, few, gen, 500, seed=seed)
        listing = demos[0].metadata["world_listing"]
    variant = made("A-Cond", seed, distractors=number)
    assert [(d.entity_name, d.trace) for d in demos] == [
        (d.entity, [(step.command, step.message) for step in d.steps])
        for d in variant.demonstrations
    ]
    names = [one.name for one in (*variant.entities, *variant.items)]
    assert NAME.findall(listing) == names


# --- the points of docs/differences.md ---------------------------------------------------------


def test_1_conditional_task_has_twelve_tries():
    variant = of("A-Cond")
    assert {one.n_tries for one in variant.episodes} == {12} == {variant.task.n_tries}


def test_2_override_of_processes_is_the_package_s():
    variant = of("P-Over")
    words = {output: (p.activity.verb, p.order) for output, p in variant.outputs}
    assert [[words[one] for one in row] for row in variant.grid] == [
        [("perform", "before")] * 3 + [("perform", "after")],
        [("drink", "before")] * 3 + [("perform", "after")],
        [("drink", "after")] * 3 + [("perform", "after")],
    ]


def test_3_several_items_can_be_bought_and_all_count():
    variant = of("A-Comp")
    shop, buy, *rest = solution(variant)
    *_, before, (state, _) = played(variant, shop, f"buy {other_items(variant)[0]}", buy, *rest)
    assert before[0].item.count(",") == 1
    assert state.success


def test_4_too_many_activities_pass():
    variant = of("P-Add")
    lines = solution(variant)
    assert played(variant, lines[0], *lines)[-1][0].success
    fewer = lines[1:] if lines[0].startswith("perform") else lines
    assert not played(variant, *fewer)[-1][0].success


def test_5_after_ends_with_the_last_journey():
    variant, at = next(
        (variant, at)
        for seed in range(9)
        for variant in [of("P-Comp", seed)]
        for at, one in enumerate(variant.episodes)
        if one.process.order == "after"
    )
    shop, buy, act, go, defeat = solution(variant, at)
    assert played(variant, shop, buy, act, go, defeat, at=at)[-1][0].success
    state, seen = played(variant, shop, buy, go, act, defeat, at=at)[-1]
    assert (state.success, seen.code, seen.ok) == (False, "failed", False)


def test_6_any_word_is_a_place():
    variant = of("A-Comp")
    (state, seen), (back, _) = played(variant, "go nowhere at all", solution(variant)[0])
    assert (state.location, seen.ok, seen.code) == ("nowhere at all", True, "moved")
    assert "nowhere at all" in say(seen)
    assert back.location in variant.places


def test_place_longer_than_its_column_is_shortened_but_kept_in_the_log():
    long = "x" * 190
    (state, _), (again, seen) = played(of("A-Comp"), f"go {long}", f"go {long}")
    assert len(state.location) == 128
    assert again.did == (f"go {long}", f"go {long}")
    assert "Already at" in say(seen)


def test_7_listed_items_that_no_known_solution_uses_are_not_for_sale():
    variant = of("A-Comp")
    known = {*other_items(variant), variant.episodes[0].process.item}
    item = next(one for one in variant.items if one.name not in known)
    _, (state, seen) = played(variant, f"go {item.shop}", f"buy {item.name}")
    assert (seen.ok, seen.code, state.item) == (False, "refused", None)
    assert say(seen) == f"{item.name} is not for sale."


def test_8_failed_defeat_resets_nothing_but_counts_as_an_attempt():
    variant = of("A-Comp")
    shop, buy, go, defeat = solution(variant)
    wrong = other_items(variant)[0]
    turns = played(variant, shop, f"buy {wrong}", go, defeat, shop, buy, go, defeat)
    state, seen = turns[3]
    assert (seen.code, state.item, state.attempt, seen.attempt) == ("failed", wrong, 2, 1)
    assert state.did[:2] == (shop, f"buy {wrong}")
    assert turns[-1][0][-2:] == (True, True)
    assert turns[-1][0].attempts == 2


def test_defeat_elsewhere_or_of_someone_else_is_no_attempt():
    variant = of("A-Comp")
    defeat = solution(variant)[-1]
    someone = next(e for e in variant.entities if e.split == "source")
    lines = (defeat, f"go {someone.place}", f"defeat {someone.name}", "defeat nobody")
    turns = played(variant, *lines)
    assert [seen.code for _, seen in turns] == ["refused", "moved", "refused", "refused"]
    assert {state.attempt for state, _ in turns} == {1}


def test_9_spelling_makes_no_difference_because_names_are_passed_on_as_written():
    for task in TASKS:
        variant = of(task)
        lines = [line.lower().replace("_", "-") for line in solution(variant)]
        assert played(variant, *lines)[-1][0].success


def test_10_built_task_is_stored_and_has_the_same_hash_in_every_process():
    code = (
        "from app.game.variant import content_hash; "
        "from app.study.design.reference_build import build; "
        "print(content_hash(build('P-Comp', 0, 'semantic', 4)))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    variant = of("P-Comp")
    assert other.stdout.strip() == content_hash(variant)
    assert set(json.loads(variant.built)) == {"coins", "goals", "shown"}


def test_11_ten_refusals_in_a_row_end_a_models_episode_but_not_a_persons():
    variant = of("A-Comp")
    lines = ["defeat nobody"] * 11
    assert [state.done for state, _ in played(variant, *lines[:7])] == [False] * 7
    for preset in (PAPER, PACKAGE):
        setting = playing.setting_of(variant, 0, preset)
        setting = replace(setting, world=replace(setting.world, budget=40))
        _, found = drive(playing.plain(setting), lambda _ask, _n: named(lines[0]))
        assert (found.end, len(found.turns)) == (playing.PATIENCE, 10)


def test_12_commands_that_are_not_understood_cost_an_action():
    variant = of("A-Comp")
    (state, seen), *_ = played(variant, "look around")
    assert (state.actions_used, seen.ok, seen.code) == (1, False, "refused")
    assert say(seen).startswith("Invalid action 'look'.")


def test_13_budget_is_twice_the_reference_length():
    for task in TASKS:
        variant = of(task)
        assert [one.budget for one in variant.episodes] == [
            2 * one.ref_length for one in variant.episodes
        ]
        budget = variant.episodes[0].budget
        state, seen = played(variant, *["check_location"] * budget)[-1]
        assert (state.done, state.success, seen.done) == (True, False, True)
        for preset in (PAPER, PACKAGE):
            assert playing.setting_of(variant, 0, preset).world.budget == budget
    assert "about two full attempts" in player_view(of("P-Add"), 0).budget_text


def test_14_world_is_listed_in_the_package_s_order():
    variant = of("P-Comp")
    assert [one.split for one in variant.entities] == ["source"] * 3 + ["gen"] + ["distractor"] * 4
    view = player_view(variant, 0)
    assert [one.name for one in view.people] == [one.name for one in variant.entities]


def test_15_conditional_task_lists_the_six_items_that_the_rule_reaches():
    variant = of("A-Cond")
    every = {process.item for _, process in variant.outputs}
    assert len(every) == 12
    assert len(every & {one.name for one in variant.items}) == 6
