"""Players' pages in other languages: nothing stays English, and nothing stored is in a language."""

import json
import re
from gettext import NullTranslations
from html.parser import HTMLParser

import pytest

from app.languages import catalogue
from app.languages.catalogue import LANGUAGES
from app.study.design import default_texts
from app.study.design.freeze import frozen_part
from app.study.design.spec import StudyFileError, check_study
from app.study.design.spec_parts import DEFAULT_INSTRUCTIONS
from tests.kept_rows import kept_rows
from tests.walker import Walker
from tests.web.conftest import SMALL
from tests.web.design.designing import part
from tests.web.play.tour import OWN, Tour

pytestmark = pytest.mark.one_database

WORD = re.compile(r"[A-Za-z]{2,}")
OURS, VOID = {"⟦": 1, "⟧": -1}, {"br", "meta", "link", "img", "hr", "input"}
ATTRIBUTES = ("aria-label", "placeholder", "title", "alt")
TYPED = {"textarea", "script", "style"}
# What stays as it is in every language, apart from the names of the world: addresses, codes, times.
SAME = re.compile(
    r"https?://\S+|\bUTC\b|\b[A-Z2-9]{8}\b|Hero’s Journey|\b(NO1|FAIL|HJSTUDY_\w+|PROLIFIC_PID)\b"
    r"|x{500,}|\bq_\w+"
)
COMMANDS = {
    *("go", "buy", "defeat", "perform", "drink", "get", "rescue", "check", "inventory", "location"),
    *("dance", "now", "nowhere"),  # typed by the player of the tour
}


class Pseudo(NullTranslations):
    """A language in which every message stands in brackets."""

    def gettext(self, message):
        return f"⟦{message}⟧"

    def ngettext(self, msgid1, msgid2, n):
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


class Words(HTMLParser):
    """The text of a page outside brackets, without what the player and the study wrote."""

    def __init__(self, html):
        super().__init__()
        self.found, self.depth, self.open = [], 0, []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        typed = tag in TYPED or "as-typed" in (given.get("class") or "")
        if tag not in VOID:
            self.open.append((tag, typed))
        for value in [given.get(name) for name in ATTRIBUTES]:
            self.found += self.outside(value or "")
        for word in json.loads(given.get("data-words") or "{}").values():
            self.found += self.outside(word)

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not any(typed for _, typed in self.open):
            self.found += self.outside(data)

    def outside(self, text):
        """Return the pieces of a text that stand in no brackets, which may begin before it."""
        pieces = [""]
        for sign in re.sub(f"{OWN}[^{OWN}]*{OWN}", " ", text):
            self.depth += OURS.get(sign, 0)
            if self.depth == 0 and sign not in OURS:
                pieces[-1] += sign
            elif pieces[-1]:
                pieces.append("")
        return pieces


def untranslated(html, world):
    """Return the pieces of text that are in English, apart from the names of the world."""
    pieces = [SAME.sub(" ", piece) for piece in Words(html).found]
    return [one.strip() for one in pieces if set(WORD.findall(one.lower())) - world]


def forget():
    """Forget what was translated."""
    for known in (catalogue.speech, default_texts.default_texts, default_texts.all_defaults):
        known.cache_clear()


@pytest.fixture
def pseudo(monkeypatch):
    """German pages speak in brackets."""
    monkeypatch.setattr(catalogue, "translations_of", lambda _code: Pseudo())
    forget()
    yield
    forget()


def test_every_text_of_players_pages_is_translated(client, server, look, make_study, pseudo):
    tour = Tour(client, server, look, make_study, language="de")
    pages = tour.walk()
    del pages["no player"]  # no one knows their language
    world = COMMANDS | {word for name in tour.names() for word in WORD.findall(name.lower())}
    found = {text: name for name, html in pages.items() for text in untranslated(html, world)}
    assert not found, "\n".join(f"{name}: {text}" for text, name in found.items())


