"""People know before they decide what ends the study without pay, and what leaving means."""

import pytest

from tests.walker import Walker
from tests.web.play.test_comprehension import COST

PAID = {"base_cents": 400, "currency": "GBP"}
CHECKED = {"comment": False, "comprehension": [COST], "comprehension_tries": 2}
SENTENCE = "If an answer is still wrong after 2 tries, the study ends for you."
UNPAID = "You are then not paid for finishing it."
STATIC = {"kind": "static", "finished": "DONE"}


def shown(walker):
    return " ".join(walker.answer.text.split())


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        ({"questions": {"comment": False}}, set()),
        ({"questions": CHECKED, "texts": {"pay": ""}}, {SENTENCE}),
        ({"questions": CHECKED, "payment": PAID}, {SENTENCE, UNPAID}),
    ],
)
def test_consent_says_what_failing_the_check_means(client, make_study, parts, lines):
    make_study(**parts)
    page = shown(Walker(client).get("/s/demo"))
    assert {line for line in (SENTENCE, UNPAID) if line in page} == lines


def test_check_says_what_follows_the_last_try(client, make_study):
    make_study(options={"practice": False}, questions=CHECKED)
    walker = Walker(client).enter()
    ends = "If an answer is still wrong after your last try, the study ends for you."
    assert ends in shown(walker)
    walker.send("ticket", q_cost="Nothing")
    assert "This is your last try." in shown(walker)
    assert ends in shown(walker)


NO_CODE = "You then get no completion code."
OTHER = "a code that says that you left early"
OWED = "and what we need to pay you"


@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        ({}, {NO_CODE}),
        ({"codes": {**STATIC, "withdrawn": "LEFT"}}, {OTHER}),
        ({"payment": PAID}, {NO_CODE}),
        ({"payment": {**PAID, "hourly_cents": 900}}, {NO_CODE, OWED}),
    ],
)
def test_leaving_promises_only_what_follows(client, make_study, parts, lines):
    make_study(people={"withdrawal": "erase"}, **parts)
    walker = Walker(client).enter()
    page = shown(walker.get(f"/p/{walker.token}/leave"))
    assert {line for line in (NO_CODE, OTHER, OWED) if line in page} == lines
    walker.send("ticket")
    assert ("LEFT" in walker.answer.text) == (OTHER in lines)


def test_who_leaves_after_finishing_sees_the_code_to_keep(client, make_study, look):
    world = {"blocks": [{"task": "A-Over", "seeds": [0]}], "per_player": 1}
    make_study(codes=STATIC, options={"practice": False}, **world)
    walker = Walker(client).enter()
    position = 0
    while walker.page.name == "game":
        walker.type(*look.solution(walker.token, 0, position)).to_rule().explain()
        position += 1
    assert walker.page.name == "debrief"
    page = shown(walker.get(f"/p/{walker.token}/leave"))
    assert "DONE" in page
    assert "If you only want a break" not in page
