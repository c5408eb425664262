"""The list of a study's people asks the database as often for many people as for a few."""

import sqlalchemy as sa

from app.study.design import studies
from app.study.people import overview
from tests.study.people.monitored import Desk


def statements(desk):
    seen = []
    with desk.store.read() as db:
        study = studies.find(db, "watched")
        sa.event.listen(db, "before_cursor_execute", lambda *args: seen.append(args[2]))
        people = overview.people(db, study.id)
    return len(people), len(seen)


def test_list_of_people_costs_no_more_statements_for_more_people(store):
    desk = Desk(store)
    desk.begin()
    few, least = statements(desk)
    for _ in range(4):
        desk.begin()
    assert statements(desk) == (few + 4, least)
