"""Build variants of the authors' package in the way of its own runner, as variants of our game.

Tasks, words, splits, demonstrations, budgets and texts come from the package. A variant is stored
with the trees that the package plays in, and is never built again.
"""

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from app.game.model import (
    ACTIVITIES,
    ORDERS,
    Activity,
    Demonstration,
    Entity,
    Episode,
    Item,
    Output,
    Process,
    Step,
    Task,
    Variant,
)
from app.game.names import check_names
from app.game.rules import output_space, truth
from app.game.tasks import TASKS
from app.study.design.reference import START, installed, package

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
BUYING = ("buy", "get")


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
        shown, own = list(self.source), {"initial_currency": self.coins, "seed": self.seed}
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


def build(task: str, seed: int, lexicon: str, distractors: int) -> Variant:
    """Build a variant of the package.

    Raises: NoReferenceError; FieldError: a command could not distinguish two of its names.
    """
    built = Built(task, seed, lexicon, distractors)
    rules = task_of(TASKS[task], built.rule["output"], built.spec.max_tries)
    labels, classes, roles = words_of(built)
    entities = tuple(entity_of(split, one) for split, one in built.listed)
    episodes = tuple(episode_of(built, rules, one) for one in built.gen)
    variant = Variant(
        task=rules,
        seed=seed,
        lexicon=lexicon,
        coverage="1",
        distractors=len(built.others),
        permute_outputs=False,
        engine_version=installed(),
        labels=labels,
        classes=classes,
        roles=roles,
        grid=truth(rules),
        gen_cells=tuple(sorted(cell_of(one) for one in built.gen)),
        outputs=outputs_of(built, rules, episodes[0].process.item),
        entities=entities,
        items=items_of(built),
        activities=activities_of(built),
        places=places_of(entities, items_of(built)),
        start=START,
        coins=built.coins,
        demonstrations=tuple(demonstration_of(one) for one in built.demos),
        episodes=episodes,
        built=stored(built),
    )
    check_names(
        (
            *(("entities", one.name) for one in variant.entities),
            *(("items", one.name) for one in variant.items),
            *(("activities", one.name) for one in variant.activities),
            *(("places", one) for one in variant.places),
        )
    )
    return variant


def task_of(ours: Task, output: Mapping[str, Any], n_tries: int) -> Task:
    """Return our task with the tables of the package's rule."""
    by_name = {one["name"]: tuple(one["map"]) for one in output["functions"]}
    by_input = {one["input"]: tuple(one["map"]) for one in output["functions"]}
    how = output["composition"]
    if ours.form == "conditional":
        branches = sorted(how["branches"], key=lambda one: one["regime"])
        tables: dict[str, Any] = {
            "regime": tuple(how["selector"]["map"]),
            "fixed": tuple(value for one in branches for value in one["fixed"].values()),
            **{f"regime_{one['regime']}": by_name[one["active_fn"]] for one in branches},
        }
    elif ours.form == "override":
        base = how.get("base_fns") or [how["base_fn"]]
        over = how.get("override_dims") or {how["override_dim"]: how["override_dim_value"]}
        tables = {
            "base": tuple(zip(*(by_name[name] for name in base), strict=True)),
            "u": (how["override_value"],),
            "h": tuple(over.values()),
        }
    else:
        tables = {"class": by_input["class"], "role": by_input["role"]}
    return replace(ours, tables=tuple(tables.items()), n_tries=n_tries)


def words_of(built: Built) -> tuple[tuple[str, str], tuple[str, ...], tuple[str, ...]]:
    """Return the labels of class and role, and their values in index order."""
    kind = "nonce_" if built.nonce else ""
    names = built.elements["attribute_labels"]
    label = {one: str(names[one][f"{kind or 'semantic_'}name"]) for one in ("class", "role")}
    values: dict[str, dict[int, str]] = {"class": {}, "role": {}}
    for one in built.elements["entities"]["all"]:
        for name, found in values.items():
            found[one["attributes"][name]] = str(one[f"{kind}attribute_values"][name])
    classes, roles = (tuple(found[at] for at in sorted(found)) for found in values.values())
    return (label["class"], label["role"]), classes, roles


def root_of(one: Any) -> Any:
    """Return the node of the entity to defeat."""
    return one.tree.nodes[one.tree.root_id]


def cell_of(one: Any) -> tuple[int, int]:
    """Return the cell of an entity that follows the rule."""
    found = one.metadata["attributes"]
    return found["class"], found["role"]


