"""Strangers at the door of a study: self-made forms, many entries from one address, refusals."""

import time
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.main import create_app
from app.store.play import paces, participants, seats
from app.store.tickets import ticket
from app.study.design import draft, publishing, testlink
from app.study.play import entry_ticket
from app.study.tickets import new_ticket
from tests.walker import Walker

SLOW = {"untouched_minutes": 600}  # no entry is made up for while a test runs


@pytest.fixture
def at(app, settings, client):
    """Return a person at a browser with this address."""

    def make(address):
        return Walker(TestClient(app, base_url=settings.base_url, client=(address, 50_000)))

    return make


@pytest.fixture
def count(server):
    def rows(table):
        with server.store.read() as db:
            return db.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()

    return rows


def enter(walker, link="/s/demo", answer="yes"):
    return walker.get(link).send("answer", answer=answer).page.name


def test_sixty_bare_posts_with_tickets_of_their_own_take_no_seat(make_study, at, count):
    make_study(people={"quota": 30})
    for number in range(60):
        posted = {"answer": "yes", "ticket": new_ticket(), "PROLIFIC_PID": f"p{number}"}
        assert at("192.0.2.7").client.post("/s/demo", data=posted).status_code == 400
    assert count(participants.participant) == 0


def test_sixty_entries_from_one_address_leave_seats_for_the_others(make_study, at, count):
    make_study(people={"quota": 30}, clocks=SLOW)
    pages = [enter(at("192.0.2.7")) for _ in range(60)]
    assert (pages.count("instructions"), pages.count("wait")) == (7, 53)
    assert count(seats.seat) == 7 * 2
    assert enter(at("192.0.2.8"), "/s/demo?PROLIFIC_PID=ann") == "instructions"


@pytest.mark.long
def test_class_of_forty_behind_one_address_gets_in_with_a_burst_of_forty(make_study, at):
    make_study(people={"burst": 40}, clocks=SLOW)
    pages = [enter(at("192.0.2.7")) for _ in range(41)]
    assert pages == ["instructions"] * 40 + ["wait"]


def test_two_servers_on_one_postgresql_share_the_burst_of_an_address(make_study, app, settings):
    """On one SQLite file, each allows the whole burst."""
    make_study(people={"burst": 3}, clocks=SLOW)
    replica = create_app(settings)
    at = {"base_url": settings.base_url, "client": ("192.0.2.7", 50_000)}
    pages = [enter(Walker(TestClient(one, **at))) for one in (app, replica) * 2]
    is_shared = not replica.state.server.store.is_sqlite
    replica.state.server.store.dispose()
    assert pages == ["instructions"] * 3 + ["wait" if is_shared else "instructions"]


@pytest.fixture
def make_busy(server):
    """Let people from an address wait this long before the next may enter a study with burst 1."""

    def put(study, address, seconds):
        now = datetime.now(UTC)
        source = server.keys.source(address, now)
        with server.store.write() as db:
            paces.ensure(db, study.id, source)
            paces.put(db, study.id, source, round((now.timestamp() + seconds) * 1000))

    return put


def test_those_who_must_wait_see_how_long_and_are_let_in_without_a_script(
    make_study, at, count, make_busy
):
    study = make_study(people={"burst": 1})
    make_busy(study, "192.0.2.7", 90)
    late = at("192.0.2.7")
    assert enter(late, "/s/demo?PROLIFIC_PID=other") == "wait"
    assert "2 minutes" in " ".join(late.answer.text.split())
    assert late.answer.headers["Refresh"] == "30"
    make_busy(study, "192.0.2.7", 4)
    assert enter(late, "/s/demo?PROLIFIC_PID=late&STUDY_ID=s1") == "wait"
    assert "You can enter in" in late.answer.text
    assert 1 <= int(late.answer.headers["Refresh"]) <= 4
    assert count(participants.participant) == 0
    address = str(late.answer.url)
    time.sleep(4.1)
    assert late.get(address).page.name == "instructions"
    assert late.get(address).page.name == "instructions"
    assert count(participants.participant) == 1


