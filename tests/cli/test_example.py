"""hjstudy example: a whole simulated study, as pages that open from a folder."""

import csv
import io
import re
import zipfile
from html import unescape
from html.parser import HTMLParser

import pytest

from tests.pages import ROOT

LINKED = re.compile(r'\s(?:href|src)="([^"]*)"')
COMMITTED = ROOT / "docs" / "example"
SMALL = 1_000_000  # bytes
# what every simulated study has; sentences depend on its figures
SAID = {"title", "h1", "h2", "h3", "th", "dt", "summary", "caption", "a"}
NUMBERS = {"td", "svg"}
DRAWN = re.compile(r"\b[0-9a-f]{12,}\b|\bp_[0-9a-f]+|\d+")  # digests, IDs, numbers


class Said(HTMLParser):
    """What a page's headings say and what it links to, without what is drawn, timed or counted."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in SAID | NUMBERS:
            is_item = given.get("scope") == "row"  # such as an explanation, which a seed draws
            self.open.append("td" if is_item else tag)
        if tag == "a":
            self.found.append(DRAWN.sub("#", given.get("href", "")))

    def handle_endtag(self, tag):
        if tag in SAID | NUMBERS and self.open:
            self.open.pop()

    def handle_data(self, data):
        if self.open and not NUMBERS & set(self.open) and data.strip():
            self.found.append(DRAWN.sub("#", " ".join(data.split())))


@pytest.mark.timeout(600)  # plays, rates, draws figures
@pytest.mark.long
def test_example_is_a_folder_of_pages_that_need_no_server(facts, hjstudy, tmp_path):
    made = facts("example", "out", "--players", "4")
    folder = tmp_path / "out"
    pages = {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}
    assert made["people"] == 4
    assert made["pages"] == len(pages) > 15
    assert dead_links(folder, pages) == []
    assert not [name for name, text in pages.items() if "<form" in text or "<script" in text]
    assert "After action 1 of" in pages["replay-eliminator-01.html"]
    assert "Krippendorff" in pages["agreement.html"]
    rated = rows(folder / "bundle.zip", "rating")
    assert {row["rater"] for row in rated} == {"rater_1", "rater_2", "rater_3"}
    texts = [row["text"] for row in rows(folder / "bundle.zip", "explanation")]
    assert not [text for text in texts if "bot" in text.lower()]
    code, _, message = hjstudy("example", "out")
    assert (code, "is not empty" in message) == (2, True)


def test_pages_in_the_docs_are_few_and_need_nothing_else():
    pages = {path.name: path.read_text("utf-8") for path in COMMITTED.glob("*.html")}
    assert {"index.html", "report.html", "agreement.html", "replay-inducer-00.html"} <= set(pages)
    assert dead_links(COMMITTED, pages) == []
    assert not [name for name, text in pages.items() if "<form" in text or "<script" in text]
    assert not [path for path in COMMITTED.rglob("*") if path.suffix in {".js", ".zip"}]
    words = " ".join(pages.values())
    assert "guardian: World" not in words  # links to pages that are not here
    assert "guardian: Practice" not in words
    assert sum(path.stat().st_size for path in COMMITTED.rglob("*")) < SMALL


@pytest.mark.timeout(600)
@pytest.mark.long
def test_pages_in_the_docs_are_what_the_command_makes(facts, tmp_path):
    """If this fails: `make example-pages`. Sentences, numbers and styles may be older."""
    facts("example", "out", "--pages-only", "--players", "12")
    made, kept = (said_in(folder) for folder in (tmp_path / "out", COMMITTED))
    assert set(made) == set(kept)
    for name, said in made.items():
        assert said == kept[name], name


def said_in(folder):
    """Return file -> what it says; of pictures and styles, that they exist."""
    return {
        path.relative_to(folder).as_posix(): said_by(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def said_by(path):
    return Said(path.read_text("utf-8")).found if path.suffix == ".html" else []


def rows(bundle, table):
    with zipfile.ZipFile(bundle) as archive:
        (name,) = [one for one in archive.namelist() if one.endswith(f"level-{table}_data.csv")]
        return list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8"))))


def dead_links(folder, pages):
    """Return every address that leads to no file of the folder, or to no element of a page."""
    links = [(name, link) for name, text in pages.items() for link in LINKED.findall(text)]
    return [(name, link) for name, link in links if not leads(folder, name, unescape(link))]


def leads(folder, name, link):
    path, _, anchor = link.partition("#")
    target = (folder / (path or name)).resolve()
    if not target.is_file() or not target.is_relative_to(folder):
        return False
    return not anchor or f'id="{anchor}"' in target.read_text("utf-8")
