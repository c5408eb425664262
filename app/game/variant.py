"""Make a variant from (task, seed, lexicon, condition). All its randomness is used here.

`generate` draws split, names, coverage and order, each from its own random stream, and passes
them to `build`, which draws nothing. Split, structure and relative order depend on task and seed
(and salt) alone, so that conditions can be compared in pairs.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.errors import FieldError
from app.game.canonical import canonical_json, content_hash, from_dict, from_json, to_dict
from app.game.casting import Cast, Plan
from app.game.demos import normal_coverage, solutions
from app.game.lexicon import Lexicon
from app.game.model import Cell, Entity, Episode, Output, Task, Variant
from app.game.names import (
    MAX_DISTRACTORS,
    Names,
    check_names,
    draw_names,
    pick,
    shuffled,
    streams,
)
from app.game.rules import truth
from app.game.say import ENGINE_VERSION
from app.game.splits import all_splits, source_cells
from app.game.taskdata import COINS
from app.game.tasks import permute_task

__all__ = [
    "MAX_SEED",
    "Plan",
    "build",
    "canonical_json",
    "content_hash",
    "from_dict",
    "from_json",
    "generate",
    "normal_coverage",
    "to_dict",
    "with_answer",
]

MAX_SEED = 2**63 - 1


def generate(
    task: Task,
    seed: int,
    lexicon: Lexicon,
    coverage: str = "1",
    distractors: int = 4,
    *,
    permute_outputs: bool = False,
    salt: str = "",
) -> Variant:
    """Draw a variant; the same arguments give the same bytes everywhere.

    Args:
        task: one of the eight tasks, or a researcher's own.
        seed: 0 to MAX_SEED.
        lexicon: source of all words.
        coverage: one of COVERAGES, or a decimal that means one.
        distractors: 0 to MAX_DISTRACTORS.
        permute_outputs: relabel activities and orders in the rule's tables at random (procedural
            tasks; off = as in the paper).
        salt: secret of a study; mixed into every draw and stored nowhere.

    Raises: FieldError: names the argument, or the pool of the lexicon that is too small.
    """
    coverage = normal_coverage(coverage)
    _check_number("seed", seed, MAX_SEED)
    _check_number("distractors", distractors, MAX_DISTRACTORS)
    stream = streams(task.name, seed, salt)
    gen_cells = pick(all_splits(task), stream("split"))
    source = source_cells(task, gen_cells)
    plan = Plan(
        chosen=shuffled(source, stream("demonstrations")),
        order=shuffled(range(2 * len(source) + MAX_DISTRACTORS), stream("order")),
    )
    if permute_outputs:
        task = permute_task(task, stream("outputs"))
    names = draw_names(task, lexicon, stream, len(source) * (coverage == "2"), distractors)
    variant = build(task, names, gen_cells, seed=seed, coverage=coverage, plan=plan)
    return replace(variant, lexicon=lexicon.name, permute_outputs=permute_outputs)


def _check_number(field: str, value: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise FieldError(field, f"must be a whole number from 0 to {most}")


def build(
    task: Task,
    names: Names,
    gen_cells: Sequence[Cell],
    *,
    seed: int = 0,
    lexicon: str = "custom",
    coverage: str = "1",
    plan: Plan | None = None,
) -> Variant:
    """Build a variant from words and a split, without drawing anything.

    There are as many distractors as `names` has. Every demonstration is played in the new world.

    Raises: FieldError: there are too few or too many names, or a command could confuse two.
    """
    cast = Cast(task, names, tuple(sorted(gen_cells)), coverage, plan or Plan())
    cast.check()
    variant = Variant(
        task=task,
        seed=seed,
        lexicon=lexicon,
        coverage=coverage,
        distractors=len(names.distractors),
        permute_outputs=False,
        engine_version=ENGINE_VERSION,
        labels=names.labels,
        classes=names.classes,
        roles=names.roles,
        grid=truth(task),
        gen_cells=cast.gen_cells,
        outputs=cast.outputs(),
        entities=cast.entities(),
        items=cast.items(),
        activities=cast.activities(),
        places=cast.places(),
        start=names.start,
        coins=COINS,
        demonstrations=(),
        episodes=(),
    )
    _check_names(variant)
    episodes = tuple(_episode(variant, cell) for cell in cast.gen_cells)
    return replace(variant, demonstrations=cast.demonstrations(variant), episodes=episodes)


def _check_names(variant: Variant) -> None:
    check_names(
        (
            *(("entities", entity.name) for entity in variant.entities),
            *(("items", item.name) for item in variant.items),
            *(("activities", activity.name) for activity in variant.activities),
            *(("places", place) for place in variant.places),
        )
    )


def _episode(variant: Variant, cell: Cell) -> Episode:
    """Return the episode of a gen cell; its goal reveals nothing about the rule."""
    entity = next(e for e in variant.entities if e.cell == cell)
    output = variant.grid[cell[0]][cell[1]]
    process = dict(variant.outputs)[output]
    shop = next(item.shop for item in variant.items if item.name == process.item)
    return Episode(
        entity=entity.name,
        goal=_goal(variant, entity),
        output=output,
        process=process,
        ref_length=process.ref_length,
        n_tries=variant.task.n_tries,
        budget=process.ref_length * variant.task.n_tries,
        solutions=solutions(process, shop, entity.place, entity.name),
    )


def _goal(variant: Variant, entity: Entity) -> str:
    attributes = ", ".join(f"{label}: {value}" for label, value in entity.attributes)
    goal = f"Defeat {entity.name} at {entity.place} ({attributes})."
    if variant.task.family == "procedural":
        goal += f" The item to buy is {variant.outputs[0][1].item}."
    return goal


def with_answer(variant: Variant, cell: Cell, output: Output) -> Variant:
    """Return the same variant with another answer for one gen cell, so another grid and episode.

    For tests of non-interference: until the first `defeat` a player cannot tell the two apart.

    Raises: FieldError: `cell` is not a gen cell, or `output` is not in the task's output space.
    """
    if cell not in variant.gen_cells:
        raise FieldError("cell", f"{cell} is not a gen cell of this variant")
    if output not in dict(variant.outputs):
        raise FieldError("output", f"{output} is not an output of {variant.task.name}")
    rows = [list(row) for row in variant.grid]
    rows[cell[0]][cell[1]] = output
    other = replace(variant, grid=tuple(tuple(row) for row in rows))
    return replace(other, episodes=tuple(_episode(other, gen) for gen in variant.gen_cells))
