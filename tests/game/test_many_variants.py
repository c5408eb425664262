"""Fifty seeds of every task in both lexica: what must hold for every variant."""

import json
from pathlib import Path

import pytest

import app
from app.game.certify import certify, describe_output
from app.game.command import BARE_VERBS, fold
from app.game.lexicon import parse_lexicon
from app.game.model import Variant
from app.game.rules import reachable, truth
from app.game.say import ENGINE_VERSION
from app.game.splits import all_splits
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate
from app.game.world import build_world, episode_world, play, replay, start

FOLDER = Path(app.__file__).parent / "lexica"
FACTS = json.loads((Path(__file__).parents[1] / "data/paper_facts.json").read_text("utf-8"))
LEXICON_NAMES = ("semantic", "nonce")
N_SEEDS = 50
CONDITIONS = (("1", 4), ("2", 8), ("1/3", 0), ("0", 4), ("2/3", 1))  # one for every fifth seed

Batch = tuple[str, list[Variant]]


@pytest.fixture(
    scope="module",
    params=[(task, lexicon) for task in TASK_NAMES for lexicon in LEXICON_NAMES],
    ids="-".join,
)
def batch(request: pytest.FixtureRequest) -> Batch:
    task, name = request.param
    lexicon = parse_lexicon((FOLDER / f"{name}.json").read_text("utf-8"))
    return task, [generate(TASKS[task], seed, lexicon) for seed in range(N_SEEDS)]


