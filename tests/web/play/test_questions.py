"""Background questions before and after: what is refused, what is stored, who is screened out."""

import pytest

from app.store.play import answers
from tests.walker import Walker

LANGUAGE = {"key": "language", "label": "Your first language?", "kind": "text"}
AGE = {"key": "age", "label": "Your age?", "kind": "number", "least": 18, "most": 99}
HAND = {"key": "hand", "label": "Left or right?", "kind": "choice", "options": ["left", "right"]}
COUNTRY = {
    "key": "country",
    "label": "Where do you live?",
    "kind": "choice",
    "options": [f"Country {n}" for n in range(20)],
    "required": False,
}
CARE = {**HAND, "key": "care", "label": "Please choose 'left'.", "answer": "left"}
ROBOT = {**HAND, "key": "robot", "label": "Which hand writes?", "screen_out": ["right"]}
GOOD = {"q_language": "Welsh", "q_age": "34", "q_hand": "left"}
ONE_WORLD = {"blocks": [{"task": "P-Comp", "seeds": [2]}], "per_player": 1}


@pytest.fixture
def enter(client, make_study):
    """A player who has read the instructions of a study with these questions."""

    def begin(**questions):
        make_study(**ONE_WORLD, questions={"comment": False, **questions})
        return Walker(client).enter()

    return begin


@pytest.fixture
def stored(server, look):
    def read(token):
        with server.store.read() as db:
            rows = answers.of_participant(db, look.person(token).id)
        return [(row.phase, row.attempt, row.question, row.value, row.is_right) for row in rows]

    return read


def to_last_rule(walker, look):
    """Play the only world and write down the rule."""
    walker.leave_practice().type(*look.solution(walker.token)).to_rule()
    return walker.explain()


def test_questions_before_stand_between_instructions_and_practice(enter, stored):
    walker = enter(before=[LANGUAGE, AGE, HAND])
    assert walker.page.name == "questions"
    walker.send("ticket", **GOOD)
    assert walker.page.name == "practice"
    assert stored(walker.token) == [
        ("before", 1, "language", "Welsh", None),
        ("before", 1, "age", "34", None),
        ("before", 1, "hand", "left", None),
    ]


def test_study_without_questions_has_no_such_page(enter):
    walker = enter()
    assert walker.page.name == "practice"
    assert walker.client.get(f"/p/{walker.token}/questions/before").status_code == 404
    assert walker.client.get(f"/p/{walker.token}/questions/middle").status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"q_language": ""},
        {"q_language": "   \r\n"},
        {"q_language": "x" * 5001},
        {"q_language": "a\x00b"},
        {"q_age": ""},
        {"q_age": "17"},
        {"q_age": "100"},
        {"q_age": "3.5"},
        {"q_age": "thirty"},
        {"q_age": "9" * 400},
        {"q_hand": ""},
        {"q_hand": "both"},
    ],
)
def test_bad_answer_is_refused_in_words_and_all_that_was_typed_stays(enter, stored, wrong):
    walker = enter(before=[LANGUAGE, AGE, HAND])
    typed = {**GOOD, **wrong}
    walker.send("ticket", **typed)
    assert walker.answer.status_code == 422
    assert "Not sent yet" in walker.answer.text
    assert {f'<a href="#{name}">' in walker.answer.text for name in wrong} == {True}
    shown = walker.page.form("q_age").fields
    assert shown["q_age"] == typed["q_age"]
    assert shown["q_language"].split() == typed["q_language"].split()
    if typed["q_hand"] == "left":
        assert 'value="left" checked' in walker.answer.text
    assert stored(walker.token) == []


def test_number_is_stored_plainly(enter, stored):
    walker = enter(before=[AGE]).send("ticket", q_age=" 034 ")
    assert stored(walker.token) == [("before", 1, "age", "34", None)]


def test_optional_question_may_stay_empty_and_is_stored_so(enter, stored):
    walker = enter(before=[COUNTRY]).send("ticket", q_country="")
    assert walker.page.name == "practice"
    assert stored(walker.token) == [("before", 1, "country", "", None)]


def test_choice_of_many_options_is_a_list_and_keeps_what_was_chosen(enter):
    walker = enter(before=[COUNTRY, AGE])
    assert "<select" in walker.answer.text
    walker.send("ticket", q_country="Country 7", q_age="")
    assert '<option value="Country 7" selected>' in walker.answer.text


