"""The page of people who must wait: it lets them in by itself, with script and without."""

from datetime import UTC, datetime

import httpx
import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from tests.e2e.looks import check, check_small
from tests.e2e.stored import new_slug
from tests.walker import PageReader

pytestmark = pytest.mark.browser
WAIT_S = 8


@pytest.fixture
def crowded(stored, server):
    """Return the link of a study that lets the next person from this address in after a while."""
    link = f"/s/{stored.make_study(new_slug(), people={'burst': 1})}"
    with httpx.Client(base_url=server.url, headers={"Sec-Fetch-Site": "same-origin"}) as client:
        form = PageReader(client.get(link).text).form("answer")
        client.post(form.action, data={**form.fields, "answer": "yes"})
    free = round((datetime.now(UTC).timestamp() + WAIT_S) * 1000)
    with stored.store.write() as db:
        db.execute(sa.text("UPDATE entry_pace SET free_ms = :free"), {"free": free})
    return link


def test_axe_finds_nothing_on_the_page_of_who_waits(visit, stored, faults):
    faults.expect("status of 404")
    link = f"/s/{stored.make_study(new_slug(), people={'burst': 1})}"
    for _ in range(2):  # the first is in, the second waits
        visitor = visit(link).press("I agree, start")
    visitor.see("wait")
    check(visitor)
    check_small(visitor)
    check_turn_is_kept(visitor, link)


def check_turn_is_kept(visitor, link):
    """Who has no ID and opens the link again is led back to their turn, until they are in."""
    address, tab = visitor.page.url, visitor.another_tab(link).see("consent")
    check(tab)
    tab.go(f"{link}?PROLIFIC_PID=ann").see("consent")
    expect(tab.page.locator("#turn")).to_have_count(0)
    tab.go(link).follow("That was me: keep my turn").see("wait")
    assert tab.page.url == address
    tab.go("/p/nobody")
    tab.go(link).see("consent")
    expect(tab.page.locator("#turn")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.long
def test_who_waits_is_let_in_without_doing_anything(visit, crowded, script):
    visitor = visit(crowded, java_script_enabled=script).press("I agree, start").see("wait")
    assert visitor.page.get_by_role("status").inner_text().startswith("You can enter in")
    visitor.see("instructions")
