"""A disk that is full while people type, in a real browser: with the script and without."""

import pytest
from playwright.sync_api import expect

from app.study.design import draft
from tests.breaking import FullDisk, small_disk
from tests.e2e.looks import check, check_small
from tests.e2e.rating import RatingRoom
from tests.e2e.serving import ServerProcess
from tests.e2e.stored import Stored

pytestmark = pytest.mark.browser
MESSAGE = "The server cannot save right now. What you typed is kept."
REFUSED = ("status of 503", "Status Error Code 503")


@pytest.fixture
def disk(tmp_path, sqlite_template):
    with small_disk(tmp_path / "disk") as folder:
        yield FullDisk(folder, sqlite_template)


@pytest.fixture
def stored(disk):
    made = Stored(disk.url)
    made.make_study("small")
    yield made
    made.store.dispose()


@pytest.fixture
def server(tmp_path, disk, stored):
    made = ServerProcess(tmp_path, disk.url).start()
    yield made
    made.end()


@pytest.fixture(autouse=True)
def refusals(faults):
    faults.expect(*REFUSED)


def test_command_stays_in_its_line_and_is_played_once_when_there_is_room(visit, player, disk):
    visitor = visit(player.home).see("game").mark()
    with disk.broken():
        visitor.raw.fill("check_location")
        visitor.raw.press("Enter")
        expect(visitor.page.locator("#net")).to_contain_text(f"{MESSAGE} Press Enter to try again.")
        expect(visitor.raw).to_have_value("check_location")
        expect(visitor.raw).to_be_editable()
    assert player.raws() == []
    visitor.raw.press("Enter")
    visitor.wait_for_seq(2)
    assert player.raws() == ["check_location"]
    expect(visitor.page.locator("#net")).to_have_text("")
    assert visitor.remembers()


def test_command_without_script_is_on_the_page_and_can_be_sent_again(visit, player, disk):
    visitor = visit(player.home, java_script_enabled=False).see("game")
    with disk.broken():
        visitor.raw.fill("check_location")
        visitor.raw.press("Enter")
        visitor.see("away")
        expect(visitor.page.get_by_label("What you typed")).to_have_value("check_location")
        visitor.press("Send it again").see("away")
    visitor.press("Send it again").see("game")
    assert visitor.lines == player.raws() == ["check_location"]


def test_number_of_the_page_keeps_its_distance_from_the_button(visit, player, disk):
    size = {"width": 360, "height": 640}
    visitor = visit(player.home, java_script_enabled=False, viewport=size).see("game")
    with disk.broken():
        visitor.raw.fill("check_location")
        visitor.raw.press("Enter")
        page = visitor.see("away").page
    button, number = (page.locator(one).bounding_box() for one in ("form button", "form + .soft"))
    assert number["y"] - button["y"] - button["height"] >= 12
    field, form = (page.locator(one).bounding_box() for one in ("form input[name=raw]", "form"))
    assert field["width"] == form["width"]


def test_axe_finds_nothing_on_the_pages_that_say_so(visit, person, disk):
    rule, consent = visit(person.to_rule().home).see("rule"), visit("/s/small").see("consent")
    with disk.broken():
        check(consent.press("I agree, start").see("away"))
        rule.explain(inputs="The class")
        expect(rule.page.locator("#net")).to_contain_text(MESSAGE)
        check(rule)


def test_axe_finds_nothing_on_pages_that_keep_text_passwords_and_files(
    visit, person, design, disk, tmp_path
):
    """The forms are sent past the script, as a browser without one sends them."""
    (tmp_path / "study.yaml").write_text("slug: x")
    rule, login, new = (
        visit(person.to_rule().home),
        visit("/admin"),
        design().go("/admin/new-study"),
    )
    rule.see("rule").page.locator("#inputs").fill("The class,\nthen the role.")
    rule.page.locator("#output").fill("its item")
    login.see("login").page.locator("#name").fill("boss")
    new.see("new-study").page.locator("#file").set_input_files(tmp_path / "study.yaml")
    kept = {rule: "textarea", login: "input[type=password]", new: "input[type=file]"}
    with disk.broken():
        for visitor, field in kept.items():
            form = visitor.page.locator(f"form:has({field})").first
            form.evaluate("form => form.submit()")
            expect(visitor.see("away").page.locator(f"main {field}")).to_have_count(1)
            check(visitor)


