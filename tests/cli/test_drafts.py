"""Commands for a study that is still a draft say so, or work."""

import json
from datetime import UTC, datetime

import pytest

from app.study.design import draft
from app.study.tickets import new_ticket

DRAFT = {
    "slug": "planned",
    "title": "Planned",
    "kind": "pilot",
    "per_player": 1,
    "blocks": [{"task": "A-Over", "seeds": [0]}],
}


@pytest.fixture
def made(store):
    draft.make(store, DRAFT, ticket=new_ticket(), by="ada", now=datetime.now(UTC))


@pytest.mark.parametrize(
    "command",
    [
        ("study", "link", "planned"),
        ("study", "file", "planned"),
        ("simulate", "--study", "planned", "--bots", "oracle:1"),
        ("export", "--study", "planned", "--out", "out"),
    ],
)
def test_command_that_needs_an_open_study_says_that_it_is_a_draft(made, hjstudy, command):
    code, _, err = hjstudy(*command)
    assert code == 2
    assert "still a draft. Open it first: hjstudy study open planned" in err


def test_draft_is_planned_by_command(made, facts):
    sure = ("--people", 2, "--skill", 1, "--spread", 0, "--dropout", 0, "--simulated", 10)
    assert facts("plan", "planned", *sure)["filling"]["finished"] == 2


def test_doctor_passes_over_a_draft(made, hjstudy):
    _, out, _ = hjstudy("doctor", "--json")
    found = {one["name"]: one for one in json.loads(out)}
    assert found["reference"]["state"] == "ok", found["reference"]["text"]
    assert "planned" not in out
