"""A player's whole way in other languages, on a phone, from consent to the code."""

import os
from pathlib import Path

import pytest

from tests.e2e.looks import PHONE, expect_none, violations
from tests.e2e.stored import PRACTICE, RICH, new_slug

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("HJSTUDY_TEST_PICTURES", "")  # a folder to look at the pages in
ENDS = {"de": ("ltr", "Vielen Dank"), "ar": ("rtl", "شكرًا لك")}


WIDER = """() => [...document.querySelectorAll("main *:not(.vh, .verb, option)")]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().width)
    .filter(one => { const box = one.getBoundingClientRect();
        return box.right > innerWidth + 1 || box.left < -1; })
    .map(one => one.outerHTML.slice(0, 80))"""


class Look:
    """Checks each page of a way with axe, and that it is not wider than the phone."""

    def __init__(self, visitor, language):
        self.visitor, self.language, self.seen = visitor, language, 0
        visitor.page.set_viewport_size(PHONE)

    def at(self, name):
        page = self.visitor.see(name).page
        self.seen += 1
        if PICTURES:
            path = Path(PICTURES) / f"{self.language}-{self.seen:02}-{name}.png"
            page.screenshot(path=path, full_page=True, caret="initial")
        assert page.evaluate(WIDER) == []
        expect_none(violations(self.visitor))
        return self.visitor

    def send(self, name):
        """Press the last button of the page's form."""
        self.at(name).page.locator("main form button:not([type=button])").last.click()


@pytest.mark.parametrize("language", ENDS)
@pytest.mark.long
def test_whole_way_in_another_language(visit, stored, language):
    slug = stored.make_study(new_slug(), language=language, **RICH)
    visitor = visit(f"/s/{slug}")
    look, page = Look(visitor, language), visitor.page
    look.at("consent").page.locator("button[value=yes]").click()
    look.send("instructions")
    person = stored.person(visitor.token)
    look.at("questions").page.locator("#q_age").fill("30")
    page.get_by_label("linguist").check()
    page.locator("#questions button").click()
    look.at("practice").type("go nowhere", *PRACTICE)
    look.at("practice").page.locator("#after button").click()
    look.at("comprehension").page.get_by_label("one action").check()
    page.locator("#check-form button").last.click()
    look.at("game").type("dance", *person.solution(0))
    page.locator(".tabs a").nth(1).click()
    look.at("game").page.locator(".tabs a").first.click()
    typed = "() => getComputedStyle(document.querySelector('#newest .you')).direction"
    assert page.evaluate(typed) == "ltr"  # commands are English
    page.locator("#after a").click()
    look.at("rule").page.locator("#inputs").fill("class")
    page.locator("#rule .save-row button").first.click()
    look.at("world").page.locator(".choice a").click()
    look.at("direct").page.get_by_label("perform").first.check()
    page.locator("#direct input[value=before]").check()
    page.locator("#times").fill("2")
    page.locator("#direct button").last.click()
    look.at("rule").page.locator("#inputs").fill("class")
    page.locator("#rule .save-row button").first.click()
    visitor.see("questions")
    look.send("questions")
    direction, thanks = ENDS[language]
    assert look.at("debrief").page.locator("h1").inner_text() == thanks
    assert page.evaluate(
        "() => [document.documentElement.lang, getComputedStyle(document.body).direction]"
    ) == [language, direction]
    assert (person.row.state, page.locator("#code").inner_text()) == ("finished", person.row.code)
