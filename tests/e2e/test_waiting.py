"""The page of people who must wait: it lets them in by itself, with script and without."""

import httpx
import pytest

from tests.e2e.stored import new_slug
from tests.walker import PageReader

pytestmark = pytest.mark.browser
BURST = 30


@pytest.fixture
def crowded(stored, server):
    """Return the link of a study into which as many as may have just come from this address."""
    changes = {"people": {"burst": BURST}, "clocks": {"untouched_minutes": 1}}
    link = f"/s/{stored.make_study(new_slug(), **changes)}"
    with httpx.Client(base_url=server.url, headers={"Sec-Fetch-Site": "same-origin"}) as client:
        for _ in range(BURST + 1):
            form = PageReader(client.get(link).text).form("answer")
            client.post(form.action, data={**form.fields, "answer": "yes"})
    return link


@pytest.mark.parametrize("script", [True, False])
def test_who_waits_is_let_in_without_doing_anything(visit, crowded, script):
    visitor = visit(crowded, java_script_enabled=script).press("I agree, start").see("wait")
    assert visitor.page.get_by_role("status").inner_text().startswith("You will be let in")
    visitor.see("instructions")
