"""The list of a study's participants: with, without, or only test players."""

import re

import pytest

from tests.walker import Walker

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
