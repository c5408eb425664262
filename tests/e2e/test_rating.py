"""An annotator in a browser: by keyboard alone, with a cut network, without a script; axe."""

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import PHONE, check
from tests.e2e.rating import RatingRoom

pytestmark = pytest.mark.browser
CUT = ("ERR_INTERNET_DISCONNECTED", "htmx:afterRequest,", "htmx:sendError,")
NUMBER = 30


def heading(visitor, number):
    """Wait until the item with that number is shown."""
    expect(visitor.page.locator("#item-h")).to_contain_text(f"Item {number} of {NUMBER}")
    visitor.page.wait_for_load_state()


@pytest.mark.long
def test_thirty_items_are_rated_by_keyboard_alone_two_changed_one_skipped_one_offline(
    visit, stored, faults
):
    faults.expect(*CUT)
    room = RatingRoom(stored, NUMBER)
    visitor = room.enter(visit)
    keys = visitor.page.keyboard
    link = visitor.page.get_by_role("button", name="Read the guidelines and start")
    while not link.evaluate("e => e === document.activeElement"):
        keys.press("Tab")
    keys.press("Enter")
    visitor.see("round")
    keys.press("Enter")  # 'Start'
    given: dict[int, int | str] = {}
    for number in range(1, NUMBER + 1):
        heading(visitor, number)
        given[number] = number % 3
        if number == 7:  # skipped
            keys.press("s")
            keys.press("ArrowDown")
            keys.press("Enter")
            given[number] = "skip"
        elif number == 12:  # the network is gone
            visitor.page.context.set_offline(True)
            keys.press(str(number % 3))
            keys.press("c")
            keys.type("Written while offline")
            keys.press("Escape")
            keys.press("Enter")
            expect(visitor.page.locator("#net")).to_contain_text("Not connected.")
            assert room.revisions[11] == 0
            visitor.page.context.set_offline(False)
            expect(visitor.page.locator("#comment")).to_have_value("Written while offline")
            keys.press("Enter")
        else:
            keys.press(str(number % 3))
            keys.press("Enter")
    visitor.see("round")
    expect(visitor.page.locator("main")).to_contain_text("30 of 30 done.")
    for number in (30, 29):  # changed: reopen each from the list
        visitor.page.get_by_role("link", name=f"Item {number}").focus()
        keys.press("Enter")
        heading(visitor, number)
        given[number] = {30: 2, 29: 0}[number]
        keys.press(str(given[number]))
        keys.press("Enter")
        visitor.see("round")
    rows = room.places
    stored_values = {row.position: "skip" if row.skip_reason else row.value for row in rows}
    assert stored_values == given
    assert room.revisions == [1] * 28 + [2, 2]
    assert rows[11].comment == "Written while offline"
    assert all(row.active_ms is not None and row.wall_ms is not None for row in rows)


@pytest.mark.long
def test_the_same_works_without_a_script(visit, stored, faults):
    faults.expect("status of 422", "ERR_INTERNET_DISCONNECTED")
    room = RatingRoom(stored, NUMBER)
    visitor = room.enter(visit, java_script_enabled=False)
    visitor.page.get_by_role("button", name="Read the guidelines and start").press("Enter")
    visitor.see("round").page.get_by_role("button", name="Start", exact=True).press("Enter")
    visitor.see("item")
    given: dict[int, int | str] = {}
    for number in range(1, NUMBER + 1):
        heading(visitor, number)
        given[number] = number % 3
        if number == 7:  # skipped; the reason is given only after the form asks for it
            visitor.page.get_by_label("Skip: it cannot be rated").press("Space")
            save(visitor)
            expect(visitor.page.locator("#skip_reason-error")).to_be_visible()
            visitor.page.locator("#skip_reason").select_option("unreadable")
            given[number] = "skip"
        else:
            choose(visitor, number % 3)
        if number == 12:  # the network is gone
            here = visitor.page.url
            visitor.page.context.set_offline(True)
            save(visitor)
            visitor.page.wait_for_timeout(300)
            assert room.revisions[11] == 0
            visitor.page.context.set_offline(False)
            visitor.page.goto(here)
            choose(visitor, number % 3)
        save(visitor)
    visitor.see("round")
    expect(visitor.page.locator("main")).to_contain_text("30 of 30 done.")
    for number, value in ((30, 2), (29, 0)):
        visitor.page.get_by_role("link", name=f"Item {number}", exact=False).last.press("Enter")
        heading(visitor, number)
        choose(visitor, value)
        save(visitor)
        visitor.see("round")
        given[number] = value
    rows = room.places
    assert {row.position: "skip" if row.skip_reason else row.value for row in rows} == given
    assert room.revisions == [1] * 28 + [2, 2]


def choose(visitor, value):
    visitor.page.locator(f".choice [value='{value}']").press("Space")


def save(visitor):
    visitor.page.get_by_role("button", name="Save and continue", exact=True).press("Enter")


