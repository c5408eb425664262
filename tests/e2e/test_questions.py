"""The other ways to answer: background questions, comprehension, the direct form; and to leave."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import PRACTICE

pytestmark = pytest.mark.browser


def answer_background(visitor, job="linguist"):
    visitor.see("questions").page.locator("#q_age").fill("34")
    visitor.page.get_by_label(job).check()
    return visitor.press("Continue")


def answer_check(visitor, choice):
    visitor.see("comprehension").page.get_by_label(choice).check()
    return visitor.press("Check my answers")


@pytest.mark.long
@pytest.mark.parametrize("script", [True, False])
def test_study_with_every_kind_of_page_ends_with_the_code(visit, stored, rich, script):
    visitor = visit(f"/s/{rich}", java_script_enabled=script).press("I agree, start")
    person = stored.person(visitor.see("instructions").token)
    answer_background(visitor.press("Continue"))
    visitor.see("practice").type(*PRACTICE).press("Continue")
    answer_check(visitor, "one action")
    visitor.see("game").type(*person.solution()).press("Continue").see("rule")
    visitor.explain(inputs="class", how="so").enter_world(2).see("direct")
    visitor.page.get_by_label("perform").check()
    visitor.page.get_by_label("before it").check()
    visitor.page.locator("#times").fill("2")
    visitor.press("Send my answer").see("rule")
    visitor.explain(inputs="class", how="so").see("questions")
    visitor.page.locator("#q_comment").fill("It was fun.")
    visitor.press("Finish").see("debrief")
    expect(visitor.page.locator("#code")).to_have_text(person.row.code)
    assert [(row.phase, row.attempt, row.question, row.value) for row in person.answers] == [
        ("before", 1, "age", "34"),
        ("before", 1, "job", "linguist"),
        ("comprehension", 1, "cost", "one action"),
        ("after", 1, "comment", "It was fun."),
    ]
    [stated] = person.stated
    assert (stated.activity, stated.placed, stated.times) == ("perform", "before", 2)
    assert person.row.state == "finished"


def test_wrong_background_answers_are_marked_kept_and_not_stored(visit, guest, faults):
    faults.expect("status of 422")
    visitor = visit(guest.home).see("questions")
    visitor.page.locator("#q_age").fill("seven")
    visitor.press("Continue").see("questions")
    expect(visitor.page.locator("#q_age-error")).to_be_visible()
    expect(visitor.page.locator("#q_job-error")).to_be_visible()
    expect(visitor.page.locator("#q_age")).to_have_value("seven")
    assert guest.answers == []


@pytest.mark.parametrize("times", [1, 2])
def test_back_after_a_refused_form_shows_a_page_of_ours(visit, guest, faults, times):
    """The browser would ask to send the refused form again, or show its own error."""
    faults.expect("status of 422")
    visitor = visit(guest.home).see("questions")
    for _ in range(times):
        visitor.press("Continue").see("questions")
    answer_background(visitor)
    visitor.see("practice").page.go_back()
    visitor.see("receipt")
    visitor.page.go_forward()
    visitor.see("practice")


def test_background_answers_survive_a_reload(visit, guest):
    visitor = visit(guest.home).see("questions")
    visitor.page.locator("#q_age").fill("34")
    visitor.page.get_by_label("linguist").check()
    visitor.page.reload()
    expect(visitor.see("questions").page.locator("#q_age")).to_have_value("34")
    expect(visitor.page.get_by_label("linguist")).to_be_checked()


def test_screened_out_person_gets_a_kind_message_and_that_code(visit, guest):
    visitor = answer_background(visit(guest.home), "other").see("outcome")
    assert (guest.row.state, guest.row.end_reason) == ("screened_out", "question/job")
    expect(visitor.page.locator("#code")).to_have_text("SCREENED")
    visitor.go(f"{guest.home}/practice").see("outcome")


def test_wrong_comprehension_is_named_and_ends_the_study_after_the_last_try(visit, guest):
    guest.answer_before().win_practice()
    visitor = answer_check(visit(guest.home), "nothing").see("comprehension")
    expect(visitor.page.locator(".problem")).to_contain_text("What does a command cost?")
    expect(visitor.page.locator("main")).to_contain_text("This is your last try.")
    leads_to_its_question(visitor)
    answer_check(visitor, "nothing").see("outcome")
    expect(visitor.page.locator("main")).to_contain_text("return your submission")
    assert guest.row.state == "failed_check"
    tries = [(row.attempt, row.is_right) for row in guest.answers if row.phase == "comprehension"]
    assert tries == [(1, False), (2, False)]


def leads_to_its_question(visitor):
    """Follow a notice's link: the question has the focus, and its words are in the window."""
    link = visitor.page.locator(".problem a")
    question = visitor.page.locator(link.get_attribute("href"))
    link.click()
    expect(question).to_be_focused()
    expect(question.locator("legend")).to_be_in_viewport()
    expect(question.locator(".error")).to_be_in_viewport()


