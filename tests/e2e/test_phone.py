"""A small phone, 360 x 640: everything is reachable, nothing is cut off."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
PHONE = {"viewport": SMALL, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
KEYBOARD = {"width": 360, "height": 280}  # what a phone's keyboard leaves

HALF = {"width": 360, "height": 330}

# Names inside running text may be smaller (WCAG 2.5.8, inline); every other target is measured.
SMALL_TARGETS = """() => [...document.querySelectorAll(
    "a, button, input:not([type=hidden]), textarea, select, summary, .check label")]
    .filter(e => e.checkVisibility() && !e.matches(
        ".skip, .prose a, .tale button.n, .goal button.n, .foot a, .check input"))
    .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < 43.9 || box.height < 43.9))
    .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""

# What lies upon its neighbour in the bar
OVERLAPS = """() => [...document.querySelectorAll(".bar > *")]
    .filter(e => e.checkVisibility())
    .filter((e, i, all) => e.matches(".brand, .where") && e.scrollWidth > e.clientWidth + 1
        || i && all[i - 1].getBoundingClientRect().right > e.getBoundingClientRect().left + 1)
    .map(e => e.textContent.trim())"""


@pytest.fixture
def phone(visit, player):
    return visit(player.home, **PHONE).see("game")


def in_view(visitor, locator):
    """Tell whether an element is wholly inside the window and not covered."""
    return locator.evaluate("""e => {
        const box = e.getBoundingClientRect(), x = box.left + Math.min(box.width, 40) / 2;
        const top = document.elementFromPoint(x, box.top + box.height / 2);
        return box.top >= 0 && box.bottom <= innerHeight + 1 && box.left >= 0
            && box.right <= innerWidth + 1 && (e === top || e.contains(top));
    }""")


def check_width(visitor):
    width = visitor.page.evaluate("() => document.documentElement.scrollWidth")
    assert (visitor.name, width) == (visitor.name, SMALL["width"])
    assert visitor.page.evaluate(OVERLAPS) == []


def check_targets(visitor):
    assert visitor.page.evaluate(SMALL_TARGETS) == []


def test_every_page_of_the_way_fits_and_has_large_targets(visit, stored):
    visitor = visit("/s/small", **PHONE).see("consent")
    check_width(visitor)
    check_targets(visitor)
    person = stored.enrol()
    moves = {
        "instructions": person.to_practice,
        "practice": person.win_practice,
        "game": lambda: person.play(*person.solution()),
        "rule": lambda: person.explain().to_rule(block=1).explain(block=1),
        "debrief": None,
    }
    for name, move in moves.items():
        visitor.go(person.home).see(name)
        check_width(visitor)
        check_targets(visitor)
        if move:
            move()
    for path, name in (("/world/1/guardian/1/rule", "receipt"), ("/problem", "problem")):
        visitor.go(person.home + path).see(name)
        check_width(visitor)
        check_targets(visitor)


def test_pages_with_questions_fit_and_have_large_targets(visit, guest):
    visitor = visit(guest.home, **PHONE)
    moves = {
        "questions": lambda: guest.answer_before().win_practice(),
        "comprehension": lambda: guest.pass_check().play(*guest.solution()).explain(),
        "direct": None,
    }
    for name, move in moves.items():
        visitor.go(guest.home).see(name)
        check_width(visitor)
        check_targets(visitor)
        if move:
            move()
    visitor.go(f"{guest.home}/leave").see("leave")
    check_width(visitor)
    check_targets(visitor)
    visitor.press("Yes, leave for good").see("outcome")
    check_width(visitor)
    check_targets(visitor)


def test_each_tab_shows_its_part_without_sideways_scrolling(phone):
    for tab, part in (
        *(("Accounts", "accounts"), ("World", "world")),
        *(("Notes", "notes"), ("Play", "console")),
    ):
        phone.page.get_by_role("tab", name=tab).tap()
        for other in ("accounts", "world", "notes", "console"):
            expect(phone.page.locator(f"#{other}")).to_be_visible(visible=other == part)
        check_width(phone)
        check_targets(phone)


