"""The link given to participants."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import pytest

from app.store.play import participants
from app.study.design import studies
from tests.walker import Walker


def people(server):
    with server.store.read() as db:
        return db.execute(participants.participant.select()).all()


def test_get_of_the_link_changes_nothing(walker, server):
    for _ in range(3):
        walker.get("/s/demo?PROLIFIC_PID=abc")
    assert walker.page.name == "consent"
    assert people(server) == []


def test_consent_says_pay_minutes_and_that_pay_does_not_depend_on_score(walker):
    walker.get("/s/demo")
    for words in ("GBP 4", "20 minutes", "paid whatever your score", "IP address"):
        assert words in walker.answer.text


def test_same_person_twice_is_one_row_with_one_address(walker, server):
    link = "/s/demo?PROLIFIC_PID=abc&STUDY_ID=s1&SESSION_ID=x1"
    walker.get(link).send("answer", answer="yes")
    first = walker.token
    walker.get(link)
    assert walker.token == first
    assert len(people(server)) == 1


def test_two_devices_at_once_make_one_person(client, study, server):
    pages = [Walker(client).get("/s/demo?PROLIFIC_PID=abc") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda page: page.send("answer", answer="yes"), pages))
    assert len({page.token for page in pages}) == 1
    assert len(people(server)) == 1


def test_double_click_on_agree_without_an_id_makes_one_person(walker, server):
    walker.get("/s/demo")
    form = walker.page.form("answer")
    for _ in range(2):
        walker.client.post(form.action, data={**form.fields, "answer": "yes"})
    assert len(people(server)) == 1


def test_platform_ids_are_stored_apart(walker, server):
    walker.get("/s/demo?PROLIFIC_PID=platform-id&STUDY_ID=s1&SESSION_ID=x1").send(
        "answer", answer="yes"
    )
    with server.store.read() as db:
        [row] = db.execute(participants.identity.select()).all()
    assert (row.platform, row.external_id) == ("prolific_pid", "platform-id")
    assert (row.external_study, row.external_session) == ("s1", "x1")
    assert "platform-id" not in walker.answer.text


def test_decline_is_recorded_and_may_be_thought_over(walker, server):
    link = "/s/demo?PROLIFIC_PID=abc"
    walker.get(link).send("answer", answer="no")
    assert walker.page.name == "declined"
    assert [row.state for row in people(server)] == ["no_consent"]
    walker.get(link).send("answer", answer="yes")
    assert [row.state for row in people(server)] == ["active"]


def answer_again(walker, kept, answer):
    """Answer a consent page that the browser kept; return the name of the next page."""
    walker.page = kept
    return walker.send("answer", answer=answer).page.name


LINKS = pytest.mark.parametrize("link", ["/s/demo", "/s/demo?PROLIFIC_PID=abc"])


@LINKS
def test_person_who_declined_can_return_to_the_page_and_agree(walker, server, link):
    kept = walker.get(link).page
    walker.send("answer", answer="no")
    assert answer_again(walker, kept, "yes") == "instructions"
    assert people(server)[-1].state == "active"


@LINKS
def test_decline_after_consent_changes_nothing_and_leads_to_leaving(walker, server, link):
    kept = walker.get(link).page
    walker.send("answer", answer="yes")
    for _ in range(2):
        assert answer_again(walker, kept, "no") == "leave"
    assert [row.state for row in people(server)] == ["active"]


def test_decline_in_a_second_tab_after_consent_leads_to_leaving(walker, server):
    stale = Walker(walker.client).get("/s/demo?PROLIFIC_PID=abc")
    walker.get("/s/demo?PROLIFIC_PID=abc").send("answer", answer="yes")
    stale.send("answer", answer="no")
    assert stale.page.name == "leave"
    assert [row.state for row in people(server)] == ["active"]


def test_double_click_on_decline_makes_one_person(walker, server):
    kept = walker.get("/s/demo?PROLIFIC_PID=abc").page
    for _ in range(2):
        assert answer_again(walker, kept, "no") == "declined"
    assert [row.state for row in people(server)] == ["no_consent"]


def test_closed_study_takes_no_one_new_but_keeps_those_inside(walker, server):
    walker.get("/s/demo?PROLIFIC_PID=abc").send("answer", answer="yes")
    late = Walker(walker.client).get("/s/demo?PROLIFIC_PID=late")
    studies.set_state(server.store, "demo", "closed")
    late.send("answer", answer="yes")
    assert late.answer.status_code == 403
    assert "not taking new players" in late.answer.text
    walker.get("/s/demo?PROLIFIC_PID=abc")
    assert walker.page.name == "instructions"
    assert len(people(server)) == 1


def test_id_too_long_or_odd_is_refused_in_words(walker, server):
    for value in ("x" * 200, "a%00b", "a%0Ab"):
        walker.get(f"/s/demo?PROLIFIC_PID={value}")
        assert walker.answer.status_code == 400
    assert people(server) == []


@pytest.mark.parametrize(
    "value", ["%7B%7B%25PROLIFIC_PID%25%7D%7D", "{{%25PROLIFIC_PID%25}}", "null", "%20", ""]
)
def test_unfilled_id_leads_no_one_to_the_first_persons_place(walker, server, value):
    for _ in range(2):
        walker.get(f"/s/demo?PROLIFIC_PID={value}")
        assert walker.answer.status_code == 400
        assert "Open study link in a new window" in walker.answer.text
        posted = {"PROLIFIC_PID": unquote(value), "answer": "yes"}
        assert walker.client.post("/s/demo", data=posted).status_code == 400
    assert people(server) == []


def test_link_with_escaped_ampersands_and_small_letters_keeps_its_ids(walker, server):
    link = "/s/demo?prolific_pid=abc&amp;STUDY_ID=s1&amp;session_id=x1"
    walker.get(link).send("answer", answer="yes")
    first = walker.token
    assert walker.get("/s/demo?PROLIFIC_PID=abc").token == first
    with server.store.read() as db:
        [row] = db.execute(participants.identity.select()).all()
    assert (row.external_id, row.external_study, row.external_session) == ("abc", "s1", "x1")


def test_unknown_study_is_a_page_in_plain_words(client):
    answer = client.get("/s/no-such-study")
    assert answer.status_code == 404
    assert "check its name or the link" in answer.text


def test_design_freezes_with_the_first_real_player(walker, server):
    from app.store.design.studies import design

    walker.get("/s/demo").send("answer", answer="yes")
    with server.store.read() as db:
        [row] = db.execute(design.select()).all()
    assert row.frozen_at is not None


def test_arrivals_fill_the_emptiest_cells_and_rotate_guardians(client, make_study, server):
    make_study(
        slug="spread",
        per_player=1,
        order="balanced",
        blocks=[{"task": "A-Add", "seeds": "0-1"}],
    )
    for _ in range(6):
        Walker(client).get("/s/spread").send("answer", answer="yes")
    from app.store.play.episodes import block, episode

    with server.store.read() as db:
        cells = [row.cell for row in db.execute(block.select()).all()]
        firsts = db.execute(
            episode.select().where(episode.c.kind == "main", episode.c.position == 0)
        ).all()
    assert sorted(cells.count(cell) for cell in set(cells)) == [3, 3]
    assert len({(row.variant_hash, row.variant_episode) for row in firsts}) == 6


def test_consent_is_kept_with_the_hash_of_the_text_and_version_agreed_to(client, make_study, look):
    consent_texts = {"consent": "You take part of your own free will.", "consent_version": "7b"}
    make_study(slug="one", texts=consent_texts, per_player=1)
    make_study(slug="two", texts={**consent_texts, "consent_version": "8"}, per_player=1)
    found = [look.person(Walker(client).enter(f"/s/{slug}").token) for slug in ("one", "two")]
    expected = [f"{version}\n{consent_texts['consent']}" for version in ("7b", "8")]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in expected]
    assert [row.consent_hash for row in found] == digests
