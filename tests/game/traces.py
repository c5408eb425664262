"""Traces of docs/differences.md: what this game does, and what the reference package does.

The document holds the traces; the tests make them again. The package is played only where it is
installed (`make setup-bench`).
"""

import inspect
import json
from functools import cache
from pathlib import Path

from app.game.rules import truth
from app.game.say import say
from app.game.tasks import TASKS
from app.game.variant import content_hash, generate
from app.game.world import episode_world, replay
from app.study.design.game_files import lexicon

FIRST = 0


@cache
def variant(task, seed=0):
    return generate(TASKS[task], seed, lexicon("semantic"))


def played(task, choose, seed=0):
    """Play the lines that `choose(variant)` returns at the first guardian, as a transcript."""
    made = variant(task, seed)
    episode = made.episodes[FIRST]
    solution = [str(line) for line in episode.solutions[FIRST]]
    typed = choose(made, solution)
    lines = [f"{task}, seed {seed}. A solution: {', '.join(solution)}"]
    turns = replay(episode_world(made, FIRST), typed)
    for line, (_, _, observation) in zip(typed, turns, strict=True):
        lines += [f"> {line}", f"  {say(observation)}"]
    return [*lines, f"actions used: {turns[-1][1].actions_used}"]


def wrong_item(made, solution):
    """Return a purchase in the same shop that is not the right one."""
    right = solution[1].removeprefix("buy ")
    shop = next(item.shop for item in made.items if item.name == right)
    return next(f"buy {i.name}" for i in made.items if i.shop == shop and i.name != right)


def processes(task):
    """Return the words of a procedural rule: bases by class and the override."""
    made = variant(task)
    words = {output: f"{p.activity.verb} {p.order}" for output, p in made.outputs}
    return [
        f"class {at}: {', '.join(words[one] for one in row)}"
        for at, row in enumerate(truth(TASKS[task]))
    ]


def listing(task):
    made = variant(task)
    return [f"{one.name} ({one.split})" for one in made.entities]


def items(task):
    made = variant(task)
    rule = {process.item for _, process in made.outputs}
    return [f"{len(rule)} items are sold, 6 of which the rule uses:", *sorted(rule)]


def budgets(task):
    return [
        f"{task}: reference length {one.ref_length} x {one.n_tries} tries = {one.budget} actions"
        for one in {e.budget: e for v in range(9) for e in variant(task, v).episodes}.values()
    ]


def lost_in(task):
    """Return after how many actions an episode without a single attempt ends, by count."""
    found = {}
    for seed in range(20):
        made = variant(task, seed)
        for at, episode in enumerate(made.episodes):
            looks = ["check_location"] * episode.budget
            done = [one.done for _, _, one in replay(episode_world(made, at), looks)]
            found[episode.process.count] = sum(not one for one in done) + 1
    return [f"count {count}: over after {used} actions" for count, used in sorted(found.items())]


HERE = {
    1: lambda: [f"A-Cond: n_tries {TASKS['A-Cond'].n_tries}"],
    2: lambda: processes("P-Over"),
    3: lambda: played("A-Comp", lambda v, s: [s[0], wrong_item(v, s), s[1]]),
    4: lambda: played("P-Add", lambda _, s: [next(x for x in s if x.startswith("perform")), *s]),
    5: lambda: played("P-Comp", lambda _, s: [s[0], s[1], *reversed(s[2:4]), s[4]]),
    6: lambda: played("A-Comp", lambda _, s: ["go nowhere at all", s[0]]),
    7: lambda: played("A-Comp", lambda v, s: [s[0], never_shown(v)]),
    8: lambda: played("A-Comp", lambda v, s: [s[0], wrong_item(v, s), *s[2:], "check_inventory"]),
    9: lambda: played("A-Comp", lambda _, s: [line.lower() for line in s]),
    10: lambda: ["A-Comp, seed 0, made twice", *made_twice()],
    11: lambda: played("A-Comp", lambda _, s: ["look around"] * 11 + s)[-9:],
    12: lambda: played("A-Comp", lambda _, s: ["look around", *s]),
    13: lambda: budgets("A-Comp"),
    14: lambda: ["P-Comp, seed 0", *listing("P-Comp")],
    15: lambda: items("A-Cond"),
    "P-Add": lambda: lost_in("P-Add"),
}


