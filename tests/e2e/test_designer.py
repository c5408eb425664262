"""The designer in a real browser: from empty, past a faulty field, to open; and a preview."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import PRACTICE, new_slug

pytestmark = pytest.mark.browser


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def designer(request, sign_in):
    """A researcher's browser, with and without the script."""
    return sign_in(java_script_enabled=request.param)


def fill(visitor, **typed):
    """Type into fields by id, `_` for `-` where the path has a dot."""
    for name, text in typed.items():
        visitor.page.locator(f"#{name.replace('__', '-')}").fill(text)
    return visitor


def design_small_study(visitor, slug):
    """Design a study of one world from scratch, section by section."""
    visitor.press("New study").see("new-study")
    fill(visitor, title="From nothing", slug=slug).press("Create the draft").see("design")
    visitor.go(f"/admin/studies/{slug}/design/cells").press("Add a line").see("design")
    visitor.page.locator("#blocks-0-task").select_option("A-Over")
    fill(visitor, blocks__0__seeds="4", options__episodes_per_block="1").press("Save")
    visitor.page.get_by_text("Saved.").wait_for()
    visitor.press("Save and continue").see("design")
    visitor.page.locator("#texts-pay").wait_for()
    text = "You read **accounts** and type commands."
    fill(visitor, texts__instructions=text, texts__pay="GBP 3").press("Save")
    visitor.page.get_by_text("Saved.").wait_for()
    visitor.go(f"/admin/studies/{slug}/design/questions")
    visitor.page.locator("#questions-comment").uncheck()
    visitor.press("Save").page.get_by_text("Saved.").wait_for()


@pytest.mark.long
def test_study_goes_from_empty_to_a_preview_played_and_to_open(visit, stored, designer, faults):
    faults.expect("status of 422", "status of 404")  # a faulty field; a stranger who opens a draft
    slug = new_slug()
    design_small_study(designer, slug)
    visit(f"/s/{slug}").see("error")

    designer.go(f"/admin/studies/{slug}/design/clocks")
    fill(designer, clocks__seat_minutes="a while").press("Save")
    field = designer.page.locator("#clocks-seat_minutes")
    expect(field).to_have_value("a while")
    expect(field).to_have_accessible_description("must be a whole number")
    designer.go(f"/admin/studies/{slug}/design").press("Open to players").see("open")
    expect(designer.page.locator("main .problem")).to_contain_text("Fix these fields first")
    expect(designer.page.locator("main")).to_contain_text("Seat reserved, minutes: must be a whole")
    designer.page.locator("main").get_by_role("link", name="Clocks", exact=True).click()
    expect(field).to_have_value("a while")
    fill(designer, clocks__seat_minutes="45").press("Save")
    designer.page.get_by_text("Saved.").wait_for()

    play_preview(designer.go(f"/admin/studies/{slug}/design").press("Preview"), stored)

    designer.go(f"/admin/studies/{slug}/design").press("Open to players").see("open")
    designer.press("Open to players").see("study")
    expect(designer.page.locator("main")).to_contain_text("Close to new players")
    visitor = visit(f"/s/{slug}").see("consent").press("I agree, start").see("instructions")
    assert not stored.person(visitor.token).row.is_test
    expect(visitor.page.locator("main strong").first).to_have_text("accounts")


def play_preview(visitor, stored):
    """Play a preview to its code; every page is marked as a preview."""
    visitor.see("consent").press("I agree, start").see("instructions")
    person = stored.person(visitor.token)
    visitor.press("Continue").see("practice").type(*PRACTICE)
    visitor.press("Continue").see("game").type(*person.solution())
    visitor.press("Continue").see("rule")
    expect(visitor.page.locator("header")).to_contain_text("Preview")
    visitor.explain(inputs="class", output="the item", how="one each", confidence="70")
    visitor.see("debrief")
    assert (person.row.state, person.row.is_test) == ("finished", True)
    expect(visitor.page.locator("#code")).to_have_text(person.row.code)


def test_two_researchers_do_not_overwrite_each_other_unseen(sign_in, stored, designer, faults):
    faults.expect("status of 409")
    slug = stored.make_study(new_slug())
    designer.go(f"/admin/studies/{slug}/design/texts")
    other = sign_in().go(f"/admin/studies/{slug}/design/texts")
    fill(other, texts__pay="GBP 5").press("Save").page.get_by_text("Saved as a draft.").wait_for()

    fill(designer, texts__pay="GBP 6").press("Save")

    expect(designer.page.locator("main .problem").first).to_contain_text("saved by someone else")
    expect(designer.page.locator("#texts-pay")).to_have_value("GBP 6")