def test_newest_line_and_command_line_stay_in_view_while_playing(phone, player):
    for command in ("check_location", "check_inventory", "go nowhere", "check_location") * 2:
        phone.type(command)
        assert in_view(phone, phone.page.locator("#log-lines p").last)
        assert in_view(phone, phone.raw)
        assert in_view(phone, phone.page.locator("#send"))
    assert len(player.turns()) == 8
    assert phone.page.evaluate("() => scrollY") == 0


def test_newest_line_and_command_line_stay_in_view_above_the_keyboard(phone, player):
    phone.type("check_location", "check_inventory")
    phone.page.set_viewport_size(KEYBOARD)
    phone.type("go nowhere")
    assert in_view(phone, phone.page.locator("#log-lines p").last)
    assert in_view(phone, phone.raw)
    assert player.turns()[-1].raw == "go nowhere"


def test_newest_line_is_also_shown_next_to_the_accounts(phone, player):
    phone.page.get_by_role("tab", name="Accounts").tap()
    phone.type("check_location")
    newest = phone.page.locator("#newest")
    expect(newest).to_contain_text(player.turns()[0].message)
    assert in_view(phone, newest)
    assert in_view(phone, phone.raw)


def test_place_and_actions_left_are_in_view_on_every_tab(phone):
    for tab in ("Play", "Accounts", "World", "Notes"):
        phone.page.get_by_role("tab", name=tab).tap()
        for number in (0, 2):
            assert in_view(phone, phone.state.locator("dd").nth(number))


@pytest.mark.parametrize(("width", "is_shown"), [(768, True), (360, False)])
def test_coins_are_shown_where_there_is_room_for_them(phone, width, is_shown):
    phone.page.set_viewport_size({"width": width, "height": 740})
    coins = phone.state.locator("small")
    expect(coins).to_have_text(re.compile("coin"))
    expect(coins).to_be_visible(visible=is_shown)


def test_folded_account_offers_its_commands(phone):
    phone.page.get_by_role("tab", name="Accounts").tap()
    phone.press("Fold all")
    steps, unfold = phone.page.locator(".tale ol"), phone.page.locator(".unfold")
    expect(steps.nth(1)).to_be_hidden()
    expect(unfold.nth(1)).to_have_text(re.compile("Show the commands .+"))
    unfold.nth(1).tap()
    expect(steps.nth(1)).to_be_visible()
    expect(unfold.nth(1)).to_be_hidden()


def test_chosen_tab_survives_a_reload(phone):
    phone.page.get_by_role("tab", name="World").tap()
    phone.page.reload()
    expect(phone.see("game").page.locator("#world")).to_be_visible()


def test_narrowed_window_still_shows_the_console_till_another_part_is_chosen(visit, player):
    visitor = visit(player.home).see("game")
    expect(visitor.page.get_by_role("tab", name="Accounts")).to_be_visible()
    visitor.page.set_viewport_size(SMALL)
    expect(visitor.page.locator("#console")).to_be_visible()
    visitor.page.get_by_role("tab", name="World").click()
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    visitor.page.set_viewport_size(SMALL)
    expect(visitor.page.locator("#world")).to_be_visible()


def test_phone_without_script_has_the_newest_line_above_the_command_line(visit, player):
    phone = visit(player.home, java_script_enabled=False, **PHONE).see("game")
    phone.type("check_location")
    newest = phone.page.locator("#newest")
    expect(newest).to_contain_text(player.turns()[0].message)
    assert newest.bounding_box()["y"] < phone.raw.bounding_box()["y"]
    assert phone.raw.bounding_box()["y"] < SMALL["height"]


def test_tapped_name_goes_into_the_command_line_and_is_counted(phone, player):
    place = player.solution()[0].removeprefix("go ")
    phone.raw.fill("go")
    phone.page.get_by_role("tab", name="World").tap()
    phone.page.locator("#world .names button", has_text=place).first.tap()
    expect(phone.raw).to_have_value(f"go {place}")
    phone.page.locator("#send").tap()
    phone.wait_for_seq(2)
    [turn] = player.turns()
    assert (turn.raw, turn.taps) == (f"go {place}", 1)


