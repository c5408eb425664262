"""The game on every screen: at 200 % and 400 %, on its side, above a keyboard, on a tablet."""

import pytest
from playwright.sync_api import expect

from tests.e2e.serving import FLAGS, find_chromium
from tests.e2e.stored import new_slug
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.browser
TOUCH = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}
PHONE = {"viewport": {"width": 360, "height": 640}, **TOUCH}
SIZES = {
    "200 % of 1280 x 800": {"viewport": {"width": 640, "height": 400}},
    "400 % of 1280 x 1024": {"viewport": {"width": 320, "height": 256}},
    "a phone": PHONE,
    "a phone on its side": {"viewport": {"width": 740, "height": 360}, **TOUCH},
    "a tablet": {"viewport": {"width": 800, "height": 1280}, **TOUCH},
    "a tablet on its side": {"viewport": {"width": 1024, "height": 768}, **TOUCH},
    "a low window": {"viewport": {"width": 1280, "height": 420}},
}
EVERY_SIZE = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
# an element is seen if it is drawn, its lines are in the window, and nothing lies upon them
SEEN = """e => e.checkVisibility() && [...e.getClientRects()].every(box => {
    const x = box.left + Math.min(box.width, 40) / 2, y = box.top + box.height / 2;
    const top = document.elementFromPoint(x, y);
    return box.top >= -2 && box.bottom <= innerHeight + 2 && box.left >= -1
        && box.right <= innerWidth + 1 && top && (e.contains(top) || top.contains(e));
})"""
HIDDEN_LINES = """() => [...document.querySelectorAll(
        "#log-lines p, .tale li, .rows li, .names li")]
    .filter(e => e.checkVisibility()).filter(e => {
        e.scrollIntoView({block: "center"});
        const box = e.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + 30, box.top + box.height / 2);
        return !top || !(e.contains(top) || top.contains(e));
    }).map(e => e.textContent.slice(0, 60))"""

OWN_SCROLLBARS = """() => [...document.querySelectorAll(".pane")]
    .filter(e => e.checkVisibility() && e.scrollHeight > e.clientHeight + 1)
    .map(e => e.id)"""


@pytest.fixture
def procedural(stored):
    """Return a person at a guardian whose goal names the item to buy."""
    blocks = [{"task": "P-Comp", "seeds": [2]}]
    slug = stored.make_study(new_slug(), blocks=blocks, per_player=1)
    return stored.enrol(slug).to_game()


def unseen(visitor):
    """Return the traits and the item to buy that are not in view."""
    found = visitor.page.locator(".goal .chip, .goal .with, .goal .n").all()
    assert len(found) == 6  # name, place, item and its sentence, two traits
    return [one.inner_text() for one in found if not one.evaluate(SEEN)]


def is_seen(visitor, selector):
    return visitor.page.locator(selector).last.evaluate(SEEN)


def fits_the_width(visitor):
    page = visitor.page
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@EVERY_SIZE
def test_traits_and_the_given_item_stay_in_view_while_playing(visit, procedural, size):
    visitor = visit(procedural.home, **size).see("game")
    assert unseen(visitor) == []
    for command in ("check_location", "go nowhere", "check_inventory", "go nowhere at all"):
        visitor.type(command)
        assert unseen(visitor) == []
        assert is_seen(visitor, "#log-lines p")
        assert is_seen(visitor, "#raw")
        assert is_seen(visitor, "#send")
    assert fits_the_width(visitor)


@EVERY_SIZE
def test_traits_and_the_given_item_stay_in_view_in_every_part(visit, procedural, size):
    visitor = visit(procedural.home, **size).see("game")
    for tab in visitor.page.get_by_role("tab").all():
        tab.click()
        assert (tab.inner_text(), unseen(visitor)) == (tab.inner_text(), [])
        assert fits_the_width(visitor)


@EVERY_SIZE
def test_every_line_can_be_scrolled_into_view(visit, procedural, size):
    visitor = visit(procedural.home, **size).see("game")
    visitor.type(*["check_location", "go nowhere"] * 4)
    assert visitor.page.evaluate(HIDDEN_LINES) == []
    for tab in visitor.page.get_by_role("tab").all():
        tab.click()
        assert visitor.page.evaluate(HIDDEN_LINES) == []


