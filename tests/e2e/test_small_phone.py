"""What a player or an annotator stumbled over at 360 x 640: cut texts, lost room, wrong words."""

import pytest
from playwright.sync_api import expect

from tests.e2e.rating import RatingRoom
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
PHONE = {"viewport": SMALL, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
KEYBOARD = {"width": 360, "height": 330}  # what a phone's keyboard leaves
EVERY_LANGUAGE = pytest.mark.parametrize("language", ["en", "de", "ar"])
LOOK_ALIKE = "p\u0435rform lantern_dance"  # with a Cyrillic letter

IS_WHOLE = "e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1"
PAGE_FITS = "() => document.documentElement.scrollHeight <= innerHeight && scrollY === 0"
# how far the first line of each link is below the line of its bullet
BULLETS = """() => [...document.querySelectorAll(".problem li")].map(item => {
    const link = item.querySelector("a"), probe = document.createElement("span");
    probe.textContent = "x";
    const text = document.createRange();
    text.selectNodeContents(link);
    const lines = new Set([...text.getClientRects()].map(box => Math.round(box.top)));
    const marker = getComputedStyle(link).display === "block" ? link : item;
    marker.prepend(probe);
    const found = [lines.size, probe.getBoundingClientRect().top - Math.min(...lines)];
    probe.remove();
    return found;
})"""


@pytest.fixture
def in_practice(visit, stored):
    """Open the practice of a study in one of the languages."""

    def open_one(language="en"):
        person = stored.enrol(stored.make_study(new_slug(), language=language)).to_practice()
        return visit(person.home, **PHONE).see("practice")

    return open_one


def open_keyboard(visitor, field):
    visitor.page.locator(field).tap()
    visitor.page.set_viewport_size(KEYBOARD)
    visitor.page.locator("html.kb").wait_for()


def tab(visitor, number):
    visitor.page.get_by_role("tab").nth(number).tap()


@EVERY_LANGUAGE
def test_first_advice_of_the_practice_is_in_sight_as_a_whole(in_practice, language):
    visitor = in_practice(language)
    assert visitor.page.locator("#log").evaluate(IS_WHOLE)
    expect(visitor.page.locator(".greeting .touch")).to_be_in_viewport(ratio=1)


@EVERY_LANGUAGE
def test_goal_of_the_practice_is_said_once_and_its_names_can_be_tapped(in_practice, language):
    visitor = in_practice(language)
    goal = visitor.page.locator(".goal")
    for number in range(4):
        tab(visitor, number)
        assert goal.inner_text().count("Old Scarecrow") == 1
    tab(visitor, 0)
    for verb, name in (("perform", "lantern_dance"), ("go", "toy_shop"), ("buy", "practice_sword")):
        visitor.raw.fill("")
        visitor.press(verb)
        goal.get_by_role("button", name=name).tap()
        expect(visitor.raw).to_have_value(f"{verb} {name}")
    visitor.raw.fill("")
    visitor.press("defeat")
    goal.get_by_role("button", name="Old Scarecrow").tap()
    visitor.page.locator("#send").tap()
    visitor.wait_for_seq(2)
    assert [line.split("\n")[-1] for line in visitor.lines] == ["defeat Old Scarecrow"]


@EVERY_LANGUAGE
def test_each_fact_of_the_state_is_one_line_whatever_one_carries(in_practice, language):
    visitor = in_practice(language)
    visitor.type("perform lantern_dance", "go toy_shop", "buy practice_sword", "go wheat_field")
    facts = visitor.page.locator("#state > div:not(.row)").all()
    boxes = [fact.bounding_box() for fact in facts]
    assert len({round(box["y"]) for box in boxes}) <= 3
    assert all(box["height"] < 30 for box in boxes)
    assert visitor.page.locator("#log").bounding_box()["height"] > 100


@EVERY_LANGUAGE
def test_end_of_the_practice_fits_the_window(in_practice, language):
    visitor = in_practice(language)
    visitor.type("perform lantern_dance", "go toy_shop", "buy practice_sword", "go wheat_field")
    visitor.type("defeat Old Scarecrow")
    expect(visitor.page.locator("#after button")).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate(PAGE_FITS)


@EVERY_LANGUAGE
@pytest.mark.parametrize("is_typing", [True, False], ids=["keyboard", "no keyboard"])
def test_what_is_said_of_a_refused_command_is_not_cut_off(in_practice, language, is_typing, faults):
    faults.expect("status of 422")
    visitor = in_practice(language)
    if is_typing:
        open_keyboard(visitor, "#raw")
    visitor.raw.fill(LOOK_ALIKE)
    visitor.raw.press("Enter")
    alert = visitor.page.locator("#alert")
    expect(alert).not_to_be_empty()
    assert alert.evaluate(IS_WHOLE)
    expect(visitor.raw).to_be_in_viewport(ratio=1)
    visitor.raw.fill(" ")
    visitor.page.locator("#send").tap()
    expect(alert).to_be_empty()


def test_first_account_and_place_are_in_sight_above_the_keyboard(visit, player):
    visitor = visit(player.home, **PHONE).see("game")
    open_keyboard(visitor, "#raw")
    tab(visitor, 1)
    expect(visitor.page.locator(".tale h3").first).to_be_in_viewport(ratio=1)
    tab(visitor, 2)
    expect(visitor.page.locator("#world .names button").first).to_be_in_viewport(ratio=1)


@EVERY_LANGUAGE
def test_notes_and_their_button_are_in_sight_above_the_keyboard(in_practice, language):
    visitor = in_practice(language)
    tab(visitor, 3)
    open_keyboard(visitor, "#notes-text")
    expect(visitor.page.locator("#notes-text")).to_be_in_viewport(ratio=1)
    expect(visitor.page.locator("#notes [data-save]")).to_be_in_viewport(ratio=1)
    assert visitor.page.locator("#notes-text").bounding_box()["height"] > 50


def test_field_that_a_keyboard_would_cover_is_scrolled_to(visit, person):
    visitor = visit(person.to_rule().home, **PHONE).see("rule")
    for field in ("#confidence", "#found_how", "#output"):
        visitor.page.set_viewport_size(SMALL)
        visitor.page.locator("html:not(.kb)").wait_for()
        visitor.page.locator("#write").evaluate("e => { e.scrollTop = 0; }")
        visitor.page.locator(field).scroll_into_view_if_needed()
        open_keyboard(visitor, field)
        expect(visitor.page.locator(field)).to_be_in_viewport(ratio=1)


def test_nobody_is_told_to_press_a_key_that_a_phone_does_not_have(visit, player, faults):
    faults.expect("ERR_INTERNET_DISCONNECTED", "htmx:")
    visitor = visit(player.home, **PHONE).see("game")
    visitor.page.context.set_offline(True)
    visitor.raw.fill("check_location")
    visitor.page.locator("#send").tap()
    net = visitor.page.locator("#net")
    expect(net).to_have_text("Not connected. What you typed is kept. Please try again.")


def test_pages_that_are_read_use_the_width_of_a_phone(visit, person):
    page = visit(person.home, **PHONE).see("instructions").page
    assert page.locator(".prose p").first.bounding_box()["width"] > 295
    assert page.locator(".prose li").first.bounding_box()["width"] > 270


def test_bullet_of_an_error_is_beside_its_first_line(visit, guest, faults):
    faults.expect("status of 422")
    guest.to_direct()
    visitor = visit(guest.home, **PHONE).see("direct").press("Send my answer")
    visitor.page.locator(".problem").wait_for()
    found = visitor.page.evaluate(BULLETS)
    assert max(lines for lines, _ in found) > 1
    assert all(abs(below) < 5 for _, below in found), found


@pytest.fixture
def annotator(stored, visit):
    """An annotator at the list of rounds, on a phone."""
    return RatingRoom(stored, 2).enter(visit, **PHONE)


def test_bar_of_an_annotator_is_one_row_with_the_whole_name(annotator):
    page = annotator.page
    assert page.locator(".bar").bounding_box()["height"] < 60
    assert page.locator(".logout .where").evaluate("e => e.scrollWidth <= e.clientWidth")
    for target in page.locator(".bar a:visible, .bar button, .round a").all():
        assert target.bounding_box()["height"] >= 43.9


def test_annotator_with_a_phone_is_not_told_of_keys(annotator):
    annotator.page.get_by_role("button", name="Read the guidelines and start").tap()
    annotator.see("round").press("Start").see("item")
    expect(annotator.page.locator("#save")).to_be_visible()
    expect(annotator.page.locator(".keys")).to_be_hidden()


def test_annotator_sees_how_an_item_of_the_training_is_rated_without_scrolling(stored, visit):
    room = RatingRoom(stored, 3, training="i0 | 1 | Only one of the traits is named.")
    visitor = room.enter(visit, **PHONE)
    visitor.page.get_by_role("button", name="Read the guidelines and start").tap()
    visitor.see("round").press("Start").see("item")
    visitor.page.locator(".choice [value='2']").check()
    visitor.press("Save and continue")
    expect(visitor.page.locator("#feedback-h")).to_be_in_viewport(ratio=1)
    expect(visitor.page.locator("#go-on")).to_be_in_viewport(ratio=1)