def test_who_would_have_to_wait_for_a_full_study_is_told_at_once_that_it_is_full(
    make_study, at, count, make_busy
):
    study = make_study(people={"quota": 1, "burst": 1}, clocks=SLOW)
    waiting = at("192.0.2.7")
    make_busy(study, "192.0.2.7", 90)
    assert enter(waiting, "/s/demo?PROLIFIC_PID=early") == "wait"
    assert enter(at("192.0.2.8"), "/s/demo?PROLIFIC_PID=one") == "instructions"
    rows = count(participants.participant)
    with_id = at("192.0.2.7")
    pages = [enter(with_id, "/s/demo?PROLIFIC_PID=two"), enter(at("192.0.2.7"))]
    pages.append(waiting.get(str(waiting.answer.url)).page.name)
    assert pages == ["outcome"] * 3
    for person in (with_id, waiting):
        assert "All places were taken" in person.answer.text
        assert "Refresh" not in person.answer.headers
    assert count(participants.participant) == rows


def test_who_would_wait_for_a_full_study_waits_if_a_seat_is_about_to_be_freed(
    make_study, at, make_busy, server
):
    study = make_study(people={"quota": 1, "burst": 1}, clocks={"untouched_minutes": 5})
    enter(at("192.0.2.8"))
    make_busy(study, "192.0.2.7", 90)
    late = at("192.0.2.7")
    assert enter(late) == "outcome"
    old = datetime.now(UTC) - timedelta(minutes=6)
    with server.store.write() as db:
        db.execute(sa.update(participants.participant).values(consented_at=old, seen_at=old))
    assert enter(late) == "wait"


