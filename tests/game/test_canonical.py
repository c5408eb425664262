"""Variants as bytes: canonical, hashed, and read back exactly."""

import hashlib
import json
from pathlib import Path

import pytest

import app
from app.errors import FieldError
from app.game.lexicon import parse_lexicon
from app.game.model import COVERAGES, Task, Variant
from app.game.practice import practice_variant
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import canonical_json, content_hash, from_dict, from_json, generate, to_dict

NONCE = parse_lexicon((Path(app.__file__).parent / "lexica/nonce.json").read_text("utf-8"))

PARTS = to_dict(practice_variant())
SHAPES: tuple[object, ...] = (None, 7, "x", True, [None], [[1, 2, 3]], {"name": 1})
WRONG = [
    pytest.param(field, wrong, id=f"{field}-{wrong}")
    for field in PARTS
    for wrong in SHAPES
    if field != "task" and (isinstance(wrong, list) or type(wrong) is not type(PARTS[field]))
]

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASK_NAMES)


@pytest.fixture(scope="module")
def padd() -> Variant:
    return generate(TASKS["P-Add"], 2, NONCE)


@every_task
def test_canonical_json_is_read_back_exactly(task: Task) -> None:
    for coverage in COVERAGES:
        variant = generate(task, 1, NONCE, coverage, 8, permute_outputs=True)
        text = canonical_json(variant)
        assert from_json(text) == variant
        assert canonical_json(from_json(text)) == text


def test_practice_world_is_read_back_exactly() -> None:
    assert from_json(canonical_json(practice_variant())) == practice_variant()


@every_task
def test_canonical_json_is_sorted_compact_ascii_without_floats(task: Task) -> None:
    text = canonical_json(generate(task, 1, NONCE))
    data = json.loads(text, parse_float=lambda number: pytest.fail(f"a float: {number}"))
    assert text == json.dumps(data, sort_keys=True, separators=(",", ":"))
    assert text.isascii()


@every_task
def test_hash_is_sha256_of_everything_but_the_hash(task: Task) -> None:
    variant = generate(task, 1, NONCE)
    data = json.loads(canonical_json(variant))
    stored = data.pop("hash")
    rest = json.dumps(data, sort_keys=True, separators=(",", ":"))
    assert stored == hashlib.sha256(rest.encode("ascii")).hexdigest() == content_hash(variant)


def test_variant_in_json_names_what_others_read(padd: Variant) -> None:
    data = json.loads(canonical_json(padd))
    assert data["task"] == "P-Add"
    assert (data["seed"], data["lexicon"], data["coverage"]) == (2, "nonce", "1")
    people = {e["name"]: e for e in data["entities"]}
    for entity in padd.entities:
        listed = people[entity.name]
        assert listed["attributes"] == dict(entity.attributes)
        if entity.cell is None:
            assert listed["class"] is listed["role"] is None
        else:
            assert (listed["class"], listed["role"]) == tuple(v for _, v in entity.attributes)
    for episode, listed in zip(padd.episodes, data["episodes"], strict=True):
        assert [tuple(way) for way in listed["solutions"]] == list(episode.solutions)
        assert listed["budget"] == episode.budget


@pytest.mark.parametrize("field", ["seed", "start", "grid", "episodes", "task_data"])
def test_changed_variant_does_not_match_its_hash(padd: Variant, field: str) -> None:
    data = json.loads(canonical_json(padd))
    data[field] = data["seed"] + 1 if field == "seed" else data["places"][0]
    with pytest.raises(FieldError, match="changed") as caught:
        from_json(json.dumps(data))
    assert caught.value.field == "hash"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"hash": "x", "seed": 1}', "[" * 10**5, "9" * 5000]
)
def test_text_that_is_not_a_variant_is_refused(text: str) -> None:
    with pytest.raises(FieldError):
        from_json(text)


@pytest.mark.parametrize("number", ["1.0", "1e3", "NaN", "Infinity"])
def test_number_that_is_not_whole_is_refused(padd: Variant, number: str) -> None:
    text = canonical_json(padd).replace('"coins":1000', f'"coins":{number}')
    with pytest.raises(FieldError, match="whole number"):
        from_json(text)


@pytest.mark.parametrize(
    "field", sorted(set(Variant.__dataclass_fields__) - {"task", "built", "engine"})
)
def test_missing_part_is_named(padd: Variant, field: str) -> None:
    data = to_dict(padd)
    del data[field]
    with pytest.raises(FieldError) as caught:
        from_dict(data)
    assert caught.value.field == field


@pytest.mark.parametrize(("field", "wrong"), WRONG)
def test_part_of_the_wrong_shape_is_named(padd: Variant, field: str, wrong: object) -> None:
    with pytest.raises(FieldError) as caught:
        from_dict({**to_dict(padd), field: wrong})
    assert caught.value.field == field


@pytest.mark.parametrize("field", ["name", "form", "dimensions", "tables", "n_tries"])
def test_missing_part_of_the_task_is_refused(padd: Variant, field: str) -> None:
    data = to_dict(padd)
    del data["task_data"][field]
    with pytest.raises(FieldError) as caught:
        from_dict(data)
    assert caught.value.field == "task_data"
