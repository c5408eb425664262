"""The page before a study is opened: what blocks, what to check, a test play."""

from datetime import UTC, datetime, timedelta

import pytest

from app.store.play import participants
from app.study.design import draft, publishing
from tests.walker import Walker
from tests.web.design.designing import part

OPEN = "/admin/studies/demo/open"
MENDED = {"payment.base_cents": "400"}


@pytest.fixture
def study(make_study):
    """A real study that promises GBP 4 and pays nothing; it is closed."""
    return make_study(kind="real")


@pytest.fixture(autouse=True)
def closed(study, server):
    publishing.change_state(server.store, "demo", "closed", by="ada", now=datetime.now(UTC))


def publish(researcher):
    board = researcher.get("/admin/studies/demo/design")
    form = next(one for one in board.page.forms if one.action.endswith("/publish"))
    assert board.client.post(form.action, data=form.fields).status_code == 200


def state(server):
    with server.store.read() as db:
        return draft.load(db, "demo").state


def test_promise_that_is_not_paid_blocks_until_the_pay_section_pays_it(researcher, server):
    page = researcher.get(OPEN)
    assert "Players read “GBP 4 for about 20 minutes”. The pay section pays GBP 0.00" in (
        page.answer.text
    )
    assert not any(one.action.endswith("/actions/open") for one in page.page.forms)
    answer = researcher.client.post("/admin/studies/demo/actions/open")
    assert answer.status_code == 422
    assert "Enter the promised amount" in answer.text
    assert state(server) == "closed"

    link = next(one for one in page.page.links if one.endswith("#payment-base_cents"))
    researcher.get(link).send("revision", **MENDED)
    publish(researcher)
    page = researcher.get(OPEN)
    form = next(one for one in page.page.forms if one.action.endswith("/actions/open"))
    researcher.client.post(form.action, data=form.fields)
    assert state(server) == "open"


def test_draft_with_faults_lists_them_and_cannot_be_opened(researcher):
    researcher.get("/admin/new-study").send("title", title="Winter")
    page = researcher.get("/admin/studies/winter/open")
    assert "Cells: needs at least one entry" in page.answer.text
    assert not any(one.action.endswith("/actions/open") for one in page.page.forms)


def play_test(researcher, client, look, minutes, server):
    """Play a test link to the end, as if it had taken some minutes."""
    form = next(
        one
        for one in researcher.get("/admin/studies/demo/design").page.forms
        if one.action.endswith("/actions/preview")
    )
    url = researcher.client.post(form.action, data=form.fields, follow_redirects=False)
    player = Walker(client).enter(url.headers["location"]).leave_practice()
    person = look.person(player.token)
    ended = {"state": "finished", "finished_at": person.consented_at + timedelta(minutes=minutes)}
    with server.store.write() as db:
        participants.change(db, person.id, ended)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (25, "Test plays to the end: 1, in 25 minutes"),
        (31, "Correct the expected minutes"),
        (0.05, "No person has played this design to its end; bots and jumps do not count."),
    ],
)
def test_test_play_is_found_with_its_time(researcher, client, look, server, minutes, words):
    assert "No person has played this design" in researcher.get(OPEN).answer.text
    play_test(researcher, client, look, minutes, server)
    assert words in researcher.get(OPEN).answer.text


def test_test_play_of_an_earlier_design_does_not_count(researcher, client, look, server):
    play_test(researcher, client, look, 25, server)
    part(researcher, "cells", "demo").send("revision", per_player="1")
    publish(researcher)
    text = researcher.get(OPEN).answer.text
    assert "bots and jumps do not count. Test plays of earlier designs: 1." in text


def test_each_task_has_a_sentence_and_an_example_and_cells_have_names(researcher):
    page = part(researcher, "cells", "demo")
    links = [one for one in page.page.links if one.startswith("/admin/tasks/")]
    assert len(links) == 8
    example = researcher.get(links[0])
    assert example.answer.status_code == 200
    assert "Add sizes (A-Add): an example" in example.answer.text
    assert researcher.client.get("/admin/tasks/X-Add").status_code == 404
    for place in ("design", "monitor"):
        text = researcher.get(f"/admin/studies/demo/{place}").answer.text
        assert "Size with an exception, seed 1" in text


def test_open_real_study_cannot_be_published_with_a_higher_promise(researcher, server, client):
    link = next(one for one in researcher.get(OPEN).page.links if "#payment-base_cents" in one)
    page = researcher.get(link)
    page.send("revision", **MENDED)
    publish(researcher)
    researcher.client.post("/admin/studies/demo/actions/open")
    assert state(server) == "open"
    part(researcher, "texts", "demo").send("revision", **{"texts.pay": "GBP 400"})
    board = researcher.get("/admin/studies/demo/design")
    form = next(one for one in board.page.forms if one.action.endswith("/publish"))
    answer = board.client.post(form.action, data=form.fields)
    assert answer.status_code == 422
    assert "Enter the promised amount" in answer.text
    assert "GBP 400" not in client.get("/s/demo").text
