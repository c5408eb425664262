"""The help of `hjstudy simulate` names the bots by hand, so that it need not load the game."""

import re

from app.game.tiers import BOTS
from tests.pages import command_of


def test_help_names_every_bot():
    command, _ = command_of(["simulate"])
    [option] = [one for one in command.params if one.name == "bots"]
    named = re.sub(r".*bots: ", "", option.help).split(", ")
    assert sorted(named) == sorted(BOTS)
