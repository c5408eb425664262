"""A model that guesses plays as the bot that guesses does, whatever the method asks besides."""

import random
from itertools import product

import pytest

from app.agents.playing import LOST, METHODS, WON, play, setting_of
from app.agents.presets import PAPER
from app.game import world
from app.game.bots import make_bot
from tests.agents.driving import acting, drive, made

TASKS = ("A-Comp", "A-Over", "P-Add", "P-Comp")
SEEDS = range(1, 7)


def guessed(name, variant, seed):
    """Return the lines of a bot that guesses, and whether it wins."""
    bot = make_bot(name, variant, 0, random.Random(seed))
    here, lines = world.episode_world(variant, 0), []
    state, seen = world.start(here), None
    while not state.done:
        lines.append(bot.next_command(seen, state) or "check_location")
        _, state, seen = world.play(here, state, lines[-1])
    return lines, state.success


@pytest.mark.parametrize("method", METHODS)
def test_guessing_model_scores_what_the_guessing_bot_scores_in_every_method(method):
    """So its floor is the bot's, whose exact expectation is proved with the bots."""
    ends = set()
    for task, bot in product(TASKS, ("enumerator", "copycat")):
        for seed in SEEDS:
            variant = made(task, seed)
            lines, wins = guessed(bot, variant, seed)
            _, played = drive(play(method, setting_of(variant, 0, PAPER)), acting(lines))
            assert [turn.raw for turn in played.turns] == lines
            assert played.end == (WON if wins else LOST)
            ends.add(played.end)
    assert ends == {WON, LOST}
