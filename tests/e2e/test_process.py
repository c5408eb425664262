"""Process data in a real browser: what the script observes arrives, and its loss does no harm."""

import time

import pytest

from app.store.play.process_data import process_event

pytestmark = pytest.mark.browser
NAMED = {"open", "hidden", "blur", "focus", "paste", "keys", "resize", "latency", "client"}
HIDE = """text => {
    const hidden = text !== '';
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
PASTE = """text => {
    const data = new DataTransfer();
    data.setData('text', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
    document.querySelector('#raw').dispatchEvent(event);
}"""


def observed(stored, player):
    """Return a person's stored process data, oldest first."""
    own = process_event.c.participant_id == player.row.id
    with stored.store.read() as db:
        return db.execute(process_event.select().where(own).order_by(process_event.c.id)).all()


def test_everything_the_consent_names_is_observed_and_arrives(visit, stored, player):
    visitor = visit(player.home).see("game")
    page = visitor.page
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.evaluate(PASTE, "seven s")
    visitor.raw.press_sequentially("check_location")
    visitor.raw.press("Enter")
    visitor.wait_for_seq(2)
    page.set_viewport_size({"width": 900, "height": 700})
    page.wait_for_timeout(1300)  # the script waits until a window has its size
    page.evaluate(HIDE, "yes")
    page.wait_for_timeout(60)
    page.evaluate(HIDE, "")
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    for _ in range(100):
        rows = observed(stored, player)
        if {row.kind for row in rows} == NAMED:
            break
        time.sleep(0.1)
    assert {row.kind for row in rows} == NAMED
    first = {row.kind: row for row in reversed(rows)}
    assert (first["paste"].value, first["paste"].detail) == (7, "raw")
    assert first["keys"].value == len("check_location") + 1
    assert (first["open"].detail, first["resize"].detail) == ("1280x800", "900x700")
    clients = {row.detail for row in rows if row.kind == "client"}
    assert clients == {"chrome desktop", "webdriver"}  # a program drives this browser
    assert 50 <= first["hidden"].value < 20_000
    assert {row.page for row in rows} == {"world/1/guardian/1"}


def test_batches_that_never_arrive_do_no_harm(visit, stored, player, faults):
    faults.expect("ERR_FAILED")
    visitor = visit(player.home).see("game")
    visitor.page.route("**/process*", lambda route: route.abort())
    visitor.type("check_location")
    visitor.page.evaluate(HIDE, "yes")
    visitor.page.evaluate(HIDE, "")
    visitor.type("check_inventory")
    assert player.raws() == ["check_location", "check_inventory"]
    assert visitor.page.locator("#net").inner_text() == ""
    assert [row for row in observed(stored, player) if row.kind == "hidden"] == []
