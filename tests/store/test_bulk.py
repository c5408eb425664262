"""Many rows that are prepared outside of the transaction that stores them."""

from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from app.store import bulk, health
from app.store.db import Store
from app.store.models import results
from app.store.models.results import model_result
from app.study.design import studies
from app.study.design.spec import check_study
from tests.web.conftest import SMALL

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SAME = {"imported_by": "x", "created_at": NOW}


@pytest.fixture
def study_id(store):
    studies.create(store, check_study(SMALL), NOW)
    with store.read() as db:
        return studies.find(db, "demo").id


def rows_of(study_id, number):
    place = {"study_id": study_id, "task": "A-Over", "lexicon": "semantic", "coverage": "1"}
    figures = {"success": True, "actions_used": 8, "ref_length": 8, "n_tries": 6, "rv": 0.25}
    about = {**place, **figures, "format": "episodic", "variant_hash": "", "source": "rows"}
    return [{**about, "model": f"m{n % 3}", "seed": n, "episode_index": 1} for n in range(number)]


def stored(store):
    columns = [column for column in model_result.c if column.name != "id"]
    with store.read() as db:
        found = db.execute(sa.select(*columns).order_by(model_result.c.id)).all()
    return [row._asdict() for row in found]


@pytest.mark.parametrize("number", [3, bulk.MANY + 7])
def test_rows_are_stored_as_they_came_in_their_order(store, study_id, number):
    rows = rows_of(study_id, number)
    incoming = bulk.Incoming(results.model_result, rows)
    with store.write(incoming) as db:
        incoming.insert(db, slice(2, number), **SAME)
        incoming.insert(db, slice(0, 2), **SAME)
        incoming.insert(db, slice(1, 1), **SAME)
    assert stored(store) == [{**row, **SAME} for row in (*rows[2:], *rows[:2])]


def test_rows_that_were_not_prepared_are_stored_too(store, study_id):
    rows = rows_of(study_id, bulk.MANY)
    with store.write() as db:
        bulk.Incoming(results.model_result, rows).insert(db, **SAME)
    assert len(stored(store)) == bulk.MANY


def test_block_that_fails_stores_nothing_and_the_next_one_everything(store, study_id):
    twice = bulk.Incoming(
        results.model_result, [*rows_of(study_id, bulk.MANY), *rows_of(study_id, 1)]
    )
    with pytest.raises(IntegrityError), store.write(twice) as db:
        twice.insert(db, **SAME)
    assert stored(store) == []
    for number in (bulk.MANY, bulk.MANY + 1):
        more = bulk.Incoming(results.model_result, rows_of(study_id, number)[number - bulk.MANY :])
        with store.write(more) as db:
            more.insert(db, slice(bulk.MANY - 1, bulk.MANY), **SAME)
    assert [row["seed"] for row in stored(store)] == [bulk.MANY - 1, bulk.MANY]


class Visited(list[Any]):
    """Rows during whose preparation others write."""

    def __init__(self, rows, visit):
        super().__init__(rows)
        self.visit = visit

    def __iter__(self):
        self.visit()
        return super().__iter__()


@pytest.mark.one_database
def test_no_one_waits_while_rows_are_prepared(store, study_id):
    other, visits = Store(str(store.url), write_timeout_s=0.2), []

    def write():
        with other.write() as db:
            health.put(db, NOW)
        visits.append(1)

    incoming = bulk.Incoming(results.model_result, Visited(rows_of(study_id, bulk.MANY), write))
    with store.write(incoming) as db:
        assert visits == [1]
        incoming.insert(db, **SAME)
    other.dispose()
    assert len(stored(store)) == bulk.MANY
    assert visits == [1]
