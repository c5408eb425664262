"""Other people's programs that play by themselves: they read and send what people read and send.

A question holds only what is new: first the words of the episode, then the world's answer to the
last command. So the stored answers lead to the same questions again, as with every method.
"""

from collections.abc import Sequence

from app.agents.answering import PARTS, Explanation
from app.agents.asking import Ask, Asking, as_text, read_object
from app.agents.playing import LOST, WON, Played, Setting
from app.agents.words import DIRECT, Turn, given
from app.game import world
from app.game.command import InputError
from app.game.say import say
from app.game.view import PlayerView, text_view

RULE = "What is the rule? Say which traits matter, what they decide, and how."


def play(setting: Setting) -> Asking[Played]:
    """Play an episode until it is won or its budget is used up, as people do."""
    played, state, shown = Played(), world.start(setting.world), text_view(setting.view)
    while not state.done:
        line = yield Ask("action", shown, 0)
        try:
            typed, state, seen = world.play(setting.world, state, line)
        except InputError:  # never stored: it is refused when it is sent
            played.unreadable += 1
            continue
        asked = len(played.turns) + played.unreadable + 1
        played.turns.append(Turn(line, typed, state, seen, asked))
        shown = say(seen)
    played.end = WON if state.success else LOST
    return played


def answer(view: PlayerView, fields: Sequence[str]) -> Asking[dict[str, str]]:
    """Ask what defeats a guardian, in the direct format. Returns the fields as typed."""
    found = read_object((yield Ask("answer", given(view, DIRECT), 0))) or {}
    return {name: as_text(found[name]) for name in fields if name in found}


def explain() -> Asking[Explanation]:
    """Ask for the rule: in three parts, or as one text."""
    found = read_object((yield Ask("explanation", RULE, 0))) or {}
    return Explanation(**{name: as_text(found.get(name)) for name in ("text", *PARTS)})
