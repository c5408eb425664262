"""The demo study: creating it is idempotent."""

import sqlalchemy as sa

from app.game.tasks import TASK_NAMES
from app.store.design import studies, variants
from app.store.play import episodes, participants
from app.study.design import demo
from app.study.design.library import Library
from app.study.design.studies import find
from app.study.play import enrol
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket
from tests.study.story import NOON

TABLES = (studies.study, studies.design, variants.variant)


def stored(store):
    with store.read() as db:
        return [db.execute(sa.select(table)).all() for table in TABLES]


def test_demo_has_one_world_of_each_task_and_is_open(store):
    assert demo.seed(store, NOON)
    with store.read() as db:
        found = find(db, "demo")
    assert (found.kind, found.state) == ("demo", "open")
    assert tuple(cell.task for cell in found.spec.cells()) == TASK_NAMES
    assert (found.spec.per_player, found.spec.order) == (2, "balanced")


def test_second_seeding_changes_nothing(store):
    demo.seed(store, NOON)
    before = stored(store)
    assert not demo.seed(store, NOON)
    assert stored(store) == before


def test_four_visitors_fill_all_eight_worlds_once(store):
    demo.seed(store, NOON)
    library = Library()
    for _ in range(4):
        enrol.agree(store, library, "demo", Arrival(), new_ticket(), NOON)
    with store.read() as db:
        tasks = db.execute(sa.select(episodes.block.c.task)).scalars().all()
        assert db.execute(sa.select(sa.func.count(participants.participant.c.id))).scalar() == 4
    assert sorted(tasks) == sorted(TASK_NAMES)