@pytest.mark.parametrize("script", [True, False])
def test_link_of_a_wrong_answer_leads_to_its_question_on_a_phone(visit, guest, script):
    guest.answer_before().win_practice()
    small = {"width": 360, "height": 300}
    visitor = visit(guest.home, java_script_enabled=script, viewport=small).see("comprehension")
    answer_check(visitor, "nothing").page.locator(".problem a").wait_for()
    leads_to_its_question(visitor)


@pytest.mark.long
def test_double_click_on_the_check_uses_one_try(visit, guest):
    guest.answer_before().win_practice()
    visitor = visit(guest.home, java_script_enabled=False).see("comprehension")
    visitor.page.get_by_label("nothing").check()
    visitor.page.get_by_role("button", name="Check my answers").dblclick()
    expect(visitor.page.locator("main")).to_contain_text("This is your last try.")
    assert [row.attempt for row in guest.answers if row.phase == "comprehension"] == [1]


def test_outdated_tab_of_the_check_uses_no_try(visit, guest, faults):
    faults.expect("status of 409")
    guest.answer_before().win_practice()
    visitor = visit(guest.home).see("comprehension")
    late = visitor.another_tab().see("comprehension")
    answer_check(visitor, "nothing").page.get_by_text("This is your last try.").wait_for()
    answer_check(late, "nothing").page.locator(".problem").wait_for()
    assert (guest.row.state, late.name) == ("active", "comprehension")
    assert [row.attempt for row in guest.answers if row.phase == "comprehension"] == [1]


def test_unclear_direct_answer_is_marked_and_not_stored(visit, guest, faults):
    faults.expect("status of 422")
    visitor = visit(guest.to_direct().home, java_script_enabled=False).see("direct")
    visitor.page.get_by_label("drink").check()
    visitor.page.locator("#times").fill("many")
    visitor.press("Send my answer").see("direct")
    expect(visitor.page.locator("#times-error")).to_be_visible()
    expect(visitor.page.locator("#times")).to_have_value("many")
    expect(visitor.page.get_by_label("drink")).to_be_checked()
    assert guest.stated == []


def test_leaving_for_good_is_asked_twice_and_then_erases(visit, stored, player):
    visitor = visit(player.home).see("game").type("check_location")
    visitor.page.locator(".bar a[href*=leave]").click()
    visitor.see("leave").press("No, go back").see("game")
    assert player.row.state == "active"
    assert player.raws() == ["check_location"]
    episode = player.episode()
    visitor.page.locator(".bar a[href*=leave]").click()
    visitor.see("leave").press("Yes, leave for good").see("outcome")
    assert player.row.state == "withdrawn"
    assert stored.raws_of(episode.id) == []
    expect(visitor.page.locator("main")).to_contain_text("has been deleted")


def test_tab_left_open_after_leaving_is_led_to_the_end(visit, player, faults):
    faults.expect("status of 409")
    visitor = visit(player.home).see("game")
    late = visitor.another_tab().see("game")
    visitor.page.locator(".bar a[href*=leave]").click()
    visitor.see("leave").press("Yes, leave for good").see("outcome")
    late.raw.fill("check_location")
    late.raw.press("Enter")
    late.see("outcome")
    assert player.row.state == "withdrawn"
