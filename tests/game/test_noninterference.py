"""The answer for a gen cell is invisible to its player until the first `defeat` at the guardian.

Two variants that differ in that answer only are played side by side, for all eight tasks: the
pages, the words and the states must be the same up to there, or to the end of the smaller budget.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Variant
from app.game.say import say
from app.game.tasks import TASK_NAMES, TASKS, has_fixed_ref_length
from app.game.variant import generate, with_answer
from app.game.view import player_view, text_view
from app.game.world import World, episode_world, play, start

LEXICA = Path(__file__).parents[2] / "app" / "lexica"
JUNK = ["go", "go nowhere", "dance", "buy nothing", "check inventory", "🐉"]


@lru_cache
def lexicon(name: str) -> Lexicon:
    return parse_lexicon((LEXICA / f"{name}.json").read_text(encoding="utf-8"))


@lru_cache
def made(task: str, seed: int, words: str) -> Variant:
    return generate(TASKS[task], seed, lexicon(words))


@lru_cache
def other_answers(variant: Variant, index: int) -> tuple[Variant, ...]:
    """Return the variant with every other answer for the cell of that episode."""
    cell = variant.entity(variant.episodes[index].entity).cell
    assert cell is not None
    right = variant.episodes[index].output
    return tuple(with_answer(variant, cell, o) for o, _ in variant.outputs if o != right)


def pairs(task: str, seed: int, words: str) -> Iterator[tuple[Variant, Variant, int]]:
    variant = made(task, seed, words)
    for index in range(len(variant.episodes)):
        for other in other_answers(variant, index):
            yield variant, other, index


def first_difference(one: World, two: World, commands: list[str]) -> str | None:
    """Play both worlds in parallel and return the first command they answer differently.

    Stops at a `defeat` at the guardian, and before the last action of the smaller budget if the
    budgets differ.
    """
    assert one.budget is not None
    assert two.budget is not None
    actions = min(one.budget, two.budget) - (one.budget != two.budget)
    left, right = start(one), start(two)
    for command in commands[:actions]:
        _, left, answer = play(one, left, command)
        _, right, other_answer = play(two, right, command)
        if {answer.code, other_answer.code} & {"defeated", "failed"}:
            return None
        if (left, answer, say(answer)) != (right, other_answer, say(other_answer)):
            return command
    return None


@pytest.mark.parametrize("words", ["semantic", "nonce"])
@pytest.mark.parametrize("task", TASK_NAMES)
def test_views_of_all_answers_are_the_same(task: str, words: str) -> None:
    for variant, other, index in pairs(task, 0, words):
        assert variant != other
        view, also_view = player_view(variant, index), player_view(other, index)
        assert view == also_view
        assert text_view(view).encode() == text_view(also_view).encode()


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_command_after_every_step_of_a_solution_is_answered_the_same(task: str) -> None:
    """The two worlds could differ after any prefix of the right solution."""
    for variant, other, index in pairs(task, 1, "semantic"):
        one, two = episode_world(variant, index), episode_world(other, index)
        for solution in (variant.episodes[index].solutions[0], other.episodes[index].solutions[0]):
            for length in range(len(solution)):
                for line in (*one.lines, *JUNK):
                    assert first_difference(one, two, [*solution[:length], line]) is None


@given(data=st.data())
def test_any_sequence_is_answered_the_same_until_the_first_defeat(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(TASK_NAMES))
    variant = made(task, data.draw(st.integers(0, 3)), "semantic")
    index = data.draw(st.integers(0, len(variant.episodes) - 1))
    other = data.draw(st.sampled_from(other_answers(variant, index)))
    one, two = episode_world(variant, index), episode_world(other, index)
    useful = [c for v in (variant, other) for c in v.episodes[index].solutions[0][:-1]]
    pool = [*one.lines, *JUNK, *useful * 5]
    commands = data.draw(st.lists(st.sampled_from(pool), max_size=one.budget))
    assert first_difference(one, two, commands) is None


@pytest.mark.parametrize("task", TASK_NAMES)
def test_worlds_do_differ_at_the_first_defeat(task: str) -> None:
    """The comparison above can fail: the right solution wins in one world only."""
    for variant, other, index in pairs(task, 0, "semantic"):
        codes = set()
        for world in (episode_world(variant, index), episode_world(other, index)):
            state = start(world)
            for command in variant.episodes[index].solutions[0]:
                _, state, observation = play(world, state, command)
            codes.add(observation.code)
        assert codes == {"defeated", "failed"}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_budget_is_shown_exactly_where_it_is_the_same_for_all_answers(task: str) -> None:
    variant = made(task, 0, "semantic")
    budgets = {v.episodes[0].budget for v in (variant, *other_answers(variant, 0))}
    assert (player_view(variant, 0).budget is not None) == (len(budgets) == 1)
    assert has_fixed_ref_length(TASKS[task]) == (task != "P-Add")


def test_budget_of_p_add_reads_three_attempts_for_every_count() -> None:
    variant = made("P-Add", 0, "semantic")
    for answer in (variant, *other_answers(variant, 0)):
        view = player_view(answer, 0)
        assert view.budget_text == "You have actions enough for about three full attempts."
