"""Run the authors' package as its own runner does: one variant with its trees and demonstrations.

`reference_build.py` says the same in our types.
"""

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from app.study.design.reference import START, package

NAMES: Mapping[str, str] = {  # our task -> theirs
    "A-Add": "additive",
    "A-Comp": "compositional",
    "A-Cond": "conditional",
    "A-Over": "override",
    "P-Add": "proc_add",
    "P-Comp": "proc_comp",
    "P-Cond": "proc_cond",
    "P-Over": "proc_over",
}


def default(function: Any, name: str) -> int:
    """Return the default of a parameter, as the package sets it."""
    return int(inspect.signature(function).parameters[name].default)


def read_rules(path: str) -> tuple[dict[str, Any], tuple[Any, Any]]:
    """Return a rule file of the package with its lexica, semantic and nonce."""
    rule = json.loads(Path(path).read_text("utf-8"))
    return rule, package().load_lexicons(rule.get("lexicon", "default"))


class Built:
    """One variant as the package builds it. `listed`: (split, entity) in the order of its listing.

    Without distractors, as the package's runner does by default; otherwise with its own file of
    entities that follow no rule.
    """

    def __init__(self, task: str, seed: int, lexicon: str, distractors: int) -> None:
        self.hj = package()
        self.spec, self.seed = self.hj.get_task(NAMES[task]), seed
        self.nonce = lexicon == "nonce"
        self.rule, lexica = read_rules(self.spec.rules)
        self.elements = self.hj.fill_elements(
            self.rule, *lexica, seed=seed, split_spec=self.spec.split
        )
        self.source, self.gen = self.drawn("source"), self.drawn("gen")
        self.others = self.distractors(distractors) if distractors else []
        self.coins = default(self.hj.generate_demos, "initial_currency")
        self.set_up()

    def set_up(self) -> None:
        """Make the listing and the demonstrations."""
        own = {"initial_currency": self.coins, "seed": self.seed}
        self.shown = shown = list(self.source)
        Random(self.seed).shuffle(shown)
        if self.others:
            self.demos = self.hj.generate_mixed_demos(shown, self.others, self.gen, **own)
        else:
            self.demos = self.hj.generate_demos(shown, **own)
        splits = (
            ("source", shown if self.others else self.source),
            ("gen", self.gen),
            ("distractor", self.others),
        )
        self.listed = [(split, one) for split, tasks in splits for one in tasks]

    def drawn(self, split: str) -> list[Any]:
        """Return the entities of a split."""
        return self.same(self.spec.gen_fn(self.elements, split=split, use_nonce=self.nonce))

    def distractors(self, number: int) -> list[Any]:
        """Return this number of entities that follow no rule."""
        path = inspect.signature(self.hj.register_task).parameters["distractors"].default
        rules, lexica = read_rules(path)
        every = self.hj.generate_tasks(
            self.hj.fill_elements(rules, *lexica, seed=self.seed),
            process=None,
            split=None,
            use_nonce=self.nonce,
            task_type="distractor",
            template_name=self.hj.get_template(self.spec.distractor_template).name,
            seed=self.seed,
        )
        few = every if number >= len(every) else Random(self.seed).sample(every, number)
        return self.same(few)

    def same(self, tasks: list[Any]) -> list[Any]:
        """Return built tasks with the same ids each time."""
        for one in tasks:
            one.tree = self.hj.GoalTree.from_dict(with_same_ids(one.tree.to_dict()))
        return tasks


def root_of(one: Any) -> Any:
    """Return the node of the entity to defeat."""
    return one.tree.nodes[one.tree.root_id]


def first_screen(built: Built, one: Any) -> str:
    """Return what the package shows before the first action."""
    env = built.hj.AdventureEnv([(one.tree, one.tree.root_id)])
    return str(env.reset(0, built.coins, START, rules_to_skip=one.rules_to_skip))


def with_same_ids(data: dict[str, Any]) -> dict[str, Any]:
    """Return a tree with the same ids each time it is built.

    The package draws ids at random, sorts cards by them, and lists the orders of steps as a set.
    """
    agent = data["agent_node_id"]
    names = {node["id"]: f"n{at:02}" for at, node in enumerate(data["nodes"])} | {agent: agent}
    return {
        **data,
        "root_id": names[data["root_id"]],
        "nodes": [{**node, "id": names[node["id"]]} for node in data["nodes"]],
        "edges": [
            {**edge, "src": names[edge["src"]], "dst": names[edge["dst"]]} for edge in data["edges"]
        ],
        "ordering_constraints": sorted(data["ordering_constraints"]),
    }


def stored(built: Built) -> str:
    """Return what the package needs to play the variant, as JSON."""
    found = {
        "coins": built.coins,
        "goals": {
            root_of(one).argument: {"tree": one.tree.to_dict(), "skips": one.rules_to_skip}
            for one in built.gen
        },
        "shown": [one.tree.to_dict() for one in built.shown],
    }
    return json.dumps(found, sort_keys=True, separators=(",", ":"))
