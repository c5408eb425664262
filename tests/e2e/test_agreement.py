"""The agreement page and the planner in the browser: no faults, no overflow, keyboard only."""

import pytest
from playwright.sync_api import expect

from app.study.design import studies
from tests.e2e.looks import PHONE, check
from tests.e2e.stored import new_slug
from tests.rated import store_round

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def rated(stored):
    """Return the rating URL of a study with a closed round."""
    slug = stored.make_study(new_slug())
    with stored.store.write() as db:
        store_round(db, studies.find(db, slug).id)
    return f"/admin/studies/{slug}/rating"


@pytest.mark.long
def test_agreement_page_has_no_fault_and_scrolls_only_inside(researcher, rated):
    researcher.go(f"{rated}/rounds/1/agreement").see("rating")
    expect(researcher.page.locator("svg")).to_have_count(3)
    check(researcher)
    researcher.page.set_viewport_size(PHONE)
    wide = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not researcher.page.evaluate(wide)


def test_planner_is_used_by_keyboard_alone(researcher, rated):
    researcher.go(f"{rated}/planner").see("rating")
    page = researcher.page
    page.locator("#level_0").focus()
    for number in ("112", "304", "1184"):
        page.keyboard.type(number)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Expected precision")).to_be_visible()
    check(researcher)


def test_planner_marks_what_is_wrong(researcher, rated, faults):
    faults.expect("status of 422")
    researcher.go(f"{rated}/planner?width=x").see("rating")
    expect(researcher.page.locator("#width")).to_have_attribute("aria-invalid", "true")
    check(researcher)
