"""Above a phone's keyboard: the first tap counts, and nothing that is needed is out of sight."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import new_slug

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


# what is not wholly in the window, or has something lying upon it
OUT_OF_SIGHT = """selectors => selectors.filter(one => [...document.querySelectorAll(one)]
    .some(e => [...e.getClientRects()].some(box => {
        const at = [box.left + Math.min(box.width, 40) / 2, box.top + box.height / 2];
        const top = document.elementFromPoint(...at);
        return box.top < -1 || box.bottom > innerHeight + 1 || !(e.contains(top) || top === e);
    })))"""
NEEDED = ["[role=tab]", ".goal .chip", ".goal .with", "#raw", "#send"]


def out_of_sight(visitor, *more):
    assert visitor.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    return visitor.page.evaluate(OUT_OF_SIGHT, [*NEEDED, *more])


@pytest.fixture
def procedural(stored):
    """Return a person at a guardian whose goal names the item to buy."""
    blocks = [{"task": "P-Comp", "seeds": [2]}]
    slug = stored.make_study(new_slug(), blocks=blocks, per_player=1)
    return stored.enrol(slug).to_game()


def answer_at_length(visitor, person):
    """Buy twice: the second answer is the longest there is."""
    buy = next(line for line in person.solution() if line.startswith("buy "))
    visitor.type(person.solution()[0], buy, buy)


@EVERY_ROOM
@pytest.mark.parametrize("tab", ["Play", "World"])
def test_nothing_that_is_needed_is_lost_above_the_keyboard(visit, procedural, room, tab):
    visitor = visit(procedural.home, viewport=room[0], **TOUCH).see("game")
    open_keyboard(visitor, "#raw", room)
    answer_at_length(visitor, procedural)
    chosen = visitor.page.get_by_role("tab", name=tab)
    if chosen.is_visible():
        chosen.tap()
    reply = "#newest" if visitor.page.locator("#newest").is_visible() else "#log"
    assert out_of_sight(visitor, reply, "#newest .you") == []


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_long_goal_of_the_practice_leaves_the_command_line_in_sight(visit, stored, language):
    person = stored.enrol(stored.make_study(new_slug(), language=language)).to_practice()
    visitor = visit(person.home, viewport=UPRIGHT, **TOUCH).see("practice")
    for number in (0, 2):
        visitor.page.get_by_role("tab").nth(number).tap()
        open_keyboard(visitor, "#raw", ROOM["300 px"])
        visitor.type("dance wildly")
        assert out_of_sight(visitor) == []


def edges(visitor, box):
    """Return pictures of the upper and the lower end of a box, where no text is."""
    x, top, bottom = box["x"] + box["width"] - 4, box["y"] + 3, box["y"] + box["height"] - 5
    clips = ({"x": x, "y": y, "width": 2, "height": 2} for y in (top, bottom))
    return [visitor.page.screenshot(clip=clip) for clip in clips]


@pytest.mark.parametrize("tab", ["Play", "World"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_long_answer_scrolls_and_its_edge_shows_that_there_is_more(visit, player, tab, scheme):
    visitor = visit(player.home, viewport=UPRIGHT, color_scheme=scheme, **TOUCH).see("game")
    open_keyboard(visitor, "#raw", ROOM["300 px"])
    answer_at_length(visitor, player)
    visitor.page.get_by_role("tab", name=tab).tap()
    box = visitor.page.locator("#log" if tab == "Play" else "#newest")
    answer = box.locator(".no").last
    starts = answer.bounding_box()["y"] >= box.bounding_box()["y"] - 1
    assert starts
    _, more_below = edges(visitor, box.bounding_box())
    box.evaluate("e => { e.scrollTop = e.scrollHeight; }")
    more_above, end = edges(visitor, box.bounding_box())
    ends = answer.bounding_box()
    whole = box.bounding_box()
    assert ends["y"] + ends["height"] <= whole["y"] + whole["height"] + 1
    assert more_below != end
    assert more_above != end


@EVERY_ROOM
@pytest.mark.parametrize("tab", ["Play", "World", "Notes"])
def test_being_offline_is_said_beside_the_command_line(visit, player, faults, room, tab):
    faults.expect("ERR_INTERNET_DISCONNECTED", "htmx:")
    visitor = visit(player.home, viewport=room[0], **TOUCH).see("game")
    answer_at_length(visitor, player)
    chosen = visitor.page.get_by_role("tab", name=tab)
    if chosen.is_visible():
        chosen.tap()
    if tab != "Notes":
        open_keyboard(visitor, "#raw", room)
    visitor.page.context.set_offline(True)
    net = visitor.page.locator("#net")
    expect(net).to_contain_text("Not connected.")
    expect(net).to_be_in_viewport(ratio=1)
    if tab != "Notes":
        assert out_of_sight(visitor, "#net") == []


def test_field_is_above_the_row_of_buttons_once_the_keyboard_has_closed(visit, person):
    visitor = visit(person.to_rule().home, viewport=UPRIGHT, **TOUCH).see("rule")
    open_keyboard(visitor, "#found_how", ROOM["300 px"])
    visitor.page.keyboard.type("by the size")
    visitor.page.set_viewport_size(UPRIGHT)
    visitor.page.locator("html:not(.kb)").wait_for()
    visitor.page.wait_for_function("""() => {
        const row = document.querySelector("#rule .save-row").getBoundingClientRect();
        return document.querySelector("#found_how").getBoundingClientRect().bottom <= row.top + 1;
    }""")


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_buttons_of_the_rule_form_are_one_row_that_keeps_its_place(visit, stored, language):
    person = stored.enrol(stored.make_study(new_slug(), language=language)).to_rule()
    visitor = visit(person.home, viewport=UPRIGHT, **TOUCH).see("rule")
    buttons = visitor.page.locator("#rule .save-row button")
    places = [one.bounding_box()["y"] for one in buttons.all()]
    assert len(set(places)) == 1
    status = visitor.page.locator("#draft-status span")
    visitor.page.evaluate("""() => {
        window.said = new Set();
        new MutationObserver(() => said.add(document.querySelector("#draft-status").innerText))
            .observe(document.querySelector("#rule"), { childList: true, subtree: true });
    }""")
    visitor.page.locator("#do_not_know").check()
    expect(status).not_to_be_empty()
    said = visitor.page.evaluate("() => [...said].map(one => one.trim()).filter(Boolean)")
    assert said == [status.inner_text().strip()]  # saved, and not that one is writing
    visitor.page.locator("#inputs").fill("class")
    assert [one.bounding_box()["y"] for one in buttons.all()] == places


def test_title_beside_the_steps_is_not_cut_off(visit, stored):
    title = "Verborgene Regeln"
    person = stored.enrol(stored.make_study(new_slug(), title=title, language="de"))
    visitor = visit(person.home, viewport=UPRIGHT, **TOUCH).see("instructions")
    shown = visitor.page.locator(".brand span")
    assert shown.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")


def test_places_come_first_and_shops_can_be_tapped(visit, player):
    visitor = visit(player.home, viewport=UPRIGHT, **TOUCH).see("game")
    page = visitor.page
    page.get_by_role("tab", name="World").tap()
    expect(page.locator("#world .names button").last).to_be_in_viewport(ratio=0.5)
    shop = player.solution()[0].removeprefix("go ")
    visitor.raw.fill("go ")
    touch(visitor, page.locator("#world .rows").first.get_by_role("button", name=shop).first)
    expect(visitor.raw).to_have_value(f"go {shop}")


def test_bar_is_back_once_the_keyboard_of_half_a_screen_has_closed(visit, player):
    """Beside another app, the window stays lower than it was; only the keyboard has gone."""
    visitor = visit(player.home, viewport={"width": 360, "height": 800}, **TOUCH).see("game")
    half = {"width": 360, "height": 450}
    open_keyboard(visitor, "#raw", (half, 250))
    touch(visitor, visitor.page.get_by_role("tab", name="World"))
    expect(visitor.page.locator(".bar")).to_be_hidden()
    visitor.page.set_viewport_size(half)
    expect(visitor.page.locator(".bar .leave")).to_be_visible(timeout=5000)


LOOK_ALIKE = "p\u0435rform lantern_dance"  # with a Cyrillic letter


@pytest.mark.parametrize("window", [UPRIGHT, ON_ITS_SIDE], ids=["upright", "on its side"])
@pytest.mark.parametrize("page", ["practice", "game"])
def test_what_is_said_of_a_refused_command_leaves_the_command_line_in_sight(
    visit, stored, window, page, faults
):
    faults.expect("status of 422")
    person = stored.enrol(stored.make_study(new_slug()))
    person = person.to_practice() if page == "practice" else person.to_game()
    visitor = visit(person.home, viewport=window, **TOUCH).see(page)
    visitor.raw.fill(LOOK_ALIKE)
    visitor.page.locator("#play button:visible", has_text="Do it").tap()
    expect(visitor.page.locator("#alert")).to_contain_text("Cyrillic")
    visitor.page.evaluate(
        "() => { document.activeElement.blur(); scrollTo(0, 0); "
        "document.querySelectorAll('.lead').forEach(e => { e.scrollTop = 0; }); }"
    )
    for wanted in ("#raw", "#play button:has-text('Do it')"):
        expect(visitor.page.locator(wanted)).to_be_in_viewport(ratio=1)
