"""axe-core finds nothing on any page, in light and dark, on a laptop and on a phone."""

import pytest
from playwright.sync_api import expect

from app.store.play import participants
from app.web.play.outcome import REASON_WORDS, WORDS
from tests.e2e.looks import LAPTOP, check, check_small, expect_none, violations
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
ENDS = [(state, "a_test") for state in WORDS] + [("over_quota", why) for why in REASON_WORDS]


@pytest.fixture
def look(visit, faults):
    """Return a function that opens a page and checks it with axe."""
    faults.expect(
        "status of 400",
        "status of 403",
        "status of 404",
        "status of 409",
        "status of 422",
        "ERR_INTERNET_DISCONNECTED",
    )

    def open_page(path, name):
        return visit(path).see(name)

    return open_page


def test_consent(look):
    check(look("/s/small", "consent"))


def test_consent_of_a_closed_study(look, stored):
    slug = stored.make_study(new_slug())
    stored.close_study(slug)
    check(look(f"/s/{slug}", "consent"))


def test_consent_after_a_change_and_a_refused_link(look):
    visitor = look("/s/small", "consent")
    visitor.page.evaluate("() => { document.querySelector('[name=seen]').value = '0.0' }")
    visitor.press("I agree, start").page.get_by_text("The study changed").wait_for()
    check(visitor)
    check_small(visitor)
    check(look("/s/small?PROLIFIC_PID=undefined", "error"))


def test_practice_with_a_refused_command(look, person):
    visitor = look(person.to_practice().home, "practice")
    visitor.raw.fill("x" * 201)
    visitor.raw.press("Enter")
    visitor.page.locator("#alert:not(:empty)").wait_for()
    check(visitor)
    check_small(visitor)


def test_every_outcome_with_a_text_that_came_too_late_by_script(look, person, stored):
    def put(state, reason):
        with stored.store.write() as db:
            participants.change(db, person.row.id, {"state": state, "end_reason": reason})

    visitor = look(person.to_rule().home, "rule")
    for state, reason in ENDS:
        put("active", "")
        visitor.go(person.home).see("rule").page.locator("#inputs").fill("too late")
        put(state, reason)
        visitor.press("Send my answer").see("outcome")
        expect(visitor.page.locator("#typed")).to_have_value("too late")
        expect_none(violations(visitor))
    check(visitor)
    check_small(visitor)


def test_full_study_and_refused_links(look, stored):
    slug = stored.make_study(new_slug(), people={"quota": 1})
    stored.enrol(slug)
    expect_none(violations(look(f"/s/{slug}", "consent").press("I agree, start").see("outcome")))
    closed = stored.make_study(new_slug(), people={"require": "id"})
    for path in (closed, "small?test=1.0.1.x", "small?PROLIFIC_PID=a&entry=1.x", "none-of-ours"):
        expect_none(violations(look(f"/s/{path}", "error")))


def test_declined(look):
    check(look("/s/small", "consent").press("I do not agree").see("declined"))


def test_instructions(look, person):
    check(look(person.home, "instructions"))


def test_practice(look, person):
    check(look(person.to_practice().home, "practice").type("check_location"))


def test_practice_won(look, person):
    person.to_practice().play(*person.solution(-1), block=-1)
    check(look(person.home, "practice"))


def test_game_open(look, player):
    check(look(player.home, "game").type("check_location", "go nowhere"))


def test_game_with_a_refused_command(look, player):
    visitor = look(player.home, "game")
    visitor.raw.fill("x" * 201)
    visitor.raw.press("Enter")
    visitor.page.locator("#alert:not(:empty)").wait_for()
    check(visitor)
    check_small(visitor)


def test_game_that_was_out_of_date(look, player):
    visitor = look(player.home, "game")
    player.play("check_location")
    visitor.raw.fill("go nowhere")
    visitor.raw.press("Enter")
    visitor.page.locator("#alert:not(:empty)").wait_for()
    check(visitor)
    check_small(visitor)


def test_game_without_a_connection(look, player, faults):
    faults.expect("htmx:")
    visitor = look(player.home, "game")
    visitor.page.context.set_offline(True)
    visitor.raw.fill("check_location")
    visitor.raw.press("Enter")
    visitor.page.locator("#net:not(:empty)").wait_for()
    check(visitor)
    check_small(visitor)


