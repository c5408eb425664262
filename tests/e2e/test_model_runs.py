"""Pages of models' runs in a browser: axe finds nothing, the replay has its slider."""

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import check
from tests.e2e.stored import new_slug
from tests.models.played import play

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_run_is_watched_and_replayed_like_a_person(researcher, stored):
    slug = stored.make_study(new_slug())
    play(stored.store, slug)
    researcher.go(f"/admin/studies/{slug}/report/models").see("models")
    researcher.page.get_by_role("link", name="Model runs made with hjstudy").click()
    check(researcher.see("model-runs"))
    researcher.page.get_by_role("link", name="clever-model").click()
    check(researcher.see("model-run"))
    researcher.page.locator("#progress tbody a").first.click()
    check(researcher.see("replay").mark())
    slider = researcher.page.locator("#step")
    slider.focus()
    slider.press("Home")
    expect(researcher.page.locator("#playback")).to_contain_text("After action 0 of")
    slider.press("ArrowRight")
    expect(researcher.page.locator("#playback")).to_contain_text("You typed")
    assert researcher.remembers()


def test_keys_and_starting_are_usable_in_a_browser(researcher, stored):
    slug = stored.make_study(new_slug())
    researcher.go(f"/admin/studies/{slug}/report/models/keys").see("agent-keys")
    researcher.page.get_by_label("Name (who uses it").fill("lab")
    researcher.page.get_by_role("button", name="Create key").click()
    check(researcher.see("agent-keys").mark())
    expect(researcher.page.locator("#key")).to_contain_text("hjs_")
    researcher.page.get_by_role("link", name="API").click()
    check(researcher.see("api"))
    researcher.go(f"/admin/studies/{slug}/rating/judges/run")
    check(researcher.see("model-start"))
