"""Whatever annotators and adjudicators are asked: an answer is saved, by mouse and by keys."""

import pytest
from playwright.sync_api import expect

from app.store.rating import adjudications, rounds
from tests.e2e.rating import RatingRoom
from tests.e2e.visitor import CDN

pytestmark = pytest.mark.browser
ROUNDS = {
    "one score": {},
    "four criteria": {"mode": "criteria"},
    "who wrote it, with each rating": {"ask_source": "item"},
    "who wrote it, at the end": {"ask_source": "round"},
    "training": {"training": "i0 | 1 | Only the class decides."},
    "gold": {"gold": "i0 | 1 | Only the class decides.", "gold_feedback": "1"},
}
SERVERS = {"htmx": "server", "no htmx": "cdn_server", "no script": "server"}


@pytest.fixture(params=SERVERS)
def mode(request, faults):
    """What of the scripts arrives: all, all but htmx, or nothing."""
    if request.param == "no htmx":
        faults.expect(CDN)
    return request.param


def options(mode):
    return {"server": SERVERS[mode], "java_script_enabled": mode != "no script"}


def answer(page, way):
    """Choose 1 of each scale, or go on from what is told; return whether there was anything."""
    if page.locator("#rate-form").count():
        scales = page.locator("#rate-form .scale")
        for number in range(scales.count()):
            if way == "keys":
                page.keyboard.press("1")
            else:
                scales.nth(number).locator("[value='1'], [value=model]").check()
        ready = page.locator("#save")
    elif page.locator("#go-on").count():
        ready = page.locator("#go-on")
    else:
        return False
    ready.evaluate("element => { element.dataset.old = 'yes'; }")
    if way == "keys":
        page.keyboard.press("Enter")
    else:
        ready.click()
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(page.locator("#saved").filter(has_text="Saving…")).to_have_count(0)
    page.wait_for_load_state()
    return True


@pytest.mark.parametrize("kind", ["one score", "four criteria"])
def test_error_of_a_refused_rating_is_in_sight_on_a_phone_and_back_works(
    visit, stored, mode, kind, faults
):
    faults.expect("status of 422")
    room = RatingRoom(stored, 3, **ROUNDS[kind])
    visitor = room.enter(visit, viewport={"width": 360, "height": 640}, **options(mode))
    page = visitor.page
    page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    assert answer(page, "mouse")
    page.get_by_label("Skip: it cannot be rated").check()
    page.get_by_role("button", name="Save and continue", exact=True).click()
    expect(page.locator(".problem")).to_contain_text("Not sent yet.")
    expect(page.locator(".problem a").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#saved")).to_be_hidden()  # it would be about the item before
    assert room.revisions == [1, 0, 0]
    page.get_by_role("link", name="Next ›").click()
    expect(page.locator("#item-h")).to_contain_text("Item 3")
    if mode != "no script":  # only a script can keep the browser from asking to send it again
        page.go_back()
        expect(page.locator("#item-h")).to_contain_text("Item 2")


@pytest.mark.parametrize("way", ["mouse", "keys"])
@pytest.mark.parametrize("kind", ROUNDS)
def test_every_question_to_an_annotator_is_answered_and_saved(visit, stored, mode, kind, way):
    if (mode, way) == ("no script", "keys"):
        way = "Enter on a button"
    room = RatingRoom(stored, 3, **ROUNDS[kind])
    visitor = room.enter(visit, **options(mode))
    page = visitor.page
    page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round")
    pages = 0
    while answer(page, way) and pages < 20:
        pages += 1
    expect(page.locator("main")).to_contain_text("You have rated everything.")
    assert visitor.name == "round"
    assert room.revisions == [1, 1, 1]
    asked = kind.startswith("who wrote it")
    assert [row.guess or "" for row in room.places] == ["model" if asked else ""] * 3


def test_adjudicator_decides(visit, stored, mode):
    room = RatingRoom(stored, 6)
    room.judge_draw_and_disagree()
    visitor = room.enter_as_researcher(visit, **options(mode))
    own = f"/admin/studies/{room.slug}/rating/rounds/{room.number}"
    visitor.go(f"{own}/adjudicate/1").page.locator("#rate-form [value='2']").check()
    visitor.press("Save decision")
    expect(visitor.page.locator("h1")).to_have_text("Disagreements")
    with room.store.read() as db:
        row = rounds.find(db, room.study.id, room.number)
        assert [one.value for one in adjudications.of_round(db, row.id)] == [2]
