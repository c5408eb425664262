"""The report in a browser: figures load, the content policy blocks nothing, no axe faults."""

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import check
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser


@pytest.fixture
def page(researcher, stored):
    """The report of a study that two participants finished."""
    slug = stored.make_study(new_slug())
    for _ in range(2):
        stored.enrol(slug).to_end()
    return researcher.go(f"/admin/studies/{slug}/report?replicates=200").see("study-report")


@pytest.mark.long
def test_report_has_its_pictures_and_axe_finds_nothing(page):
    pictures = page.page.locator("figure img")
    expect(pictures.first).to_be_visible()
    for at in range(pictures.count()):
        picture = pictures.nth(at)
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", value=True)
        assert picture.evaluate("one => one.naturalWidth") > 0
    assert pictures.count() >= 4
    check(page)


def test_settings_of_the_report_are_a_form(page):
    page.page.locator("#seed").fill("7")
    page.press("Update report").see("study-report")
    expect(page.page.locator("main")).to_contain_text("seed: 7")


@pytest.mark.long
def test_models_page_also_with_a_wrong_file(page, faults):
    faults.expect("status of 422")
    page.page.get_by_role("link", name="Model results").click()
    check(page.see("models"))
    page.page.locator("#text").fill("model,task,seed,success\nm,A-Over,x,true")
    page.press("Check the file").page.get_by_text("line has an error").wait_for()
    check(page)
