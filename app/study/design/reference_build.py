"""Build variants of the authors' package as variants of our game.

Tasks, words, splits, demonstrations, budgets and texts come from the package. A variant is stored
with the trees that the package plays in, and is never built again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
from app.study.design.reference import START, installed
from app.study.design.reference_run import Built, default, first_screen, root_of, stored

BUYING = ("buy", "get")


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
    found: dict[str, Item] = {}
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


def outputs_of(built: Built, task: Task, weapon: str) -> tuple[tuple[Output, Process], ...]:
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


def process_of(task: Task, output: Output, named: Mapping[str, Activity], item: str) -> Process:
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


def demonstration_of(demo: Any) -> Demonstration:
    """Return a demonstration in the package's words."""
    steps = tuple(Step(line, words) for line, words in demo.trace)
    return Demonstration(demo.entity_name, bool(demo.metadata.get("is_distractor")), steps)
