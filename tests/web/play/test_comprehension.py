"""The comprehension check: limited tries, wrong answers are named, each try is stored."""

import pytest

from app.store.play import answers
from tests.walker import Walker

COST = {
    "key": "cost",
    "label": "What does a mistyped command cost?",
    "options": ["Nothing", "One action"],
    "answer": "One action",
}
AGAIN = {
    "key": "again",
    "label": "How do you start over?",
    "options": ["By defeat", "By a new page", "By waiting"],
    "answer": "By defeat",
}
RIGHT = {"q_cost": "One action", "q_again": "By defeat"}
WRONG = {"q_cost": "One action", "q_again": "By waiting"}


@pytest.fixture
def reader(client, make_study):
    """A player at the check of a study without practice."""
    make_study(
        options={"practice": False},
        questions={"comment": False, "comprehension": [COST, AGAIN], "comprehension_tries": 3},
    )
    return Walker(client).enter()


@pytest.fixture
def stored(server, look):
    def read(token):
        with server.store.read() as db:
            rows = answers.of_participant(db, look.person(token).id)
        return [(row.phase, row.attempt, row.question, row.value, row.is_right) for row in rows]

    return read


def alert(walker):
    """Return the errors on the page."""
    return walker.answer.text.partition('role="alert"')[2].partition("</div>")[0]


def test_check_follows_the_practice(client, make_study):
    make_study(questions={"comment": False, "comprehension": [COST]})
    walker = Walker(client).get("/s/demo").send("answer", answer="yes")
    ahead = "A short practice comes first."
    assert (walker.page.name, ahead in walker.answer.text) == ("instructions", True)
    walker.send("ticket").leave_practice()
    assert walker.page.name == "comprehension"
    assert ahead not in walker.answer.text


def test_all_right_leads_on_and_is_stored(reader, stored):
    assert reader.page.name == "comprehension"
    reader.send("attempt", **RIGHT)
    assert reader.page.name == "game"
    assert stored(reader.token) == [
        ("comprehension", 1, "cost", "One action", True),
        ("comprehension", 1, "again", "By defeat", True),
    ]


def test_instructions_stay_readable_beside_the_questions(reader):
    assert "Every command costs one action" in reader.answer.text
    assert "check_inventory" in reader.answer.text


def test_wrong_questions_are_named_and_their_right_answers_are_not(reader, stored):
    reader.send("attempt", **WRONG)
    assert reader.page.name == "comprehension"
    alert_text = alert(reader)
    assert AGAIN["label"] in alert_text
    assert COST["label"] not in alert_text
    assert AGAIN["answer"] not in alert_text
    assert "You have 2 more tries" in reader.answer.text
    assert 'value="By waiting" checked' in reader.answer.text
    assert [row[4] for row in stored(reader.token)] == [True, False]


def test_second_try_may_be_right(reader, stored, look):
    reader.send("attempt", **WRONG).send("attempt", **RIGHT)
    assert reader.page.name == "game"
    assert [row[1] for row in stored(reader.token)] == [1, 1, 2, 2]
    assert look.person(reader.token).state == "active"


def test_last_wrong_try_ends_the_part_and_asks_to_return(reader, stored, look):
    for _ in range(2):
        reader.send("attempt", **WRONG)
    assert "This is your last try" in reader.answer.text
    reader.send("attempt", **WRONG)
    token = reader.token
    assert reader.page.name == "outcome"
    assert "please return your submission" in reader.answer.text
    person = look.person(token)
    assert (person.state, person.end_reason, person.seat) == (
        "failed_check",
        "comprehension",
        "released",
    )
    assert len(stored(token)) == 6


def test_missing_answer_uses_no_try_and_keeps_the_others(reader, stored):
    reader.send("attempt", q_cost="One action")
    assert reader.answer.status_code == 422
    assert 'value="One action" checked' in reader.answer.text
    assert "You have 3 tries" in reader.answer.text
    assert stored(reader.token) == []


def test_answer_that_is_no_option_uses_no_try(reader, stored):
    reader.send("attempt", **{**RIGHT, "q_cost": "By defeat"})
    assert reader.answer.status_code == 422
    assert stored(reader.token) == []


def test_re_sent_try_counts_once(reader, stored):
    form = reader.page.form("attempt")
    for _ in range(3):
        reader.client.post(form.action, data={**form.fields, **WRONG})
    assert {row[1] for row in stored(reader.token)} == {1}


def test_page_left_open_in_another_tab_uses_no_try(reader, stored):
    old = reader.page.form("attempt")
    reader.send("attempt", **WRONG)
    answer = reader.client.post(
        old.action, data={**old.fields, **WRONG, "ticket": "another-tab-another-ticket"}
    )
    assert answer.status_code == 409
    assert "out of date" in answer.text
    assert {row[1] for row in stored(reader.token)} == {1}


@pytest.mark.parametrize("attempt", ["", "0", "-1", "2", "99999999999999999999", "x"])
def test_odd_number_of_the_try_is_out_of_date(reader, stored, attempt):
    reader.send("attempt", **{**RIGHT, "attempt": attempt})
    assert reader.answer.status_code == 409
    assert stored(reader.token) == []


def test_passed_check_is_a_receipt(reader):
    url = reader.url
    reader.send("attempt", **RIGHT).get(url)
    assert reader.page.name == "receipt"
    assert "One action" in reader.answer.text


def test_check_cannot_be_sent_before_its_turn(client, make_study, stored):
    make_study(questions={"comment": False, "comprehension": [COST]})
    walker = Walker(client).enter()
    url = f"/p/{walker.token}/check"
    assert walker.get(url).page.name == "practice"
    data = {"attempt": "1", "q_cost": "One action", "ticket": "some-ticket-of-good-length"}
    client.post(url, data=data)
    assert stored(walker.token) == []
