"""Pages that a browser keeps and shows again on the way back, whatever the cache headers say."""

import pytest
from playwright.sync_api import expect

from tests.e2e.serving import FLAGS, find_chromium
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(browser, server):
    """Return a tab of a browser that keeps pages; Playwright switches that off by default."""
    keeps = {"ignore_default_args": ["--disable-back-forward-cache"]}
    own = browser.browser_type.launch(executable_path=find_chromium(), args=FLAGS, **keeps)
    page = own.new_page()
    page.add_init_script("onpageshow = event => { document.body.dataset.kept = event.persisted; }")
    yield Visitor(page, server.url)
    own.close()


def go_back(tab):
    tab.page.go_back(wait_until="commit")  # no page is loaded, so no load event comes


TRIES = 10  # a browser that is short of memory or time loads a page again instead
MARK = "() => { document.body.dataset.old = ''; }"


def test_second_problem_written_on_a_page_that_was_kept_is_stored_too(tab, person):
    tab.go(f"{person.home}/problem").see("problem")
    for text in ("one", "two"):
        tab.page.locator("#text").fill(text)
        tab.page.evaluate(MARK)
        tab.press("Send it")
        expect(tab.page.locator("[data-forget]")).to_be_visible()
        go_back(tab)
        tab.page.locator("body[data-page=problem]:not([data-old])").wait_for()
    assert [one.text for one in person.problems] == ["one", "two"]


def test_answers_on_a_page_that_was_kept_are_shown_as_they_were_sent(tab, guest):
    tab.go(guest.home).see("questions")
    tab.page.locator("#q_age").fill("34")
    tab.page.get_by_label("linguist").check()
    tab.press("Continue").see("practice")
    go_back(tab)
    tab.see("receipt")
    expect(tab.page.locator("dd").first).to_have_text("34")


def test_what_was_typed_and_not_sent_stays_on_a_page_that_was_kept(tab, person):
    tab.go(f"{person.home}/leave").see("leave")
    for _ in range(TRIES):
        tab.go(f"{person.home}/problem").see("problem").page.locator("#text").fill("half a sen")
        tab.press("Go back without sending").see("instructions")
        go_back(tab)
        shown = tab.page.locator("body[data-page=problem][data-kept]")
        shown.wait_for()
        if shown.get_attribute("data-kept") == "true":
            break
    else:
        pytest.fail(f"The browser kept the page in none of {TRIES} tries.")
    expect(tab.page.locator("#text")).to_have_value("half a sen")