def entity_of(split: str, one: Any) -> Entity:
    """Return an entity with what its card shows."""
    node = root_of(one)
    shown = node.properties
    return Entity(
        name=node.argument,
        cell=None if split == "distractor" else cell_of(one),
        place=shown["location"],
        split=split,
        attributes=tuple(zip(shown["attribute_names"], shown["attribute_values"], strict=True)),
    )


def nodes_of(tasks: Iterable[Any], verbs: Sequence[str]) -> Iterable[tuple[str, Any]]:
    """Yield verb and node of every step with one of these verbs."""
    for one in tasks:
        for node in one.tree.nodes.values():
            verb = node.meta.get("incoming_edge")
            if verb in verbs:
                yield verb, node


def items_of(built: Built) -> tuple[Item, ...]:
    """Return the items of the package's listing, which is alphabetical."""
    found = {}
    for _, node in nodes_of([one for _, one in built.listed], BUYING):
        shop, price = node.properties.get("location") or "", node.properties.get("cost") or 0
        found.setdefault(node.argument, Item(node.argument, shop, price))
    return tuple(found[name] for name in sorted(found))


def activities_of(built: Built) -> tuple[Activity, ...]:
    """Return what is performed or drunk in any solution."""
    found = nodes_of((*built.source, *built.gen), ACTIVITIES)
    kinds = {(ACTIVITIES.index(verb), node.argument) for verb, node in found}
    return tuple(Activity(ACTIVITIES[at], name) for at, name in sorted(kinds))


def places_of(entities: Iterable[Entity], items: Iterable[Item]) -> tuple[str, ...]:
    """Return the places that the package's listing names."""
    return tuple(sorted({one.place for one in entities} | {one.shop for one in items}))


def outputs_of(
    built: Built, task: Task, weapon: str
) -> tuple[tuple[Output, Process], ...]:
    """Return every output of the rule's form with the process it means.

    `weapon`: in a procedural task, the item of one episode; others may need another item.
    """
    if task.family == "procedural":
        named = {one.verb: one for one in activities_of(built)}
        return tuple((one, process_of(task, one, named, weapon)) for one in output_space(task))
    own = built.elements
    made = []
    for output in output_space(task):
        values = dict(zip(own["_dim_order"], output, strict=True))
        args = (own["_items_fn"], values, own["_dim_order"])
        if built.nonce:
            name = built.hj.item_nonce_name(*args, own["_dim_nonce"], own["_output_noun_nonce"])
        else:
            name = built.hj.item_sem_name(*args, own["_dim_sem"], own["_output_noun"])
        made.append((output, Process(name, None, None, 0)))
    return tuple(made)


def process_of(
    task: Task, output: Output, named: Mapping[str, Activity], item: str
) -> Process:
    """Return what an output of a procedural task means."""
    values = dict(task.fixed)
    values.update(zip((one.name for one in task.dimensions), output, strict=True))
    verb = ACTIVITIES[values["activity"]]
    return Process(item, named[verb], ORDERS[values["order"]], values["count"])


def episode_of(built: Built, task: Task, one: Any) -> Episode:
    """Return the episode of a held-out entity, with the package's own text of the goal."""
    class_, role = cell_of(one)
    output = truth(task)[class_][role]
    item = next(node.argument for _, node in nodes_of([one], BUYING))
    process = Process(item, None, None, 0)
    if task.family == "procedural":
        named = {found.verb: found for found in activities_of(built)}
        process = process_of(task, output, named, item)
    solution = tuple(one.tree.get_solution())
    tries = default(built.hj.run_single_episode, "num_tries")
    return Episode(
        entity=root_of(one).argument,
        goal=first_screen(built, one),
        output=output,
        process=process,
        ref_length=len(solution),
        n_tries=task.n_tries,
        budget=len(solution) * tries,
        solutions=(solution,),
    )


def first_screen(built: Built, one: Any) -> str:
    """Return what the package shows before the first action."""
    env = built.hj.AdventureEnv([(one.tree, one.tree.root_id)])
    return str(env.reset(0, built.coins, START, rules_to_skip=one.rules_to_skip))


def demonstration_of(demo: Any) -> Demonstration:
    """Return a demonstration in the package's words."""
    steps = tuple(Step(line, words) for line, words in demo.trace)
    return Demonstration(demo.entity_name, bool(demo.metadata.get("is_distractor")), steps)


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
        "shown": [one.tree.to_dict() for one in built.source],
    }
    return json.dumps(found, sort_keys=True, separators=(",", ":"))
