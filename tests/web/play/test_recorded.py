"""The consent page claims to record what this design can record, and nothing else."""

import pytest

from tests.walker import one_line

pytestmark = pytest.mark.one_database
COMMANDS, TAPS = "every command you type", "how often you tap a name"
ANSWERS, ID = "your answers to questions", "the ID that your recruitment platform adds"
PROCESS, CANARY = "how long the page is hidden", "a hidden sentence on this study"
ALL = {COMMANDS, TAPS, ANSWERS, ID, PROCESS, CANARY}
USUAL = ALL - {CANARY}
DIRECT = [{"task": "A-Over", "seeds": [2], "format": "direct"}]
ASKED = {"questions": {"comment": True}}
CASES = {  # name -> what the study changes, what its page says is recorded
    "usual": ({}, USUAL),
    "no taps": ({"options": {"tap": False}}, USUAL - {TAPS}),
    "no id": ({"options": {"id_parameters": []}}, USUAL - {ID}),
    "no questions": ({"questions": {"comment": False}}, USUAL - {ANSWERS}),
    "no process data": ({"people": {"process_data": False}}, USUAL - {PROCESS}),
    "canary": ({"options": {"canary": True}}, ALL),
    "stated": ({"blocks": DIRECT, "options": {"practice": False}}, USUAL - {COMMANDS, TAPS}),
    "practice": ({"blocks": DIRECT}, USUAL),
}


@pytest.mark.parametrize("name", CASES)
def test_page_claims_just_what_the_design_records(client, make_study, name):
    changes, wanted = CASES[name]
    made = {"blocks": [{"task": "A-Over", "seeds": [2]}], "per_player": 1, **ASKED, **changes}
    make_study(slug="what", **made)
    page = one_line(client.get("/s/what").text)
    assert {line for line in ALL if line in page} == wanted


def test_built_in_text_of_a_study_that_no_one_plays_names_no_commands(client, make_study):
    make_study(slug="said", blocks=DIRECT, per_player=1)
    assert "say in a form what it takes to" in one_line(client.get("/s/said").text)
    assert "by typing commands" not in one_line(client.get("/s/said").text)
    make_study(slug="gesagt", blocks=DIRECT, per_player=1, language="de")
    assert "geben in einem Formular an" in one_line(client.get("/s/gesagt").text)
