"""Pages on paper: all of them, and on those of players nothing that can only be pressed."""

import pytest
from playwright.sync_api import expect

from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
PAPER = {"width": 718, "height": 1000}  # an A4 page with its margins
# what is there but cannot be read: outside its scrolling box, or without any room
CUT_OFF = """() => [...document.querySelectorAll("main *")]
    .filter(e => e.checkVisibility() && e.clientHeight)
    .filter(e => !e.matches(".vh, textarea, input, select"))
    .filter(e => e.scrollHeight > e.clientHeight + 2
        && getComputedStyle(e).overflowY !== "visible")
    .map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture
def printed(visit, faults):
    """Return a function that opens a page as it is printed."""
    faults.expect("status of 404")

    def show(path, name, **options):
        visitor = visit(path, **options).see(name)
        visitor.page.set_viewport_size(PAPER)
        visitor.page.emulate_media(media="print", color_scheme="light")
        return visitor

    return show


def check_paper(visitor, *parts):
    page = visitor.page
    assert page.evaluate(CUT_OFF) == []
    for selector in (".skip", ".tabs", ".bar .leave", ".bar .report", "main button:not(.n)"):
        expect(page.locator(f"{selector}:visible")).to_have_count(0)
    for part in parts:
        expect(page.locator(part).first).to_be_visible()
    paper = page.evaluate("() => getComputedStyle(document.body).color")
    assert paper == "rgb(0, 0, 0)"


@pytest.mark.parametrize("script", [True, False])
def test_game_page_is_printed_with_all_its_parts(printed, player, script):
    player.play("check_location", "go nowhere", *["check_inventory"] * 8)
    visitor = printed(player.home, "game", java_script_enabled=script)
    check_paper(visitor, "#goal-h", ".goal .chip", "#log-lines p", "#accounts", "#world", "#notes")
    log, accounts = visitor.page.locator("#log-lines"), visitor.page.locator("#accounts")
    end = log.bounding_box()["y"] + log.bounding_box()["height"]
    assert end <= accounts.bounding_box()["y"]


def test_rule_form_is_printed_with_what_was_typed(printed, person):
    visitor = printed(person.to_rule().home, "rule")
    visitor.page.locator("#inputs").fill("line\n" * 30)
    check_paper(visitor, "#inputs", "#accounts", "#mine")
    height = visitor.page.locator("#inputs").bounding_box()["height"]
    assert height > 30 * 15


def test_pages_that_are_read_are_printed_whole(printed, stored, person, finished):
    check_paper(printed("/s/small", "consent"), ".facts", ".prose")
    check_paper(printed(person.home, "instructions"), ".verbs", "#own-link")
    check_paper(printed(finished.home, "debrief"), "#code", ".results")
    check_paper(printed(f"{finished.home}/world/1/guardian/1/rule", "receipt"), ".answers")
    check_paper(printed("/p/nobody-has-this-token", "error"), ".prose")


def test_pages_with_questions_are_printed_whole(printed, guest):
    check_paper(printed(guest.home, "questions"), "#q_age")
    guest.answer_before().win_practice()
    check_paper(printed(guest.home, "comprehension"), "#check", "#how-to")
    guest.pass_check().play(*guest.solution()).explain()
    check_paper(printed(guest.home, "direct"), ".goal .chip", "#state-it", "#accounts", "#world")


def test_short_pages_are_printed_whole(printed, person):
    check_paper(printed(f"{person.home}/leave", "leave"), ".prose, .sheet p")
    check_paper(printed(f"{person.home}/problem", "problem"), "#text")
    visitor = printed(person.to_rule().home, "rule")
    visitor.page.emulate_media(media="screen")
    visitor.explain(inputs="class", how="so").see("world").page.emulate_media(media="print")
    check_paper(visitor, ".sheet p")


def test_pages_of_people_who_practise_or_wait_are_printed_whole(printed, stored, person):
    person.to_practice().play("check_location", block=-1)
    check_paper(printed(person.home, "practice"), "#goal-h", ".goal .chip", "#log-lines p")
    link = f"/s/{stored.make_study(new_slug(), people={'burst': 1})}"
    for _ in range(2):  # the first is in, the second waits
        waiting = printed(link, "consent")
        waiting.page.emulate_media(media="screen")
        waiting.press("I agree, start")
    waiting.see("wait").page.emulate_media(media="print")
    check_paper(waiting, "h1", ".sheet p")


OURS = (
    *("", "/monitor", "/recruit", "/open", "/remove", "/exports", "/rating", "/design"),
    *("/report", "/report/models", "/report/models/runs"),
)


BESIDE = """() => [...document.querySelectorAll("main *")]
    .filter(e => e.checkVisibility() && e.clientWidth && !e.matches(".vh, textarea, input, select"))
    .filter(e => e.scrollWidth > e.clientWidth + 2
        && getComputedStyle(e).overflowX !== "visible")
    .map(e => e.outerHTML.slice(0, 80))"""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
BLACK = "() => getComputedStyle(document.body).color === 'rgb(0, 0, 0)'"


@pytest.mark.long
def test_researchers_pages_are_printed_whole_and_black(researcher, finished):
    page, wrong = researcher.page, dict[str, list[str]]()
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="dark")
    addresses = [f"/admin/studies/small{part}" for part in OURS]
    addresses += ["/admin", "/admin/archive", f"/admin/participants/{finished.row.public_id}"]
    for one in addresses:
        researcher.go(one)
        wrong[one] = page.evaluate(CUT_OFF) + page.evaluate(BESIDE)
        wrong[one] += [] if page.evaluate(BLACK) else ["not black"]
        wrong[one] += [] if page.evaluate(FITS) else ["wider than the paper"]
    lines = [f"{one}: {' | '.join(found)}" for one, found in wrong.items() if found]
    assert not lines, "\n".join(lines)
