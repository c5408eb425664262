"""The designer in a browser: saved while typing, warned before leaving; several players at once."""

import re

import pytest
from playwright.sync_api import expect

from app.study.design import draft
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
SAVED = re.compile(r"^Saved( as a draft)?\.")


def stored_text(stored, slug, name):
    with stored.store.read() as db:
        return draft.load(db, slug).document["texts"][name]


def status(visitor):
    return visitor.page.locator("#autosave")


def test_typed_text_is_saved_without_a_click_and_again_after_it(sign_in, stored):
    slug = stored.make_study(new_slug())
    visitor = sign_in().go(f"/admin/studies/{slug}/design/texts")
    visitor.page.locator("#texts-pay").fill("GBP 7")
    expect(status(visitor)).to_contain_text("Draft saved at")
    assert stored_text(stored, slug, "pay") == "GBP 7"
    visitor.page.locator("#texts-consent").fill("Please read **this** with care.")
    visitor.page.locator("#texts-contact").fill("me@example.org")
    expect(status(visitor)).to_contain_text("Draft saved at")
    expect(visitor.page.locator(".prose strong").first).to_have_text("this")
    assert stored_text(stored, slug, "contact") == "me@example.org"
    visitor.page.locator("#texts-pay").fill("GBP 8")  # Save at once, with a save perhaps under way
    visitor.press("Save").page.get_by_text(SAVED).wait_for()
    assert stored_text(stored, slug, "pay") == "GBP 8"


def test_unsaved_text_is_warned_of_before_the_page_is_left(sign_in, stored, faults):
    faults.expect("ERR_INTERNET_DISCONNECTED")
    slug = stored.make_study(new_slug())
    page, warned = sign_in().go(f"/admin/studies/{slug}/design/texts").page, []

    def dismiss(dialog):
        warned.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.context.set_offline(True)
    page.locator("#texts-pay").click()  # a browser asks only those who have done something
    page.locator("#texts-pay").fill("GBP 9")
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    assert warned == ["beforeunload"]
    expect(page.locator("#texts-pay")).to_have_value("GBP 9")


@pytest.mark.long
def test_unsaved_text_is_saved_when_the_network_is_back(sign_in, stored, faults):
    faults.expect("ERR_INTERNET_DISCONNECTED")
    slug = stored.make_study(new_slug())
    visitor = sign_in().go(f"/admin/studies/{slug}/design/texts")
    page = visitor.page
    page.context.set_offline(True)
    page.locator("#texts-pay").fill("GBP 9")
    expect(status(visitor)).to_contain_text("Not saved: not connected")
    page.context.set_offline(False)
    expect(status(visitor)).to_contain_text("Draft saved at")
    assert stored_text(stored, slug, "pay") == "GBP 9"


@pytest.mark.long
def test_text_of_another_researcher_is_not_overwritten_while_typing(sign_in, stored, faults):
    faults.expect("status of 409")
    slug = stored.make_study(new_slug())
    first = sign_in().go(f"/admin/studies/{slug}/design/texts")
    other = sign_in().go(f"/admin/studies/{slug}/design/texts")
    other.page.locator("#texts-pay").fill("GBP 5")
    expect(status(other)).to_contain_text("Draft saved at")
    first.page.locator("#texts-pay").fill("GBP 6")
    expect(status(first)).to_contain_text("saved by someone else")
    assert stored_text(stored, slug, "pay") == "GBP 5"
    expect(first.page.locator("#texts-pay")).to_have_value("GBP 6")


def test_a_line_added_after_typing_is_new_and_untouched(sign_in, stored):
    slug = stored.make_study(new_slug())
    page = sign_in().go(f"/admin/studies/{slug}/design/cells").page
    page.locator("#blocks-0-seeds").fill("0-1")
    lines = page.locator("fieldset.lines .line")
    last = lines.count()
    page.get_by_role("button", name="Add a line").click()
    expect(lines).to_have_count(last + 1)
    expect(page.locator("#blocks-0-seeds")).to_have_value("0-1")
    expect(page.locator(f"#blocks-{last}-distractors")).to_have_value("4")
    expect(page.locator(f"#blocks-{last}-quota")).to_have_value("")
    expect(page.locator("#seed")).to_have_value("7")


def test_pages_of_a_design_show_what_is_stored_not_what_was_typed_before(sign_in, stored):
    slug = stored.make_study(new_slug())
    section, file = (f"/admin/studies/{slug}/design{end}" for end in ("/texts", "-file"))
    visitor = sign_in().go(section)
    visitor.page.locator("#texts-pay").fill("GBP 5")
    visitor.press("Save").page.get_by_text(SAVED).wait_for()
    text = visitor.go(file).page.locator("textarea")
    text.fill(text.input_value().replace("GBP 5", "GBP 6"))
    visitor.press("Replace the design").page.wait_for_url("**/design")
    field = visitor.go(section).page.locator("#texts-pay")
    expect(field).to_have_value("GBP 6")
    field.fill("GBP 7")
    visitor.press("Save").page.get_by_text(SAVED).wait_for()
    expect(visitor.go(file).page.locator("textarea")).to_have_value(re.compile("GBP 7"))


