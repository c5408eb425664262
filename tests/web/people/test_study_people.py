"""The study's page: its participants with, without or only test players, and its cells."""

import re

import pytest

from tests.walker import Walker, one_line

OWN = "/admin/studies/demo"


@pytest.fixture
def mixed(study, client, researcher):
    """Two people, and one of two test players, who has agreed."""
    for name in ("one", "two"):
        Walker(client).enter(f"/s/demo?PROLIFIC_PID={name}")
    page = researcher.get(f"{OWN}/try").send("number", number="2").answer.text
    frame = page.split('<iframe src="')[1].partition('"')[0].replace("&amp;", "&")
    Walker(client).enter(frame)


def listed(text):
    """Return the number of people in the list, and of those marked as test players."""
    people = text.partition('id="people-h"')[2].partition("</section>")[0]
    return people.count("/admin/participants/"), people.count('<span class="tag">test</span>')


@pytest.mark.parametrize(
    ("show", "number", "chosen"),
    [
        ("", (3, 1), "Everyone (3)"),
        ("?show=all", (3, 1), "Everyone (3)"),
        ("?show=counted", (2, 0), "Without test players (2)"),
        ("?show=test", (1, 1), "Test players only (1)"),
        ("?show=nonsense", (3, 1), "Everyone (3)"),
    ],
)
def test_test_players_can_be_left_out_of_the_list_or_listed_alone(
    mixed, researcher, show, number, chosen
):
    text = researcher.get(f"{OWN}{show}").answer.text

    assert listed(text) == number
    assert re.findall(r'aria-current="true">([^<]+)<', text) == [chosen]


def test_filters_are_links_that_lead_to_each_other(mixed, researcher):
    researcher.get(OWN)
    for label, number in (("Test players only", 1), ("Without test players", 2), ("Everyone", 3)):
        found = re.findall(rf'<a href="([^"]+)"[^>]*>{label}', researcher.answer.text)
        assert listed(researcher.get(found[0]).answer.text)[0] == number


def test_study_without_test_players_has_no_filter(study, client, researcher):
    Walker(client).enter("/s/demo")
    assert "Without test players" not in researcher.get(OWN).answer.text


def heads(text):
    """Return the headings of the table of cells, and of the table of treatments above it."""
    tables = one_line(text).partition("<h2")[2].split("<table")[1:]
    found = [re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', one) for one in tables]
    return [one for one in found if one[0] in ("Cell", "Lexicon")]


def test_cells_of_a_study_and_of_its_monitor_have_one_order_and_the_same_words(
    make_study, researcher
):
    lines = [{"task": "A-Comp", "seeds": [1], "lexicon": one} for one in ("semantic", "nonce")]
    make_study(slug="two", blocks=lines, between="lexicon", per_player=1)
    pages = [researcher.get(f"/admin/studies/two{page}").answer.text for page in ("", "/monitor")]
    of_study, of_monitor = map(heads, pages)

    cells = ["Cell", "Finished", "Under way", "Expired", "Quota"]
    assert of_study == of_monitor == [["Lexicon", "Finished", "Under way"], cells]
    said = [one_line(page).partition("Under way:")[2].partition("</p>")[0] for page in pages]
    assert said[0] == said[1] != ""
