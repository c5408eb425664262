"""Pages on paper: all of them, and on those of players nothing that can only be pressed."""

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import ON_PAPER, PAPER, expect_none
from tests.e2e.rating import RatingRoom
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
ACROSS = {"width": 1000, "height": 718}


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


def check_parts(visitor, *parts):
    expect_none(visitor.page.evaluate(ON_PAPER))
    for part in parts:
        expect(visitor.page.locator(part).first).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_game_page_is_printed_with_all_its_parts(printed, player, script):
    player.play("check_location", "go nowhere", *["check_inventory"] * 8)
    visitor = printed(player.home, "game", java_script_enabled=script)
    check_parts(visitor, "#goal-h", ".goal .chip", "#log-lines p", "#accounts", "#world", "#notes")
    log, accounts = visitor.page.locator("#log-lines"), visitor.page.locator("#accounts")
    end = log.bounding_box()["y"] + log.bounding_box()["height"]
    assert end <= accounts.bounding_box()["y"]


def test_rule_form_is_printed_with_what_was_typed(printed, person):
    visitor = printed(person.to_rule().home, "rule")
    visitor.page.locator("#inputs").fill("line\n" * 30)
    check_parts(visitor, "#inputs", "#accounts", "#mine")
    height = visitor.page.locator("#inputs").bounding_box()["height"]
    assert height > 30 * 15


def test_pages_that_are_read_are_printed_whole(printed, stored, person, finished):
    check_parts(printed("/s/small", "consent"), ".facts", ".prose")
    check_parts(printed(person.home, "instructions"), ".verbs", "#own-link")
    check_parts(printed(finished.home, "debrief"), "#code", ".results")
    check_parts(printed(f"{finished.home}/world/1/guardian/1/rule", "receipt"), ".answers")
    check_parts(printed("/p/nobody-has-this-token", "error"), ".prose")


def test_pages_with_questions_are_printed_whole(printed, guest):
    check_parts(printed(guest.home, "questions"), "#q_age")
    guest.answer_before().win_practice()
    check_parts(printed(guest.home, "comprehension"), "#check", "#how-to")
    guest.pass_check().play(*guest.solution()).explain()
    check_parts(printed(guest.home, "direct"), ".goal .chip", "#state-it", "#accounts", "#world")


def test_short_pages_are_printed_whole(printed, person):
    check_parts(printed(f"{person.home}/leave", "leave"), ".prose, .sheet p")
    check_parts(printed(f"{person.home}/problem", "problem"), "#text")
    visitor = printed(person.to_rule().home, "rule")
    visitor.page.emulate_media(media="screen")
    visitor.explain(inputs="class", how="so").see("world").page.emulate_media(media="print")
    check_parts(visitor, ".sheet p")


def test_pages_of_people_who_practise_or_wait_are_printed_whole(printed, stored, person):
    person.to_practice().play("check_location", block=-1)
    check_parts(printed(person.home, "practice"), "#goal-h", ".goal .chip", "#log-lines p")
    link = f"/s/{stored.make_study(new_slug(), people={'burst': 1})}"
    for _ in range(2):  # the first is in, the second waits
        waiting = printed(link, "consent")
        waiting.page.emulate_media(media="screen")
        waiting.press("I agree, start")
    waiting.see("wait").page.emulate_media(media="print")
    check_parts(waiting, "h1", ".sheet p")


def test_annotators_pages_are_printed_with_the_scale_and_the_guidelines(visit, stored):
    room = RatingRoom(stored, 2)
    rater = room.enter(visit)
    rounds = rater.page.url
    rater.page.get_by_role("button", name="Read the guidelines and start").click()
    guidelines = rater.see("round").page.url
    rater.press("Start").see("item").page.locator("#comment").fill("line\n" * 30)
    for size in (PAPER, ACROSS):
        rater.page.set_viewport_size(size)
        rater.page.emulate_media(media="print", color_scheme="light")
        check_parts(rater, ".explanation", ".cases td", ".scale .choice", ".guidelines .prose")
        expect(rater.page.locator(".choices .choice:visible")).to_have_count(3)
        for pressed in (".keys", ".steps", "#save-state"):
            expect(rater.page.locator(pressed)).to_be_hidden()
    assert rater.page.locator("#comment").bounding_box()["height"] > 30 * 15
    for address, part in ((rounds, "main"), (guidelines, ".guidelines .prose")):
        rater.page.goto(address)
        check_parts(rater, "h1", part)


def test_adjudication_is_printed_with_the_rule_and_the_scale(visit, stored):
    room = RatingRoom(stored, 6)
    _, case = room.judge_draw_and_disagree()
    boss = room.enter_as_researcher(visit)
    boss.page.set_viewport_size(PAPER)
    boss.page.emulate_media(media="print", color_scheme="light")
    own = f"/admin/studies/{room.slug}/rating/rounds/{room.number}"
    for path, parts in (
        (own, ("h1",)),
        (f"{own}/adjudicate", ("h1",)),
        (f"{own}/adjudicate/{case}", (".explanation", ".cases td", ".choices .choice")),
    ):
        check_parts(boss.go(path), *parts)


OURS = (
    *("", "/monitor", "/recruit", "/open", "/remove", "/exports", "/rating", "/design"),
    *("/report", "/report/models", "/report/models/runs"),
)


@pytest.mark.long
def test_researchers_pages_are_printed_whole_and_black(researcher, finished):
    page, wrong = researcher.page, dict[str, list[str]]()
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="dark")
    addresses = [f"/admin/studies/small{part}" for part in OURS]
    addresses += ["/admin", "/admin/archive", f"/admin/participants/{finished.row.public_id}"]
    for one in addresses:
        researcher.go(one)
        wrong[one] = page.evaluate(ON_PAPER)
    lines = [f"{one}: {' | '.join(found)}" for one, found in wrong.items() if found]
    assert not lines, "\n".join(lines)