def test_criteria_are_rated_with_four_keys(visit, stored):
    room = RatingRoom(stored, 2, mode="criteria")
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    keys = visitor.page.keyboard
    for key in "2", "1", "0", "Backspace", "2", "1", "Enter":
        keys.press(key)
    expect(visitor.page.locator("#item-h")).to_contain_text("Item 2 of 2")
    words = "Item 1: Inputs 2, Output 1, Structure 2, Generality 1. Saved at"
    expect(visitor.page.locator("#saved")).to_contain_text(words)
    row = room.places[0]
    assert (row.inputs, row.output, row.structure, row.generality) == (2, 1, 2, 1)


def test_keys_can_be_switched_off_and_do_nothing_while_text_is_written(visit, stored):
    room = RatingRoom(stored, 2)
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    page = visitor.page
    page.locator("#comment").focus()
    page.keyboard.type("0 1 2 s f")
    assert page.locator(".choice :checked").count() == 0
    page.keyboard.press("Escape")
    page.get_by_text("Keys", exact=True).click()
    page.get_by_label("Use keys").uncheck()
    page.keyboard.press("1")
    assert page.locator(".choice :checked").count() == 0


def test_a_tab_that_is_out_of_date_shows_what_is_saved(visit, stored, faults):
    faults.expect("status of 409")
    room = RatingRoom(stored, 2)
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    other = visitor.another_tab().see("item")
    visitor.page.keyboard.press("2")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("#item-h")).to_contain_text("Item 2 of 2")
    expect(visitor.page.locator("#saved")).to_contain_text("Saved at")
    other.page.keyboard.press("0")
    other.page.keyboard.press("Enter")
    alert = other.page.get_by_role("alert").filter(has_text="nothing was overwritten")
    expect(alert).to_contain_text("Saved: 2")
    assert room.revisions == [1, 0]


@pytest.mark.long
def test_axe_finds_nothing_on_the_annotators_pages(visit, stored, faults):
    faults.expect("status of 422")
    room = RatingRoom(stored, 4, training="i0 | 1 | Only one trait.")
    visitor = room.enter(visit)
    check(visitor)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    check(visitor.see("round"))
    visitor.press("Start").see("item")
    check(visitor)
    visitor.press("Save and continue").page.locator(".problem").wait_for()
    check(visitor)
    visitor.page.locator(".choice [value='1']").check()
    visitor.press("Save and continue").page.locator(".feedback").wait_for()
    check(visitor)


def test_axe_finds_nothing_on_the_criteria_page(visit, stored):
    room = RatingRoom(stored, 2, mode="criteria")
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    visitor.page.get_by_text("Keys", exact=True).click()
    check(visitor)


@pytest.mark.long
def test_axe_finds_nothing_on_the_researchers_pages_of_rating(visit, stored, faults):
    faults.expect("status of 422")
    room = RatingRoom(stored, 4)
    visitor = room.enter_as_researcher(visit)
    check(visitor)
    own = f"/admin/studies/{room.slug}/rating"
    for path in (f"{own}/rounds/new", f"{own}/rounds/{room.number}", "/admin/annotators"):
        check(visitor.go(path))
    visitor.go(own).page.locator("#models-text").fill("id,source,task,seed,text\na,b,c,1,d\n")
    visitor.page.locator("#models-h ~ form button").click()
    visitor.page.locator(".problem").wait_for()
    check(visitor)


def test_axe_finds_nothing_on_samples_and_disagreements(visit, stored):
    room = RatingRoom(stored, 6)
    sample, case = room.judge_draw_and_disagree()
    visitor = room.enter_as_researcher(visit)
    own = f"/admin/studies/{room.slug}/rating"
    check(visitor.go(f"{own}/samples/{sample}"))
    check(visitor.go(f"{own}/rounds/{room.number}"))
    check(visitor.go(f"{own}/rounds/{room.number}/adjudicate"))
    check(visitor.go(f"{own}/rounds/{room.number}/adjudicate/{case}"))


def test_no_researchers_page_of_rating_is_wider_than_a_phone_whatever_the_names(visit, stored):
    """Long names wrap, and text for screen readers stays within its table."""
    room = RatingRoom(stored, 40)
    room.add_long_names()
    sample, case = room.judge_draw_and_disagree()
    own = f"/admin/studies/{room.slug}/rating"
    visitor = room.enter_as_researcher(visit)
    page = visitor.page
    page.set_viewport_size(PHONE)
    wide = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
    round_url = f"{own}/rounds/{room.number}"
    for path in (
        own,
        "/admin/annotators",
        f"{own}/rounds/new",
        f"{own}/samples/{sample}",
        round_url,
        f"{round_url}/adjudicate",
        f"{round_url}/adjudicate/{case}",
        f"{round_url}/agreement",
        f"{own}/planner",
    ):
        visitor.go(path).page.locator("h1").wait_for()
        page.evaluate("() => document.querySelectorAll('details').forEach(e => { e.open = true })")
        assert not page.evaluate(wide), path
