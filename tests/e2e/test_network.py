"""The network fails in the middle of a command: nothing is lost or doubled."""

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import CDN

pytestmark = pytest.mark.browser
CUT = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "htmx:afterRequest,", "htmx:sendError,")


@pytest.fixture
def visitor(visit, player, faults):
    faults.expect(*CUT)
    return visit(player.home).see("game").mark()


def try_to_type(visitor, command):
    visitor.raw.fill(command)
    visitor.raw.press("Enter")


def check_that_nothing_was_played(visitor, command, message):
    expect(visitor.page.locator("#net")).to_contain_text(message)
    expect(visitor.raw).to_have_value(command)
    expect(visitor.raw).to_be_editable()
    assert visitor.seq == 1


def check_that_it_was_played_once(visitor, player, command):
    visitor.wait_for_seq(2)
    assert player.raws() == [command]
    assert visitor.lines == [command]
    expect(visitor.raw).to_have_value("")
    expect(visitor.page.locator("#net")).to_have_text("")
    assert visitor.remembers()


def test_command_typed_while_offline_is_kept_and_played_once_after(visitor, player):
    visitor.page.context.set_offline(True)
    try_to_type(visitor, "check_location")
    check_that_nothing_was_played(visitor, "check_location", "Not connected.")
    assert player.raws() == []
    visitor.page.context.set_offline(False)
    visitor.raw.press("Enter")
    check_that_it_was_played_once(visitor, player, "check_location")


def test_being_offline_is_reported_before_anything_is_sent(visitor):
    visitor.page.context.set_offline(True)
    expect(visitor.page.locator("#net")).to_contain_text("Not connected.")
    visitor.page.context.set_offline(False)
    expect(visitor.page.locator("#net")).to_have_text("")


def test_request_that_never_arrives_is_sent_again_with_enter(visitor, player):
    visitor.page.route("**/guardian/1", lambda route: route.abort())
    try_to_type(visitor, "check_location")
    check_that_nothing_was_played(visitor, "check_location", "The server did not answer.")
    assert player.raws() == []
    visitor.page.unroute("**/guardian/1")
    visitor.raw.press("Enter")
    check_that_it_was_played_once(visitor, player, "check_location")


def drop_answers(visitor):
    """Let requests reach the server, but lose its answers."""

    def drop(route):
        route.fetch()
        route.abort()

    visitor.page.route("**/guardian/1", drop)


def test_answer_that_is_lost_comes_again_and_the_command_is_stored_once(visitor, player):
    drop_answers(visitor)
    try_to_type(visitor, "check_location")
    check_that_nothing_was_played(visitor, "check_location", "The server did not answer.")
    assert player.raws() == ["check_location"]
    visitor.page.unroute("**/guardian/1")
    visitor.raw.press("Enter")
    check_that_it_was_played_once(visitor, player, "check_location")


def test_other_text_after_a_lost_answer_is_not_played_but_kept(visitor, player, faults):
    faults.expect("status of 409")
    drop_answers(visitor)
    try_to_type(visitor, "check_location")
    check_that_nothing_was_played(visitor, "check_location", "The server did not answer.")
    visitor.page.unroute("**/guardian/1")
    try_to_type(visitor, "check_inventory")
    visitor.wait_for_seq(2)
    expect(visitor.page.locator("#alert")).to_contain_text("out of date")
    expect(visitor.raw).to_have_value("check_inventory")
    assert visitor.lines == player.raws() == ["check_location"]
    visitor.raw.press("Enter")
    visitor.wait_for_seq(3)
    assert visitor.lines == player.raws() == ["check_location", "check_inventory"]


def test_lost_answer_to_the_winning_command_still_shows_the_win_after(visitor, player):
    *first, last = player.solution()
    visitor.type(*first)
    drop_answers(visitor)
    try_to_type(visitor, last)
    expect(visitor.page.locator("#net")).to_contain_text("The server did not answer.")
    assert player.episode().state == "won"
    expect(visitor.page.locator("#after")).to_be_empty()
    visitor.page.unroute("**/guardian/1")
    visitor.raw.press("Enter")
    expect(visitor.page.locator("#after")).to_contain_text("Well done!")
    assert player.raws() == [*first, last]


def test_success_is_shown_only_when_the_server_has_confirmed_it(visitor, player):
    *first, last = player.solution()
    visitor.type(*first)
    held = []

    def hold(route):
        held.append(route)

    visitor.page.route("**/guardian/1", hold)
    try_to_type(visitor, last)
    expect(visitor.page.locator("#send")).to_have_text("Sending…")
    assert (len(held), player.episode().state) == (1, "open")
    expect(visitor.page.locator("#after")).to_be_empty()
    expect(visitor.state).to_have_attribute("data-success", "false")
    held[0].continue_()
    expect(visitor.page.locator("#after")).to_contain_text("Well done!")
    expect(visitor.state).to_have_attribute("data-success", "true")
    assert player.episode().state == "won"


@pytest.mark.parametrize("status", [200, 500, 503])
def test_page_of_another_server_is_not_taken_for_an_answer(visitor, player, faults, status):
    faults.expect("status of 50", "Response Status Error Code 50")
    foreign = {"status": status, "content_type": "text/html", "body": "<p>Log in to the WLAN</p>"}
    visitor.page.route("**/guardian/1", lambda route: route.fulfill(**foreign))
    try_to_type(visitor, "check_location")
    check_that_nothing_was_played(visitor, "check_location", "The server did not answer.")
    expect(visitor.page.locator("#log-lines")).to_be_empty()
    assert player.raws() == []


@pytest.mark.long
def test_closed_tab_keeps_what_was_typed_offline_with_plain_forms(visit, player, faults):
    faults.expect(CDN, *CUT)
    visitor = visit(player.home, "cdn_server").see("game").type("check_location")
    visitor.page.context.set_offline(True)
    visitor.raw.press("ArrowUp")
    visitor.raw.press("Enter")
    visitor.page.wait_for_url("chrome-error://**")
    visitor.page.context.set_offline(False)
    visitor.go(player.home).see("game")
    expect(visitor.raw).to_have_value("check_location")
    visitor.raw.press("Enter")
    visitor.wait_for_seq(3)
    assert player.raws() == ["check_location", "check_location"]


def test_command_too_long_to_send_is_reported_and_kept(visitor, player, faults):
    faults.expect("status of 413", "Status Error Code 413")
    visitor.raw.fill("x" * 600_000)
    visitor.raw.press("Enter")
    expect(visitor.page.locator("#net")).to_contain_text("too long to send")
    assert visitor.raw.input_value() == "x" * 600_000
    assert player.raws() == []


FULL = """Object.defineProperty(window, "sessionStorage", {get: () => new Proxy({}, {
    set() { throw new DOMException("full", "QuotaExceededError"); }})});"""


def test_browser_whose_storage_is_full_still_plays_and_saves_drafts(visit, person, stored):
    visitor = visit(person.to_game().home).see("game")
    visitor.page.add_init_script(FULL)
    visitor.page.reload()
    visitor.see("game").type(*person.solution()).press("Continue").see("rule")
    visitor.page.locator("#inputs").fill("class")
    expect(visitor.page.locator("#draft-status")).to_contain_text("Saved")
    assert person.draft()["inputs"] == "class"