@EVERY_SIZE
def test_outcome_is_in_view_and_leads_on(visit, procedural, size):
    visitor = visit(procedural.home, **size).see("game").type(*procedural.solution())
    expect(visitor.page.locator("#after-h")).to_be_focused()
    assert is_seen(visitor, "#after-h")
    visitor.press("Continue").see("rule")
    assert fits_the_width(visitor)


@EVERY_SIZE
def test_answer_is_in_view_without_script_too(visit, procedural, size):
    visitor = visit(procedural.home, java_script_enabled=False, **size).see("game")
    visitor.type("check_location")
    newest = visitor.page.locator("#newest")
    newest.scroll_into_view_if_needed()
    expect(newest).to_contain_text(procedural.turns()[0].message)
    expect(newest).to_be_in_viewport(ratio=0.9)
    expect(visitor.page.locator(".goal .chip").last).to_be_in_viewport(ratio=0.9)


def test_direct_form_keeps_traits_and_item_in_view_in_every_part_at_every_size(visit, guest):
    guest.to_direct()
    wrong = list[str]()
    for name, size in SIZES.items():
        visitor = visit(guest.home, **size).see("direct")
        for tab in visitor.page.get_by_role("tab").all():
            tab.click()
            found = visitor.page.locator(".goal .chip, .goal .with").all()
            assert len(found) == 3
            hidden = [one.inner_text() for one in found if not one.evaluate(SEEN)]
            wrong += [f"{name}, {tab.inner_text()}: {', '.join(hidden)}"] if hidden else []
            wrong += [] if fits_the_width(visitor) else [f"{name}: wider than the window"]
        visitor.page.context.close()
    assert wrong == []


def test_at_400_percent_the_whole_page_scrolls(visit, procedural):
    size = SIZES["400 % of 1280 x 1024"]
    visitor = visit(procedural.home, **size).see("game").type("check_location")
    page = visitor.page
    assert page.evaluate("() => document.documentElement.scrollHeight > innerHeight")
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.evaluate(OWN_SCROLLBARS) == []
    leave = page.locator(".bar .leave")
    leave.scroll_into_view_if_needed()
    assert leave.evaluate(SEEN)
    leave.click()
    visitor.see("leave")


def open_keyboard(visitor):
    """Tap the command line, as a person on a phone does; its keyboard takes half of the window."""
    visitor.raw.tap()
    visitor.page.set_viewport_size({"width": 360, "height": 290})
    visitor.page.locator("html.kb").wait_for()


def test_keyboard_makes_room_and_hides_no_trait(visit, procedural):
    visitor = visit(procedural.home, **PHONE).see("game")
    open_keyboard(visitor)
    expect(visitor.page.locator(".bar")).to_be_hidden()
    for command in ("check_location", "go nowhere"):
        visitor.type(command)
        assert unseen(visitor) == []
        assert is_seen(visitor, "#log-lines p")
        assert is_seen(visitor, "#raw")
    visitor.page.set_viewport_size(PHONE["viewport"])
    expect(visitor.page.locator(".bar")).to_be_visible()


def test_alert_above_the_keyboard_hides_no_trait(visit, procedural, faults):
    faults.expect("status of 422")
    visitor = visit(procedural.home, **PHONE).see("game")
    open_keyboard(visitor)
    visitor.raw.fill("x" * 201)
    visitor.raw.press("Enter")
    expect(visitor.page.locator("#alert")).to_contain_text("200 characters")
    assert unseen(visitor) == []
    assert is_seen(visitor, "#raw")


def test_keyboard_that_covers_the_page_leaves_the_command_line_above_it(visit, procedural):
    """As on an iPhone, where only the visual viewport gets lower."""
    visitor = visit(procedural.home, **PHONE).see("game")
    visitor.raw.tap()
    visitor.page.evaluate("""() => {
        Object.defineProperty(visualViewport, "height", { value: 300 });
        visualViewport.dispatchEvent(new Event("resize"));
    }""")
    visitor.page.locator("html.kb").wait_for()
    box = visitor.raw.bounding_box()
    assert box["y"] + box["height"] <= 300
    assert unseen(visitor) == []


