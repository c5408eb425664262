"""What `--dry-run` says is what runs do: scripted models never ask less or more."""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest

from app.agents.playing import METHODS, play, setting_of
from app.agents.presets import PRESETS
from app.game.say import ENDING, WORDS
from app.game.tasks import TASKS
from app.study.models import imagined_play
from tests.agents.driving import made, named
from tests.models.scripted import HYPOTHESIS, SPOKEN, Players, Scripted

STUDY = [
    {"task": "A-Over", "seeds": [1, 2]},
    {"task": "A-Comp", "seeds": [5], "format": "direct"},
]
LONG = '{"new": ["%s", "%s"], "helpful": [], "harmful": []}'


class Hopeless:
    """Cannot be read at first, and fails with every defeat; its thoughts are as long as allowed.

    Asked the same again, it names a command, padded to the longest that people could type.
    """

    def __init__(self):
        self.asked, self.lessons = {}, 0

    def __call__(self, prompt):
        number = self.asked[prompt] = self.asked.get(prompt, 0) + 1
        for sign, answer in SPOKEN.items():
            if sign in prompt:
                return self.thought(sign, answer)
        if "say once" in prompt or number % 2:
            return "I would rather not say. " * 80
        return self.command(prompt)

    def thought(self, sign, answer):
        if sign == '"new"':
            self.lessons += 1
            return LONG % (f"{self.lessons} " + "x" * 900, f"{self.lessons} " + "y" * 900)
        return "x" * 2000 if answer in {HYPOTHESIS, "KEEP"} else answer

    @staticmethod
    def command(prompt):
        goal = re.search(r"^Defeat (.+?) at (\S+)", prompt, re.MULTILINE)
        log = prompt[prompt.index("WHAT HAS HAPPENED") :]
        lines = re.findall(r"^> (\w+)", log, re.MULTILINE)
        if not lines:
            return named(f"go {goal[2]}")
        if len(lines) % 3 == 0:
            return named("check" + "_" * 180 + "location")
        return named(f"defeat {goal[1]}")


@pytest.fixture
def script(make_study, variants_of):
    make_study(blocks=STUDY)
    return Scripted(Players(variants_of()))


def tokens(script):
    """Return the prompts' tokens as `--dry-run` counts them."""
    return sum(len(prompt) for prompt in script.prompts) / 4


def check(run_model, script, *run):
    """Let a perfect and a hopeless model do what a dry run has estimated; return the estimate."""
    said = run_model(*run, "--dry-run")
    calls = [said[f"{name}_calls"] for name in ("least", "lost", "most")]
    assert calls == sorted(calls)

    script.requests, perfect = [], script.answer
    assert run_model(*run)["calls"] == calls[0]
    assert said["least_prompt_tokens"] <= tokens(script) + 1

    script.requests, script.answer = [], Hopeless()
    assert calls[0] <= run_model(*run)["calls"] <= calls[2]
    assert tokens(script) <= said["most_prompt_tokens"]
    script.answer = perfect
    return said


@pytest.mark.parametrize(("preset", "method"), [*product(PRESETS, METHODS)])
def test_perfect_and_hopeless_models_ask_what_the_dry_run_says(run_model, script, preset, method):
    run = ("--tasks", "A-Over", "--preset", preset, "--method", method, "--explanations", "played")
    said = check(run_model, script, *run)
    assert said["lost_prompt_tokens"] < tokens(script)


def test_direct_answers_are_those_that_the_dry_run_says(run_model, script, variants_of):
    (number,) = {len(one.episodes) for one in variants_of() if one.task.name == "A-Comp"}
    for preset, method in product(PRESETS, (*METHODS, "direct")):
        said = check(
            run_model, script, *("--tasks", "A-Comp", "--preset", preset, "--method", method)
        )
        assert said["least_calls"] == said["most_calls"] == number + 1  # and an explanation


def test_playbooks_of_ace_are_counted(make_study, run_model):
    """Ten variants of two guardians, won with four actions each."""
    make_study(slug="ten", blocks=[{"task": "A-Over", "seeds": list(range(1, 11))}])
    said = run_model("--study", "ten", "--method", "ace", "--explanations", "none", "--dry-run")
    own, learning = 10 * 2 * 4, 10 * 9 * 2 * 4
    lessons = 10 * (10 + 1)
    assert said["least_calls"] == own + learning == 800
    assert said["lost_calls"] == 4 * 800 + lessons  # four attempts at each guardian
    assert (
        said["most_calls"] == 10 * 4 * 800 + lessons
    )  # nine unreadable answers before each action


def calls_at_most(method, setting):
    """Try every order of unreadable answers, useless commands, journeys and failing defeats."""
    goal = setting.world
    lines = ("", "check_location", f"defeat {goal.entity}", f"go {goal.place}")
    most, orders = 0, list[tuple[str, ...]]([()])
    while orders:
        order = orders.pop()
        asked = calls_of(method, setting, order)
        if asked is None:
            orders += [(*order, line) for line in lines]
        else:
            most = max(most, asked)
    return most


def calls_of(method, setting, order):
    """Return how many questions an episode has; None if more lines are needed."""
    left, asks = list(order), play(method, setting)
    ask, number = next(asks), 1
    with suppress(StopIteration):
        while ask.purpose != "action" or left:
            text = "x" if ask.purpose != "action" else named(left.pop(0))
            ask, number = asks.send(text), number + 1
        return None
    return number


@pytest.mark.parametrize("method", ["plain", "idea"])
@pytest.mark.parametrize(
    ("budget", "patience", "costs"),
    [(2, 3, False), (3, 2, False), (4, 2, True), (5, 2, True), (5, 3, True)],
)
def test_no_order_of_answers_asks_more_than_the_upper_bound(method, budget, patience, costs):
    preset = replace(PRESETS["paper"], patience=patience, unreadable_costs=costs)
    setting = setting_of(made("A-Over"), 0, preset)
    setting = replace(setting, world=replace(setting.world, budget=budget))
    found = imagined_play.most(method, setting, None)
    assert found.tally.calls == calls_at_most(method, setting)


def test_world_never_says_more_in_a_turn_than_the_estimate_allows():
    longest = 0
    for task, words in product(TASKS, ("semantic", "nonce")):
        world = setting_of(made(task, words=words), 0, PRESETS["paper"]).world
        names = [name for _, name in world.vocabulary.names.values()]
        name = f"perform {max(names, key=len)}"
        for places, text in WORDS.values():
            given = dict.fromkeys(places, name) | {"verbs": ", ".join(world.verbs)}
            longest = max(longest, len(text.format(**given) + ENDING))
    assert 200 < longest <= imagined_play.LONGEST_ANSWER