def never_shown(made):
    """Return the purchase of an item of the form that no demonstration buys."""
    shown = {str(step.command) for one in made.demonstrations for step in one.steps}
    every = [f"buy {process.item}" for _, process in made.outputs]
    return next(line for line in every if line not in shown)


def made_twice():
    """Return the hashes of two variants made from the same task and seed."""
    task = TASKS["A-Comp"]
    return [content_hash(generate(task, 0, lexicon("semantic"))) for _ in range(2)]


# --- the reference package ---------------------------------------------------------------------


def package(task):
    """Build a task of the package as its own runner does: spec, environment, goal, shown."""
    from herosjourney import get_task
    from herosjourney.core.elements import fill_elements, load_lexicons
    from herosjourney.env.env import AdventureEnv

    spec = get_task(task)
    rule = json.loads(Path(spec.rules).read_text("utf-8"))
    elements = fill_elements(rule, *load_lexicons(), seed=0, split_spec=spec.split)
    shown = spec.gen_fn(elements, split="source", use_nonce=False)
    goal = spec.gen_fn(elements, split="gen", use_nonce=False)[0]
    env = AdventureEnv([(one.tree, one.tree.root_id) for one in (goal, *shown)])
    return spec, env, goal, shown


def package_played(task, choose, guardian=0):
    """Play lines in the package's own environment, as a transcript."""
    _, env, goal, shown = package(task)
    goal = (goal, *shown)[guardian]
    solution = goal.tree.get_solution()
    env.reset(guardian, initial_currency=500, rules_to_skip=goal.rules_to_skip)
    lines = [f"{task}. A solution: {', '.join(solution)}"]
    shops = [line for one in shown for line in one.tree.get_solution() if line.startswith("buy")]
    for line in choose(solution, [one for one in shops if one not in solution]):
        verb, _, name = line.partition(" ")
        observation = env.step(verb, name)[1]
        lines += [f"> {line}", f"  {observation.message}"]
    return [*lines, f"over: {'yes' if env.done else 'no'}"]


def package_processes():
    """Return what each solution of P-Over does besides going and buying."""
    _, _, goal, shown = package("proc_over")
    found = []
    for one in (goal, *shown):
        kinds = [line.split()[0] for line in one.tree.get_solution()]
        at = next(i for i, kind in enumerate(kinds) if kind in ("perform", "drink"))
        order = "before" if at < kinds.index("buy") else "after"
        values = next(
            node.properties["attribute_values"]
            for node in one.tree.nodes.values()
            if node.properties.get("attribute_values")
        )
        found.append(f"{' '.join(values)}: {kinds[at]} {order}")
    return sorted(found)


def package_default():
    from herosjourney.runner import adventure_pipeline as runner

    defaults = {
        name: inspect.signature(one).parameters["num_tries"].default
        for name, one in vars(runner).items()
        if inspect.isfunction(one) and "num_tries" in inspect.signature(one).parameters
    }
    return [f"{name}: num_tries={default}" for name, default in sorted(defaults.items())]


PACKAGE = {
    1: lambda: [f"conditional: max_tries {package('conditional')[0].max_tries}"],
    2: package_processes,
    3: lambda: package_played("compositional", lambda s, others: [s[0], others[0], *s[1:]]),
    4: lambda: package_played("proc_add", lambda s, _: [s[0], *s]),
    5: lambda: package_played("proc_comp", lambda s, _: [*s[:2], *reversed(s[2:4]), s[4]], 2),
    6: lambda: package_played("compositional", lambda s, _: ["go nowhere at all", s[0]]),
    8: lambda: package_played(
        "compositional", lambda s, others: [s[0], others[0], *s[2:], "check_inventory x"]
    ),
    9: lambda: package_played("compositional", lambda s, _: [line.lower() for line in s]),
    13: package_default,
}
