"""The lexicon files that come with the game, and why a researcher's own file is refused."""

import json
from itertools import combinations
from pathlib import Path

import pytest

import app
from app.errors import FieldError
from app.game.command import ARGUMENT_KINDS, BARE_VERBS, fold
from app.game.lexicon import LEAST, Lexicon, parse_lexicon

FOLDER = Path(app.__file__).parent / "lexica"
TEXTS = {name: (FOLDER / f"{name}.json").read_text("utf-8") for name in ("semantic", "nonce")}
PAPER = json.loads((Path(__file__).parents[1] / "data/paper_facts.json").read_text("utf-8"))
GRID_8 = 8 * 8  # cells of the largest grid a task may have


@pytest.fixture(params=["semantic", "nonce"])
def lexicon(request: pytest.FixtureRequest) -> Lexicon:
    return parse_lexicon(TEXTS[request.param])


def words_of(text: str) -> list[str]:
    """Every word that a player may read, in file order (field names and `name` left out)."""
    data = json.loads(text)
    found = [w for field in LEAST for w in data[field]]
    found += [w for pool in data["labels"].values() for w in pool]
    for entry in data["dimensions"].values():
        found += [*entry["labels"], *entry["words"]]
    for label, values in data["distractor_attributes"].items():
        found += [label, *values]
    return found