def test_game_on_a_touch_screen(visit, player):
    visitor = visit(player.home, has_touch=True, is_mobile=True).see("game")
    check(visitor)
    check_small(visitor)


def test_draft_that_was_changed_elsewhere(look, person):
    visitor = look(person.to_rule().home, "rule")
    late = visitor.another_tab().see("rule")
    visitor.page.locator("#inputs").fill("newer")
    visitor.page.locator("#draft-status.saved").wait_for()
    late.page.locator("#inputs").fill("older")
    late.page.locator("#draft-status.stale").wait_for()
    check(late)


def test_second_rule_form_of_a_world_with_errors(look, stored):
    slug = stored.make_study(new_slug(), options={})
    person = stored.enrol(slug).to_game()
    person.play(*person.solution()).explain()
    visitor = look(person.home, "game")
    budget = int(visitor.page.locator(".state").inner_text().split(" of ")[1].split()[0])
    visitor.type(*["check_location"] * budget).press("Continue").see("rule")
    visitor.page.locator("#confidence").fill("many")
    visitor.press("Send my answer").page.locator(".problem").wait_for()
    check(visitor)
    check_small(visitor)


def test_page_between_two_worlds(look, person):
    visitor = look(person.to_rule().home, "rule")
    check(visitor.explain(inputs="class", how="so").see("world"))


@pytest.mark.parametrize("tab", ["World", "Notes"])
def test_game_tabs(look, player, tab):
    visitor = look(player.home, "game")
    visitor.page.get_by_role("tab", name=tab).click()
    check(visitor)


def test_game_won(look, player):
    visitor = look(player.home, "game")
    check(visitor.type(*player.solution()))


def test_game_lost(look, player):
    player.play(*["check_location"] * player.episode().budget)
    check(look(player.home + "/world/1/guardian/1", "game"))


def test_rule_form(look, person):
    check(look(person.to_rule().home, "rule"))


def test_rule_form_with_errors(look, person):
    visitor = look(person.to_rule().home, "rule")
    visitor.page.locator("#confidence").fill("many")
    visitor.press("Send my answer").page.locator(".problem").wait_for()
    check(visitor)


def test_rule_form_in_one_text(look, stored):
    form = {"parts": "one", "when": "block"}
    slug = stored.make_study(new_slug(), rule_form=form)
    check(look(stored.enrol(slug).to_rule().home, "rule"))


def test_background_questions_also_with_errors(look, guest):
    visitor = look(guest.home, "questions")
    check(visitor)
    visitor.press("Continue").page.locator(".problem").wait_for()
    check(visitor)


def test_comprehension_also_with_a_wrong_answer(look, guest):
    guest.answer_before().win_practice()
    visitor = look(guest.home, "comprehension")
    visitor.page.get_by_label("nothing").check()
    visitor.press("Check my answers").page.locator(".problem").wait_for()
    check(visitor)


def test_direct_form_also_with_errors(look, guest):
    visitor = look(guest.to_direct().home, "direct")
    check(visitor)
    visitor.page.set_viewport_size(LAPTOP)
    visitor.press("Send my answer").page.locator(".problem").wait_for()
    check(visitor)


def test_leaving_and_outcome(look, player):
    visitor = look(f"{player.home}/leave", "leave")
    check(visitor)
    check(visitor.press("Yes, leave for good").see("outcome"))


def test_receipt(look, finished):
    check(look(f"{finished.home}/world/1/guardian/1/rule", "receipt"))


def test_debrief(look, finished):
    check(look(finished.home, "debrief"))


def test_report_and_thanks(look, player):
    visitor = look(f"{player.home}/problem", "problem")
    check(visitor.press("Send it").see("problem"))
    visitor.page.locator("#text").fill("Nothing, really.")
    visitor.press("Send it").page.get_by_role("button", name="Back to the study").wait_for()
    check(visitor)


def test_error_page(look):
    check(look("/p/nobody-has-this-token", "error"))


def test_front_door(look):
    check(look("/", "front"))


def test_login_also_after_a_wrong_password(look):
    visitor = look("/admin", "login")
    check(visitor)
    visitor.page.locator("#name").fill("nobody")
    visitor.page.locator("#password").fill("wrong password")
    visitor.press("Log in").page.locator("#login-error").wait_for()
    check(visitor)


def test_welcome(look, stored):
    visitor = look(f"/admin/welcome/{stored.one_time_link('axe')}", "welcome")
    check(visitor)