def test_whole_command_is_tapped_and_its_taps_are_counted(phone, player):
    place = player.solution()[0].removeprefix("go ")
    phone.press("go")
    expect(phone.raw).to_have_value("go ")
    phone.page.get_by_role("tab", name="World").tap()
    phone.page.locator("#world .names button", has_text=place).first.tap()
    phone.press("buy")
    expect(phone.raw).to_have_value(f"buy {place}")
    phone.press("go")
    phone.page.locator("#send").tap()
    phone.wait_for_seq(2)
    phone.press("check_location")
    expect(phone.raw).to_have_value("check_location")
    phone.page.locator("#send").tap()
    phone.wait_for_seq(3)
    typed_turns = [(turn.raw, turn.taps, turn.ok) for turn in player.turns()]
    assert typed_turns == [(f"go {place}", 4, True), ("check_location", 1, True)]


def test_verbs_are_the_same_as_help_lists_and_only_on_touch_screens(visit, phone, player):
    verbs = phone.page.locator(".verbs-to-tap button")
    listed = phone.page.locator(".help .verbs code").all_text_contents()
    assert verbs.all_text_contents() == listed
    laptop = visit(player.home).see("game")
    expect(laptop.page.locator(".verbs-to-tap")).to_be_hidden()


def test_greeting_fills_the_empty_log_and_goes_with_the_first_line(phone):
    greeting = phone.page.locator(".greeting")
    expect(greeting).to_contain_text("Read the accounts")
    phone.type("check_location")
    expect(greeting).to_be_hidden()


def test_whole_failure_can_be_read_above_the_keyboard(phone, player):
    phone.raw.tap()
    phone.page.set_viewport_size(HALF)
    phone.page.locator("html.kb").wait_for()
    phone.type(*player.solution()[-2:])
    line = phone.page.locator("#log-lines .fail").last.bounding_box()
    log = phone.page.locator("#log").bounding_box()
    assert log["y"] <= line["y"]
    assert line["y"] + line["height"] <= log["y"] + log["height"]


def test_failure_that_does_not_fit_above_the_keyboard_shows_its_start(phone, player):
    phone.raw.tap()
    phone.page.set_viewport_size({"width": 360, "height": 250})
    phone.page.locator("html.kb").wait_for()
    phone.type(*player.solution()[-2:])
    line = phone.page.locator("#log-lines .fail").last.bounding_box()
    log = phone.page.locator("#log").bounding_box()
    assert line["height"] > log["height"]
    assert 0 <= line["y"] - log["y"] < 30


def test_keyboard_that_was_open_before_a_reload_is_known(phone):
    phone.raw.tap()
    phone.page.set_viewport_size(KEYBOARD)
    phone.page.locator("html.kb").wait_for()
    phone.page.reload()
    phone.raw.tap()
    phone.page.locator("html.kb").wait_for(timeout=5000)


def test_verbs_take_one_row_and_go_with_the_guardian(phone, player):
    verbs = phone.page.locator(".verbs-to-tap")
    tops = {verb.bounding_box()["y"] for verb in verbs.locator("button").all()}
    assert len(tops) == 1
    phone.type(*player.solution())
    expect(phone.page.locator("#after-h")).to_be_visible()
    expect(verbs).to_be_hidden()


def test_greeting_of_the_practice_names_what_the_goal_wants_first(visit, stored):
    phone = visit(stored.enrol().to_practice().home, **PHONE).see("practice")
    first = phone.page.locator(".greeting code")
    expect(first).to_be_in_viewport(ratio=1)
    tapping = phone.page.get_by_text("Or tap: a command, a name")
    expect(tapping).to_be_in_viewport(ratio=1)
    command = first.inner_text()
    phone.type(command)
    expect(phone.page.locator("#state .did")).to_have_text(command)


def test_message_of_an_unsent_answer_leads_to_its_field(visit, player, faults):
    faults.expect("status of 422")
    player.play(*player.solution())
    phone = visit(player.home, **PHONE).see("rule")
    phone.explain(confidence="very").page.locator(".problem").wait_for()
    check_targets(phone)
    phone.page.locator(".problem a[href='#confidence']").tap()
    expect(phone.page.locator("#confidence")).to_be_in_viewport(ratio=1)
    assert in_view(phone, phone.page.locator("label[for=confidence]"))
