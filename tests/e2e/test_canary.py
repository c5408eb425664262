"""The hidden sentence: not for those who read or hear the page, but in a copy of all of it."""

import pytest

from app.study.play import canary
from tests.e2e.stored import new_slug

pytestmark = pytest.mark.browser


def test_hidden_sentence_is_in_a_copied_page_but_not_in_the_accessibility_tree(visit, stored):
    person = stored.enrol(stored.make_study(new_slug(), options={"canary": True})).to_rule()
    page = visit(person.home).see("rule").page
    words = canary.sentence_of(person.row.public_id)
    snapshot = page.locator("body").aria_snapshot()
    assert "textbox" in snapshot
    assert words not in snapshot
    page.keyboard.press("Control+a")
    copied = page.evaluate("getSelection().toString()")
    assert " ".join(words.split()) in " ".join(copied.split())