@pytest.mark.parametrize(("chosen", "right"), [("left", True), ("right", False)])
def test_attention_check_is_a_result_and_never_a_rejection(enter, stored, look, chosen, right):
    walker = enter(before=[CARE]).send("ticket", q_care=chosen)
    assert walker.page.name == "practice"
    assert stored(walker.token) == [("before", 1, "care", chosen, right)]
    assert look.person(walker.token).state == "active"


@pytest.mark.parametrize("typed", ["Blue", " blue \n", "BLUE"])
def test_stated_text_is_met_whatever_case_and_blanks(enter, stored, typed):
    check = {**LANGUAGE, "key": "colour", "answer": "blue"}
    walker = enter(before=[check]).send("ticket", q_colour=typed)
    assert stored(walker.token)[0][4] is True


def test_screened_out_choice_ends_the_part_and_frees_the_seat(enter, stored, look):
    walker = enter(before=[ROBOT]).send("ticket", q_robot="right")
    assert walker.page.name == "outcome"
    assert 'data-outcome="screened_out"' in walker.answer.text
    person = look.person(walker.token)
    assert (person.state, person.end_reason) == ("screened_out", "question/robot")
    assert person.seat == "released"
    assert stored(walker.token) == [("before", 1, "robot", "right", None)]


def test_other_choice_of_a_screening_question_goes_on(enter):
    assert enter(before=[ROBOT]).send("ticket", q_robot="left").page.name == "practice"


def test_same_form_twice_and_other_tab_store_one_answer(enter, stored):
    walker = enter(before=[AGE])
    form = walker.page.form("q_age")
    client, url = walker.client, walker.url
    for age, ticket in (("30", form.fields["ticket"]), ("31", form.fields["ticket"])):
        client.post(url, data={"q_age": age, "ticket": ticket})
    client.post(url, data={"q_age": "32", "ticket": "another-tab-another-ticket"})
    assert stored(walker.token) == [("before", 1, "age", "30", None)]


def test_form_without_ticket_stores_nothing_and_gives_the_text_back(enter, stored):
    walker = enter(before=[LANGUAGE])
    answer = walker.client.post(walker.url, data={"q_language": "Old Norse"})
    assert answer.status_code == 400
    assert "Old Norse" in answer.text
    assert stored(walker.token) == []


def test_answered_page_is_a_receipt(enter):
    walker = enter(before=[LANGUAGE])
    url = walker.url
    walker.send("ticket", q_language="Welsh").get(url)
    assert walker.page.name == "receipt"
    assert "Welsh" in walker.answer.text
    assert "Your first language?" in walker.answer.text


def test_questions_after_can_neither_be_seen_nor_sent_before_their_turn(enter, stored):
    walker = enter(after=[AGE])
    url = f"/p/{walker.token}/questions/after"
    assert walker.get(url).page.name == "practice"
    ticket = "some-ticket-of-good-length"
    walker.client.post(url, data={"q_age": "30", "ticket": ticket})
    assert stored(walker.token) == []


def test_last_answer_finishes_in_its_own_transaction(enter, stored, look):
    walker = to_last_rule(enter(after=[AGE], comment=True), look)
    token = walker.token
    assert walker.page.name == "questions"
    assert (look.person(token).state, look.person(token).code) == ("active", None)
    walker.send("ticket", q_age="x", q_comment="It was fun.")
    assert walker.answer.status_code == 422
    assert look.person(token).state == "active"
    walker.send("ticket", q_age="40")
    assert walker.page.name == "debrief"
    assert look.person(token).code in walker.answer.text
    assert stored(token) == [
        ("after", 1, "age", "40", None),
        ("after", 1, "comment", "It was fun.", None),
    ]


def test_comment_alone_may_stay_empty(enter, stored, look):
    walker = to_last_rule(enter(comment=True), look)
    assert walker.page.name == "questions"
    walker.send("ticket")
    assert walker.page.name == "debrief"
    assert stored(walker.token) == [("after", 1, "comment", "", None)]
    assert walker.get(f"/p/{walker.token}/questions/after").page.name == "receipt"


def test_explanation_is_the_last_answer_where_nothing_is_asked_after(enter, look):
    assert to_last_rule(enter(), look).page.name == "debrief"
