"""Simulated players: floors and ceilings for every score, pilots and load tests.

A bot types canonical command lines and reads what a player reads: its location, the last answer
and the number of the attempt. All it knows beforehand is the order in which it tries outputs
(`tiers.py`); it remembers nothing from one episode to the next.
Source: game.md section 7.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from app.errors import FieldError
from app.game.command import UNDERSTOOD, Vocabulary, build_vocabulary, parse
from app.game.expectation import SLIP, Expectation, expected, floors, win_chances
from app.game.model import Command, Output, Variant
from app.game.names import shuffled
from app.game.tiers import BOTS, FLOORS, tiers
from app.game.world import Observation, State

__all__ = [
    "BOTS",
    "FLOORS",
    "GIVE_UP",
    "SLIP",
    "Bot",
    "Expectation",
    "commands_for",
    "expected",
    "floors",
    "make_bot",
    "tiers",
    "win_chances",
]

GIVE_UP = ""  # returned by a bot with nothing left to try: not a command, so not an action

_TYPOS = 3  # a letter left out, doubled, or exchanged with the next one
_TRIES = 20  # typos drawn before the verb is spoilt instead


def commands_for(
    variant: Variant, episode_index: int, output: Output, location: str
) -> tuple[Command, ...]:
    """Return a shortest command list for one attempt at that output, starting from a place.

    Raises: KeyError: the variant has no such output.
    """
    process = dict(variant.outputs)[output]
    if variant.task.family == "procedural":  # another engine has an item for each guardian
        process = replace(process, item=variant.episodes[episode_index].process.item)
    shop = next(item.shop for item in variant.items if item.name == process.item)
    buy = (*_journey(location, shop), f"buy {process.item}")
    acts: tuple[Command, ...] = ()
    if process.activity is not None:
        acts = (f"{process.activity.verb} {process.activity.name}",) * process.count
    middle = buy + acts if process.order == "after" else acts + buy
    return middle + _ending(variant, episode_index, shop)


class Bot:
    """One player in one episode: returns the next line, given the last answer and the state.

    It repeats a refused line. If it takes over in the middle of an attempt, it finishes that
    attempt first.
    """

    def __init__(
        self, variant: Variant, episode_index: int, order: Sequence[Output], slips: "Slips | None"
    ) -> None:
        self._variant, self._index = variant, episode_index
        self._order = list(order)  # still to be tried
        self._slips = slips
        self._plan: list[Command] = []  # the rest of this attempt
        self._attempt = 0  # the attempt the plan is for; 0 = none yet
        self._waiting = False  # the plan's first line was sent, its answer not seen yet

    def next_command(self, last: Observation | None, state: State) -> Command:
        """Return the next line, or GIVE_UP when nothing is left to try or the episode is over.

        Args: last: the answer to the previous line, None at the start; state: after that answer.
        """
        if state.done:
            return GIVE_UP
        if self._waiting and last is not None and last.ok:
            del self._plan[0]
        elif self._waiting and last is not None and self._gives_up(last):
            self._plan = self._plan_for(state)
        self._waiting = False
        if state.attempt != self._attempt:
            self._plan = self._plan_for(state)
            self._attempt = state.attempt
        if not self._plan:
            return GIVE_UP
        self._waiting = True
        if self._slips is None:
            return self._plan[0]
        return self._slips.typed(self._plan, state.actions_used)

    def _gives_up(self, last: Observation) -> bool:
        """Tell whether an attempt cannot go on: another engine does not sell all that it lists."""
        return self._slips is None and last.code == "refused"

    def _plan_for(self, state: State) -> list[Command]:
        if state.did and not self._variant.built:
            return list(_ending(self._variant, self._index, state.location))
        if not self._order:
            return []
        output = self._order.pop(0)
        return list(commands_for(self._variant, self._index, output, state.location))


class Slips:
    """Mistypes lines with probability `slip` while enough actions are left to finish."""

    def __init__(
        self, slip: Fraction | float, budget: int | None, vocabulary: Vocabulary, rng: Random
    ) -> None:
        self._slip, self._budget, self._vocabulary = slip, budget, vocabulary
        self._draw = rng.random

    def typed(self, plan: Sequence[Command], actions_used: int) -> Command:
        """Return the first line of the plan, correct or mistyped."""
        spare = self._budget is None or actions_used + len(plan) < self._budget
        slipped = self._draw() < self._slip
        return self._mistyped(plan[0]) if slipped and spare else plan[0]

    def _mistyped(self, line: Command) -> Command:
        """Return a line near this one that the world does not understand."""
        for _ in range(_TRIES):
            at, kind = int(self._draw() * (len(line) - 1)), int(self._draw() * _TYPOS)
            first, second, rest = line[at], line[at + 1], line[at + 2 :]
            middle = (second, first + first + second, second + first)[kind]
            wrong = line[:at] + middle + rest
            if parse(self._vocabulary, wrong).status not in UNDERSTOOD:
                return wrong
        return f"{line[0]}{line}"


def make_bot(
    name: str,
    variant: Variant,
    episode_index: int,
    rng: Random,
    *,
    slip: Fraction | float = SLIP,
) -> Bot:
    """Return a bot for one episode; all its randomness comes from `rng.random()`.

    Args: slip: probability in [0, 1) that the typist mistypes a line; other bots never do.
    Raises: FieldError: there is no bot of that name, or `slip` is out of range.
    """
    if not 0 <= slip < 1:
        raise FieldError("slip", f"must be at least 0 and below 1, not {slip}")
    order = [
        output for group in tiers(name, variant, episode_index) for output in shuffled(group, rng)
    ]
    slips = None
    if name == "typist":
        budget = variant.episodes[episode_index].budget
        slips = Slips(slip, budget, build_vocabulary(variant), rng)
    return Bot(variant, episode_index, order, slips)


def _journey(location: str, place: str) -> tuple[Command, ...]:
    return () if location == place else (f"go {place}",)


def _ending(variant: Variant, episode_index: int, location: str) -> tuple[Command, ...]:
    """Return the commands that end an attempt from a place: go to the entity and fight."""
    entity = variant.entity(variant.episodes[episode_index].entity)
    return (*_journey(location, entity.place), f"defeat {entity.name}")
