"""Two server processes on one PostgreSQL, each request to a random one."""

import pytest

from app.study.verify import verify
from tests import databases
from tests.conftest import new_name

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]


@pytest.fixture
def postgres_url(request):
    """Return the address of a migrated PostgreSQL database."""
    template = request.getfixturevalue("postgres_template")
    name = new_name()
    yield databases.create_database(name, template)
    databases.drop_database(name)


def test_players_between_two_processes_lose_and_double_no_turn(
    make_playground, server_process, postgres_url
):
    addresses = [server_process(postgres_url).url for _ in range(2)]
    ground = make_playground(
        postgres_url, addresses[0], options={"practice": False, "episodes_per_block": 1}
    )
    ground.seat("oracle:5,enumerator:5,typist:5,neighbour:5", addresses)
    report = ground.play(in_order=False)
    assert report.problems == ()
    assert (report.finished, report.errors, report.mismatches) == (20, 0, 0)
    assert report.per_bot["oracle"]["ecsr"] == 1.0
    checked = verify(ground.store, "bots")
    assert (checked.ok, checked.turns) == (True, report.actions)
