"""From consent to the code, in a real browser: with the script, without it, without the CDN."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import PRACTICE
from tests.e2e.visitor import CDN

pytestmark = pytest.mark.browser


def walk(visitor, stored, slug="small"):
    """Go through the whole study by its buttons; return the person."""
    visitor.see("consent").press("I agree, start").see("instructions")
    person = stored.person(visitor.token)
    visitor.press("Continue").see("practice").type(*PRACTICE)
    visitor.press("Continue").see("game")
    for block in (0, 1):
        visitor.type(*person.solution(block)).press("Continue").see("rule")
        visitor.explain(inputs=f"class {block}", output="the item", how="one each", confidence="70")
        if block == 0:
            visitor.enter_world(2).see("game")
    visitor.see("debrief")
    return person


def check_rows(person, visitor):
    """Compare what is stored with what was done, and the code on the page with the stored one."""
    assert person.row.state == "finished"
    assert [one.state for one in person.episodes] == ["won"] * 3
    assert person.raws(-1) == list(PRACTICE)
    for block in (0, 1):
        assert person.raws(block) == list(person.solution(block))
        assert [turn.seq for turn in person.turns(block)] == [
            *range(1, len(person.solution(block)) + 1)
        ]
    assert [row.inputs for row in person.explanations] == ["class 0", "class 1"]
    assert {(row.how, row.confidence) for row in person.explanations} == {("one each", 70)}
    expect(visitor.page.locator("#code")).to_have_text(person.row.code)
    assert len(person.row.code) == 8


def test_whole_study_with_script_ends_with_the_stored_code(visit, stored):
    visitor = visit("/s/small")
    person = walk(visitor, stored)
    check_rows(person, visitor)
    assert all(turn.client_ms and turn.think_ms is not None for turn in person.turns(0))
    visitor.page.reload()
    expect(visitor.page.locator("#code")).to_have_text(person.row.code)


@pytest.mark.long
def test_whole_study_without_script_ends_with_the_stored_code(visit, stored):
    visitor = visit("/s/small", java_script_enabled=False)
    person = walk(visitor, stored)
    check_rows(person, visitor)
    assert {turn.client_ms for turn in person.turns(0)} == {None}


@pytest.mark.long
def test_whole_study_with_the_cdn_out_of_reach_works_with_plain_forms(visit, stored, faults):
    faults.expect(CDN)  # the browser's own switches block every name but 127.0.0.1
    visitor = visit("/s/small", "cdn_server")
    person = walk(visitor, stored)
    check_rows(person, visitor)
    assert any(text.startswith(f"request to the network: https://{CDN}/") for text in faults.found)
    assert visitor.page.evaluate("() => typeof window.htmx") == "undefined"


def test_who_does_not_agree_is_recorded_and_plays_nothing(visit, stored):
    visitor = visit("/s/small?PROLIFIC_PID=5f0000000000000000000c0c").press("I do not agree")
    visitor.see("declined")
    person = stored.newest()
    assert (person.row.state, person.row.code, person.episodes) == ("no_consent", None, [])
    expect(visitor.page.locator("h1")).to_have_text("You chose not to take part")


def test_lost_episode_says_so_kindly_and_goes_on_to_the_rule(visit, player):
    visitor = visit(player.home).see("game")
    budget = player.episode().budget
    visitor.type(*["check_location"] * budget)
    expect(visitor.page.locator("#after")).to_contain_text("You have used all your actions")
    assert (player.episode().state, player.episode().actions_used) == ("lost", budget)
    visitor.press("Continue").see("rule")
    expect(visitor.page.locator(".paid")).to_contain_text("was not defeated this time")


def test_long_explanation_is_refused_whole_and_stays_in_the_field(visit, person, faults):
    faults.expect("status of 422")
    visitor = visit(person.to_rule().home).see("rule")
    text = "x" * 5001
    visitor.explain(inputs=text)
    expect(visitor.page.locator("#inputs-error")).to_contain_text("5,001")
    assert visitor.page.locator("#inputs").input_value() == text
    assert person.explanations == []
    visitor.explain(inputs="short", how="so").see("world")
    assert [row.inputs for row in person.explanations] == ["short"]


def test_problem_is_reported_and_the_page_comes_back(visit, player):
    visitor = visit(player.home).see("game").type("check_location")
    here = visitor.page.url
    visitor.page.locator(".bar a[href*=problem]").click()
    visitor.see("problem").page.locator("#text").fill("The shop is empty.")
    visitor.press("Send it").press("Back to the study").see("game")
    assert visitor.page.url == here
    [row] = player.problems
    assert (row.page, row.text) == ("world/1/guardian/1", "The shop is empty.")
