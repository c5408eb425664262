"""Previews through a signed test link play everything, are marked and are not counted."""

import csv
import io
from datetime import UTC, datetime

import pytest

from app.store.play import participants
from app.study.design import publishing
from app.study.play import entry_ticket
from tests.walker import Walker
from tests.web.conftest import NOW

pytestmark = pytest.mark.one_database


@pytest.fixture
def link(server, study):
    return publishing.test_link(server.store, "demo", now=NOW)


@pytest.fixture(autouse=True)
def same_clock(clock):
    """Set the server's clock to the time when the links were created."""


def play_through(walker, look):
    """Play the small study to its end."""
    for _ in range(40):
        if walker.page.name == "debrief":
            return walker
        if walker.page.name == "practice":
            walker.leave_practice()
        elif walker.page.name == "game":
            block, position = (int(walker.url.split("/")[at]) - 1 for at in (4, 6))
            walker.type(*look.solution(walker.token, block, position)).to_rule()
        elif walker.page.name == "rule":
            walker.explain()
        else:
            walker.send("ticket")
    raise AssertionError(f"stuck at {walker.page.name}")


def test_preview_plays_the_whole_study_as_a_test_person(client, link, look):
    walker = Walker(client).enter(link)
    assert ">Preview</p>" in walker.answer.text
    play_through(walker, look)
    person = look.person(walker.token)
    assert (person.is_test, person.state) == (True, "finished")
    assert ">Preview</p>" in walker.answer.text


def test_preview_goes_through_every_kind_of_page(client, make_study, server, look):
    make_study(
        slug="rich",
        blocks=[
            {"task": "A-Over", "seeds": [1]},
            {"task": "P-Comp", "seeds": [2], "format": "direct"},
        ],
        options={"episodes_per_block": 1},
        questions={
            "before": [{"key": "age", "label": "Age?", "kind": "number"}],
            "comprehension": [{"key": "cost", "label": "Cost?", "options": ["0", "1"]} | ONE],
            "comment": True,
        },
    )
    walker = Walker(client).enter(publishing.test_link(server.store, "rich", now=NOW))
    seen = []
    while walker.page.name != "debrief":
        assert ">Preview</p>" in walker.answer.text
        seen.append(walker.page.name)
        answer_page(walker, look)
    pages = ["questions", "practice", "comprehension", "game", "rule", "direct", "rule"]
    assert seen == [*pages, "questions"]
    person = look.person(walker.token)
    assert (person.is_test, person.state, person.seat) == (True, "finished", "")


ONE = {"answer": "1"}


def answer_page(walker, look):
    """Do what the page asks for, then go on."""
    if walker.page.name == "practice":
        walker.leave_practice()
    elif walker.page.name == "game":
        walker.type(*look.solution(walker.token)).to_rule()
    elif walker.page.name == "rule":
        walker.explain()
    else:
        stated = {"activity": "perform", "placed": "before", "times": "1"}
        typed = {"q_age": "40", "q_cost": "1", "q_comment": "Fine.", **stated}
        walker.send("ticket", **typed)


def test_consent_page_says_that_it_is_a_preview(client, link):
    assert "This is a preview" in client.get(link).text
    assert "This is a preview" not in client.get("/s/demo").text


def test_preview_enters_a_closed_study_that_others_cannot(client, link, server):
    publishing.change_state(server.store, "demo", "closed", by="ada", now=NOW)
    assert Walker(client).enter(link).page.name == "practice"
    key = server.keys.signing(entry_ticket.KEY)
    posted = {"answer": "yes", "ticket": entry_ticket.make(key, "demo", datetime.now(UTC))}
    assert client.post("/s/demo", data=posted).status_code == 403


def test_preview_button_leads_to_a_draft_as_it_stands(researcher, client, look):
    researcher.get("/admin/studies/demo/design/texts")
    researcher.send("revision", **{"texts.pay": "GBP 77"})
    answer = researcher.client.post("/admin/studies/demo/actions/preview")
    assert answer.url.path == "/s/demo"
    assert "GBP 77" in answer.text
    assert "GBP 77" not in client.get("/s/demo").text
    walker = Walker(client).enter(f"/s/demo?{answer.url.query.decode()}")
    assert look.person(walker.token).is_test


def test_preview_of_a_draft_that_is_not_ready_says_why(researcher):
    researcher.get("/admin/new-study").send("title", title="Winter")
    answer = researcher.client.post("/admin/studies/winter/actions/preview")
    assert answer.status_code == 422
    assert "Cells: needs at least one entry" in answer.text


@pytest.mark.parametrize("value", ["1.1.1", "x", "1.1.99999999999." + "0" * 32])
def test_link_that_is_not_ours_opens_nothing(client, study, value):
    assert client.get(f"/s/demo?test={value}").status_code == 403
    form = {"answer": "yes", "ticket": "t" * 20, "test": value}
    assert client.post("/s/demo", data=form).status_code == 403


def test_get_of_a_test_link_changes_nothing(client, link, server, researcher):
    for _ in range(3):
        client.get(link)
    assert "No one has started yet" in researcher.get("/admin/studies/demo").answer.text


def test_test_people_are_in_no_count_quota_or_default_export(
    client, make_study, researcher, server
):
    make_study(slug="two", people={"quota": 1}, per_player=1, options={"practice": False})
    link = publishing.test_link(server.store, "two", now=NOW)
    for _ in range(2):
        Walker(client).enter(link)
    assert Walker(client).enter("/s/two").page.name in {"practice", "game"}
    page = researcher.get("/admin/studies/two").answer.text
    assert "1 of 1" in page
    table = researcher.client.get("/admin/studies/two/download/participant/csv").text
    assert len(list(csv.DictReader(io.StringIO(table)))) == 1
    assert Walker(client).enter(link).page.name in {"practice", "game"}  # full only for others


def test_who_declines_in_a_preview_is_a_test_person_too(client, link, server):
    walker = Walker(client).get(link).send("answer", answer="no")
    assert ">Preview</p>" in walker.answer.text
    table = participants.participant
    with server.store.read() as db:
        row = db.execute(table.select()).one()
    assert (row.state, row.is_test) == ("no_consent", True)


def test_preview_does_not_freeze_the_design(client, link, server, researcher):
    Walker(client).enter(link)
    assert "none yet" in researcher.get("/admin/studies/demo/design").answer.text