def test_person_whose_turn_has_come_keeps_the_ids_of_the_link(make_study, at, server):
    make_study(people={"burst": 1}, clocks=SLOW)
    enter(at("192.0.2.7"))
    late = at("192.0.2.7")
    assert enter(late, "/s/demo?prolific_pid=late&amp;STUDY_ID=s1") == "wait"
    query = dict(late.answer.url.params)
    assert (query["PROLIFIC_PID"], query["STUDY_ID"]) == ("late", "s1")
    for name, value in (("due", "1"), ("kept", "1"), ("pass", "0" * 32), ("PROLIFIC_PID", "x")):
        forged = {**query, name: value} if query[name] != value else {**query, "pass": ""}
        answer = late.client.get("/s/demo/wait", params=forged, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/s/demo")


def test_person_who_is_in_never_waits(make_study, at):
    make_study(people={"quota": 30})
    first = at("192.0.2.7")
    enter(first, "/s/demo?PROLIFIC_PID=ann")
    for _ in range(20):
        enter(at("192.0.2.7"))
    again = at("192.0.2.7").get("/s/demo?PROLIFIC_PID=ann")
    assert (again.page.name, again.token) == ("instructions", first.token)


ANN = "/s/demo?PROLIFIC_PID=ann"


def test_person_who_is_in_and_agrees_on_a_page_left_open_never_waits(make_study, at, make_busy):
    study = make_study(people={"burst": 1})
    left_open, first = at("192.0.2.7").get(ANN), at("192.0.2.7")
    assert enter(first, ANN) == "instructions"
    make_busy(study, "192.0.2.7", 90)
    left_open.send("answer", answer="yes")
    assert (left_open.page.name, left_open.token) == ("instructions", first.token)


def due(walker):
    """Return when the turn of someone who waits has come."""
    assert (walker.page.name, walker.answer.url.params["kept"]) == ("wait", "1")
    return int(walker.answer.url.params["due"])


def test_who_waits_and_comes_again_with_the_same_id_keeps_their_turn(make_study, at, make_busy):
    study = make_study(people={"quota": 12, "burst": 3})
    make_busy(study, "192.0.2.7", 10 * 60 + 90)
    ann, again, other = at("192.0.2.7"), at("192.0.2.7"), at("192.0.2.7")
    enter(ann, ANN)
    for _ in range(3):
        enter(again, ANN)
        assert due(again) == due(ann)
    assert "data-turn" not in again.answer.text
    enter(other, "/s/demo?PROLIFIC_PID=ben")
    interval = 10 * 60_000 // 3
    assert due(other) == due(ann) + interval


def test_who_waits_and_sends_the_same_form_again_keeps_their_turn(make_study, at, make_busy):
    study = make_study(people={"quota": 12, "burst": 3})
    make_busy(study, "192.0.2.7", 10 * 60 + 90)
    walker, dues = at("192.0.2.7").get("/s/demo"), []
    kept = walker.page
    for _ in range(3):
        walker.page = kept
        dues.append(due(walker.send("answer", answer="yes")))
        assert 'data-turn="/s/demo"' in walker.answer.text
    assert len(set(dues)) == 1


@pytest.mark.parametrize("field", ["people.burst", "people.quota"])
def test_larger_burst_counts_at_once_for_those_who_wait_and_those_who_come(
    make_study, at, server, field
):
    """Three are in, ann waits, and three went away from the page on which they should wait."""
    make_study(people={"quota": 12}, clocks={"untouched_minutes": 10})
    assert [enter(at("192.0.2.7")) for _ in range(3)] == ["instructions"] * 3
    ann = at("192.0.2.7")
    assert [enter(ann, ANN), *(enter(at("192.0.2.7")) for _ in range(3))] == ["wait"] * 4
    waiting = str(ann.answer.url)
    now, values = datetime.now(UTC), {"people.burst": 12, "people.quota": 48}
    facts = {"ticket": new_ticket(), "by": "ada", "now": now}
    change = {field: values[field]}
    revision = draft.save(server.store, "demo", change, revision=1, **facts)
    publishing.publish(server.store, "demo", revision=revision, by="ada", now=now)
    assert at("192.0.2.7").get(waiting).page.name == "instructions"
    # The four above and the three who went away count until they are made up for.
    pages = [enter(at("192.0.2.7")) for _ in range(6)]
    assert pages == ["instructions"] * 5 + ["wait"]


def test_double_click_takes_one_turn_and_one_place(make_study, at, count):
    make_study(people={"burst": 1})
    walker = at("192.0.2.7").get("/s/demo")
    kept = walker.page
    for _ in range(2):
        walker.page = kept
        assert walker.send("answer", answer="yes").page.name == "instructions"
    assert count(participants.participant) == 1


def test_preview_never_waits(make_study, at, server):
    study = make_study(people={"burst": 1})
    with server.store.write() as db:
        now = datetime.now(UTC)
        link = testlink.make(db, "demo", study.version, study.revision, now)
    assert [enter(at("192.0.2.7"), link) for _ in range(3)] == ["instructions"] * 3


def test_refusal_of_a_stranger_leaves_no_row(study, at, count):
    for _ in range(20):
        assert enter(at("192.0.2.7"), answer="no") == "declined"
    assert (count(participants.participant), count(ticket)) == (0, 0)


def test_refusals_under_invented_ids_leave_a_burst_of_rows(make_study, at, count):
    make_study(people={"quota": 12}, clocks=SLOW)
    links = [f"/s/demo?PROLIFIC_PID=p{number}" for number in range(20)]
    assert {enter(at("192.0.2.7"), link, "no") for link in links} == {"declined"}
    assert count(participants.participant) == 3


def test_page_that_was_open_for_days_is_shown_again_and_then_works(study, at, server):
    walker = at("192.0.2.7").get("/s/demo?PROLIFIC_PID=ann")
    key = server.keys.signing(entry_ticket.KEY)
    old = entry_ticket.make(key, "demo", datetime.now(UTC) - timedelta(days=2))
    walker.send("answer", answer="yes", ticket=old)
    assert (walker.answer.status_code, walker.page.name) == (409, "consent")
    assert "open for a long time" in walker.answer.text
    assert walker.send("answer", answer="yes").page.name == "instructions"


def test_limits_can_be_turned_off_behind_a_proxy_that_hides_addresses(settings, make_study):
    make_study(people={"burst": 1})
    app = create_app(settings.model_copy(update={"limit_sources": False}))
    with TestClient(app, base_url=settings.base_url, client=("192.0.2.7", 1)) as client:
        assert [enter(Walker(client)) for _ in range(3)] == ["instructions"] * 3
