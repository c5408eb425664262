"""hjstudy example: a whole simulated study, as pages that open from a folder."""

import csv
import io
import re
import zipfile
from html import unescape

import pytest

LINKED = re.compile(r'\s(?:href|src)="([^"]*)"')


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
