"""The live monitor and the replay in a browser: fresh without flicker, a slider, no script."""

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import check
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_monitor_refreshes_by_itself_and_keeps_focus_and_document(researcher, stored):
    slug = stored.make_study(new_slug())
    person = stored.enrol(slug).to_game()
    researcher.go(f"/admin/studies/{slug}/monitor").see("monitor").mark()
    link = researcher.page.locator(f"#p-{person.row.public_id}")
    link.focus()
    person.play(*["nonsense"] * 5)
    expect(researcher.page.locator("#watch")).to_contain_text("stuck")
    expect(link).to_be_focused()
    assert researcher.remembers()


def test_slider_walks_through_the_play_by_keyboard(researcher, player):
    player.play("check_location", "nonsense")
    researcher.go(f"/admin/participants/{player.row.public_id}/replay?episode=1&step=0")
    researcher.see("replay").mark()
    slider = researcher.page.locator("#step")
    slider.focus()
    slider.press("ArrowRight")
    expect(researcher.page.locator("#playback")).to_contain_text("After action 1 of 2")
    slider.press("End")
    expect(researcher.page.locator("#playback .log")).to_contain_text("nonsense")
    expect(slider).to_be_focused()
    assert researcher.remembers()


def test_replay_works_without_script(visit, researcher, player):
    player.play("check_location")
    cookies = researcher.page.context.storage_state()
    url = f"/admin/participants/{player.row.public_id}/replay?episode=1&step=0"
    plain = visit(url, java_script_enabled=False, storage_state=cookies).see("replay")
    plain.follow("Next")
    expect(plain.page.locator("#playback")).to_contain_text("After action 1 of 1")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_replay_goes_on_to_the_next_guardian_and_back_by_keyboard(sign_in, finished, script):
    visitor = sign_in(java_script_enabled=script)
    visitor.go(f"/admin/participants/{finished.row.public_id}/replay?episode=1&step=0")
    page, shown = visitor.page, visitor.page.locator("#playback")
    last = len(finished.turns(0))
    if script:
        page.locator("#step").press("End")
    else:
        visitor.go(f"/admin/participants/{finished.row.public_id}/replay?episode=1")
    expect(shown).to_contain_text(f"After action {last} of {last}")
    page.get_by_role("link", name="Next guardian: World 2, guardian 1: ").press("Enter")
    expect(shown).to_contain_text("After action 0 of")
    expect(page.locator("#episode")).to_have_value("2")
    page.get_by_role("link", name="Previous guardian: World 1, guardian 1: ").press("Enter")
    expect(shown).to_contain_text(f"After action {last} of {last}")
    expect(page.locator("#episode")).to_have_value("1")


@pytest.mark.long
def test_axe_finds_nothing_on_monitor_and_replay(researcher, stored, player):
    player.play(*["nonsense"] * 5)
    for page in (
        "/admin/studies/small/monitor",
        f"/admin/participants/{player.row.public_id}/replay",
    ):
        check(researcher.go(page))
