"""The fixed practice world: tiny, with no hidden rule and no limit.

Its goal names what to buy and which ritual to perform, so that people learn only how to play.
Its words and labels come from no lexicon, and it reveals nothing about the tasks.
"""

from dataclasses import replace

from app.game.model import (
    Activity,
    Demonstration,
    Dimension,
    Entity,
    Episode,
    Item,
    Process,
    Step,
    Task,
    Variant,
)
from app.game.say import ENGINE_VERSION, say
from app.game.world import build_world, replay

_TASK = Task(
    name="practice",
    family="procedural",
    form="compositional",
    n_class=2,
    n_role=1,
    dimensions=(Dimension("activity", (0, 1)), Dimension("order", (0,))),
    tables=(("class", (0, 1)), ("role", (0,))),
    varies=(0, 0),
    fixed=(("count", 1),),
    split_law="any_one",
    n_tries=2,
)
_ACTIVITIES = (Activity("perform", "lantern_dance"), Activity("drink", "mint_tea"))
_PROCESSES = (
    ((0, 0), Process("practice_sword", _ACTIVITIES[0], "before", 1)),
    ((1, 0), Process("practice_sword", _ACTIVITIES[1], "before", 1)),
)
_LEARNER = Entity(
    "Old Scarecrow", (0, 0), "wheat_field", "gen", (("hat", "straw"), ("coat", "red"))
)
_SHOWN = Entity("Snow Figure", (1, 0), "snowy_yard", "source", (("hat", "pot"), ("coat", "red")))
_EPISODE = Episode(
    entity=_LEARNER.name,
    goal=(
        "Defeat Old Scarecrow at wheat_field. Perform lantern_dance once, "
        "then buy practice_sword at toy_shop."
    ),
    output=(0, 0),
    process=_PROCESSES[0][1],
    ref_length=5,
    n_tries=2,
    budget=None,
    solutions=(
        (
            *("go toy_shop", "perform lantern_dance", "buy practice_sword"),
            *("go wheat_field", "defeat Old Scarecrow"),
        ),
        (
            *("perform lantern_dance", "go toy_shop", "buy practice_sword"),
            *("go wheat_field", "defeat Old Scarecrow"),
        ),
    ),
)
_ACCOUNT = (
    *("drink mint_tea", "go toy_shop", "buy practice_sword"),
    *("go snowy_yard", "defeat Snow Figure"),
)


def practice_variant() -> Variant:
    """Return the practice world: two figures, one shop, one account, no budget.

    The price allows two hundred attempts, since nothing else ends the practice.
    """
    bare = Variant(
        task=_TASK,
        seed=0,
        lexicon="practice",
        coverage="1",
        distractors=0,
        permute_outputs=False,
        engine_version=ENGINE_VERSION,
        labels=("hat", "coat"),
        classes=("straw", "pot"),
        roles=("red",),
        grid=(((0, 0),), ((1, 0),)),
        gen_cells=((0, 0),),
        outputs=_PROCESSES,
        entities=(_LEARNER, _SHOWN),
        items=(Item("practice_sword", "toy_shop", 5), Item("wooden_spoon", "toy_shop", 5)),
        activities=_ACTIVITIES,
        places=("garden_gate", "snowy_yard", "toy_shop", "wheat_field"),
        start="garden_gate",
        coins=1000,
        demonstrations=(),
        episodes=(_EPISODE,),
    )
    turns = replay(build_world(bare, _SHOWN.name, _PROCESSES[1][1]), _ACCOUNT)
    steps = tuple(
        Step(command, say(observation))
        for command, (_, _, observation) in zip(_ACCOUNT, turns, strict=True)
    )
    return replace(
        bare, demonstrations=(Demonstration(_SHOWN.name, distractor=False, steps=steps),)
    )
