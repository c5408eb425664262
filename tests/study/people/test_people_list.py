"""Lists of people and of studies ask the database as often for many of them as for a few."""

import sqlalchemy as sa

from app.study.design import starts, studies
from app.study.people import overview
from tests.study.people.monitored import Desk
from tests.study.story import Story


def statements(store, look):
    """Return how long a list is, and how many statements it takes."""
    seen = []
    with store.read() as db:
        sa.event.listen(db, "before_cursor_execute", lambda *args: seen.append(args[2]))
        return len(list(look(db))), len(seen)


def test_list_of_people_costs_no_more_statements_for_more_people(store):
    desk = Desk(store)
    with store.read() as db:
        study = studies.find(db, "watched")

    def look(db):
        return overview.people(db, study.id)

    desk.begin()
    few, least = statements(store, look)
    for _ in range(4):
        desk.begin()
    assert statements(store, look) == (few + 4, least)


def test_list_of_studies_costs_no_more_statements_for_more_studies(store):
    story = Story(store, slug="first")
    story.enter()
    looks = (overview.overview, starts.titles)
    few = [statements(store, look) for look in looks]
    for slug in ("second", "third"):
        Story(store, slug=slug)
    assert [statements(store, look) for look in looks] == [(n + 2, least) for n, least in few]
    with store.read() as db:
        rows = overview.overview(db)
    assert [(one["slug"], one["started"]) for one in rows] == [
        ("first", 1),
        ("second", 0),
        ("third", 0),
    ]