@pytest.fixture(scope="module", params=LEXICON_NAMES)
def mixed(request: pytest.FixtureRequest) -> list[Variant]:
    """Every task in all five coverages with 0 to 8 distractors."""
    lexicon = parse_lexicon((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return [
        generate(task, seed, lexicon, *CONDITIONS[seed % len(CONDITIONS)])
        for task in TASKS.values()
        for seed in range(N_SEEDS)
    ]


def all_names(variant: Variant) -> list[str]:
    return [
        *(entity.name for entity in variant.entities),
        *(item.name for item in variant.items),
        *(activity.name for activity in variant.activities),
        *variant.places,
    ]


def test_sizes_are_the_papers(batch: Batch) -> None:
    task, variants = batch
    facts = FACTS["tasks"][task]
    for variant in variants:
        splits = [entity.split for entity in variant.entities]
        assert splits.count("source") == facts["n_source"]
        assert splits.count("gen") == facts["n_gen"] == len(variant.episodes)
        assert splits.count("distractor") == 4
        assert (len(variant.classes), len(variant.roles)) == (facts["n_class"], facts["n_role"])
        assert len(variant.demonstrations) == facts["n_source"] + 4
        assert {e.n_tries for e in variant.episodes} == {facts["n_tries"]}
        if task != "P-Cond":  # the paper counts the three processes that its rule reaches
            assert len(variant.outputs) == facts["output_space"]
        assert len(reachable(variant.task)) == facts.get("n_reachable", facts["output_space"])


def test_grid_and_split_are_the_tasks(batch: Batch) -> None:
    task, variants = batch
    for variant in variants:
        assert variant.task == TASKS[task]
        assert variant.grid == truth(variant.task)
        assert variant.gen_cells in all_splits(variant.task)
        assert variant.engine_version == ENGINE_VERSION


def test_rule_is_identified_from_the_demonstrations(batch: Batch) -> None:
    for variant in batch[1]:
        certificate = certify(variant)
        assert certificate.unique
        assert certificate.rules_consistent == 1
        for cell in certificate.cells:
            right = variant.grid[cell.cell[0]][cell.cell[1]]
            assert cell.predictions == (cell.truth,) == (right,)


def test_every_solution_wins_in_ref_length_within_the_budget(batch: Batch) -> None:
    for variant in batch[1]:
        for index, episode in enumerate(variant.episodes):
            assert episode.budget == episode.ref_length * episode.n_tries
            for commands in episode.solutions:
                turns = replay(episode_world(variant, index), commands)
                assert [typed.status for typed, *_ in turns] == ["ok"] * len(commands)
                assert turns[-1][1].success
                assert turns[-1][1].actions_used == episode.ref_length


def test_output_of_another_cell_does_not_win(batch: Batch) -> None:
    """One wrong item or process in each world, all the way to the guardian."""
    for variant in batch[1]:
        episode, world = variant.episodes[0], episode_world(variant, 0)
        wrong = next(p for _, p in variant.outputs if p != episode.process)
        acts = (
            [f"{wrong.activity.verb} {wrong.activity.name}"] * wrong.count if wrong.activity else []
        )
        shop = next(item.shop for item in variant.items if item.name == wrong.item)
        buy = [f"go {shop}", f"buy {wrong.item}"]
        lines = [*buy, *acts] if wrong.order == "after" else [*acts, *buy]
        place = variant.entity(episode.entity).place
        turns = replay(world, [*lines, f"go {place}", f"defeat {episode.entity}"])
        assert turns[-1][2].code == "failed"


def test_all_attempts_can_be_paid(batch: Batch) -> None:
    for variant in batch[1]:
        price = {item.price for item in variant.items}
        assert price == {30}
        assert variant.coins == 1000 >= 30 * variant.task.n_tries


def test_goal_names_entity_place_attributes_and_in_procedural_tasks_the_item(batch: Batch) -> None:
    for variant in batch[1]:
        for episode in variant.episodes:
            entity = variant.entity(episode.entity)
            words = [entity.name, entity.place, *(w for pair in entity.attributes for w in pair)]
            if variant.task.family == "procedural":
                words.append(episode.process.item)
            assert all(word in episode.goal for word in words)
            assert (f"{episode.process.item}" in episode.goal) is bool(variant.activities)


def test_rule_items_share_one_shop_and_are_all_listed(batch: Batch) -> None:
    for variant in batch[1]:
        rule = {process.item for _, process in variant.outputs}
        shops = {item.shop for item in variant.items if item.name in rule}
        others = {item.shop for item in variant.items if item.name not in rule}
        assert rule <= {item.name for item in variant.items}
        assert len(shops) == len(others) == 1
        assert not shops & others
        if variant.task.family == "procedural":
            assert len(rule) == 1
            assert [a.verb for a in variant.activities] == ["perform", "drink"]
        else:
            assert len(rule) == len(variant.outputs)
            assert variant.activities == ()


def test_distractor_items_are_of_another_kind(batch: Batch) -> None:
    for variant in batch[1]:
        rule = {process.item for _, process in variant.outputs}
        kinds = {name.rsplit("_", 1)[1] for name in rule}
        others = {i.name.rsplit("_", 1)[1] for i in variant.items if i.name not in rule}
        assert len(kinds) == len(others) == 1
        assert kinds != others


def test_outputs_are_described_apart(batch: Batch) -> None:
    for variant in batch[1]:
        words = {describe_output(variant, output) for output, _ in variant.outputs}
        assert len(words) == len(variant.outputs)


def test_names_are_unique_after_folding(mixed: list[Variant]) -> None:
    for variant in mixed:
        folded = [fold(name) for name in all_names(variant)]
        assert len(set(folded)) == len(folded)
        assert not set(folded) & {fold(verb) for verb in BARE_VERBS}


def test_people_share_no_first_or_last_name_and_no_place(mixed: list[Variant]) -> None:
    for variant in mixed:
        first, last = zip(*(e.name.split(" ") for e in variant.entities), strict=True)
        places = [e.place for e in variant.entities]
        for words in (first, last, places):
            assert len(set(words)) == len(words)
        shops = {item.shop for item in variant.items}
        assert not shops & {*places, variant.start}
        assert variant.start not in places
        assert sorted({*places, *shops, variant.start}) == list(variant.places)


def test_listings_are_alphabetical(mixed: list[Variant]) -> None:
    for variant in mixed:
        people, items = [e.name for e in variant.entities], [i.name for i in variant.items]
        assert people == sorted(people)
        assert items == sorted(items)


def test_distractors_have_labels_and_values_of_their_own(mixed: list[Variant]) -> None:
    for variant in mixed:
        own = {*variant.labels, *variant.classes, *variant.roles}
        theirs = [e.attributes for e in variant.entities if e.split == "distractor"]
        assert len(theirs) == variant.distractors
        for attributes in theirs:
            assert not own & {word for pair in attributes for word in pair}
            assert [label for label, _ in attributes] == [label for label, _ in theirs[0]]
            assert len({label for label, _ in attributes}) == 2


def test_distractors_can_be_met_but_not_instead_of_the_goal(mixed: list[Variant]) -> None:
    for variant in mixed:
        for entity in variant.entities:
            if entity.split == "distractor":
                world = episode_world(variant, 0)
                _, state, _ = play(world, start(world), f"go {entity.place}")
                assert play(world, state, f"defeat {entity.name}")[2].code == "other_entity"


def test_demonstrations_win_with_no_wasted_action(mixed: list[Variant]) -> None:
    for variant in mixed:
        processes = dict(variant.outputs)
        for account in variant.demonstrations:
            cell = variant.entity(account.entity).cell
            if cell is None:
                assert account.distractor
                assert len(account.steps) == 4
                continue
            process = processes[variant.grid[cell[0]][cell[1]]]
            turns = replay(
                build_world(variant, account.entity, process), [s.command for s in account.steps]
            )
            assert turns[-1][1].success
            assert len(account.steps) == process.ref_length


def test_gen_cells_are_never_demonstrated(mixed: list[Variant]) -> None:
    for variant in mixed:
        cells = [variant.entity(account.entity).cell for account in variant.demonstrations]
        assert not set(cells) & set(variant.gen_cells)


def test_rule_is_identified_from_full_coverage_on_and_never_without_demonstrations(
    mixed: list[Variant],
) -> None:
    for variant in mixed:
        if variant.coverage in ("1", "2"):
            assert certify(variant).unique
        if variant.coverage == "0":
            assert not certify(variant).unique