def test_command_line_is_in_view_on_a_small_phone_on_its_side(visit, procedural):
    visitor = visit(procedural.home, viewport={"width": 640, "height": 360}, **TOUCH).see("game")
    hidden = [part for part in ("#raw", "#send", "#console") if not is_seen(visitor, part)]
    assert hidden == []
    visitor.raw.tap()
    visitor.page.set_viewport_size({"width": 640, "height": 200})
    visitor.page.locator("html.kb").wait_for()
    assert is_seen(visitor, "#raw")
    assert is_seen(visitor, "#send")
    assert unseen(visitor) == []


def test_low_window_without_a_keyboard_hides_nothing(visit, procedural):
    """Height alone is no keyboard: a window at 200 % keeps its bar and what was done so far."""
    visitor = visit(procedural.home, **SIZES["200 % of 1280 x 800"]).see("game")
    visitor.raw.click()
    expect(visitor.page.locator("html.kb")).to_have_count(0)
    expect(visitor.page.locator(".bar .leave")).to_be_visible()
    expect(visitor.page.locator(".state .row")).to_be_visible()


@pytest.mark.parametrize("width", [600, 800, 950])
def test_tablet_has_the_accounts_above_the_docked_console(visit, procedural, width):
    size = {"viewport": {"width": width, "height": 1100}, **TOUCH}
    visitor = visit(procedural.home, **size).see("game").type("check_location")
    page = visitor.page
    accounts = page.locator("#accounts").bounding_box()
    console = page.locator("#play").bounding_box()
    assert accounts["height"] > 300
    assert accounts["y"] + accounts["height"] <= console["y"] + 1
    assert abs(accounts["width"] - console["width"]) < 20
    assert console["y"] + console["height"] <= 1101
    expect(page.get_by_role("tab", name="Play")).to_have_count(0)


@pytest.mark.parametrize("width", [600, 760, 959])
@pytest.mark.parametrize("height", [560, 640, 703, 704, 720, 800, 1024])
def test_whole_command_line_is_in_view_in_windows_of_a_tablets_width(
    visit, procedural, width, height
):
    visitor = visit(procedural.home, viewport={"width": width, "height": height}).see("game")
    for part in (visitor.raw, visitor.page.get_by_role("button", name="Do it")):
        box = part.bounding_box()
        assert part.evaluate(SEEN)
        assert box["y"] + box["height"] <= height


@EVERY_SIZE
def test_send_of_the_rule_form_is_in_sight_or_the_page_scrolls(visit, person, size):
    visitor = visit(person.to_rule().home, **size).see("rule")
    send = visitor.page.get_by_role("button", name="Send my answer")
    if size["viewport"]["height"] >= 500:
        assert send.evaluate(SEEN)
    send.scroll_into_view_if_needed()
    assert send.evaluate(SEEN)
    field = visitor.page.locator("#found_how")
    field.focus()
    visitor.page.wait_for_timeout(200)  # the page scrolls to the field by itself a moment later
    assert field.evaluate(SEEN)


@pytest.fixture
def large_text(browser, server, faults):
    """Open a page on a phone whose browser is set to text of twice the size."""
    size = "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"
    own = browser.browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, size])
    context = own.new_context(viewport=PHONE["viewport"])
    faults.watch(context)
    yield Visitor(context.new_page(), server.url).go
    own.close()


def test_text_of_twice_the_size_fits_the_width_of_a_phone(
    large_text, procedural, person, guest, finished
):
    pages = [
        *(procedural.home, f"{procedural.home}/leave", f"{procedural.home}/problem"),
        *(person.to_rule().home, guest.home, guest.to_direct().home, finished.home),
        "/s/small",
    ]
    for path in pages:
        visitor = large_text(path)
        assert fits_the_width(visitor), path
        for link in visitor.page.locator(".bar a, [role=tab]").all():
            assert link.evaluate("e => e.getBoundingClientRect().right <= innerWidth"), path
