"""Publishing while people enter, and twice at once, has a serial order on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.errors import StudyError
from app.store.play import participants
from app.study.design import draft, publishing
from app.study.tickets import new_ticket
from tests.study.desk import NOW, Desk


@pytest.fixture
def desk(store):
    return Desk(store)


def test_version_published_at_once_by_many_is_made_once(desk, store):
    desk.make().arrive()
    revision = desk.save(texts__minutes=33)

    def publish(_):
        try:
            return publishing.publish(store, "autumn", revision=revision, by="ada", now=NOW).what
        except StudyError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(publish, range(8)))
    assert sorted(set(done)) == ["nothing", "version"]
    assert done.count("version") == 1
    assert [one.version for one in desk.versions()] == [2, 1]


def test_no_one_starts_on_an_old_version_once_the_new_one_is_there(desk, store):
    desk.make().arrive()
    desk.save(texts__minutes=33)

    def act(number):
        if number == 10:
            desk.publish()
        else:
            desk.arrive(participant=f"x{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, range(20)))
    desk.arrive(participant="later")  # if it was published after everyone else had entered
    versions = [desk.player(row.token).row.design_version for row in people(store)]
    assert len(versions) == 21
    assert versions == sorted(versions)
    assert set(versions) == {1, 2}


def people(store):
    """Return everyone in order of entry."""
    table = participants.participant
    with store.read() as db:
        return db.execute(table.select().order_by(table.c.arrival)).all()


def test_of_many_saves_of_one_revision_one_is_taken(desk, store):
    desk.make()

    def save(number):
        facts = {"revision": 1, "ticket": new_ticket(), "by": f"r{number}", "now": NOW}
        try:
            return draft.save(store, "autumn", {"texts.minutes": 20 + number}, **facts)
        except draft.StaleDesignError:
            return None

    with ThreadPoolExecutor(8) as pool:
        taken = [one for one in pool.map(save, range(1, 9)) if one]
    assert taken == [2]


def test_form_saved_many_times_at_once_is_saved_once_and_no_one_is_refused(desk, store):
    desk.make()
    facts = {"revision": 1, "ticket": new_ticket(), "by": "ada", "now": NOW}

    def save(_):
        return draft.save(store, "autumn", {"texts.minutes": 33}, **facts)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(save, range(8))) == [2] * 8


def test_of_many_studies_of_one_address_one_is_made(store):
    document = {**draft.BASE, "slug": "same", "title": "Same", "kind": "pilot"}

    def make(_):
        try:
            return draft.make(store, document, ticket=new_ticket(), by="ada", now=NOW)
        except StudyError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(make, range(8)))
    assert made.count("same") == 1
    assert set(made) == {"same", "study/exists"}


def test_form_of_a_new_study_sent_many_times_at_once_makes_one_and_leads_all_to_it(store):
    document = {**draft.BASE, "slug": "same", "title": "Same", "kind": "pilot"}
    facts = {"ticket": new_ticket(), "by": "ada", "now": NOW}
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: draft.make(store, document, **facts), range(8)))
    assert made == ["same"] * 8
