"""Texts as raters see them: one form for every author, and no word lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.study.rating.player_items import labelled
from app.study.rating.presentation import neutral, shown

RULE = "The class and the role. Their numbers are added. Add both, then buy that item."
LAST = "add both, then buy that item"
PLAYERS = labelled(
    {
        "inputs": "the class and the role",
        "output": "their numbers are added",
        "how": "add both, then buy that item",
    }
)


@pytest.mark.parametrize(
    "text",
    [
        PLAYERS,
        f"**Inputs:** the class and the role\nOutput: their numbers are added\n**Rule:** {LAST}",
        f"# Rule\n\n- the class and the role\n- their numbers are added\n- {LAST}",
        f"1. The class and the role.\n2. Their numbers are added.\n3. *{LAST}*",
        f"```\nthe class and the role\ntheir numbers are added\n{LAST}\n```",
        f"> the class and the role,\r\n> their numbers are added;\r\n> __{LAST}__",
    ],
)
def test_texts_of_people_and_models_look_alike(text):
    assert neutral(text) == RULE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("I do not know the rule.", "I do not know the rule."),
        ("I do not know the rule.\n\nWhich traits matter: colour", "Colour."),
        ("Which traits matter: (left empty)\n\nWhat they decide: the sword", "The sword."),
        ("“Red” guardians – they’re strong…", '"Red" guardians - they\'re strong...'),
        ("| class | item |\n|---|---|\n| A | sword |", "Class, item. A, sword."),
        ("see [here](http://x.y) for 2 * 3 * 4", "See here for 2 * 3 * 4."),
        ("x2_then_x3 snake_case stays", "X2_then_x3 snake_case stays."),
        ("nb\u200bsp\u00a0and\ttabs", "Nbsp and tabs."),
        ("Rule:", "Rule."),
        ("Rule: none", "None."),
        ("**Regel:** die Klasse zählt\nErklärung: sie allein", "Die Klasse zählt. Sie allein."),
        (
            "Die Regel\n- nach Klasse\nWie: eins nach dem anderen",
            "Nach Klasse. Eins nach dem anderen.",
        ),
        ("**القاعدة:** الفئة تحدد السلاح", "الفئة تحدد السلاح."),
        ("الإجابة النهائية:\nالفئة", "الفئة."),
        ("Add 2*3*4 and a * b", "Add 2*3*4 and a * b."),
        (
            "What they decide: - the sword\n\nHow they decide it: 1. by class",
            "The sword. By class.",
        ),
    ],
)
def test_marks_go_and_words_stay(text, expected):
    assert neutral(text) == expected


def test_round_that_opened_before_shows_texts_as_written():
    assert shown(PLAYERS, "") == PLAYERS
    assert shown(PLAYERS, "1") == shown(PLAYERS, "2") == shown(PLAYERS, "3") == RULE


def test_round_that_opened_with_an_earlier_form_keeps_it():
    assert shown("Which traits matter: - class", "1") == "- class."
    assert shown("Which traits matter: - class", "2") == "Class."
    assert shown("Regel: nach Klasse", "2") == "Regel: nach Klasse."
    assert shown("/class/", "4") == "/class/."
    assert shown("/class/", "5") == "Class."


@given(st.lists(st.sampled_from(["alpha", "Beta", "2", "x-ray", "don't", "(c)"]), min_size=1))
def test_no_word_is_lost_or_moved_and_a_second_pass_changes_nothing(words):
    text = " ".join(words)
    found = neutral(text)
    assert re.findall(r"\w+", found.lower()) == re.findall(r"\w+", text.lower())
    assert neutral(found) == found
