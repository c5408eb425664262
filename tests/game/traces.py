"""Traces of docs/differences.md: what this game does.

The document holds the traces; the tests make them again. `package_traces.py` has the other half,
which is played only where the package is installed (`make setup-bench`).
"""

from functools import cache

from app.agents import playing
from app.agents.presets import PACKAGE
from app.game.rules import truth
from app.game.say import say
from app.game.tasks import TASKS
from app.game.variant import content_hash, generate
from app.game.world import episode_world, replay
from app.study.design.game_files import lexicon
from tests.agents.driving import drive, named

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
    reached = {output for row in made.grid for output in row}
    used = {process.item for output, process in made.outputs if output in reached}
    sold = sorted(item.name for item in made.items)
    marked = [f"{name}{' (used)' if name in used else ''}" for name in sold]
    return [f"{len(sold)} items are sold, {len(used)} of which the rule uses:", *marked]


def with_refusals(number):
    """Play a solution after `number` lines that nobody understands; what is repeated, once."""
    lines = played("A-Comp", lambda _, s: ["look around"] * number + s)
    first, refused, rest = lines[0], lines[1:3], lines[1 + 2 * number :]
    assert lines[1 : 1 + 2 * number] == refused * number
    return ["A participant.", first, *refused, f"({number} times)", *rest]


def model_refused():
    """Let a model answer with a command that is refused, until its episode ends."""
    made = variant("A-Comp")
    asking = playing.episode(playing.setting_of(made, FIRST, PACKAGE))
    asks, found = drive(asking, lambda _ask, _number: named("defeat nobody"))
    seen = [f"> {found.turns[0].raw}", f"  {say(found.turns[0].observation)}"]
    assert {say(turn.observation) for turn in found.turns} == {say(found.turns[0].observation)}
    budget = playing.budget_of(made, made.episodes[FIRST], PACKAGE)
    end = f"over after {len(asks)} answers of {budget} ({found.end})"
    return ["A model.", *seen, f"({len(found.turns)} times)", end]


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
    11: lambda: [*with_refusals(11), *model_refused()],
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
