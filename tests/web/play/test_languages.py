"""Players' pages in other languages: nothing stays English, and nothing stored is in a language."""

import json
import re
from gettext import NullTranslations
from html.parser import HTMLParser

import pytest

from app.languages import catalogue
from tests.web.play.tour import OWN, Tour

WORD = re.compile(r"[A-Za-z]{2,}")
OURS, VOID = {"⟦": 1, "⟧": -1}, {"br", "meta", "link", "img", "hr", "input"}
SAID = ("aria-label", "placeholder", "title", "alt", "content")
TYPED = {"textarea", "script", "style"}
# What stays as it is in every language, apart from the names of the world: addresses, codes, times.
SAME = re.compile(
    r"https?://\S+|\bUTC\b|\b[A-Z2-9]{8}\b|Hero’s Journey|\b(NO1|FAIL|HJSTUDY_\w+|PROLIFIC_PID)\b"
    r"|width=device-width.*|light dark|noindex|x{500,}|\bq_\w+"
)
COMMANDS = {"go", "buy", "defeat", "perform", "drink", "get", "rescue", "check", "x", "now"}


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
        for value in [given.get(name) for name in SAID]:
            self.found += self.outside(value or "")
        for said in json.loads(given.get("data-words") or "{}").values():
            self.found += self.outside(said)

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
    return [one.strip() for one in pieces if set(WORD.findall(one)) - world]


@pytest.fixture
def pseudo(monkeypatch):
    """German pages speak in brackets."""
    monkeypatch.setattr(catalogue, "translations_of", lambda _code: Pseudo())
    catalogue.speech.cache_clear()
    yield
    catalogue.speech.cache_clear()


def test_every_text_of_players_pages_is_translated(client, server, look, make_study, pseudo):
    tour = Tour(client, server, look, make_study, language="de")
    pages = tour.walk()
    world = COMMANDS | {word for name in tour.names() for word in WORD.findall(name)}
    found = {name: untranslated(html, world) for name, html in pages.items()}
    assert {name: pieces for name, pieces in found.items() if pieces} == {}
