"""What a model reads of an episode: the same view and the same messages as a participant."""

from collections.abc import Sequence
from typing import NamedTuple

from app.game.command import Typed
from app.game.say import say
from app.game.view import PlayerView, text_view
from app.game.world import Observation, State

HEADINGS = ("THE WORLD", "ACCOUNTS OF EARLIER TRAVELLERS", "COMMANDS", "YOUR GOAL")
NOTHING_YET = "Nothing yet."
DIRECT = "direct"


class Turn(NamedTuple):
    """One action: what the model typed, how it was understood, and its outcome.

    `asked`: number of the question for an action, from 1, whose answer named it.
    """

    raw: str
    typed: Typed
    state: State
    observation: Observation
    asked: int


class Sections(NamedTuple):
    """The four sections of `text_view`, each with its heading."""

    world: str
    accounts: str
    commands: str
    goal: str

    @property
    def before_goal(self) -> str:
        """Return everything but the goal."""
        return "\n\n".join(self[:-1])


def sections(view: PlayerView) -> Sections:
    """Split the view's text at its headings, without changing a character."""
    text, parts = text_view(view), list[str]()
    for heading in reversed(HEADINGS[1:]):
        text, _, part = text.rpartition(f"\n\n{heading}\n")
        parts.insert(0, f"{heading}\n{part}")
    return Sections(text, *parts)


def given(view: PlayerView, form: str) -> str:
    """Return the words that a player gets of an episode before the first action.

    `form`: episodic, or direct: without the commands, since no one acts.
    """
    if form != DIRECT:
        return text_view(view)
    parts = sections(view)
    return f"{parts.world}\n\n{parts.accounts}\n\nYOUR GOAL\n{view.goal.text}"


def log(turns: Sequence[Turn]) -> str:
    """Return what has happened, one line typed and one line answered, as in the accounts."""
    lines = [f"> {turn.raw}\n{say(turn.observation)}" for turn in turns]
    return "\n".join(lines) or NOTHING_YET