def test_page_that_does_not_know_its_language_finds_it_for_players_and_studies(
    client, make_study, server
):
    make_study(language="de")
    walker = Walker(client).enter()
    home = f"/p/{walker.token}"
    for url, words in (
        (f"{home}/nowhere", "Wir finden diese Seite nicht"),
        ("/s/demo?entry=1.2.3", "persönliche Link wurde verändert"),
        ("/p/nobody", "We cannot find this page"),
        ("/admin/login", "Log in"),
    ):
        server.languages._codes.clear()  # as in another server process
        assert words in client.get(url).text
    server.languages._codes.clear()
    answer = client.post(f"{home}/practice", data={"raw": " "}, headers={"HX-Request": "true"})
    assert "Sie haben nichts eingegeben" in answer.text


def test_pages_name_their_language_and_direction(client, make_study):
    for language, tag in (("en", '"en-GB"'), ("de", '"de"'), ("ar", '"ar" dir="rtl"')):
        make_study(slug=language, language=language)
        assert f"<html lang={tag}>" in client.get(f"/s/{language}").text


ENGLISH_PLAY = {"q_age": "30", "confidence": "80", "times": "2"}
ARABIC_PLAY = {"q_age": "٣٠", "confidence": " ٨٠", "times": "٢"}
PLAYED = {
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "P-Add", "seeds": [3], "format": "direct"},
    ],
    "options": {"episodes_per_block": 1},
    "questions": {"before": [{"key": "age", "label": "Age?", "kind": "number"}], "comment": False},
}
STORED = {
    *("participant", "block", "episode", "turn", "answer", "explanation", "direct_answer"),
    *("seat", "seat_event", "person_event"),
}


def played(client, look, server, slug, typed):
    """Play a whole study; return all rows of the person."""
    walker = Walker(client).get(f"/s/{slug}").send("answer", answer="yes").send("ticket")
    walker.send("ticket", q_age=typed["q_age"]).type("dance", "go nowhere", "buy practice_sword")
    walker.leave_practice().type("check_location", *look.solution(walker.token)).to_rule()
    walker.send("confidence", inputs="Klasse", confidence=typed["confidence"])
    home = f"/p/{walker.token}"
    walker.get(home).send("ticket", activity="perform", placed="before", times=typed["times"])
    assert walker.send("confidence", inputs="a", confidence="").page.name == "debrief"
    with server.store.read() as db:
        return kept_rows(db, look.person(walker.token).id)


def test_same_play_stores_the_same_rows_in_every_language(client, make_study, look, server):
    found = {}
    for language in LANGUAGES:
        make_study(**{**PLAYED, "slug": language, "language": language})
        typed = ARABIC_PLAY if language == "ar" else ENGLISH_PLAY
        found[language] = played(client, look, server, language, typed)
    assert {name for name, _ in found["en"]} == STORED
    for language, rows in found.items():
        assert rows == found["en"], language


def test_texts_that_no_one_wrote_are_in_the_language_of_the_study():
    german = check_study({**SMALL, "language": "de"}).texts
    assert german.instructions.startswith("In jeder Welt gibt es **Wächter**")
    back = check_study({**SMALL, "texts": german.model_dump()}).texts
    assert back.instructions == str(DEFAULT_INSTRUCTIONS)
    own = {"instructions": "Our own text, in our own words."}
    assert (
        check_study({**SMALL, "language": "de", "texts": own}).texts.instructions
        == own["instructions"]
    )


def test_english_design_has_the_hash_it_had_before_languages_could_be_chosen():
    assert "language" not in frozen_part(check_study(SMALL))
    assert frozen_part(check_study({**SMALL, "language": "de"}))["language"] == "de"


@pytest.mark.parametrize("language", ["fr", "DE", "", 7, ["de"]])
def test_language_without_a_catalogue_is_refused(language):
    with pytest.raises(StudyFileError, match="language"):
        check_study({**SMALL, "language": language})


def test_design_page_offers_the_languages_and_shows_the_default_texts_in_the_chosen_one(
    researcher,
):
    offered = part(researcher, "basics", "demo").answer.text
    assert all(f'value="{code}"' in offered for code in LANGUAGES)
    assert "Each world has **guardians**" in part(researcher, "texts", "demo").answer.text
    part(researcher, "basics", "demo").send("language", language="de")
    assert "In jeder Welt gibt es **Wächter**" in part(researcher, "texts", "demo").answer.text
    assert '<html lang="en-GB"' in researcher.get("/admin/studies/demo").answer.text