def one_letter_apart(one: str, other: str) -> bool:
    """Tell whether adding, dropping or changing one letter turns one word into the other."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]


def test_semantic_words_contain_every_word_of_the_papers_grids() -> None:
    lexicon = parse_lexicon(TEXTS["semantic"])
    words_there = {w for d in lexicon.dimensions for w in d.words}
    for name, grid in PAPER["grids"].items():
        assert set(grid["rows"]) <= set(lexicon.classes)
        assert set(grid["cols"]) <= set(lexicon.roles)
        if name in ("A-Comp", "A-Cond", "A-Over"):
            cells = {w for row in grid["cells"] for cell in row for w in cell.split()}
            assert cells <= words_there


def test_semantic_labels_are_class_and_role() -> None:
    lexicon = parse_lexicon(TEXTS["semantic"])
    assert (lexicon.class_labels, lexicon.role_labels) == (("class",), ("role",))
    assert lexicon.dimension("size").labels == ("size",)


def test_nonce_words_share_none_with_the_semantic_ones() -> None:
    nonce, semantic = ({fold(w) for w in words_of(TEXTS[n])} for n in ("nonce", "semantic"))
    assert not nonce & semantic


def test_nonce_words_are_single_and_unlike_any_verb() -> None:
    for word in words_of(TEXTS["nonce"]):
        assert "_" not in word
        assert len(word) >= 5
        assert not any(one_letter_apart(word, verb) for verb in (*ARGUMENT_KINDS, *BARE_VERBS))


@pytest.mark.parametrize("name", TEXTS)
def test_words_of_a_file_are_unique(name: str) -> None:
    words = [fold(w) for w in words_of(TEXTS[name])]
    assert len(set(words)) == len(words)


def test_words_of_one_pool_are_never_one_letter_apart(lexicon: Lexicon) -> None:
    pools = [getattr(lexicon, field) for field in LEAST]
    for pool in (*pools, *(d.words for d in lexicon.dimensions)):
        assert not [pair for pair in combinations(pool, 2) if one_letter_apart(*pair)]


def test_pools_last_for_the_largest_grid_at_twice_the_coverage_with_eight_distractors(
    lexicon: Lexicon,
) -> None:
    most = GRID_8 + 8 + (GRID_8 - 1)
    assert min(map(len, (lexicon.first_names, lexicon.last_names, lexicon.places))) >= most
    assert min(len(lexicon.classes), len(lexicon.roles)) >= 8
    assert all(len(d.words) >= 16 for d in lexicon.dimensions)


def test_unknown_dimension_is_named() -> None:
    with pytest.raises(FieldError) as caught:
        parse_lexicon(TEXTS["nonce"]).dimension("weight")
    assert caught.value.field == "dimensions.weight"


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["classes", 2], "Ranger", "classes[2]"),
        (["classes", 2], "", "classes[2]"),
        (["classes", 2], 7, "classes[2]"),
        (["classes", 2], "man at arms", "classes[2]"),
        (["classes", 2], "man__at_arms", "classes[2]"),
        (["classes", 2], "_man", "classes[2]"),
        (["classes", 2], "rank1", "classes[2]"),
        (["classes", 2], "a" * 25, "classes[2]"),
        (["classes", 2], "cafe\u0301", "classes[2]"),
        (["classes", 2], "\u1100\u1161", "classes[2]"),  # letters, but not composed ones
        (["places", 0], "the_keep", "places[0]"),
        (["places", 0], "to_and_fro", "places[0]"),
        (["places", 0], "road_to_hill", "places[0]"),
        (["rituals", 0], "perform", "rituals[0]"),
        (["potions", 1], "long_drink", "potions[1]"),
        (["potions", 1], "check_up", "potions[1]"),
        (["first_names", 1], "orla", "first_names[1]"),
        (["last_names", 1], "Of Hill", "last_names[1]"),
        (["last_names", 1], "Under_Hill", "last_names[1]"),
        (["places", 3], "rusty_spear", "places[3]"),
        (["places", 3], "orla_fenwick", "places[3]"),
        (["labels", "class"], [], "labels.class"),
        (["labels", "rank"], ["rank"], "labels.rank"),
        (["labels"], ["class", "role"], "labels"),
        (["nouns"], ["spear"], "nouns"),
        (["traits"], ["barbed", "hooked", "gilded", "rusted"], "traits"),
        (["starts"], "crossroads", "starts"),
        (["name"], "My words", "name"),
        (["dimensions", "size", "words"], ["short", "long", "wide"], "dimensions.size.words"),
        (["dimensions", "size", "label"], ["size"], "dimensions.size.label"),
        (["dimensions", "color"], [], "dimensions.color"),
        (["dimensions", "Size Two"], {}, "dimensions.Size Two"),
        (["distractor_attributes"], {"sign": ["a", "b", "c", "d"]}, "distractor_attributes"),
        (["distractor_attributes", "sign"], ["fox"], "distractor_attributes.sign"),
        (["distractor_attributes", "Sign"], ["a", "b", "c", "d"], "distractor_attributes.Sign"),
        (["colours"], ["red"], "colours"),
    ],
)
def test_bad_entry_is_refused_by_field(path: list[str | int], value: object, field: str) -> None:
    data = json.loads(TEXTS["semantic"])
    target = data
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    with pytest.raises(FieldError) as caught:
        parse_lexicon(json.dumps(data))
    assert caught.value.field == field


@pytest.mark.parametrize("field", ["name", "labels", "dimensions", *LEAST])
def test_missing_field_is_named(field: str) -> None:
    data = json.loads(TEXTS["semantic"])
    del data[field]
    with pytest.raises(FieldError) as caught:
        parse_lexicon(json.dumps(data))
    assert caught.value.field == field


@pytest.mark.parametrize("dimension", ["size", "color"])
def test_missing_dimension_is_named(dimension: str) -> None:
    data = json.loads(TEXTS["semantic"])
    del data["dimensions"][dimension]
    with pytest.raises(FieldError) as caught:
        parse_lexicon(json.dumps(data))
    assert caught.value.field == f"dimensions.{dimension}"


@pytest.mark.parametrize(("pool", "word"), [("places", "spear"), ("places", "FENWICK".lower())])
def test_repeated_word_is_refused_with_its_first_field(pool: str, word: str) -> None:
    data = json.loads(TEXTS["semantic"])
    data[pool].append(word)
    with pytest.raises(FieldError, match=r"used at (nouns|last_names)") as caught:
        parse_lexicon(json.dumps(data))
    assert caught.value.field.startswith(pool)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"name": "a", "name": "b"}', "[" * 10**5])
def test_text_that_is_not_a_lexicon_is_refused(text: str) -> None:
    with pytest.raises(FieldError):
        parse_lexicon(text)


def test_further_dimension_and_letters_of_other_languages_are_welcome() -> None:
    data = json.loads(TEXTS["semantic"])
    data["dimensions"]["material"] = {"labels": ["material"], "words": ["glass", "größe"]}
    lexicon = parse_lexicon(json.dumps(data))
    assert lexicon.dimension("material").words == ("glass", "größe")
