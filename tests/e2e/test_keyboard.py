"""The keyboard alone is enough for the whole study, and comfortable."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import PRACTICE
from tests.e2e.visitor import CDN

pytestmark = pytest.mark.browser
MOST_TABS = 60
# how much of the focused field (of a high one, of its first lines) is behind the row of buttons
HIDDEN_PX = """(() => {
  const own = document.activeElement.getBoundingClientRect();
  const row = document.querySelector("#rule .save-row").getBoundingClientRect();
  return own.top + Math.min(own.height, 60) - row.top;
})()"""


def tab_to(visitor, selector):
    """Press Tab until an element has the focus."""
    for _ in range(MOST_TABS):
        if visitor.page.evaluate("s => document.activeElement.matches(s)", selector):
            return visitor.page.keyboard
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_TABS} times Tab did not lead to {selector}")


def write(visitor, *commands):
    """Type into the focused element, and press Enter after each command."""
    for command in commands:
        after = visitor.seq + 1
        visitor.page.keyboard.type(command)
        visitor.page.keyboard.press("Enter")
        visitor.wait_for_seq(after)


def test_whole_study_with_the_keyboard_alone_ends_with_the_code(visit, stored):
    visitor = visit("/s/small").see("consent")
    tab_to(visitor, "button[value=yes]").press("Enter")
    person = stored.person(visitor.see("instructions").token)
    tab_to(visitor, "form.choice button").press("Enter")
    visitor.see("practice")
    write(visitor, *PRACTICE)
    tab_to(visitor, "#after button").press("Enter")
    for block in (0, 1):
        visitor.see("game")
        write(visitor, *person.solution(block))
        tab_to(visitor, "#after a").press("Enter")
        visitor.see("rule")
        if block == 0:
            tab_to(visitor, "#inputs").type("class")
        else:
            tab_to(visitor, "#do_not_know").press("Space")
        tab_to(visitor, "#confidence").type("5")
        tab_to(visitor, "#rule button:not([data-save])").press("Enter")
        if block == 0:
            tab_to(visitor.see("world"), "main a.button").press("Enter")
    visitor.see("debrief")
    expect(visitor.page.locator("#code")).to_have_text(person.row.code)
    assert person.raws(1) == list(person.solution(1))
    written = [(row.inputs, row.do_not_know, row.confidence) for row in person.explanations]
    assert written == [("class", False, 5), ("", True, 5)]


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_space_presses_a_link_that_looks_like_a_button(visit, key):
    visitor = visit("/s/small").see("consent").press("I agree, start").see("instructions")
    visitor.go(f"/p/{visitor.token}/problem").see("problem")
    tab_to(visitor, 'main a[role="button"]').press(key)
    visitor.see("instructions")


def test_first_tab_leads_past_the_bar(visit):
    visitor = visit("/s/small").see("consent")
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.get_by_role("link", name="Skip to main content")).to_be_focused()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("main")).to_be_focused()


def test_game_page_starts_in_the_command_line_and_ends_at_the_outcome(visit, player):
    visitor = visit(player.home).see("game")
    expect(visitor.raw).to_be_focused()
    write(visitor, *player.solution())
    expect(visitor.page.locator("#after-h")).to_be_focused()


@pytest.fixture(params=["no htmx", "no script"])
def plain(request, faults):
    """How a page is opened without htmx, whose forms are then sent and answered as pages."""
    if request.param == "no script":
        return {"java_script_enabled": False}
    faults.expect(CDN)
    return {"server": "cdn_server"}


def test_outcome_has_the_focus_without_htmx_too(visit, player, plain):
    visitor = visit(player.home, **plain).see("game").type(*player.solution())
    expect(visitor.page.locator("#after-h")).to_be_focused()
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.get_by_role("button", name="Continue")).to_be_focused()


def test_problem_in_the_rule_form_has_the_focus_without_htmx_too(visit, person, plain, faults):
    faults.expect("status of 422")
    visitor = visit(person.to_rule().home, **plain).see("rule")
    expect(visitor.page.locator("body")).to_be_focused()
    visitor.press("Send my answer").see("rule")
    expect(visitor.page.locator(".problem")).to_be_focused()
    assert person.explanations == []


def test_arrow_up_recalls_commands_and_down_returns_to_what_was_typed(visit, player):
    visitor = visit(player.home).see("game").type("check_location", "check_inventory")
    visitor.raw.fill("go so")
    found = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"):
        visitor.raw.press(key)
        found.append(visitor.raw.input_value())
    assert found == [
        *("check_inventory", "check_location", "check_location"),
        *("check_inventory", "go so"),
    ]


def test_recalled_command_is_played_as_it_was_typed(visit, player):
    visitor = visit(player.home).see("game").type("Go  nowhere")
    visitor.raw.press("ArrowUp")
    visitor.raw.press("Enter")
    visitor.wait_for_seq(3)
    assert player.raws() == ["Go  nowhere", "Go  nowhere"]


def test_tabs_next_to_the_console_are_chosen_with_arrows(visit, player):
    visitor = visit(player.home).see("game")
    visitor.page.get_by_role("tab", name="Accounts").focus()
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.get_by_role("tab", name="World")).to_be_focused()
    expect(visitor.page.locator("#world")).to_be_visible()
    expect(visitor.page.locator("#accounts")).to_be_hidden()
    expect(visitor.raw).to_be_visible()


def test_tabs_say_that_arrows_choose_them_to_those_who_use_keys(visit, player):
    visitor = visit(player.home, viewport={"width": 360, "height": 640}).see("game")
    hint = "() => getComputedStyle(document.querySelector('.tabs'), '::after').content"
    visitor.page.get_by_role("tab", name="World").click()
    assert visitor.page.evaluate(hint) == "none"
    visitor.page.keyboard.press("ArrowRight")
    focused = visitor.page.get_by_role("tab", name="Notes")
    expect(focused).to_be_focused()
    assert visitor.page.evaluate(hint).startswith('"← →"')
    assert focused.evaluate("tab => getComputedStyle(tab).outlineOffset") == "-3px"
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") == 360


def test_new_lines_are_added_to_the_log_and_the_command_line_keeps_the_focus(visit, player):
    visitor = visit(player.home).see("game").mark()
    visitor.page.evaluate("""() => {
        window.log = document.querySelector("[role=log]");
        window.input = document.querySelector("#raw");
        window.removed = 0;
        new MutationObserver(all => all.forEach(one => { removed += one.removedNodes.length; }))
            .observe(log, { childList: true, subtree: true });
    }""")
    write(visitor, "check_location", "check_inventory")
    same = "log.isConnected && document.activeElement === input && removed === 0"
    assert visitor.page.evaluate(same)
    log = visitor.page.get_by_role("log")
    expect(log).to_contain_text("You typed: check_location")
    for turn in player.turns():
        expect(log).to_contain_text(turn.message)


def test_problem_in_the_rule_form_takes_the_focus(visit, person, faults):
    faults.expect("status of 422")
    visitor = visit(person.to_rule().home).see("rule").press("Send my answer")
    expect(visitor.page.locator(".problem")).to_be_focused()
    expect(visitor.page.locator("#inputs")).to_have_attribute("aria-invalid", "true")
    assert person.explanations == []


@pytest.mark.parametrize("size", [(1280, 800), (360, 640), (640, 400), (320, 256)])
def test_field_with_the_focus_is_never_behind_the_row_of_buttons(visit, person, size):
    visitor = visit(person.to_rule().home).see("rule")
    page = visitor.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("#rule textarea").first.focus()
    hidden = {}
    while not page.evaluate("document.activeElement.closest('.save-row') !== null"):
        page.wait_for_timeout(200)
        hidden[page.evaluate("document.activeElement.id")] = page.evaluate(HIDDEN_PX)
        page.keyboard.press("Tab")
    assert {"do_not_know", "confidence", "found_how"} < set(hidden)
    assert {name: px for name, px in hidden.items() if px > 1} == {}
