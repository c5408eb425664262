"""Drive a method with answers from a function, and keep what it asked."""

import json

from app.game.bots import commands_for
from app.game.tasks import TASKS
from app.game.variant import generate
from app.study.design.game_files import lexicon


def made(task, seed=3, words="semantic", coverage="1", distractors=4):
    return generate(TASKS[task], seed, lexicon(words), coverage, distractors)


def drive(method, answer):
    """Run a generator; `answer(ask, number)` gives each answer, or an error to throw.

    Returns (every question, result).
    """
    asks = []
    try:
        ask = next(method)
        while True:
            asks.append(ask)
            given = answer(ask, len(asks))
            ask = method.throw(given) if isinstance(given, Exception) else method.send(given)
    except StopIteration as ended:
        return asks, ended.value


def named(line):
    """Return the JSON answer that names a command."""
    action, _, argument = line.partition(" ")
    return json.dumps({"action": action, "argument": argument, "reasoning": "so"})


def acting(lines, other="Hypothesis: it depends\nPlan: go"):
    """Return answers: these lines for actions, the same text for everything else."""
    left = list(lines)

    def answer(ask, _number):
        return named(left.pop(0)) if ask.purpose == "action" else other

    return answer


def purposes(asks):
    return [ask.purpose for ask in asks]


def wrong_first(variant, index=0):
    """Return lines of one failed attempt, then of the shortest solution from there."""
    right = variant.episodes[index].output
    wrong = next(output for output, _ in variant.outputs if output != right)
    place = variant.entity(variant.episodes[index].entity).place
    failed = commands_for(variant, index, wrong, variant.start)
    return [*failed, *commands_for(variant, index, right, place)]
