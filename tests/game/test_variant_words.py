"""Variants of a researcher's own tasks and words, and variants with another answer."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import app
from app.errors import FieldError
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Dimension, Task
from app.game.names import Names, Seat, check_names
from app.game.tasks import TASK_NAMES, TASKS, task_from_dict
from app.game.variant import build, canonical_json, content_hash, generate, with_answer
from app.game.view import player_view

FOLDER = Path(app.__file__).parent / "lexica"
TEXTS = {name: (FOLDER / f"{name}.json").read_text("utf-8") for name in ("semantic", "nonce")}
LEXICA = {name: parse_lexicon(text) for name, text in TEXTS.items()}
SEMANTIC = LEXICA["semantic"]

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASK_NAMES)


# --- another answer


@every_task
@pytest.mark.parametrize("coverage", ["0", "1", "2"])
def test_another_answer_for_a_gen_cell_changes_nothing_that_its_player_sees(
    task: Task, coverage: str
) -> None:
    variant = generate(task, 4, SEMANTIC, coverage)
    for index, cell in enumerate(variant.gen_cells):
        right = variant.grid[cell[0]][cell[1]]
        for output, process in variant.outputs:
            other = with_answer(variant, cell, output)
            assert player_view(other, index) == player_view(variant, index)
            assert other.episodes[index].process == process
            assert other.episodes[index].budget == process.ref_length * task.n_tries
            assert (content_hash(other) == content_hash(variant)) is (output == right)
            assert replace(other, grid=variant.grid, episodes=variant.episodes) == variant


def test_another_answer_is_refused_for_a_source_cell_and_an_unknown_output() -> None:
    variant = generate(TASKS["A-Add"], 1, SEMANTIC)
    source = next(e.cell for e in variant.entities if e.split == "source" and e.cell)
    with pytest.raises(FieldError, match="cell"):
        with_answer(variant, source, (1,))
    with pytest.raises(FieldError, match="output"):
        with_answer(variant, variant.gen_cells[0], (9,))


# --- tasks of a researcher's own


def eight_by_eight(name: str, form: str) -> Task:
    words = [{"name": n, "values": list(range(8))} for n in ("size", "color")]
    tables = {
        "additive": {"class": list(range(8)), "role": list(range(8))},
        "compositional": {"class": list(range(8)), "role": list(range(8))},
        "override": {"base": [[i] for i in range(7)] + [[0]], "u": [7], "h": [7]},
    }[form]
    dimensions = {
        "additive": [{"name": "size", "values": list(range(15)), "numbered": True}],
        "compositional": words,
        "override": words[:1],
    }[form]
    law = {"additive": "any_one", "compositional": "latin", "override": "held_out_class"}[form]
    return task_from_dict(
        {
            "name": name,
            "family": "attribute",
            "form": form,
            "n_class": 8,
            "n_role": 8,
            "dimensions": dimensions,
            "tables": tables,
            "split_law": law,
            "n_tries": 9,
        }
    )


@pytest.mark.parametrize("form", ["additive", "compositional", "override"])
@pytest.mark.parametrize("lexicon", LEXICA.values(), ids=LEXICA)
def test_largest_grid_fits_at_twice_the_coverage_with_eight_distractors(
    form: str, lexicon: Lexicon
) -> None:
    variant = generate(eight_by_eight("X-8", form), 1, lexicon, "2", 8)
    n_source = 64 - len(variant.gen_cells)
    assert len(variant.entities) == 64 + n_source + 8
    assert len(variant.demonstrations) == 2 * n_source + 8


@pytest.mark.parametrize(
    ("pool", "kept", "coverage"),
    [("first_names", 40, "2"), ("places", 63, "1"), ("classes", 7, "1"), ("roles", 7, "0")],
)
def test_pool_that_is_too_small_for_the_task_is_named(pool: str, kept: int, coverage: str) -> None:
    small: Lexicon = replace(SEMANTIC, **{pool: getattr(SEMANTIC, pool)[:kept]})
    with pytest.raises(FieldError, match="needs") as caught:
        generate(eight_by_eight("X-8", "additive"), 1, small, coverage)
    assert caught.value.field == pool


def test_pool_need_not_last_for_a_condition_that_is_not_drawn() -> None:
    small: Lexicon = replace(SEMANTIC, places=SEMANTIC.places[:68])
    assert len(generate(eight_by_eight("X-8", "additive"), 1, small, "1", 4).entities) == 68


def test_words_of_a_dimension_that_are_too_few_are_named() -> None:
    task = replace(TASKS["A-Over"], dimensions=(Dimension("size", tuple(range(40))),))
    with pytest.raises(FieldError) as caught:
        generate(task, 1, SEMANTIC)
    assert caught.value.field == "dimensions.size.words"


# --- names written by hand


def make_names(**changes: Any) -> Names:
    cells = tuple(Seat(f"Person {i}", f"place_{i}") for i in range(9))
    names = Names(
        labels=("class", "role"),
        classes=("a", "b", "c"),
        roles=("d", "e", "f"),
        words=(tuple(f"size_{n}" for n in range(5)),),
        noun="spear",
        weapon="",
        ritual="moon_rite",
        potion="tea",
        start="inn",
        shop="forge",
        distractor_shop="stall",
        cells=cells,
    )
    return replace(names, **changes)


GEN = ((0, 0), (1, 1), (2, 2))


def test_built_variant_without_distractors_has_one_shop() -> None:
    variant = build(TASKS["A-Add"], make_names(), GEN)
    assert {item.shop for item in variant.items} == {"forge"}
    assert "stall" not in variant.places
    assert json.loads(canonical_json(variant))["lexicon"] == "custom"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"shop": "Place 3"}, "places"),
        ({"start": "person-4"}, "places"),
        ({"start": "size_3_spear"}, "places"),
        ({"classes": ("a", "b")}, "classes"),
        ({"roles": ("d", "e", "f", "g")}, "roles"),
        ({"cells": ()}, "cells"),
    ],
)
def test_built_variant_refuses_names_that_do_not_fit(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(FieldError) as caught:
        build(TASKS["A-Add"], make_names(**changes), GEN)
    assert caught.value.field == field


def test_built_variant_at_twice_the_coverage_needs_second_entities() -> None:
    with pytest.raises(FieldError) as caught:
        build(TASKS["A-Add"], make_names(), GEN, coverage="2")
    assert caught.value.field == "seconds"


def test_check_of_names_refuses_what_folds_to_nothing() -> None:
    with pytest.raises(FieldError, match="nothing"):
        check_names([("places", "_")])
