"""Commands on a PostgreSQL that may only be read, as a replica: what reads works, and says so."""

import pytest

from app.store import migrate
from app.store.db import Store
from app.study.people import removal
from tests import databases
from tests.breaking import ReadOnlyDatabase
from tests.conftest import new_name
from tests.study.story import Story

READING = (
    "export --study story --out full",
    "export --study story --out shared --shareable",
    "report full --out report --bootstrap 100 --no-figures",
    "verify",
    "manifest --study story --out signed.json",
    "verify --manifest signed.json",
    "payments --study story --out pay.csv",
    "payments --study story --out bonus.csv --bonus",
    "study list",
    "study file story",
    "study link story",
    "study link story --count 2 --out links.csv",
    "member list story",
    "audit verify",
    "audit csv",
    "plan story --simulated 10 --people 10",
    "model list --study story",
    "model key list --study story",
)
CHANGING = (
    "study close story",
    "user add ada",
    "sweep",
)


@pytest.fixture
def url():
    try:
        databases.postgres_url()
    except databases.NoPostgresError as error:
        pytest.skip(str(error))
    name = new_name()
    made = databases.create_database(name)
    migrate.upgrade(made)
    yield made
    databases.drop_database(name)


@pytest.fixture
def story(store):
    story = Story(store)
    story.win(story.enter(), 0, 0)
    return story


@pytest.fixture
def replica(story, url):
    with ReadOnlyDatabase(url).broken():
        yield url


def outcome(hjstudy, line):
    code, _, err = hjstudy(*line.split())
    return code, err


@pytest.mark.postgres
def test_commands_that_read_work_on_a_replica_and_those_that_change_say_why_not(replica, hjstudy):
    failed = {line: found for line in READING if (found := outcome(hjstudy, line))[0] != 0}
    assert failed == {}
    told = {line: outcome(hjstudy, line) for line in CHANGING}
    assert {
        line for line, (code, err) in told.items() if (code, "read-only" in err) != (2, True)
    } == set()
    assert hjstudy("doctor")[0] == 1  # no server can run here


@pytest.mark.postgres
def test_export_of_a_replica_says_that_it_is_not_recorded_and_deleting_needs_another(
    replica, hjstudy, url
):
    code, _, err = hjstudy("export", "--study", "story", "--out", "full")
    assert code == 0
    assert "so this export is not recorded" in err
    assert "Deleting the study needs" in err
    assert "not in the audit log" in err
    shared = hjstudy("export", "--study", "story", "--out", "shared", "--shareable")
    assert shared[0] == 0
    assert "this export is not recorded" not in shared[2]
    primary = Store(url)
    with primary.read() as db:
        assert not removal.standing(db, "story").exported
    primary.dispose()
