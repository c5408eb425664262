"""A player's whole way in other languages, on a phone, from consent to the code.

What is stored is what the same way stores in English.
"""

import os
from pathlib import Path

import pytest

from app.store.play import participants
from app.web.play.outcome import REASON_WORDS, WORDS
from tests.e2e.looks import PHONE, expect_none, violations
from tests.e2e.stored import PRACTICE, RICH, new_slug

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("HJSTUDY_TEST_PICTURES", "")  # a folder to look at the pages in
ENDS = {"de": ("ltr", "Vielen Dank"), "ar": ("rtl", "شكرًا لك")}
ENDINGS = [(state, "a_test") for state in WORDS] + [("over_quota", why) for why in REASON_WORDS]
NUMBERS = {"en": ("30", "80", "2"), "de": ("30", "80", "2"), "ar": ("٣٠", "٨٠", "٢")}
NO_NUMBERS = {"de": ("30,5", "eine ganze Zahl von 18 bis 99"), "ar": ("٣٠٫٥", "من 18 إلى 99")}
TEXT = "Klasse und Rolle / الفئة"

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

    def go(self, path, name):
        self.visitor.go(path)
        return self.at(name)

    def at(self, name):
        page = self.visitor.see(name).page
        self.seen += 1
        if self.language == "en":
            return self.visitor  # other tests look at these pages
        if PICTURES:
            path = Path(PICTURES) / f"{self.language}-{self.seen:02}-{name}.png"
            page.screenshot(path=path, full_page=True, caret="initial")
        assert page.evaluate(WIDER) == []
        expect_none(violations(self.visitor))
        return self.visitor

    def send(self, name):
        """Press the last button of the page's form."""
        self.at(name).page.locator("main form button:not([type=button])").last.click()

    def typed(self, field, text):
        """Type into a field of the page."""
        self.visitor.page.locator(f"#{field}").fill(text)

    def save_rule(self, sure):
        self.at("rule")
        self.typed("inputs", TEXT)
        self.typed("confidence", sure)
        self.visitor.page.locator("#rule .save-row button").first.click()


def walk(visit, stored, language):
    """Play a whole study on a phone; returns the person."""
    slug = stored.make_study(new_slug(), language=language, **RICH)
    visitor = visit(f"/s/{slug}")
    look, page = Look(visitor, language), visitor.page
    age, sure, times = NUMBERS[language]
    look.at("consent").page.locator("button[value=yes]").click()
    look.send("instructions")
    person = stored.person(visitor.token)
    look.at("questions").page.get_by_label("linguist").check()
    assert reads(page, "label[for=q_age]") == "How old are you?"  # the study's words are English
    assert reads(page, "#q_job legend") == "What do you do?"
    if language in NO_NUMBERS:
        refused(look, *NO_NUMBERS[language])
    look.typed("q_age", age)
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
    look.save_rule(sure)
    look.at("world").page.locator(".choice a").click()
    look.at("direct").page.get_by_label("perform").first.check()
    page.locator("#direct input[value=before]").check()
    look.typed("times", times)
    page.locator("#direct button").last.click()
    look.save_rule(sure)
    visitor.see("questions")
    look.send("questions")
    look.at("debrief")
    assert (person.row.state, page.locator("#code").inner_text()) == ("finished", person.row.code)
    return visitor, person


def reads(page, selector):
    """Return the text of an element as it is seen from left to right, character by character."""
    return page.locator(selector).evaluate(
        """element => {
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const found = [];
            for (let node; (node = walker.nextNode()); )
                for (let at = 0; at < node.length; at++) {
                    const range = document.createRange();
                    range.setStart(node, at);
                    range.setEnd(node, at + 1);
                    const box = range.getBoundingClientRect();
                    if (box.width) found.push([box.left, node.data[at]]);
                }
            return found.sort((a, b) => a[0] - b[0]).map(one => one[1]).join("");
        }"""
    )


def refused(look, text, asked):
    """Send an answer that is no whole number; it is explained in the language, and kept."""
    look.typed("q_age", text)
    look.visitor.page.locator("#questions button").click()
    error = look.visitor.page.locator("#q_age-error")
    assert asked in error.inner_text()
    look.at("questions")
    assert look.visitor.page.locator("#q_age").input_value() == text
    assert reads(look.visitor.page, ".problem a") == "How old are you?"


@pytest.mark.timeout(300)  # it plays twice
@pytest.mark.parametrize("language", ENDS)
@pytest.mark.long
def test_whole_way_in_another_language_stores_the_same_rows_as_in_english(
    visit, stored, faults, language
):
    faults.expect("status of 422")
    _, english = walk(visit, stored, "en")
    visitor, person = walk(visit, stored, language)
    direction, thanks = ENDS[language]
    assert visitor.page.locator("h1").inner_text() == thanks
    assert visitor.page.evaluate(
        "() => [document.documentElement.lang, getComputedStyle(document.body).direction]"
    ) == [language, direction]
    rows = person.kept()
    assert rows == english.kept()
    stored_in = {table for table, _ in rows}
    assert stored_in >= {"participant", "answer", "direct_answer", "explanation", "turn", "seat"}
    assert any(row.get("confidence") == 80 and row["inputs"] == TEXT for _, row in rows)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", ENDS)
@pytest.mark.long
def test_pages_beside_the_way_in_another_language(visit, stored, faults, language):
    """Leaving, problems, errors, a full study, a closed one, and every end."""
    faults.expect("status of 400", "status of 404", "status of 422")
    slug = stored.make_study(new_slug(), language=language, people={"quota": 2})
    person = stored.enrol(slug)
    look = Look(visit(f"/s/{slug}"), language)
    look.at("consent").page.locator("button[value=no]").click()
    look.at("declined")
    look.go(f"{person.home}/leave", "leave")
    look.go(f"{person.home}/problem", "problem").page.locator("main form button").first.click()
    look.at("problem")  # nothing was written
    look.go(f"{person.home}/nowhere", "error")
    look.go(f"/s/{slug}?PROLIFIC_PID=undefined", "error")
    look.go(person.to_rule().home, "rule")
    look.typed("confidence", "101")
    look.visitor.page.locator("#rule .save-row button").first.click()
    look.visitor.page.locator("#confidence-error").wait_for()
    look.at("rule")
    for state, reason in ENDINGS:
        with stored.store.write() as db:
            participants.change(db, person.row.id, {"state": state, "end_reason": reason})
        look.go(person.home, "outcome")
    stored.close_study(slug)
    look.go(f"/s/{slug}", "consent")
