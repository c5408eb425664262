"""Typing: what is refused before it is logged, what is understood, and what is not guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import GameError
from app.game.command import (
    STATUSES,
    EmptyInputError,
    InputError,
    Typed,
    Vocabulary,
    build_vocabulary,
    clean,
    fold,
    parse,
)
from app.game.model import Variant

REFUSALS = ("input/empty", "input/too_long", "input/control_character", "input/broken_character")


@pytest.fixture(scope="module")
def words(procedural_variant: Variant) -> Vocabulary:
    return build_vocabulary(procedural_variant)


@pytest.mark.parametrize("blank", ["", " ", "   ", "\n", "\r\n", "\t", "\u00a0"])
def test_clean_blank_text_is_not_an_action(blank: str) -> None:
    with pytest.raises(EmptyInputError) as caught:
        clean(blank)
    assert caught.value.code == "input/empty"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("g" * 201, "input/too_long"),
        ("go forge\n", "input/control_character"),
        ("go\tforge", "input/control_character"),
        ("go\rforge", "input/control_character"),
        ("go\r\nforge", "input/control_character"),
        ("go \x00forge", "input/control_character"),
        ("go \x1b[31mforge", "input/control_character"),
        ("go \x7fforge", "input/control_character"),
        ("go \x85forge", "input/control_character"),
        ("go \x9bforge", "input/control_character"),
        ("go \ud83d", "input/broken_character"),
        ("\udfffgo", "input/broken_character"),
    ],
)
def test_clean_text_that_is_not_a_command_is_refused_with_a_stable_code(
    raw: str, code: str
) -> None:
    with pytest.raises(InputError) as caught:
        clean(raw)
    assert caught.value.code == code
    assert isinstance(caught.value, GameError)
    assert "No action was counted" in caught.value.message


@pytest.mark.parametrize("raw", ["  go forge ", "go 🐉", "اذهب إلى", "go \u202eegrof", "g" * 200])
def test_clean_other_text_is_kept_as_typed(raw: str) -> None:
    assert clean(raw) == raw


def test_clean_crlf_counts_as_one_character() -> None:
    """200 characters after CRLF -> LF are not too long; the line break is still refused."""
    with pytest.raises(InputError) as caught:
        clean("g" * 199 + "\r\n")
    assert caught.value.code == "input/control_character"


@pytest.mark.parametrize(
    "spelling",
    [
        "Old_Vineyard",
        "OLD VINEYARD",
        "old-vineyard",
        "old _-- vineyard",
        "  old vineyard  ",
        "_old_vineyard_",
        "old vineyard.",
        "old vineyard .",
        "“old vineyard”",
        "\u2018old vineyard\u2019.",
        "\u2018old vineyard.\u2019",
        "«old vineyard»",
        "to old vineyard",
        "the old vineyard",
        "to the old vineyard",
        "To-the Old_vineyard",
        "old\u00a0vineyard",
    ],
)
def test_fold_spellings_of_one_name_are_the_same(spelling: str) -> None:
    assert fold(spelling) == fold("old_vineyard") == "old vineyard"


@pytest.mark.parametrize(
    "spelling",
    [
        "oldvineyard",
        "old vineyards",
        "vineyard",
        "old vineyard..",
        "old vineyard!",
        "old, vineyard",
        "the to old vineyard",
        "an old vineyard",
        "at old vineyard",
        "'old vineyard'",
        '"old vineyard"',
        "old v1neyard",
        "ola vineyard",
    ],
)
def test_fold_other_text_is_not_guessed(spelling: str) -> None:
    assert fold(spelling) != fold("old_vineyard")


@pytest.mark.parametrize("name", ["to", "the", "The", "to_the"])
def test_fold_leading_word_alone_is_kept(name: str) -> None:
    """A name may be such a word itself."""
    assert fold(name)


def test_parse_every_canonical_line_is_ok(words: Vocabulary, procedural_variant: Variant) -> None:
    lines = [f"go {place}" for place in procedural_variant.places]
    lines += [f"{verb} {i.name}" for verb in ("buy", "get") for i in procedural_variant.items]
    people = [e.name for e in procedural_variant.entities]
    lines += [f"{verb} {name}" for verb in ("defeat", "rescue") for name in people]
    lines += ["perform moon_rite", "drink ember_draught", "check_inventory", "check_location"]
    assert set(lines) == set(words.lines)
    assert {parse(words, line).status for line in lines} == {"ok"}


NORMALISED = [
    ("GO forge", Typed("go", "forge", "normalised", "place")),
    ("go Forge", Typed("go", "forge", "normalised", "place")),
    (" go forge", Typed("go", "forge", "normalised", "place")),
    ("go forge ", Typed("go", "forge", "normalised", "place")),
    ("go  forge", Typed("go", "forge", "normalised", "place")),
    ("go to the forge.", Typed("go", "forge", "normalised", "place")),
    ("go old vineyard", Typed("go", "old_vineyard", "normalised", "place")),
    ("defeat lyra_blackmoor", Typed("defeat", "Lyra Blackmoor", "normalised", "guardian")),
    ("Defeat the Lyra-Blackmoor", Typed("defeat", "Lyra Blackmoor", "normalised", "guardian")),
    ("rescue lyra blackmoor", Typed("rescue", "Lyra Blackmoor", "normalised", "guardian")),
    ("Get iron halberd", Typed("get", "iron_halberd", "normalised", "item")),
    ("perform Moon Rite", Typed("perform", "moon_rite", "normalised", "ritual")),
    ("drink the ember draught", Typed("drink", "ember_draught", "normalised", "potion")),
    ("check inventory", Typed("check_inventory", None, "normalised", None)),
    ("Check_Inventory", Typed("check_inventory", None, "normalised", None)),
    ("check  location", Typed("check_location", None, "normalised", None)),
]
MISREAD = [
    ("walk forge", Typed(None, None, "unknown_verb", None)),
    ("forge", Typed(None, None, "unknown_verb", None)),
    ("goforge", Typed(None, None, "unknown_verb", None)),
    ("go_forge", Typed(None, None, "unknown_verb", None)),
    ("gø forge", Typed(None, None, "unknown_verb", None)),
    ("check", Typed(None, None, "unknown_verb", None)),
    ("check forge", Typed(None, None, "unknown_verb", None)),
    ("inventory", Typed(None, None, "unknown_verb", None)),
    ("🐉", Typed(None, None, "unknown_verb", None)),
    ("go", Typed("go", None, "missing_argument", None)),
    ("DEFEAT ", Typed("defeat", None, "missing_argument", None)),
    ("go _", Typed("go", None, "missing_argument", None)),
    ("go .", Typed("go", None, "missing_argument", None)),
    ("go nowhere", Typed("go", None, "unknown_name", None)),
    ("go forg", Typed("go", None, "unknown_name", None)),
    ("go to", Typed("go", None, "unknown_name", None)),
    ("defeat Lyra", Typed("defeat", None, "unknown_name", None)),
    ("go 🐉", Typed("go", None, "unknown_name", None)),
    ("go إلى", Typed("go", None, "unknown_name", None)),
    ("go Lyra Blackmoor", Typed("go", "Lyra Blackmoor", "wrong_kind", "guardian")),
    ("buy forge", Typed("buy", "forge", "wrong_kind", "place")),
    ("perform ember_draught", Typed("perform", "ember_draught", "wrong_kind", "potion")),
    ("drink Moon Rite", Typed("drink", "moon_rite", "wrong_kind", "ritual")),
    ("go forge now", Typed("go", "forge", "extra_argument", "place")),
    ("go old vineyard forge", Typed("go", "old_vineyard", "extra_argument", "place")),
    (
        "defeat Lyra Blackmoor twice",
        Typed("defeat", "Lyra Blackmoor", "extra_argument", "guardian"),
    ),
    ("go moon_rite now", Typed("go", None, "unknown_name", None)),
    ("check_inventory now", Typed("check_inventory", None, "extra_argument", None)),
    ("check location forge", Typed("check_location", None, "extra_argument", None)),
]


@pytest.mark.parametrize(("text", "typed"), [*NORMALISED, *MISREAD])
def test_parse_text_is_understood_as_the_table_says(
    words: Vocabulary, text: str, typed: Typed
) -> None:
    assert parse(words, text) == typed


def test_parse_table_above_covers_every_status() -> None:
    seen = {typed.status for _, typed in [*NORMALISED, *MISREAD]}
    assert seen == set(STATUSES) - {"ok"}


def test_parse_activity_in_a_world_without_any_is_an_unknown_name(
    attribute_variant: Variant,
) -> None:
    words = build_vocabulary(attribute_variant)
    assert parse(words, "perform moon_rite") == Typed("perform", None, "unknown_name", None)
    assert parse(words, "drink") == Typed("drink", None, "missing_argument", None)


def test_parse_blank_text_is_refused(words: Vocabulary) -> None:
    with pytest.raises(EmptyInputError):
        parse(words, "  ")


@given(raw=st.text(max_size=210))
def test_parse_any_text_is_understood_or_refused_in_words(words: Vocabulary, raw: str) -> None:
    try:
        outcome = parse(words, clean(raw)).status
    except InputError as error:
        outcome = error.code
    assert outcome in (*STATUSES, *REFUSALS)


@given(
    line=st.sampled_from(["go forge", "go old_vineyard", "defeat Lyra Blackmoor"]), data=st.data()
)
def test_parse_is_ok_only_for_the_exact_canonical_line(
    words: Vocabulary, line: str, data: st.DataObject
) -> None:
    """Changing the case of one letter makes it normalised and nothing else."""
    at = data.draw(st.integers(0, len(line) - 1))
    changed = line[:at] + line[at].swapcase() + line[at + 1 :]
    typed = parse(words, changed)
    assert typed[:2] == parse(words, line)[:2]
    assert typed.status == ("ok" if changed == line else "normalised")
