"""What an episode would ask if it is won at once, if it is lost, and at the very most."""

import json
from collections.abc import Callable, Iterator
from itertools import chain, cycle, islice, repeat
from typing import NamedTuple

from app.agents import playbooks, playing
from app.agents.asking import Ask, Asking, drive
from app.agents.playing import Setting
from app.agents.presets import Preset
from app.agents.replies import CHARACTERS_PER_TOKEN
from app.agents.words import log
from app.game.command import MAX_LENGTH
from app.game.model import Episode

LONGEST_ANSWER = 400  # characters that the world says at most in one turn
TURN = MAX_LENGTH + LONGEST_ANSWER + len("> \n\n")
LOOK = "check_location"  # always understood, and of no use
THOUGHT = "x" * 400  # a usual length of a hypothesis


class Tally(NamedTuple):
    """Calls, with the characters of their prompts and of their answers."""

    calls: int = 0
    read: int = 0
    written: int = 0

    def plus(self, calls: int, read: int, written: int) -> "Tally":
        """Return the sum."""
        return Tally(self.calls + calls, self.read + read, self.written + written)


class Imagined(NamedTuple):
    """An episode that nobody has played.

    `actions`: calls for an action, each of which shows the advice. `is_won`: whether it is won.
    `log`: characters of what has happened by its end; `trace`: of what ACE's reflections show.
    """

    tally: Tally
    actions: int
    is_won: bool
    log: int
    trace: int


Play = Callable[[str, Setting, Episode], Imagined]


def won(method: str, setting: Setting, episode: Episode) -> Imagined:
    """Imagine the shortest way to win, with empty thoughts, which are the shortest."""
    ways = (played(method, setting, iter(way), "") for way in episode.solutions)
    return min(ways, key=lambda one: one.tally.read)


def lost(method: str, setting: Setting, episode: Episode) -> Imagined:
    """Imagine failing with as many actions for each attempt as the reference has."""
    world, length = setting.world, episode.ref_length
    defeat = f"defeat {world.entity}"
    first = (f"go {world.place}", *[LOOK] * (length - 2), defeat)
    more = (*[LOOK] * (length - 1), defeat)
    return played(method, setting, chain(first, cycle(more)), THOUGHT)


def played(method: str, setting: Setting, lines: Iterator[str], thought: str) -> Imagined:
    """Drive an episode with command lines, and the same text for everything else."""
    tally, actions = Tally(), 0

    def answer(ask: Ask, _number: int) -> str:
        nonlocal tally, actions
        is_action = ask.purpose == "action"
        text = named(next(lines, LOOK)) if is_action else thought
        tally = tally.plus(1, len(ask.prompt), len(text))
        actions += is_action
        return text

    end = drive(playing.play(method, setting), answer)
    trace = len(playbooks.trace_of(setting, end))
    return Imagined(tally, actions, end.end == playing.WON, len(log(end.turns)), trace)


def named(line: str) -> str:
    """Return an answer that names a command."""
    action, _, argument = line.partition(" ")
    return json.dumps({"action": action, "argument": argument})


def most(method: str, setting: Setting, _episode: Episode) -> Imagined:
    """Imagine what the rules allow at most; answers and lines are as long as they can be.

    If unreadable answers cost no action, all but one of those that end an episode in a row can
    come before each action that does something. Otherwise the calls for actions are as many as the
    budget, and defeats that fail add revisions (IDEA).
    """
    preset, tally, turns, actions = setting.preset, Tally(), 0, 0
    often = 1 if preset.unreadable_costs else preset.patience
    lines = failing(setting) if preset.unreadable_costs else repeat(LOOK)

    def answer(ask: Ask, _number: int) -> str:
        nonlocal tally, turns, actions
        length = ask.max_tokens * CHARACTERS_PER_TOKEN
        if ask.purpose != "action":
            shown = min(turns, preset.last_turns) * TURN if ask.purpose == "revision" else 0
            tally = tally.plus(1, len(ask.prompt) + shown, length)
            return "x" * length
        read = len(ask.prompt) + turns * TURN
        tally = tally.plus(often, often * read, often * length)
        turns, actions = turns + 1, actions + often
        return named(next(lines))

    drive(playing.play(method, setting), answer)
    goal = len(f"{setting.view.goal.text}\n")
    return Imagined(tally, actions, is_won=False, log=turns * TURN, trace=goal + turns * TURN)


def failing(setting: Setting) -> Iterator[str]:
    """Yield the lines of an episode that has as many revisions as there can be; '' = unreadable.

    The first answer is not read, so that the last defeat does not use up the budget: no revision
    would follow. Before each look there are as many failing defeats as patience allows.
    """
    world, tired = setting.world, setting.preset.patience - 1
    defeat = f"defeat {world.entity}"
    lines = chain(["", f"go {world.place}"], cycle([*[defeat] * tired, LOOK]))
    yield from islice(lines, (world.budget or 0) - 1)
    yield defeat


def asked_once(method: Asking[object], *, longest: bool) -> Tally:
    """Return what a method of one question asks."""
    tally = Tally()

    def answer(ask: Ask, _number: int) -> str:
        nonlocal tally
        length = ask.max_tokens * CHARACTERS_PER_TOKEN if longest else 0
        tally = tally.plus(1, len(ask.prompt), length)
        return ""

    drive(method, answer)
    return tally


def learnt(traces: int, preset: Preset, *, longest: bool) -> tuple[Tally, int]:
    """Return what ACE asks about empty traces, and the length of the playbook that comes of it.

    With `longest`, its advice is numbers: no pieces of advice are more, or are listed at length
    with fewer characters of an answer.
    """
    tally, numbers = Tally(), iter(range(10, 1_000_000))

    def answer(ask: Ask, number: int) -> str:
        nonlocal tally
        length = ask.max_tokens * CHARACTERS_PER_TOKEN
        if ask.purpose != "reflection":
            text = ""
        elif longest:
            text = pieces(numbers, length)
        else:
            text = json.dumps({"new": [f"{number} {THOUGHT[:200]}"]})
        tally = tally.plus(1, len(ask.prompt), length if longest else len(text))
        return text

    advice = drive(playbooks.learn([""] * traces, preset), answer)
    return tally, len(advice)


def pieces(numbers: Iterator[int], length: int) -> str:
    """Return advice of `length` characters, in as many pieces as fit."""
    found = list[int]()
    left = length - len('{"new":[]}')
    while left > len("999999,"):
        found.append(next(numbers))
        left -= len(f"{found[-1]},")
    return json.dumps({"new": found}, separators=(",", ":"))
