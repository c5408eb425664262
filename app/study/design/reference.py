"""The authors' package (PyPI: herosjourney), and its world as an engine of our game.

The only module that imports the package, and only when one of its variants is built or played, so
servers without it work as before. `reference_build.py` makes our variants from the package's.
"""

import json
from dataclasses import replace
from functools import cached_property
from importlib import metadata
from typing import Any, NamedTuple

from app.errors import StudyError
from app.game.model import Answer, Command, Variant
from app.game.say import REFERENCE_NAME
from app.paths import how_to_add

START = "GameStart"


class NoReferenceError(StudyError):
    """The package is missing, or is not the version that a variant was built with."""

    code = "study/no_reference"

    def __init__(self, version: str = "") -> None:
        needs = f"{REFERENCE_NAME} {version}".strip()
        has = installed()
        super().__init__(
            f"This needs the package {needs}, but {has or 'none'} is installed. "
            f"Install it with: {how_to_add('reference')}"
        )


class Package(NamedTuple):
    """What we use of the package, all of it public functions and classes."""

    get_task: Any
    get_template: Any
    load_lexicons: Any
    fill_elements: Any
    generate_tasks: Any
    register_task: Any
    generate_demos: Any
    generate_mixed_demos: Any
    run_single_episode: Any
    item_sem_name: Any
    item_nonce_name: Any
    GoalTree: Any
    AdventureEnv: Any


def installed() -> str:
    """Return the version of the package, or '' if it is not installed."""
    try:
        return metadata.version(REFERENCE_NAME)
    except metadata.PackageNotFoundError:
        return ""


def package() -> Package:
    """Import the package. Raises NoReferenceError."""
    try:
        from herosjourney.core.demo_generator import generate_demos, generate_mixed_demos
        from herosjourney.core.elements import fill_elements, load_lexicons
        from herosjourney.core.function_specs.item_mappings import item_nonce_name, item_sem_name
        from herosjourney.core.generator import generate_tasks, get_template, register_task
        from herosjourney.core.goal_tree import GoalTree
        from herosjourney.core.registry import get_task
        from herosjourney.env.env import AdventureEnv
        from herosjourney.runner.adventure_episode import run_single_episode
    except ImportError as error:
        raise NoReferenceError from error
    return Package(
        get_task=get_task,
        get_template=get_template,
        load_lexicons=load_lexicons,
        fill_elements=fill_elements,
        generate_tasks=generate_tasks,
        register_task=register_task,
        generate_demos=generate_demos,
        generate_mixed_demos=generate_mixed_demos,
        run_single_episode=run_single_episode,
        item_sem_name=item_sem_name,
        item_nonce_name=item_nonce_name,
        GoalTree=GoalTree,
        AdventureEnv=AdventureEnv,
    )


class Hosted:
    """The package's own world of a stored variant: an `Engine` of our game.

    The world is made anew for each action, from the actions that had an effect, so nothing is
    shared between players. `version`: that of the package when the variant was built.
    """

    def __init__(self, built: str, version: str) -> None:
        self._built, self._version = built, version

    @cached_property
    def _parts(self) -> tuple[int, dict[str, tuple[Any, list[str]]], list[Any]]:
        """Return coins, entity -> (tree, what its cards skip), and the trees that were shown."""
        if installed() != self._version:
            raise NoReferenceError(self._version)
        read, data = package().GoalTree.from_dict, json.loads(self._built)
        goals = {
            name: (read(one["tree"]), list(one["skips"])) for name, one in data["goals"].items()
        }
        return int(data["coins"]), goals, [read(one) for one in data["shown"]]

    def act(self, entity: str, did: tuple[Command, ...], verb: str, argument: str) -> Answer:
        """Take an action after others. Raises: NoReferenceError; KeyError: no such episode."""
        coins, goals, shown = self._parts
        goal, skips = goals[entity]
        env = package().AdventureEnv([(tree, tree.root_id) for tree in (goal, *shown)])
        env.reset(0, initial_currency=coins, initial_location=START, rules_to_skip=skips)
        for line in did:
            before, _, name = line.partition(" ")
            env.step(before, name)
        _, seen, _ = env.step(verb, argument)
        carried = tuple(
            name if number == 1 else f"{name} x{number}"
            for name, number in env.inventory.items()
            if number
        )
        where = env.current_location
        return Answer(seen.message, seen.success, seen.done, where, carried, env.currency)


def hosted(variant: Variant) -> Variant:
    """Return a stored variant ready to be played: one of the package with the package's world."""
    if not variant.built:
        return variant
    return replace(variant, engine=Hosted(variant.built, variant.engine_version))


def missing(variant: Variant) -> str:
    """Return why a stored variant cannot be played here, or ''."""
    if not variant.built or installed() == variant.engine_version:
        return ""
    return NoReferenceError(variant.engine_version).message
