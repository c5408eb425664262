"""Traces of docs/differences.md: what the reference package does, played in its own environment."""

import inspect
import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path


def built(task):
    """Return the spec of a task of the package, its source and its held-out guardians."""
    from herosjourney import get_task
    from herosjourney.core.elements import fill_elements, load_lexicons

    spec = get_task(task)
    rule = json.loads(Path(spec.rules).read_text("utf-8"))
    elements = fill_elements(rule, *load_lexicons(), seed=0, split_spec=spec.split)
    return spec, *(spec.gen_fn(elements, split=one, use_nonce=False) for one in ("source", "gen"))


def package(task):
    """Build a task of the package as its own runner does: spec, environment, goal, shown."""
    from herosjourney.env.env import AdventureEnv

    spec, shown, (goal, *_) = built(task)
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


def package_listing(task):
    """Return the names of the package's world listing, with the part that each belongs to."""
    from herosjourney.core.demo_generator import build_world_listing

    _, source, gen = built(task)
    split = {one.tree.nodes[one.tree.root_id].argument: one.split for one in (*source, *gen)}
    names = re.findall(r"^\[ (.+?) \]", build_world_listing(source + gen), re.MULTILINE)
    return [f"{name} ({split[name]})" if name in split else name for name in names]


def package_items(task):
    """Return the items that the package lists, and how many outputs its rule could have."""
    items = [one for one in package_listing(task) if "(" not in one]
    _, source, gen = built(task)
    used = {
        line.partition(" ")[2]
        for one in (*source, *gen)
        for line in one.tree.get_solution()
        if line.startswith("buy ")
    }
    assert used == set(items)
    return [f"{task}: {len(items)} items are listed, all of which the rule uses:", *items]


def package_unknown_item():
    """Buy what is listed because another held-out guardian needs it."""
    _, _, (_, other, *_) = built("compositional")
    item = other.tree.get_solution()[1]
    found = package_played("compositional", lambda s, _: [s[0], item])
    assert f"{item.partition(' ')[2]}" in package_listing("compositional")
    return found


def package_built_twice(task):
    """Return what two builds of a task have in common."""
    builds = [package(task) for _ in range(2)]
    ids = [
        {node for one in (goal, *shown) for node in one.tree.nodes} for *_, goal, shown in builds
    ]
    screens = [
        env.reset(0, initial_currency=500, rules_to_skip=goal.rules_to_skip)
        for _, env, goal, _ in builds
    ]
    return [
        f"{task}, built twice: {len(ids[0])} nodes each",
        f"node ids in common: {', '.join(sorted(ids[0] & ids[1]))}",
        f"first screens: {'the same' if screens[0] == screens[1] else 'different'}",
    ]


def package_model(answers, budget):
    """Let a model with these answers, of which the last is repeated, play the first episode."""
    from herosjourney.runner.adventure_episode import run_single_episode

    given = iter(answers)

    def model(_prompt, max_tokens=512):
        del max_tokens
        return next(given, answers[-1]), None, None

    how = {"max_runs": budget, "verbose": False, "truncate_window": None}
    _, _, (goal, *_) = built("compositional")

    with redirect_stdout(StringIO()):
        return run_single_episode(0, goal, "", **how, model_fn=model, converter_fn=lambda *_: "")


def answer_of(line):
    verb, _, name = line.partition(" ")
    return json.dumps({"reasoning": "", "action": verb, "argument": name})


def package_refused():
    found = package_model([answer_of("defeat nobody")], budget=36)
    message = found.action_obs_reasoning_history[0]["observation"]
    actions = found.action_history
    assert set(actions) == {actions[0]}
    won = "won" if found.success else "not won"
    return [
        "A model, with 36 actions.",
        f"> {actions[0]}",
        f"  {message}",
        f"over after {len(actions)} actions ({won})",
    ]


def package_unreadable():
    """Answer once with what is no command, and then with a solution."""
    _, _, goal, _ = package("compositional")
    answers = ["look around", *map(answer_of, goal.tree.get_solution())]
    found = []
    for budget in (5, 4):
        one = package_model(answers, budget)
        end = f"won, efficiency {one.efficiency}" if one.success else "not won"
        found.append(f"budget {budget}, one unreadable answer, then a solution of 4: {end}")
    return found


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
    7: package_unknown_item,
    8: lambda: package_played(
        "compositional", lambda s, others: [s[0], others[0], *s[2:], "check_inventory x"]
    ),
    9: lambda: package_played("compositional", lambda s, _: [line.lower() for line in s]),
    10: lambda: package_built_twice("proc_comp"),
    11: package_refused,
    12: package_unreadable,
    13: package_default,
    14: lambda: package_listing("proc_comp"),
    15: lambda: package_items("conditional"),
}
