"""Questions in a study file that no one could answer, or that would screen out too late."""

import pytest

from app.study.design.spec import StudyFileError, check_study, parse_spec
from app.study.play import questions

BASE = {"slug": "s", "title": "S", "blocks": [{"task": "A-Add", "seeds": [1]}]}
CHOICE = {"key": "hand", "label": "Which?", "kind": "choice", "options": ["left", "right"]}
CHECK = {name: value for name, value in CHOICE.items() if name != "kind"}


def spec(**asked):
    return check_study({**BASE, "questions": asked})


@pytest.mark.parametrize("options", [["a", ""], ["a", "  "], ["a b", "a  b"], ["a", "a"]])
def test_indistinguishable_options_are_refused(options):
    with pytest.raises(StudyFileError, match=r"questions\.before\.0\.options"):
        spec(before=[{**CHOICE, "options": options}])
    with pytest.raises(StudyFileError, match=r"questions\.comprehension\.0\.answer"):
        spec(comprehension=[{**CHECK, "options": options, "answer": "a"}])


def test_screening_after_the_game_is_refused():
    with pytest.raises(StudyFileError, match=r"questions\.after\.0\.screen_out"):
        spec(after=[{**CHOICE, "screen_out": ["left"]}])


AGE = {"key": "age", "label": "Age?", "kind": "number", "least": 3, "most": 9}
WORD = {"key": "word", "label": "A word?"}
IMPOSSIBLE = [
    ({**CHOICE, "answer": "both"}, "one of the options"),
    ({**CHOICE, "answer": "left", "screen_out": ["left"]}, "ends the study"),
    *(({**AGE, "answer": one}, "a whole number from 3 to 9") for one in ("120", "2", "-3")),
    *(
        ({**AGE, "answer": one}, "without leading zeros")
        for one in ("07", "+7", "7.0", "seven", "７")
    ),
    ({**AGE, "most": None, "answer": "2"}, "a whole number, 3 or more"),
    ({**AGE, "least": None, "answer": "10"}, "a whole number, 9 or less"),
    ({**AGE, "least": None, "most": None, "answer": "12345678901"}, "at most 10 digits"),
    ({**WORD, "answer": ""}, "is empty"),
    ({**WORD, "answer": " "}, "is empty"),
]


@pytest.mark.parametrize(("question", "message"), IMPOSSIBLE)
def test_expected_answers_that_no_one_can_give_are_refused(question, message):
    with pytest.raises(StudyFileError, match=rf"questions\.before\.0\.answer.*{message}"):
        spec(before=[question])


def test_stored_design_with_such_an_answer_can_still_be_read():
    text = spec(before=[{**AGE, "answer": "7"}]).model_dump_json()
    stored = parse_spec(text.replace('"answer":"7"', '"answer":"120"'))
    assert stored.questions.before[0].answer == "120"


@pytest.mark.parametrize("answer", ["3", "9", "7"])
def test_expected_number_within_the_bounds_can_be_given(answer):
    (question,) = spec(before=[{**AGE, "answer": answer}], comment=False).questions.before
    found = questions.read_answers([question], {"q_age": answer})
    assert questions.meets(question, found["age"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (CHOICE, "left"),
        ({**CHOICE, "screen_out": ["left"]}, "right"),
        ({**CHOICE, "answer": "right"}, "right"),
        ({"key": "age", "label": "Age?", "kind": "number", "least": 18}, "18"),
        ({"key": "age", "label": "Age?", "kind": "number", "most": -5}, "-5"),
        ({"key": "age", "label": "Age?", "kind": "number"}, "0"),
        ({"key": "word", "label": "A word?"}, "nothing"),
        ({"key": "word", "label": "A word?", "answer": "blue"}, "blue"),
    ],
)
def test_stated_answer_of_any_question_is_accepted(question, expected):
    made = spec(before=[question], comment=False)
    hint = questions.stated(made)
    assert hint == {f"q_{question['key']}": expected}
    assert questions.read_answers(made.questions.before, hint) == {question["key"]: expected}


def test_stated_answers_cover_the_comprehension_check():
    check = {**CHECK, "answer": "right"}
    assert questions.stated(spec(comprehension=[check], comment=False)) == {"q_hand": "right"}
