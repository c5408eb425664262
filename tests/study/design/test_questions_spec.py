"""Questions in a study file that no one could answer, or that would screen out too late."""

import pytest

from app.study.design.spec import StudyFileError, check_study
from app.study.play import questions

BASE = {"slug": "s", "title": "S", "blocks": [{"task": "A-Add", "seeds": [1]}]}
CHOICE = {"key": "hand", "label": "Which?", "kind": "choice", "options": ["left", "right"]}
CHECK = {name: value for name, value in CHOICE.items() if name != "kind"}


def spec(**asked):
    return check_study({**BASE, "questions": asked})


@pytest.mark.parametrize("options", [["a", ""], ["a", "  "], ["a b", "a  b"], ["a", "a"]])
def test_options_that_cannot_be_told_apart_are_refused(options):
    with pytest.raises(StudyFileError, match=r"questions\.before\.0\.options"):
        spec(before=[{**CHOICE, "options": options}])
    with pytest.raises(StudyFileError, match=r"questions\.comprehension\.0\.answer"):
        spec(comprehension=[{**CHECK, "options": options, "answer": "a"}])


def test_screening_after_the_game_is_refused():
    with pytest.raises(StudyFileError, match=r"questions\.after\.0\.screen_out"):
        spec(after=[{**CHOICE, "screen_out": ["left"]}])


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
