"""An annotator who types ahead: the next item is there early, and no key lands on a wrong one."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import PHONE
from tests.e2e.rating import RatingRoom

pytestmark = pytest.mark.browser


def slow_down(page, pattern, hold):
    """Let requests to an address wait until `hold` is emptied."""

    def wait(route):
        if route.request.method == "POST" and hold:
            hold.append(route)
        else:
            route.continue_()

    page.route(pattern, wait)


def test_guidelines_stand_beside_and_keys_pressed_while_saving_land_nowhere(visit, stored):
    """The next item was fetched before, but its time begins when it is shown."""
    room = RatingRoom(stored, 4)
    visitor = room.enter(visit)
    visitor.page.get_by_role("link", name="Read the guidelines and start").click()
    visitor.see("round").follow("Start").see("item")
    page, keys = visitor.page, visitor.page.keyboard
    item, guide = page.locator(".said"), page.locator(".guidelines")
    page.set_viewport_size({"width": 1000, "height": 800})
    assert guide.bounding_box()["x"] > item.bounding_box()["x"] + item.bounding_box()["width"]
    assert guide.bounding_box()["y"] < 400
    page.set_viewport_size(PHONE)
    assert guide.bounding_box()["y"] > page.locator("#save").bounding_box()["y"]
    guide.locator("summary").click()
    expect(guide.locator("table")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})

    second = room.places[1].token
    expect(page.locator("html")).to_have_attribute("data-ahead", f"/rate/item/{second}")
    assert room.revisions == [0, 0, 0, 0]
    held: list[Any] = [None]
    slow_down(page, "**/rate/item/*", held)
    page.wait_for_timeout(3000)
    keys.press("2")
    keys.press("Enter")
    expect(page.locator("#save-state")).to_contain_text("Saving")
    for key in "0", "Enter", "f", "s", "c", "n":  # meant for the next item, or by mistake
        keys.press(key)
    expect(page.locator("#save-state")).to_contain_text("was not used")
    assert page.locator(".choice :checked").input_value() == "2"
    assert len(held) == 2
    held.pop().continue_()
    held.clear()
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    expect(page.locator("#saved")).to_contain_text("Item 1: 2. Saved at")
    expect(page.locator(".title-row progress")).to_have_attribute("value", "1")
    assert page.url.endswith(second)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].name") != page.url
    assert page.locator(".choice :checked, #flag:checked").count() == 0
    keys.press("1")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 3 of 4")
    rows = room.places
    assert [row.value for row in rows] == [2, 1, None, None]
    assert not any(row.flag for row in rows)
    assert rows[1].wall_ms < 2500  # not from when it was fetched
    page.go_back()
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    expect(page.locator(".choice :checked")).to_have_value("1")
