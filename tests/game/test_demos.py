"""Demonstrations: how many, of whom, and that each is what the world actually answers."""

from itertools import permutations
from pathlib import Path

import pytest

import app
from app.errors import FieldError
from app.game.demos import demonstration, shown_cells, solutions
from app.game.lexicon import parse_lexicon
from app.game.model import COVERAGES, Activity, Process, Task, Variant
from app.game.say import say
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate, normal_coverage
from app.game.world import build_world, replay

SEMANTIC = parse_lexicon((Path(app.__file__).parent / "lexica/semantic.json").read_text("utf-8"))

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASK_NAMES)


def process_of(variant: Variant, entity_name: str) -> Process:
    cell = variant.entity(entity_name).cell
    assert cell is not None
    return dict(variant.outputs)[variant.grid[cell[0]][cell[1]]]


@pytest.mark.parametrize(
    ("n_source", "counts"),
    [
        (6, (0, 2, 4, 6, 6)),
        (8, (0, 3, 5, 8, 8)),
        (7, (0, 2, 5, 7, 7)),
        (3, (0, 1, 2, 3, 3)),
        (9, (0, 3, 6, 9, 9)),
    ],
)
def test_number_of_shown_cells_is_rounded_half_up(n_source: int, counts: tuple[int, ...]) -> None:
    assert tuple(len(shown_cells(range(n_source), c)) for c in COVERAGES) == counts


@every_task
def test_demonstrations_are_the_shown_cells_and_the_distractors(task: Task) -> None:
    for coverage in COVERAGES:
        for distractors in (0, 4, 8):
            variant = generate(task, 3, SEMANTIC, coverage, distractors)
            n_source = task.n_class * task.n_role - len(variant.gen_cells)
            shown = [d for d in variant.demonstrations if not d.distractor]
            copies = 2 if coverage == "2" else 1
            assert len(shown) == copies * len(shown_cells(range(n_source), coverage))
            assert len(variant.demonstrations) - len(shown) == distractors
            cells = [variant.entity(d.entity).cell for d in shown]
            assert all(cells.count(cell) == copies for cell in cells)
            assert len({d.entity for d in variant.demonstrations}) == len(variant.demonstrations)


@every_task
def test_demonstration_of_a_source_entity_is_its_solution_played(task: Task) -> None:
    variant = generate(task, 8, SEMANTIC, "2", 8)
    for account in variant.demonstrations:
        if account.distractor:
            continue
        process = process_of(variant, account.entity)
        turns = replay(
            build_world(variant, account.entity, process), [s.command for s in account.steps]
        )
        assert [s.message for s in account.steps] == [say(observation) for *_, observation in turns]
        assert turns[-1][1].success
        assert len(account.steps) == process.ref_length


@every_task
def test_demonstration_of_a_distractor_is_flat_and_bought_elsewhere(task: Task) -> None:
    variant = generate(task, 8, SEMANTIC, "1", 8)
    rule_items = {process.item for _, process in variant.outputs}
    shops = {item.name: item.shop for item in variant.items}
    for account in (d for d in variant.demonstrations if d.distractor):
        verbs, names = zip(*(s.command.split(" ", 1) for s in account.steps), strict=True)
        entity = variant.entity(account.entity)
        assert verbs == ("go", "buy", "go", "defeat")
        assert names[1] not in rule_items
        assert names == (shops[names[1]], names[1], entity.place, entity.name)


def test_distractors_follow_no_pattern() -> None:
    """Over many variants, each of a distractor's two values occurs with each of the four items."""
    seen = set()
    for seed in range(60):
        variant = generate(TASKS["A-Add"], seed, SEMANTIC, "1", 8)
        entities = [variant.entity(d.entity) for d in variant.demonstrations if d.distractor]
        items = [d.steps[1].command for d in variant.demonstrations if d.distractor]
        firsts = [e.attributes[0][1] for e in entities]
        seen |= {(firsts.index(v), items.index(i)) for v, i in zip(firsts, items, strict=True)}
    assert {(a, b) for a in range(4) for b in range(4)} <= seen


@every_task
def test_solutions_are_all_the_orders_that_win_without_a_wasted_action(task: Task) -> None:
    """Every order of the right commands is played; the ones that win are the ones listed."""
    variant = generate(task, 6, SEMANTIC)
    for output, process in variant.outputs:
        entity = variant.entity(variant.episodes[0].entity)
        shop = next(item.shop for item in variant.items if item.name == process.item)
        listed = solutions(process, shop, entity.place, entity.name)
        assert len(set(listed)) == len(listed) == process.count + 1, output
        world = build_world(variant, entity.name, process)
        body = set(permutations(listed[0][:-1]))  # a `defeat` that comes early fails the attempt
        won = {c for c in body if replay(world, (*c, listed[0][-1]))[-1][1].success}
        assert {c[:-1] for c in listed} == won


@pytest.mark.parametrize("order", ["before", "after"])
def test_demonstrated_activity_is_next_to_the_purchase(order: str) -> None:
    process = Process("spear", Activity("drink", "tea"), order, 2)
    first = solutions(process, "forge", "mill", "Orla Fenwick")[0]
    verbs = [command.split(" ")[0] for command in first]
    beside = ["drink", "drink", "buy"] if order == "before" else ["buy", "drink", "drink"]
    assert verbs == ["go", *beside, "go", "defeat"]


def test_demonstration_that_the_world_rejects_is_an_error() -> None:
    variant = generate(TASKS["A-Add"], 1, SEMANTIC)
    process = Process(variant.items[0].name, Activity("drink", "unheard_of"), "after", 1)
    with pytest.raises(FieldError, match="rejects"):
        demonstration(variant, variant.entities[0].name, process, distractor=False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((c, c) for c in COVERAGES),
        *((1.0, "1"), (" 2.0 ", "2"), ("0.0", "0"), ("  1", "1")),
        *(("0.33", "1/3"), ("0.3333333333", "1/3"), (1 / 3, "1/3")),
        *(("0.66", "2/3"), ("0.67", "2/3"), (0.6666666667, "2/3")),
    ],
)
def test_coverage_is_understood(typed: str | float, meant: str) -> None:
    assert normal_coverage(typed) == meant


@pytest.mark.parametrize("typed", ["", "3", "-1", "0.5", "1/4", "nan", "inf", "all", "0.3"])
def test_coverage_that_means_none_is_refused(typed: str) -> None:
    with pytest.raises(FieldError) as caught:
        normal_coverage(typed)
    assert caught.value.field == "coverage"
