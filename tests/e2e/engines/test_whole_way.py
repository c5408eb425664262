"""The whole way of a player and of an annotator, in Firefox and in WebKit."""

import pytest

from tests.e2e.rating import PASSWORD, RatingRoom
from tests.e2e.stored import PRACTICE, RICH, new_slug

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def check_mode(visitor, mode):
    """Make sure that the browser has of the scripts what the test is about."""
    if mode == "no script":
        assert visitor.engine.find("//html[contains(@class, 'js')]") == []
    else:
        visitor.wait("//html[contains(@class, 'js')]")
        found = visitor.engine.evaluate("typeof window.htmx")
        assert found == {"htmx": "object", "no htmx": "undefined"}[mode]


def play(visitor, person, mode):
    """Defeat the guardian of each world and explain its rule."""
    for block in (0, 1):
        if block:
            visitor.see("world").press("Enter world 2")
        visitor.see("game")
        if mode != "no script":
            visitor.mark()
        visitor.type(*person.solution(block))
        if mode != "no script":
            assert visitor.is_marked == (mode == "htmx")
        visitor.press("Continue").see("rule")
        visitor.fill(inputs=f"class {block}", output="the item", how="one each", confidence="70")
        visitor.press("Send my answer")


def test_player_goes_from_consent_to_the_stored_code(visitor, mode, stored):
    slug = stored.make_study(new_slug(), questions=RICH["questions"])
    visitor.go(f"/s/{slug}").see("consent")
    check_mode(visitor, mode)
    person = stored.person(visitor.press("I agree, start").see("instructions").token)
    visitor.press("Continue").see("questions").fill(q_age="34").choose("linguist")
    visitor.press("Continue").see("practice").type(*PRACTICE).press("Continue")
    visitor.see("comprehension").choose("nothing").press("Check my answers")
    visitor.wait("//*[@class='problem']")
    visitor.see("comprehension").choose("one action").press("Check my answers")
    play(visitor, person, mode)
    visitor.see("questions").fill(q_comment="Grün & “schön”").press("Finish").see("debrief")
    assert visitor.text("//*[@id='code']") == person.row.code
    assert person.row.state == "finished"
    assert [one.state for one in person.episodes] == ["won"] * 3
    assert person.raws(-1) == list(PRACTICE)
    for block in (0, 1):
        assert person.raws(block) == list(person.solution(block))
        assert all(
            (turn.client_ms is None) == (mode == "no script") for turn in person.turns(block)
        )
    written = [(row.inputs, row.output, row.how, row.confidence) for row in person.explanations]
    assert written == [(f"class {block}", "the item", "one each", 70) for block in (0, 1)]
    assert [(row.question, row.attempt, row.value) for row in person.answers] == [
        ("age", 1, "34"),
        ("job", 1, "linguist"),
        ("cost", 1, "nothing"),
        ("cost", 2, "one action"),
        ("comment", 1, "Grün & “schön”"),
    ]


def rate(visitor, number, value, **typed):
    visitor.wait(f"//*[@id='item-h'][contains(normalize-space(), 'Item {number} of 3')]")
    visitor.click(f"//label[input[@name='value'][@value='{value}']]").fill(**typed)
    return visitor.press("Save and continue")


def say_who_wrote(visitor, number, who):
    visitor.wait(f"//*[@id='item-h'][contains(normalize-space(), '{number} of 3 answered')]")
    visitor.click(f"//label[input[@name='guess'][@value='{who}']]").press("Save and continue")


def test_annotator_rates_every_item_changes_one_and_finishes(visitor, mode, stored):
    room = RatingRoom(stored, 3, ask_source="round")
    visitor.go("/rate").see("login")
    visitor.fill(name=room.name, password=PASSWORD).press("Log in").see("rate")
    check_mode(visitor, mode)
    visitor.click("//a[starts-with(normalize-space(), 'Read the guidelines')]").see("round")
    visitor.press("Start").see("item")
    rate(visitor, 1, 1)
    rate(visitor, 2, 0, comment="It leaves out the class.")
    rate(visitor, 3, 2)
    for number, who in enumerate(("model", "person", "unknown")):
        say_who_wrote(visitor, number, who)
    assert "3 of 3 done." in visitor.see("round").text("//main")
    visitor.click("//a[contains(normalize-space(), 'Item 3')]").see("item")
    rate(visitor, 3, 0)
    assert "3 of 3 done." in visitor.see("round").text("//main")
    rows = room.places
    assert [(row.position, row.value, row.comment) for row in rows] == [
        (1, 1, ""),
        (2, 0, "It leaves out the class."),
        (3, 0, ""),
    ]
    assert room.revisions == [1, 1, 2]
    assert [row.guess for row in rows] == ["model", "person", "unknown"]
    assert all((row.active_ms is None) == (mode == "no script") for row in rows)
