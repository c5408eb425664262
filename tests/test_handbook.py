"""The documentation site: built, with an example study in it, and without a dead link."""

import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from bench import handbook
from bench.serving import ROOT

ADDRESSES = {"a": "href", "link": "href", "img": "src", "script": "src"}


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names |= {given.get("id"), given.get("name")}
        if address := given.get(ADDRESSES.get(tag)):
            self.links.append(unescape(address))


def dead_links(site):
    """Return (page, address) of every link that leads to no file, or to nothing in a page."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    return [
        (path.relative_to(site).as_posix(), link)
        for path, page in pages.items()
        for link in page.links
        if not leads(site, pages, path, link)
    ]


def leads(site, pages, path, link):
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True  # elsewhere
    start = site if parts.path.startswith("/") else path.parent
    target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    anchors = pages[target].names if target in pages else {unquote(parts.fragment)}
    return target.is_file() and unquote(parts.fragment) in anchors


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    example = tmp_path_factory.mktemp("example")
    for path in (ROOT / "docs" / "example").glob("*.html"):
        (example / path.name).write_text("<p>A page that the documentation links</p>")
    (example / "index.html").write_text('<h1 id="a">Example</h1><a href="replay.html#b">b</a>')
    (example / "replay.html").write_text('<p id="b">Step</p>')
    return handbook.make(tmp_path_factory.mktemp("docs"), example)


@pytest.mark.long
def test_site_has_no_dead_link_and_opens_the_example(site):
    assert dead_links(site) == []
    text = (site / "example.html").read_text("utf-8")
    assert re.search(r'href="example/index.html"', text)
    assert "Example</h1>" in (site / "example" / "index.html").read_text("utf-8")
    assert len(list(site.rglob("*.html"))) > 40


@pytest.mark.long
def test_site_without_another_example_holds_the_pages_of_the_docs(tmp_path):
    site = handbook.make(tmp_path / "docs")
    assert dead_links(site) == []
    names = {path.name for path in (ROOT / "docs" / "example").glob("*.html")}
    assert {"report.html", "agreement.html", "replay-inducer-00.html"} <= names
    assert {path.name for path in (site / "example").glob("*.html")} == names


def test_workflow_that_publishes_the_site_is_valid_and_asks_for_no_secret():
    """By GitHub's own schema, which check-jsonschema contains."""
    workflow = ROOT / ".github" / "workflows" / "pages.yml"
    program = Path(sys.executable).parent / "check-jsonschema"
    check = [program, "--builtin-schema", "vendor.github-workflows", workflow]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "secrets" not in workflow.read_text()
    assert "make site" in workflow.read_text()


@pytest.mark.long
def test_reference_pages_of_the_site_hold_what_the_code_declares(site):
    for name, words in {
        "options": "--encrypt-to",
        "settings": "HJSTUDY_OIDC_ISSUER",
        "addresses": "/admin/studies/{slug}/report",
        "calls": "/api/v1/runs/{run}/result",
    }.items():
        assert words in (site / "reference" / f"{name}.html").read_text("utf-8")


def test_link_to_nowhere_in_a_site_is_found(tmp_path):
    (tmp_path / "one.html").write_text('<a href="two.html#no">1</a><a href="#x">2</a><p id="x">')
    (tmp_path / "two.html").write_text('<img src="no.png"><a href="one.html#x">3</a>')
    assert dead_links(tmp_path) == [("one.html", "two.html#no"), ("two.html", "no.png")]
