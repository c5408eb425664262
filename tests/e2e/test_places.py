"""Reload, back, double Enter, two tabs, another device, a killed server: the present state."""

import signal

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(visit, player):
    return visit(player.home).see("game").mark()


def test_reload_in_the_middle_of_an_episode_shows_the_present_state(visitor, player):
    visitor.type("check_location", "check_inventory")
    visitor.page.reload()
    visitor.see("game")
    assert visitor.lines == player.raws() == ["check_location", "check_inventory"]
    visitor.type("check_location")
    assert [turn.seq for turn in player.turns()] == [1, 2, 3]


def test_reload_keeps_what_was_typed_and_not_sent(visitor, player):
    visitor.type("check_location").raw.fill("go to the")
    visitor.page.reload()
    expect(visitor.see("game").raw).to_have_value("go to the")
    assert player.raws() == ["check_location"]


def test_reload_after_a_plain_post_plays_nothing_again(visit, player):
    visitor = visit(player.home, java_script_enabled=False).see("game").type("check_location")
    visitor.page.reload()
    assert visitor.seq == 2
    assert player.raws() == ["check_location"]


def test_back_button_after_the_rule_form_shows_the_finished_game(visit, person):
    visitor = visit(person.to_game().home).see("game").type(*person.solution())
    visitor.press("Continue").see("rule")
    visitor.page.go_back()
    visitor.see("game")
    assert visitor.state.get_attribute("data-done") == "true"
    expect(visitor.page.locator("#after")).to_contain_text("Well done!")
    expect(visitor.raw).to_be_hidden()
    assert person.raws() == list(person.solution())


def test_back_button_without_script_ends_on_the_present_state(visit, player):
    visitor = visit(player.home, java_script_enabled=False).see("game")
    visitor.type("check_location", "check_inventory")
    visitor.page.go_back()
    assert visitor.see("game").seq == 3
    visitor.type("check_location")
    assert player.raws() == ["check_location", "check_inventory", "check_location"]


def test_back_button_over_a_sent_rule_form_shows_the_receipt(visit, person):
    visitor = visit(person.to_rule().home).see("rule")
    visitor.explain(inputs="class", how="so").see("world")
    visitor.page.go_back()
    visitor.see("receipt")
    expect(visitor.page.locator(".answers")).to_contain_text("class")
    assert len(person.explanations) == 1


def test_double_enter_stores_one_turn(visitor, player):
    visitor.raw.fill("check_location")
    visitor.page.evaluate("""() => {
        for (let i = 0; i < 2; i++) document.querySelector("#command").requestSubmit();
    }""")
    visitor.wait_for_seq(2)
    visitor.type("check_inventory")
    assert player.raws() == visitor.lines == ["check_location", "check_inventory"]


def test_double_click_without_script_stores_one_turn(visit, player):
    visitor = visit(player.home, java_script_enabled=False).see("game")
    visitor.raw.fill("check_location")
    visitor.page.locator("#send").dblclick()
    visitor.wait_for_seq(2)
    assert player.raws() == ["check_location"]


def test_enter_on_an_empty_line_costs_nothing(visitor, player):
    visitor.raw.press("Enter")
    visitor.raw.fill("   ")
    visitor.raw.press("Enter")
    visitor.type("check_location")
    assert player.raws() == ["check_location"]


def test_outdated_tab_gets_a_message_keeps_its_text_and_sees_the_whole_log(visitor, player, faults):
    faults.expect("status of 409")
    late = visitor.another_tab().see("game").mark()
    visitor.type("check_location", "check_inventory")
    late.raw.fill("go to_some_place")
    late.raw.press("Enter")
    expect(late.page.locator("#alert")).to_contain_text("This page was out of date")
    late.wait_for_seq(3)
    assert late.remembers()
    assert late.lines == player.raws() == ["check_location", "check_inventory"]
    expect(late.raw).to_have_value("go to_some_place")
    expect(late.raw).to_be_focused()
    late.raw.press("Enter")
    late.wait_for_seq(4)
    expect(late.page.locator("#alert")).to_be_empty()
    assert player.raws() == ["check_location", "check_inventory", "go to_some_place"]


def test_outdated_tab_without_script_gets_a_message_and_keeps_its_text(visit, player, faults):
    faults.expect("status of 409")
    visitor = visit(player.home, java_script_enabled=False).see("game")
    late = visitor.another_tab().see("game")
    visitor.type("check_location")
    late.raw.fill("check_inventory")
    late.raw.press("Enter")
    late.wait_for_seq(2)
    expect(late.page.locator("#alert")).to_contain_text("This page was out of date")
    expect(late.raw).to_have_value("check_inventory")
    assert late.lines == player.raws() == ["check_location"]


def test_tab_behind_an_ended_episode_is_led_on(visitor, player, faults):
    faults.expect("status of 409")
    late = visitor.another_tab().see("game")
    visitor.type(*player.solution())
    late.raw.fill("check_location")
    late.raw.press("Enter")
    expect(late.page.locator("#after")).to_contain_text("Well done!")
    assert late.lines == player.raws() == list(player.solution())


def test_same_link_on_another_device_goes_on_where_the_first_was(visit, visitor, player):
    visitor.type("check_location")
    phone = visit(player.home, viewport={"width": 390, "height": 844}).see("game")
    assert phone.lines == ["check_location"]
    phone.type("check_inventory")
    assert [turn.seq for turn in player.turns()] == [1, 2]
    visitor.page.reload()
    assert visitor.see("game").lines == ["check_location", "check_inventory"]


def test_platform_link_leads_back_to_the_same_person(visit, stored):
    link = "/s/small?PROLIFIC_PID=5f00000000000000000000aa&STUDY_ID=s&SESSION_ID=1"
    first = visit(link).see("consent").press("I agree, start").see("instructions")
    again = visit(link).see("instructions")
    assert again.token == first.token == stored.newest().token


@pytest.mark.long
def test_killed_server_comes_back_and_the_open_page_goes_on(visit, player, mortal_server, faults):
    faults.expect("ERR_CONNECTION_REFUSED", "htmx:afterRequest,", "htmx:sendError,")
    *first, last = player.solution()
    visitor = visit(player.home, "mortal_server").see("game").mark().type(*first)
    mortal_server.end(signal.SIGKILL)
    visitor.raw.fill(last)
    visitor.raw.press("Enter")
    expect(visitor.page.locator("#net")).to_contain_text("The server did not answer.")
    assert player.raws() == first
    mortal_server.start()
    visitor.raw.press("Enter")
    expect(visitor.page.locator("#after")).to_contain_text("Well done!")
    assert visitor.remembers()
    assert player.raws() == list(player.solution())
    assert player.episode().state == "won"
