"""A researcher logs in, designs a study in the browser, previews it, opens it."""

import pytest
from playwright.sync_api import expect

from app.study.design import studies
from tests.e2e.looks import check
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
SECTIONS = (
    *("basics", "cells", "texts", "game", "questions"),
    *("people", "clocks", "pay", "baseline", "own"),
)


def test_study_made_in_the_browser_can_be_previewed_opened_and_entered(
    visit, stored, researcher, faults
):
    faults.expect("status of 404")  # others cannot open a draft
    slug = new_slug()
    researcher.go("/admin/new-study").see("new-study")
    researcher.page.locator("#title").fill("Made by hand")
    researcher.page.locator("#slug").fill(slug)
    copies = researcher.page.locator("#start option", has_text="A copy of A small study (/s/")
    researcher.page.locator("#start").select_option(copies.first.get_attribute("value"))
    researcher.press("Create the draft").see("design")
    visit(f"/s/{slug}").see("error")
    preview = visit_preview(researcher)
    person = stored.person(preview.press("I agree, start").see("instructions").token)
    assert person.row.is_test
    researcher.press("Open to players").see("open").press("Open to players")
    researcher.page.get_by_text("Close to new players").wait_for()
    visitor = visit(f"/s/{slug}").see("consent").press("I agree, start")
    assert not stored.person(visitor.see("instructions").token).row.is_test
    with stored.store.read() as db:
        assert studies.find(db, slug).state == "open"


def visit_preview(researcher):
    """Open the preview in another tab of the researcher's browser."""
    tab = researcher.another_tab()
    tab.press("Preview").see("consent")
    expect(tab.page.locator("main")).to_contain_text("This is a preview.")
    return tab


def test_researchers_page_shows_what_a_player_typed(researcher, player):
    player.play("Go  <b>nowhere</b>")
    researcher.go(f"/admin/participants/{player.row.public_id}").see("participant")
    expect(researcher.page.locator(".turns code").last).to_have_text("Go  <b>nowhere</b>")


def test_logging_out_closes_the_pages(researcher):
    cookies = researcher.page.context.cookies()
    researcher.press("Log out").see("login")
    researcher.go("/admin").see("login")
    researcher.page.context.add_cookies(cookies)  # a copy of the cookie does not work either
    researcher.go("/admin").see("login")


def test_text_sent_after_the_login_ran_out_is_kept_till_one_has_logged_in_again(
    visit, stored, faults
):
    faults.expect("status of 401")
    name = new_slug()
    visitor = visit(f"/admin/welcome/{stored.one_time_link(name)}").see("welcome")
    visitor.page.locator("#password").fill("a long password")
    visitor.press("Set the password").see("studies").go("/admin/new-study").see("new-study")
    visitor.page.locator("#title").fill("Typed for an hour")
    visitor.page.locator("#slug").fill(new_slug())
    visitor.page.context.clear_cookies()
    check(visitor.press("Create the draft").see("lost"))
    with visitor.page.context.expect_page() as opened:
        visitor.page.get_by_role("button", name="Log in").click()
    tab = opened.value
    tab.locator("#name").fill(name)
    tab.locator("#password").fill("a long password")
    tab.get_by_role("button", name="Log in").click()
    tab.wait_for_url("**/admin")
    visitor.press("Send it again").see("design")
    expect(visitor.page.locator("main")).to_contain_text("Typed for an hour")


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_of_people(researcher, stored, finished):
    check(researcher)
    for path, name in (
        ("/admin/studies/small", "study"),
        (f"/admin/participants/{finished.row.public_id}", "participant"),
        ("/admin/studies/small/recruit", "recruit"),
        (f"/admin/search?q={finished.row.code}", "search"),
    ):
        check(researcher.go(path).see(name))


def test_axe_finds_nothing_on_a_checked_list_and_refused_ids(researcher, faults):
    faults.expect("status of 422")
    visitor = researcher.go("/admin/studies/small/recruit").see("recruit")
    visitor.page.locator("#text").fill("Participant id,Status\np1,BAKED\np2,APPROVED\n")
    check(visitor.press("Check the list").see("recruit"))
    visitor.page.get_by_label("BAKED").select_option("gone")
    visitor.press("Check again")
    expect(visitor.page.locator("main")).to_contain_text("ended there without approval")
    visitor.go("/admin/studies/small/recruit").page.locator("#given_ids").fill("p1\np1")
    visitor.press("Create links for these IDs").page.locator(".problem").wait_for()
    check(visitor)
    expect(visitor.page.locator("#given_ids")).to_have_value("p1\np1")


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_where_studies_are_opened_and_put_away(researcher):
    for path in ("archive", "studies/small/open", "studies/small/remove", "studies/small/try"):
        check(researcher.go(f"/admin/{path}"))
    for path in ("account", "studies/small/members", "studies/small/audit"):
        check(researcher.go(f"/admin/{path}"))
    check(researcher.go("/admin/studies/small/report/models/runs"))


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_of_design(researcher, stored, finished):
    check(researcher.go("/admin/new-study").see("new-study"))
    check(researcher.go("/admin/studies/small/design").see("design"))
    check(researcher.go("/admin/studies/small/design-file").see("design"))
    variant = finished.episode().variant_hash
    check(researcher.go(f"/admin/variants/{variant}").see("variant"))


@pytest.mark.long
def test_axe_finds_nothing_on_any_section_of_the_design(researcher):
    for section in SECTIONS:
        check(researcher.go(f"/admin/studies/small/design/{section}").see("design"))


def test_phone_shows_the_present_part_of_the_design_and_a_low_bar(researcher):
    researcher.page.set_viewport_size({"width": 360, "height": 640})
    for section in SECTIONS:
        researcher.go(f"/admin/studies/small/design/{section}").see("design")
        part = researcher.page.locator(".parts [aria-current]").bounding_box()
        assert part["x"] >= 0, section
        assert part["x"] + part["width"] <= 360, section
    assert researcher.page.locator(".bar").bounding_box()["height"] <= 104  # two rows, not three


def test_long_title_fits_a_phone(researcher, stored):
    slug = stored.make_study(new_slug(), title="Donaudampfschifffahrtsgesellschaftskapitän, again")
    researcher.page.set_viewport_size({"width": 360, "height": 640})
    for page in ("", "/monitor", "/design/basics", "/design-file"):
        researcher.go(f"/admin/studies/{slug}{page}")
        width = researcher.page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= 360, page


def test_example_of_a_study_file_fits_a_phone(researcher):
    page = researcher.go("/admin/new-study").page
    page.set_viewport_size({"width": 360, "height": 640})
    for example in page.locator("details").all():
        example.locator("summary").click()
        expect(example.locator("pre")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
