"""An annotator's way through a round: what is not saved is named; a phone shows all at once."""

import pytest
from playwright.sync_api import expect

from tests.e2e.rating import RatingRoom

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}


@pytest.fixture
def room(stored):
    return RatingRoom(stored, 3)


def start(room, visit, **options):
    visitor = room.enter(visit, **options)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    return visitor.see("round").press("Start").see("item")


def shown(page, number):
    expect(page.locator("#item-h")).to_contain_text(f"Item {number} of 3")
    page.wait_for_load_state()


def test_item_that_was_left_without_saving_is_named_with_a_link_back(room, visit):
    visitor = start(room, visit)
    page = visitor.page
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    shown(page, 2)
    expect(page.locator("#saved")).to_contain_text("Item 1: 2. Saved at")
    expect(page.locator("#unsaved")).to_be_hidden()
    page.locator(".choice [value='1']").check()
    page.locator("#comment").fill("Half of it")
    visitor.follow("Next ›")
    shown(page, 3)
    expect(page.locator("#unsaved")).to_have_text("Item 2 is not saved yet.")
    visitor.follow("All items").see("round")
    expect(page.locator("#unsaved")).to_have_text("Item 2 is not saved yet.")
    page.locator("#unsaved a").click()
    shown(page, 2)
    expect(page.locator("#unsaved")).to_be_hidden()
    expect(page.locator("#save-state")).to_have_text("Not saved yet")
    expect(page.locator(".choice [value='1']")).to_be_checked()
    visitor.press("Save and continue")
    shown(page, 3)
    expect(page.locator("#saved")).to_contain_text("Item 2: 1. Saved at")
    expect(page.locator("#unsaved")).to_be_hidden()
    assert [(row.value, row.comment) for row in room.places[:2]] == [(2, ""), (1, "Half of it")]


def test_item_that_is_opened_again_shows_its_own_note(room, visit):
    visitor = start(room, visit)
    page = visitor.page
    for number, key in ((1, "2"), (2, "0")):
        shown(page, number)
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    shown(page, 3)
    expect(page.locator("#saved")).to_contain_text("Item 2: 0. Saved at")
    visitor.follow("All items").see("round")
    page.get_by_role("link", name="Item 1").click()
    shown(page, 1)
    expect(page.locator("#saved")).to_contain_text("Item 1: 2. Saved at")


def test_all_columns_of_the_rule_are_in_sight_on_a_small_phone(room, visit):
    page = start(room, visit, viewport=SMALL).page
    for number in (1, 2):
        shown(page, number)
        box = page.locator(".cases .scroll")
        assert box.evaluate("element => element.scrollWidth <= element.clientWidth")
        page.get_by_role("link", name="Next ›").click()


def test_text_answers_and_button_are_on_a_small_phone_together(room, visit):
    page = start(room, visit, viewport=SMALL).page
    page.locator(".explanation").evaluate("element => element.scrollIntoView()")
    text, answers, button = (
        page.locator(name).bounding_box() for name in (".explanation", ".choices", "#save")
    )
    assert text["y"] > -1
    assert answers["y"] > text["y"]
    assert answers["y"] + answers["height"] <= button["y"]
    assert button["y"] + button["height"] <= SMALL["height"]
    page.locator("#comment").focus()
    comment, button = (page.locator(name).bounding_box() for name in ("#comment", "#save"))
    assert comment["y"] + comment["height"] <= button["y"]
    page.get_by_role("link", name="All items").click()
    expect(page.locator("#list-h")).to_be_in_viewport()
    assert page.url.endswith("#list-h")


@pytest.mark.parametrize("height", [260, 320])
def test_comment_is_not_behind_the_row_of_buttons_above_a_phones_keyboard(visit, stored, height):
    room = RatingRoom(stored, 1)
    page = start(room, visit, viewport=SMALL, is_mobile=True, has_touch=True).page
    comment = page.locator("#comment")
    comment.tap()
    page.set_viewport_size({**SMALL, "height": height})
    for line in range(4):
        page.keyboard.type(f"word {line}")
        page.keyboard.press("Enter")
    seen = comment.evaluate("""field => {
      const box = field.getBoundingClientRect();
      const at = (y) => document.elementFromPoint(box.left + box.width / 2, y);
      return [at(box.top + 4), at(box.bottom - 4)].map((one) => one === field);
    }""")
    assert seen == [True, True]