def test_head_of_a_test_player_names_their_treatment_as_soon_as_they_agree(sign_in, stored):
    lines = [{"task": "A-Comp", "seeds": [1], "lexicon": one} for one in ("semantic", "nonce")]
    slug = stored.make_study(new_slug(), blocks=lines, between="lexicon", per_player=1)
    page = sign_in().go(f"/admin/studies/{slug}/try").press("Start").page
    heads = [page.locator(f"#treatment-{n}") for n in (1, 2)]
    expect(heads[0]).to_have_text("Treatment: given at consent")
    page.frame_locator("#player-1 iframe").get_by_role("button", name="I agree, start").click()
    expect(heads[0]).to_have_text(re.compile(r"Treatment: (real|made-up) words \("))
    expect(heads[1]).to_have_text("Treatment: given at consent")


def tried(sign_in, stored, **changes):
    """Return the page of two test players, whose frames wait until `release` is called."""
    slug = stored.make_study(new_slug(), **changes)
    page, held, is_slow = sign_in().go(f"/admin/studies/{slug}/try").page, [], [True]

    def answer(route):
        held.append(route) if is_slow else route.continue_()

    page.route(f"**/s/{slug}?*", answer)
    page.get_by_role("button", name="Start", exact=True).click()

    def release():
        is_slow.clear()
        for route in held:
            route.continue_()

    return page, release


def renewed(page, n, do):
    """Do something that makes a frame load, and wait until the player's list of steps is new."""
    page.locator(f"#step-{n}").evaluate("step => step.setAttribute('data-old', '')")
    do()
    expect(page.locator(f"#step-{n}:not([data-old])")).to_be_attached()


def test_chosen_step_outlives_the_loads_of_a_slow_frame_until_the_jump(sign_in, stored):
    page, release = tried(sign_in, stored)
    page.locator("#step-1").select_option("practice")
    page.locator("#step-2").select_option("world/2")  # consent makes it one with guardians
    renewed(page, 1, release)
    expect(page.locator("#step-1")).to_have_value("practice")
    frames = [page.frame_locator(f"#player-{n} iframe") for n in (1, 2)]
    renewed(page, 1, frames[0].get_by_role("button", name="I agree, start").click)
    expect(page.locator("#step-1")).to_have_value("practice")
    page.locator("#player-1").get_by_role("button", name="Jump").click()
    expect(frames[0].locator("body")).to_have_attribute("data-page", "practice")
    expect(page.locator("#step-2")).to_have_value("world/2")  # the whole page is another now
    renewed(page, 2, frames[1].get_by_role("button", name="I agree, start").click)
    expect(page.locator("#step-2")).to_have_value("world/2/guardian/1")
    page.locator("#player-2").get_by_role("button", name="Jump").click()
    expect(frames[1].locator("h1")).to_contain_text("World 2")


def test_list_of_steps_follows_the_player_again_once_the_choice_is_taken_back(sign_in, stored):
    page, release = tried(sign_in, stored)
    for step in ("practice", "consent"):
        page.locator("#step-1").select_option(step)
    renewed(page, 1, release)
    agree = page.frame_locator("#player-1 iframe").get_by_role("button", name="I agree, start")
    renewed(page, 1, agree.click)
    expect(page.locator("#step-1")).to_have_value("instructions")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_two_test_players_are_played_side_by_side_and_moved(sign_in, stored, script):
    slug = stored.make_study(new_slug())
    visitor = sign_in(java_script_enabled=script).go(f"/admin/studies/{slug}")
    visitor.follow("Try it").see("try").press("Start")
    frames = [visitor.page.frame_locator(f"#player-{n} iframe") for n in (1, 2)]
    frames[0].get_by_role("button", name="I agree, start").click()
    expect(frames[0].locator("h1")).to_have_text("How to play")
    expect(frames[1].get_by_role("button", name="I agree, start")).to_be_visible()
    if not script:
        visitor.follow("Update the lists of steps")
    expect(visitor.page.locator("#step-1")).to_have_value("instructions")
    visitor.page.locator("#step-2").select_option("world/1")
    visitor.page.locator("#player-2").get_by_role("button", name="Jump").click()
    expect(frames[1].locator("body")).to_have_attribute("data-page", "game")
    expect(frames[0].locator("h1")).to_have_text("How to play")
    visitor.page.locator("#step-2").select_option(label="The end")
    visitor.page.locator("#player-2").get_by_role("button", name="Jump").click()
    expect(frames[1].locator("#code")).to_have_text(re.compile("[A-Z0-9]{8}"))


def test_link_that_leaves_the_server_opens_beside_the_frames(sign_in, stored, faults):
    there = "https://platform.example/complete?cc="
    faults.expect(f"request to the network: {there}DONE")
    codes = {"kind": "static", "finished": "DONE", "return_url": f"{there}{{code}}"}
    slug = stored.make_study(new_slug(), codes=codes)
    page = sign_in().go(f"/admin/studies/{slug}/try").press("Start").page
    page.context.route(f"{there}*", lambda route: route.fulfill(body="Thank you"))
    frame = page.frame_locator("#player-1 iframe")
    frame.get_by_role("button", name="I agree, start").click()
    expect(page.locator("#step-1")).to_have_value("instructions")  # the list of steps is renewed
    page.locator("#step-1").select_option(label="The end")
    page.locator("#player-1").get_by_role("button", name="Jump").click()
    with page.context.expect_page() as opened:
        frame.locator(".code-box a.button").click()
    expect(opened.value.locator("body")).to_have_text("Thank you")
    assert opened.value.url == f"{there}DONE"
    expect(frame.locator("#code")).to_have_text("DONE")
