"""What a variant keeps, and what it changes, between seeds, conditions, lexica and salts."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import app
from app.errors import FieldError
from app.game.lexicon import parse_lexicon
from app.game.model import COVERAGES, Cell, Task, Variant
from app.game.names import pick, shuffled, streams
from app.game.splits import all_splits
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import (
    MAX_SEED,
    canonical_json,
    content_hash,
    generate,
)

FOLDER = Path(app.__file__).parent / "lexica"
TEXTS = {name: (FOLDER / f"{name}.json").read_text("utf-8") for name in ("semantic", "nonce")}
LEXICA = {name: parse_lexicon(text) for name, text in TEXTS.items()}
SEMANTIC = LEXICA["semantic"]
CONDITIONS = [(c, d) for c in COVERAGES for d in (0, 1, 4, 8)]

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASK_NAMES)


def seats(variant: Variant) -> dict[str, tuple[object, ...]]:
    return {e.name: (e.place, e.cell, e.attributes) for e in variant.entities}


def shown_source(variant: Variant) -> list[Cell | None]:
    return [variant.entity(d.entity).cell for d in variant.demonstrations if not d.distractor]


# --- the same arguments, other arguments


@every_task
def test_variant_from_the_same_arguments_is_the_same_bytes(task: Task) -> None:
    first, second = (canonical_json(generate(task, 11, SEMANTIC)) for _ in range(2))
    assert first == second


@every_task
def test_variants_of_fifty_seeds_all_differ(task: Task) -> None:
    assert len({content_hash(generate(task, seed, SEMANTIC)) for seed in range(50)}) == 50


@every_task
def test_every_split_of_the_law_is_drawn(task: Task) -> None:
    drawn = {generate(task, seed, SEMANTIC, "0", 0).gen_cells for seed in range(250)}
    assert drawn == set(all_splits(task))


def test_every_index_gets_many_words() -> None:
    variants = [generate(TASKS["A-Comp"], seed, SEMANTIC, "0", 0) for seed in range(100)]
    for index in range(3):
        assert len({v.classes[index] for v in variants}) > 15
        assert len({v.roles[index] for v in variants}) > 15


def test_every_value_of_a_dimension_gets_many_words() -> None:
    variants = [generate(TASKS["A-Comp"], seed, SEMANTIC, "0", 0) for seed in range(100)]
    for index in (0, 4, 8):  # sizes and colours 0, 1 and 2
        items = [v.outputs[index][1].item.split("_") for v in variants]
        sizes, colors, _ = zip(*items, strict=True)
        assert min(len(set(sizes)), len(set(colors))) > 10


def test_salt_changes_split_and_names_and_is_stored_nowhere() -> None:
    plain, salted = (
        [generate(TASKS["A-Cond"], seed, SEMANTIC, salt=salt) for seed in range(20)]
        for salt in ("", "pepper-mill")
    )
    assert [v.gen_cells for v in plain] != [v.gen_cells for v in salted]
    assert not {v.classes for v in plain} & {v.classes for v in salted}
    assert all("pepper" not in canonical_json(v) for v in salted)


def test_streams_of_two_purposes_and_of_two_salts_differ() -> None:
    first = streams("A-Add", 1, "")("split").random()
    others = [
        streams("A-Add", 1, "")("order"),
        streams("A-Add", 1, "x")("split"),
        streams("A-Add", 2, "")("split"),
        streams("A-Over", 1, "")("split"),
    ]
    assert first == streams("A-Add", 1, "")("split").random()
    assert first not in {stream.random() for stream in others}


def test_shuffle_gives_every_order_about_equally_often() -> None:
    rng = streams("any", 0, "")("order")
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        order = shuffled(range(3), rng)
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 850


def test_pick_gives_every_value_about_equally_often() -> None:
    rng = streams("any", 0, "")("pick")
    picks = [pick("abc", rng) for _ in range(3000)]
    assert min(picks.count(letter) for letter in "abc") > 900


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": MAX_SEED + 1}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": "3"}, "seed"),
        ({"distractors": 9}, "distractors"),
        ({"distractors": -1}, "distractors"),
        ({"coverage": "1/2"}, "coverage"),
    ],
)
def test_argument_out_of_range_is_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(FieldError) as caught:
        generate(TASKS["A-Add"], **{"seed": 1, "lexicon": SEMANTIC, **arguments})
    assert caught.value.field == field


# --- conditions that are compared in pairs


@every_task
@pytest.mark.parametrize("seed", [0, 7])
def test_split_and_people_are_the_same_in_every_condition(task: Task, seed: int) -> None:
    full = generate(task, seed, SEMANTIC, "2", 8)
    for coverage, distractors in CONDITIONS:
        variant = generate(task, seed, SEMANTIC, coverage, distractors)
        assert variant.gen_cells == full.gen_cells
        assert (variant.classes, variant.roles, variant.labels) == (
            full.classes,
            full.roles,
            full.labels,
        )
        assert (variant.outputs, variant.activities, variant.start) == (
            full.outputs,
            full.activities,
            full.start,
        )
        assert variant.episodes == full.episodes
        assert seats(variant).items() <= seats(full).items()
        assert set(variant.items) <= set(full.items)


@every_task
def test_demonstrations_keep_their_order_in_every_condition(task: Task) -> None:
    full = [d.entity for d in generate(task, 5, SEMANTIC, "2", 8).demonstrations]
    for coverage, distractors in CONDITIONS:
        names = [
            d.entity for d in generate(task, 5, SEMANTIC, coverage, distractors).demonstrations
        ]
        assert names == [name for name in full if name in names]


@every_task
@pytest.mark.parametrize("coverage", COVERAGES)
def test_structure_and_order_are_the_same_in_both_lexica(task: Task, coverage: str) -> None:
    one, other = (generate(task, 9, lexicon, coverage, 8) for lexicon in LEXICA.values())
    assert one.gen_cells == other.gen_cells
    assert [d.distractor for d in one.demonstrations] == [
        d.distractor for d in other.demonstrations
    ]
    assert shown_source(one) == shown_source(other)
    kinds = []
    for variant in (one, other):
        flat = [d.steps[1].command for d in variant.demonstrations if d.distractor]
        kinds.append([flat.index(command) for command in flat])
    assert kinds[0] == kinds[1]


@every_task
def test_shown_cells_are_nested(task: Task) -> None:
    for seed in range(10):
        steps = [set(shown_source(generate(task, seed, SEMANTIC, c))) for c in COVERAGES]
        assert all(small <= large for small, large in pairwise(steps))


@every_task
def test_world_listing_below_full_coverage_stays_that_of_full(task: Task) -> None:
    full = generate(task, 2, SEMANTIC, "1")
    for coverage in ("0", "1/3", "2/3"):
        variant = generate(task, 2, SEMANTIC, coverage)
        listing = ("entities", "items", "activities", "places", "start")
        assert all(getattr(variant, part) == getattr(full, part) for part in listing)


def test_choice_of_shown_cells_is_drawn() -> None:
    """Whatever is held out, every other cell of P-Comp comes first for some seed."""
    firsts: dict[object, set[object]] = {}
    for seed in range(100):
        variant = generate(TASKS["P-Comp"], seed, SEMANTIC, "1/3", 0)
        firsts.setdefault(variant.gen_cells, set()).update(shown_source(variant))
    assert [len(cells) for cells in firsts.values()] == [3, 3, 3, 3]


def test_order_does_not_follow_the_split() -> None:
    """If both came from one stream, a split would determine what kind of account comes last."""
    lasts: dict[object, set[bool]] = {}
    for seed in range(100):
        variant = generate(TASKS["P-Comp"], seed, SEMANTIC, "2", 8)
        last = variant.demonstrations[-1].distractor
        lasts.setdefault(variant.gen_cells, set()).add(last)
    assert [len(kinds) for kinds in lasts.values()] == [2, 2, 2, 2]


def test_order_of_demonstrations_is_a_shuffle() -> None:
    """Each of the ten comes first about equally often, source and distractor alike."""
    firsts = [generate(TASKS["A-Add"], seed, SEMANTIC).demonstrations[0] for seed in range(400)]
    assert 120 < sum(d.distractor for d in firsts) < 200


# --- permuted outputs


def test_outputs_as_in_the_paper_end_pover_with_drink_after_always() -> None:
    for seed in range(20):
        variant = generate(TASKS["P-Over"], seed, SEMANTIC)
        process = dict(variant.outputs)[variant.grid[0][3]]
        assert process.activity is not None
        assert (process.activity.verb, process.order) == ("drink", "after")


def test_permuted_outputs_vary_the_override_and_keep_all_else() -> None:
    seen = set()
    for seed in range(40):
        plain = generate(TASKS["P-Over"], seed, SEMANTIC)
        variant = generate(TASKS["P-Over"], seed, SEMANTIC, permute_outputs=True)
        process = dict(variant.outputs)[variant.grid[0][3]]
        assert process.activity is not None
        seen.add((process.activity.verb, process.order))
        assert variant.permute_outputs
        assert (variant.entities, variant.items, variant.gen_cells) == (
            plain.entities,
            plain.items,
            plain.gen_cells,
        )
    assert len(seen) == 4


def test_permuted_outputs_leave_attribute_tasks_alone() -> None:
    for seed in range(5):
        variant = generate(TASKS["A-Comp"], seed, SEMANTIC, permute_outputs=True)
        assert replace(variant, permute_outputs=False) == generate(TASKS["A-Comp"], seed, SEMANTIC)
