"""Two small hand-written worlds, one per family, so that no test here waits for a generator."""

import pytest

from app.game.model import (
    Activity,
    Dimension,
    Entity,
    Episode,
    Item,
    Process,
    Task,
    Variant,
)

PEOPLE = (  # name, cell, place, split
    ("Orla Fenwick", (0, 0), "tower", "source"),
    ("Bram Holloway", (0, 1), "mill", "source"),
    ("Isolde Marrow", (1, 0), "old_vineyard", "source"),
    ("Lyra Blackmoor", (1, 1), "quarry", "gen"),
    ("Nils Harrow", None, "mire", "distractor"),
)
CLASSES, ROLES = ("ranger", "scribe"), ("prophet", "berserker")
PLACES = ("club_stall", "crossroads", "forge", "mill", "mire", "old_vineyard", "quarry", "tower")


def make_entities() -> tuple[Entity, ...]:
    entities = []
    for name, cell, place, split in PEOPLE:
        attributes: tuple[tuple[str, str], ...] = (("sign", "fox"), ("omen", "lantern"))
        if cell is not None:
            attributes = (("class", CLASSES[cell[0]]), ("role", ROLES[cell[1]]))
        entities.append(Entity(name, cell, place, split, attributes))
    return tuple(entities)


def make_variant(task, grid, outputs, *, items, activities, goal, solutions) -> Variant:
    """Build a world; its only gen cell is (1, 1), played by Lyra Blackmoor."""
    output = grid[1][1]
    process = dict(outputs)[output]
    budget = process.ref_length * task.n_tries
    episode = Episode(
        "Lyra Blackmoor", goal, output, process, process.ref_length, task.n_tries, budget, solutions
    )
    return Variant(
        task=task,
        seed=0,
        lexicon="by hand",
        coverage="1",
        distractors=1,
        permute_outputs=False,
        engine_version="1",
        labels=("class", "role"),
        classes=CLASSES,
        roles=ROLES,
        grid=grid,
        gen_cells=((1, 1),),
        outputs=outputs,
        entities=make_entities(),
        items=items,
        activities=activities,
        places=PLACES,
        start="crossroads",
        coins=1000,
        demonstrations=(),
        episodes=(episode,),
    )


def make_attribute_variant(answer: int = 2) -> Variant:
    """Additive sizes 0..2 on a 2 x 2 grid; `answer` is the size that the gen cell needs."""
    task = Task(
        name="A-Tiny",
        family="attribute",
        form="additive",
        n_class=2,
        n_role=2,
        dimensions=(Dimension("size", (0, 1, 2), numbered=True),),
        tables=(("class", (0, 1)), ("role", (0, 1))),
        varies=(0, 0),
        fixed=(),
        split_law="any_one",
        n_tries=3,
    )
    items = tuple(Item(f"size_{size}_spear", "forge", 30) for size in range(3))
    outputs = tuple(((s,), Process(items[s].name, None, None, 0)) for s in range(3))
    return make_variant(
        task,
        (((0,), (1,)), ((1,), (answer,))),
        outputs,
        items=(*items, Item("barbed_lance", "club_stall", 30)),
        activities=(),
        goal="Defeat Lyra Blackmoor.",
        solutions=(("go forge", f"buy size_{answer}_spear", "go quarry", "defeat Lyra Blackmoor"),),
    )


def make_procedural_variant(activity: int = 1, order: int = 1, count: int = 2) -> Variant:
    """Activity, order and count decide; the arguments are what the gen cell needs."""
    task = Task(
        name="P-Tiny",
        family="procedural",
        form="compositional",
        n_class=2,
        n_role=2,
        dimensions=(
            Dimension("activity", (0, 1)),
            Dimension("order", (0, 1)),
            Dimension("count", (1, 2), numbered=True),
        ),
        tables=(),
        varies=(0, 0),
        fixed=(),
        split_law="any_one",
        n_tries=4,
    )
    activities = (Activity("perform", "moon_rite"), Activity("drink", "ember_draught"))
    outputs = tuple(
        ((a, o, c), Process("iron_halberd", activities[a], ("before", "after")[o], c))
        for a in (0, 1)
        for o in (0, 1)
        for c in (1, 2)
    )
    acts = [f"{activities[activity].verb} {activities[activity].name}"] * count
    buy, to, win = "buy iron_halberd", "go quarry", "defeat Lyra Blackmoor"
    if order == 0:
        ways = [[*acts[:k], "go forge", *acts[k:], buy, to, win] for k in range(count + 1)]
    else:
        ways = [["go forge", buy, *acts[:k], to, *acts[k:], win] for k in range(count + 1)]
    return make_variant(
        task,
        (((0, 0, 1), (0, 1, 1)), ((1, 0, 1), (activity, order, count))),
        outputs,
        items=(Item("iron_halberd", "forge", 30), Item("barbed_lance", "club_stall", 30)),
        activities=activities,
        goal="Defeat Lyra Blackmoor. You will need iron_halberd.",
        solutions=tuple(tuple(way) for way in ways),
    )


@pytest.fixture(scope="session")
def attribute_variant() -> Variant:
    return make_attribute_variant()


@pytest.fixture(scope="session")
def procedural_variant() -> Variant:
    return make_procedural_variant()


@pytest.fixture(scope="session", params=["attribute", "procedural"])
def variant(request) -> Variant:
    """Each family in turn, for what must hold in both."""
    return make_attribute_variant() if request.param == "attribute" else make_procedural_variant()


@pytest.fixture(scope="session")
def attribute_answers() -> tuple[Variant, ...]:
    """The same world with each answer for the gen cell."""
    return tuple(make_attribute_variant(size) for size in (0, 1, 2))


@pytest.fixture(scope="session")
def procedural_answers() -> tuple[Variant, ...]:
    """The same world with each answer for the gen cell."""
    return tuple(make_procedural_variant(a, o, c) for a in (0, 1) for o in (0, 1) for c in (1, 2))
