"""Above a phone's keyboard: the first tap counts, and nothing that is needed is out of sight."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
TOUCH = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}
UPRIGHT, ON_ITS_SIDE = {"width": 360, "height": 640}, {"width": 640, "height": 360}
# the window, and what a keyboard leaves of it
ROOM = {
    "260 px": (UPRIGHT, 260),
    "300 px": (UPRIGHT, 300),
    "400 px": (UPRIGHT, 400),
    "on its side": (ON_ITS_SIDE, 170),
}
EVERY_ROOM = pytest.mark.parametrize("room", ROOM.values(), ids=ROOM)


def open_keyboard(visitor, field, room):
    """Tap a field, as a person does; the keyboard then takes its part of the window."""
    whole, height = room
    page = visitor.page
    page.evaluate("() => document.activeElement.blur()")
    page.set_viewport_size(whole)
    page.locator("html:not(.kb)").wait_for()
    page.locator(field).scroll_into_view_if_needed()
    page.locator(field).tap()
    page.set_viewport_size({**whole, "height": height})
    page.locator("html.kb").wait_for()


def touch(visitor, control):
    """Tap where an element is, without waiting for it to keep still."""
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.page.touchscreen.tap(*middle)


@EVERY_ROOM
def test_first_tap_of_every_control_beside_the_command_line_counts(visit, player, room):
    visitor = visit(player.home, viewport=room[0], **TOUCH).see("game")
    page = visitor.page
    for name in ("Accounts", "World", "Notes", "Play"):
        tab = page.get_by_role("tab", name=name)
        if tab.is_visible():
            open_keyboard(visitor, "#notes-text" if name == "Play" else "#raw", room)
            touch(visitor, tab)
            expect(tab).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="World").tap()
    for names in (".goal button.n", "#world .names button"):
        open_keyboard(visitor, "#raw", room)
        visitor.raw.fill("")
        name = page.locator(names).first
        touch(visitor, name)
        expect(visitor.raw).to_have_value(name.text_content())
    open_keyboard(visitor, "#raw", room)
    visitor.raw.fill("check_location")
    touch(visitor, page.locator("#send"))
    visitor.wait_for_seq(2)
    assert player.raws() == ["check_location"]
    page.get_by_role("tab", name="Accounts").tap()
    open_keyboard(visitor, "#raw", room)
    touch(visitor, page.get_by_role("button", name="Fold all"))
    expect(page.locator(".tale ol").first).to_be_hidden()


@EVERY_ROOM
def test_first_tap_of_every_control_of_the_rule_form_counts(visit, person, room):
    visitor = visit(person.to_rule().home, viewport=room[0], **TOUCH).see("rule")
    page = visitor.page
    for name in ("Accounts", "What I did", "Write"):
        tab = page.get_by_role("tab", name=name)
        if tab.is_visible() and page.locator("#inputs").is_visible():
            open_keyboard(visitor, "#inputs", room)
            touch(visitor, tab)
            expect(tab).to_have_attribute("aria-selected", "true")
            if page.get_by_role("tab", name="Write").is_visible():
                page.get_by_role("tab", name="Write").tap()
    open_keyboard(visitor, "#inputs", room)
    touch(visitor, page.locator("#do_not_know"))
    expect(page.locator("#do_not_know")).to_be_checked()
    open_keyboard(visitor, "#confidence", room)
    touch(visitor, page.get_by_role("button", name="Send my answer"))
    visitor.see("world")
    assert [row.do_not_know for row in person.explanations] == [True]


@EVERY_ROOM
def test_first_tap_of_save_draft_and_save_notes_counts(visit, person, room):
    visitor = visit(person.to_game().home, viewport=room[0], **TOUCH).see("game")
    page = visitor.page
    page.get_by_role("tab", name="Notes").tap()
    open_keyboard(visitor, "#notes-text", room)
    page.locator("#notes-text").fill("size by class")
    touch(visitor, page.get_by_role("button", name="Save notes"))
    expect(page.locator("#notes-status")).to_have_text("Saved.", timeout=5000)
    assert person.draft("notes/0") == {"text": "size by class"}
    person.play(*person.solution())
    visitor.go(person.home).see("rule")
    open_keyboard(visitor, "#inputs", room)
    page.locator("#inputs").fill("class")
    touch(visitor, page.get_by_role("button", name="Save draft"))
    expect(page.locator("#draft-status")).to_have_text("Saved.", timeout=5000)
    assert person.draft()["inputs"] == "class"
