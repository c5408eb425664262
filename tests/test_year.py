"""Copied people are whole, belong to the given studies, and leave room for new ones."""

import pytest
import sqlalchemy as sa

from app.game.tasks import TASK_NAMES
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.design.studies import create
from bench import copies, crowd, stage, year

POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)


def counted(store):
    with store.read() as db:
        count = sa.func.count()
        return {
            table.name: db.execute(sa.select(count).select_from(table)).scalar_one()
            for table in copies.hanging()
        }


def orphans(db, table):
    """Return how many rows of a table refer to nothing."""
    found = 0
    for key in table.foreign_keys:
        parent = key.column.table.alias()
        missing = (key.parent.is_not(None), parent.c[key.column.name].is_(None))
        query = sa.select(sa.func.count()).select_from(
            table.outerjoin(parent, key.parent == parent.c[key.column.name])
        )
        found += db.execute(query.where(*missing)).scalar_one()
    return found


@pytest.mark.parametrize("store_url", [POSTGRES], indirect=True)
def test_copies_are_whole_and_new_people_follow_them(store):
    library = Library()
    create(store, check_study(stage.study_file(1, TASK_NAMES)), stage.NOW)
    crowd.fill(store, library, 200)
    before = counted(store)
    places = year.make_studies(store, 3)
    copies.multiply(store, places, 5)
    assert counted(store) == {name: 6 * number for name, number in before.items()}
    assert before["turn"] >= 200
    with store.read() as db:
        assert sum(orphans(db, table) for table in copies.hanging()) == 0
        each = db.execute(
            sa.select(participant.c.study_id, sa.func.count()).group_by(participant.c.study_id)
        )
        shares = dict(tuple(row) for row in each)
        lines = db.execute(sa.select(turn.c.raw, sa.func.count()).group_by(turn.c.raw)).all()
    people = before["participant"]
    assert shares == dict(zip([study for study, _ in places], (2 * people,) * 3, strict=True))
    assert all(number % 6 == 0 for _, number in lines)
    stage.enter(store, library)
    assert counted(store)["participant"] == 6 * people + 1


@pytest.mark.long
def test_short_year_prints_every_ratio(capsys):
    year.main(["--turns", "3000", "--studies", "2", "--bots", "2", "--rounds", "8"])
    said = capsys.readouterr().out
    for name in ("action", "arrival", "first view", "sweep"):
        assert f"  {name}" in said
    assert said.count(" times") == 4
    assert "turns a second" in said