@pytest.mark.long
def test_axe_finds_nothing_on_these_pages_when_they_are_enlarged(visit, person, disk):
    rule, consent = visit(person.to_rule().home).see("rule"), visit("/s/small").see("consent")
    with disk.broken():
        check_small(consent.press("I agree, start").see("away"))
        rule.explain(inputs="The class")
        expect(rule.page.locator("#net")).to_contain_text(MESSAGE)
        check_small(rule)


@pytest.mark.parametrize("script", [True, False])
def test_rule_is_kept_and_stored_once(visit, person, disk, script):
    text = "The class decides,\nand then the role."
    visitor = visit(person.to_rule().home, java_script_enabled=script).see("rule")
    page = visitor.page
    with disk.broken():
        visitor.explain(inputs=text, confidence="70")
        if script:
            expect(page.locator("#net")).to_contain_text(MESSAGE)
            expect(page.locator("#inputs")).to_have_value(text)
        else:
            kept = visitor.see("away").page.get_by_label("What you typed")
            expect(kept).to_have_count(1)  # the others were left empty, or are numbers
            expect(kept.first).to_have_value(text)
    assert person.explanations == []
    visitor.press("Send my answer" if script else "Send it again")
    expect(page.locator("body[data-page=rule], body[data-page=away]")).to_have_count(0)
    [explained] = person.explanations
    assert explained.inputs == text


@pytest.mark.long
def test_draft_typed_meanwhile_is_saved_when_there_is_room(visit, person, disk):
    visitor = visit(person.to_rule().home).see("rule")
    status = visitor.page.locator("#draft-status")
    with disk.broken():
        visitor.page.locator("#inputs").fill("the class")
        expect(status).to_contain_text("Not saved yet, kept in this window")
    expect(status).to_contain_text("Saved", timeout=15_000)
    assert person.draft()["inputs"] == "the class"


def test_rating_stays_chosen_and_is_saved_once(visit, stored, disk):
    room = RatingRoom(stored, 2)
    visitor = room.enter(visit)
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start").see("item")
    chosen = visitor.page.locator(".choice [value='1']")
    with disk.broken():
        chosen.press("Space")
        visitor.page.locator("#comment").fill("a word")
        visitor.press("Save and continue")
        expect(visitor.page.locator("#net")).to_contain_text(MESSAGE)
        expect(chosen).to_be_checked()
        expect(visitor.page.locator("#comment")).to_have_value("a word")
    assert room.revisions == [0, 0]
    visitor.press("Save and continue")
    expect(visitor.page.locator("#item-h")).to_contain_text("Item 2 of 2")
    expect(visitor.page.locator("#saved")).to_contain_text("Item 1: 1. Saved at")
    assert room.revisions == [1, 0]
    assert room.places[0].comment == "a word"


def drafted(stored):
    """Return how often the draft was saved, and its text about pay."""
    with stored.store.read() as db:
        found = draft.load(db, "small")
        return found.revision, found.document["texts"]["pay"]


@pytest.fixture
def design(visit, stored):
    """Open a design page as a researcher."""

    def enter(**options):
        link = f"/admin/welcome/{stored.one_time_link('boss')}"
        visitor = visit(link, **options).see("welcome")
        visitor.page.locator("#password").fill("a long password")
        visitor.press("Set the password").see("studies")
        return visitor.go("/admin/studies/small/design/texts").see("design")

    return enter


@pytest.mark.long
def test_design_typed_meanwhile_is_saved_when_there_is_room(design, stored, disk):
    visitor, (before, _) = design(), drafted(stored)
    status, pay = visitor.page.locator("#autosave"), visitor.page.locator("#texts-pay")
    with disk.broken():
        pay.fill("GBP 7")
        expect(status).to_contain_text("Not saved: the server did not answer. We keep trying.")
        expect(pay).to_have_value("GBP 7")
    expect(status).to_contain_text("Draft saved at")
    assert drafted(stored) == (before + 1, "GBP 7")


def test_design_sent_without_script_is_on_the_page_and_stored_once(design, stored, disk):
    visitor, (before, _) = design(java_script_enabled=False), drafted(stored)
    with disk.broken():
        visitor.page.locator("#texts-pay").fill("GBP 7")
        visitor.press("Save").see("away")
        visitor.press("Send it again").see("away")
    visitor.press("Send it again").see("design")
    assert drafted(stored) == (before + 1, "GBP 7")
    expect(visitor.page.locator("#texts-pay")).to_have_value("GBP 7")
