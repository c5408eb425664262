"""An annotator who types ahead: the next item is there at once, and nothing typed is lost."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import PHONE
from tests.e2e.rating import RatingRoom
from tests.e2e.test_network import CUT
from tests.e2e.visitor import CDN

pytestmark = pytest.mark.browser


class Gate:
    """Holds ratings on their way to the server until it is opened, or cuts them off."""

    def __init__(self, page):
        self.held: list[Any] = []
        self.is_open, self.is_cut = False, False
        page.route("**/rate/item/*", self.pass_on)

    def pass_on(self, route):
        if route.request.method != "POST" or self.is_open:
            route.continue_()
        elif self.is_cut:
            route.abort()
        else:
            self.held.append(route)

    def open(self):
        """Let everything pass, oldest first."""
        self.is_open, self.is_cut = True, False
        for route in self.held:
            route.continue_()
        self.held.clear()

    def cut(self):
        """Cut off what is held and what comes."""
        self.is_cut = True
        for route in self.held:
            route.abort()
        self.held.clear()


@pytest.fixture
def room(stored):
    return RatingRoom(stored, 4)


@pytest.fixture
def visitor(room, visit):
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    return visitor


def fetched(page, room, index):
    """Wait until the page has fetched an item."""
    url = f"/rate/item/{room.places[index].token}"
    expect(page.locator("html")).to_have_attribute("data-ahead", url)


def values(room):
    return [row.value for row in room.places]


def test_guidelines_stand_beside_the_item_or_below_it(visitor):
    page = visitor.page
    item, guide = page.locator(".said"), page.locator(".guidelines")
    page.set_viewport_size({"width": 1000, "height": 800})
    assert guide.bounding_box()["x"] > item.bounding_box()["x"] + item.bounding_box()["width"]
    assert guide.bounding_box()["y"] < 400
    page.set_viewport_size(PHONE)
    assert guide.bounding_box()["y"] > page.locator("#save").bounding_box()["y"]
    guide.locator("summary").click()
    expect(guide.locator("table")).to_be_hidden()


def test_whoever_types_ahead_sees_each_item_first_and_loses_nothing(visitor, room):
    """The next item was fetched before, but its time begins when it is shown."""
    page, keys = visitor.page, visitor.page.keyboard
    fetched(page, room, 1)
    assert room.revisions == [0, 0, 0, 0]
    gate = Gate(page)
    page.wait_for_timeout(3000)
    keys.press("2")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    expect(page.locator("#saved")).to_have_text("Saving…")
    assert page.url.endswith(room.places[1].token)
    assert page.locator(".choice :checked, #flag:checked").count() == 0
    fetched(page, room, 2)
    keys.press("1")
    keys.press("f")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 3 of 4")
    keys.press("0")
    keys.press("c")
    keys.type("Typed ahead")
    assert values(room) == [None] * 4
    gate.open()
    expect(page.locator("#saved")).to_contain_text("Item 2: 1. Saved at")
    expect(page.locator(".title-row progress")).to_have_attribute("value", "2")
    expect(page.locator("#comment")).to_have_value("Typed ahead")
    assert page.evaluate("performance.getEntriesByType('navigation')[0].name") != page.url
    keys.press("Escape")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 4 of 4")
    expect(page.locator("#saved")).to_contain_text("Item 3: 0. Saved at")
    rows = room.places
    assert values(room) == [2, 1, 0, None]
    assert [bool(row.flag) for row in rows] == [False, True, False, False]
    assert rows[2].comment == "Typed ahead"
    assert rows[1].wall_ms < 2500  # not from when it was fetched
    page.go_back()
    expect(page.locator("#item-h")).to_contain_text("Item 3 of 4")
    expect(page.locator(".choice :checked")).to_have_value("0")


def test_item_that_was_not_fetched_is_waited_for_and_gets_no_key(visitor, room, faults):
    faults.expect(*CUT)
    page, keys = visitor.page, visitor.page.keyboard
    fetched(page, room, 1)
    gate = Gate(page)
    page.route(f"**/{room.places[2].token}", lambda route: route.abort())
    keys.press("2")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    page.wait_for_timeout(300)
    keys.press("1")
    keys.press("Enter")
    expect(page.locator("#save-state")).to_contain_text("Saving")
    for key in "0", "Enter", "f", "s", "c", "n":
        keys.press(key)
    expect(page.locator("#save-state")).to_contain_text("was not used")
    page.unroute(f"**/{room.places[2].token}")
    gate.open()
    expect(page.locator("#item-h")).to_contain_text("Item 3 of 4")
    assert page.locator(".choice :checked, #flag:checked").count() == 0
    assert values(room) == [2, 1, None, None]
    assert not any(row.flag for row in room.places)


def test_rating_that_is_not_saved_comes_back_and_later_ones_are_kept(visitor, room, faults):
    faults.expect(*CUT)
    page, keys = visitor.page, visitor.page.keyboard
    fetched(page, room, 1)
    gate = Gate(page)
    for value, index in (("2", 2), ("1", 3)):
        keys.press(value)
        keys.press("Enter")
        fetched(page, room, index)
    keys.press("c")
    keys.type("Third")
    gate.cut()
    expect(page.locator("#item-h")).to_contain_text("Item 1 of 4")
    expect(page.locator("#net")).to_contain_text("did not answer")
    expect(page.locator(".choice :checked")).to_have_value("2")
    assert page.url.endswith(room.places[0].token)
    assert values(room) == [None] * 4
    gate.open()
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    expect(page.locator(".choice :checked")).to_have_value("1")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 3 of 4")
    expect(page.locator("#comment")).to_have_value("Third")
    assert values(room) == [2, 1, None, None]


def test_link_waits_for_ratings_on_their_way(visitor, room):
    page, keys = visitor.page, visitor.page.keyboard
    fetched(page, room, 1)
    gate = Gate(page)
    keys.press("2")
    keys.press("Enter")
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    keys.press("p")
    page.wait_for_timeout(300)
    expect(page.locator("#item-h")).to_contain_text("Item 2 of 4")
    gate.open()
    expect(page.locator("#item-h")).to_contain_text("Item 1 of 4")
    expect(page.locator(".choice :checked")).to_have_value("2")
    expect(page.locator("#save-state")).to_contain_text("Saved at")


def test_ratings_are_plain_forms_where_htmx_does_not_load(room, visit, faults):
    """Nothing is fetched ahead: what the page shows is saved before the next item comes."""
    faults.expect(CDN)
    visitor = room.enter(visit, server="cdn_server")
    page, keys = visitor.page, visitor.page.keyboard
    page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    assert page.evaluate("() => typeof window.htmx") == "undefined"
    for number, key in enumerate("2102", start=1):
        expect(page.locator("#item-h")).to_contain_text(f"Item {number} of 4")
        page.wait_for_load_state("networkidle")
        keys.press(key)
        keys.press("Enter")
    visitor.see("round")
    assert values(room) == [2, 1, 0, 2]
    assert room.revisions == [1, 1, 1, 1]
