"""The reference package (PyPI: herosjourney), built as its own runner does. Benchmarks only."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.study.design import reference
from app.study.design.reference_run import NAMES

COINS = 500


class NoReferenceError(RuntimeError):
    """The reference package is not installed."""


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode of the reference. `play` resets it, plays its solution and returns the steps."""

    steps: int
    play: Callable[[], int]


Maker = Callable[[str], Episode]


def make_episode(task: str) -> Episode:
    """Return the reference's episode for one of our tasks. Raises NoReferenceError."""
    try:
        hj = reference.package()
    except reference.NoReferenceError as error:
        raise NoReferenceError("herosjourney is not installed: make setup-bench") from error
    spec = hj.get_task(NAMES[task])
    rule = json.loads(Path(spec.rules).read_text("utf-8"))
    elements = hj.fill_elements(rule, *hj.load_lexicons(), seed=0, split_spec=spec.split)
    shown = spec.gen_fn(elements, split="source", use_nonce=False)
    goal = spec.gen_fn(elements, split="gen", use_nonce=False)[0]
    trees = [(one.tree, one.tree.root_id) for one in (goal, *shown)]
    solution = [line.partition(" ") for line in goal.tree.get_solution()]
    return episode_of(hj.AdventureEnv(trees), goal, [(verb, name) for verb, _, name in solution])


def episode_of(env: Any, goal: Any, solution: list[tuple[str, str]]) -> Episode:
    """Return an episode that replays a solution."""

    def play() -> int:
        env.reset(0, initial_currency=COINS, rules_to_skip=goal.rules_to_skip)
        for verb, name in solution:
            env.step(verb, name)
        return len(solution)

    play()
    assert env.done, f"{goal} is not solved by its own solution"
    return Episode(len(solution), play)


def steps_per_second(play: Callable[[], int], seconds: float) -> float:
    """Replay an episode for this long; return the rate."""
    steps, began = 0, time.perf_counter()
    end = began + seconds
    while True:
        for _ in range(20):
            steps += play()
        now = time.perf_counter()
        if now >= end:
            return steps / (now - began)
