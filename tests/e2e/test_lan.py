"""A laboratory's network: plain http under a host name, where browsers send no `Sec-Fetch-Site`."""

import pytest
from playwright.sync_api import expect

from tests.e2e.rating import PASSWORD, RatingRoom
from tests.e2e.serving import LAN_ADDRESS, LAN_HOST
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser
BOTH_SCRIPTS = pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])


@pytest.fixture
def lan(visit, faults):
    """Open a browser that knows the server by its name or its address in the network."""
    faults.expect("The Cross-Origin-Opener-Policy header has been ignored")  # needs https

    def open_one(path, *, script=True, host=LAN_HOST):
        return visit(path, host=host, java_script_enabled=script)

    return open_one


def headers_of_forms(visitor):
    """Return a list that fills with the headers of each form the browser sends."""
    sent = []

    def keep(request):
        if request.method == "POST":
            sent.append(request.headers)

    visitor.page.on("request", keep)
    return sent


def check_none_says_where_it_comes_from(sent, number):
    assert len(sent) == number
    assert not [headers for headers in sent if "sec-fetch-site" in headers]


def log_in(visitor, name):
    visitor.page.locator("#name").fill(name)
    visitor.page.locator("#password").fill(PASSWORD)
    return visitor.press("Log in")


@pytest.mark.parametrize(
    ("host", "script"),
    [(LAN_HOST, True), (LAN_HOST, False), (LAN_ADDRESS, True)],
    ids=["script", "plain", "address"],
)
def test_player_enters_and_plays(lan, stored, host, script):
    slug = stored.make_study(new_slug())
    visitor = lan(f"/s/{slug}", script=script, host=host).see("consent")
    sent = headers_of_forms(visitor)
    visitor.press("I agree, start").see("instructions").press("Continue").see("practice")
    visitor.raw.fill("go")
    visitor.raw.press("Enter")
    visitor.wait_for_seq(2)
    check_none_says_where_it_comes_from(sent, 3)


@BOTH_SCRIPTS
def test_annotator_logs_in_and_rates(lan, stored, script):
    room = RatingRoom(stored, 2)
    visitor = lan("/rate", script=script).see("login")
    sent = headers_of_forms(visitor)
    log_in(visitor, room.name).see("rate")
    visitor.page.get_by_role("button", name="Read the guidelines and start").click()
    visitor.see("round").press("Start")
    visitor.page.locator("input[name=value]").first.check()
    visitor.press("Save and continue")
    expect(visitor.page.locator("#item-h")).to_contain_text("Item 2 of 2")
    expect(visitor.page.locator("#saved")).to_contain_text("Saved at")
    assert room.revisions == [1, 0]
    check_none_says_where_it_comes_from(sent, 2)


@BOTH_SCRIPTS
def test_researcher_logs_in_and_changes_a_study(lan, stored, script):
    room = RatingRoom(stored, 1)
    visitor = lan("/admin", script=script).see("login")
    sent = headers_of_forms(visitor)
    log_in(visitor, room.boss).see("studies")
    visitor.go("/admin/new-study").see("new-study")
    visitor.page.locator("#title").fill("From the laboratory")
    visitor.page.locator("#slug").fill(new_slug())
    visitor.press("Create the draft").see("design")
    visitor.press("Log out").see("login")
    check_none_says_where_it_comes_from(sent, 3)
