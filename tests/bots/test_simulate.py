"""hjstudy simulate: what it prints, what it refuses, who counts."""

import json

import pytest

from app import cli
from app.bots.crowd import percentiles, read_bots
from app.errors import FieldError
from app.game.bots import BOTS
from app.store.db import Store
from app.store.design import designs
from app.store.export import dump, dump_figures
from app.store.export.dump import Scope
from app.store.play import seats
from app.store.rating import items
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.people import overview, payments
from tests.bots.conftest import EIGHT, now


@pytest.fixture
def store(sqlite_url):
    """Return a database with a study in it."""
    made = Store(sqlite_url, threads=4)
    studies.create(made, check_study(EIGHT), now())
    yield made
    made.dispose()


@pytest.fixture
def simulate(store, sqlite_url, monkeypatch, capsys):
    """Run the command; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("HJSTUDY_HTMX_SOURCE", "local")

    def run(*arguments):
        command = ["hjstudy", "simulate", "--study", "bots", *arguments]
        monkeypatch.setattr("sys.argv", command)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return (ended.value.code, *capsys.readouterr())

    return run


def people(store):
    with store.read() as db:
        study = studies.find(db, "bots")
        return overview.people(db, study.id)


def test_json_has_the_figures_and_the_players_are_stored(simulate, store):
    code, out, err = simulate("--bots", "oracle:2,copycat", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["players"], found["errors"], found["mismatches"]) == (3, 0, 0)
    assert found["actions"] == sum(person.turns for person in people(store))
    assert 0 < found["p50_ms"] <= found["p95_ms"]
    assert set(found["per_bot"]) == {"oracle", "copycat"}
    assert found["per_bot"]["oracle"] == {"success_rate": 1, "norm_eff": 1, "ecsr": 1}
    assert {person.is_test for person in people(store)} == {False}


@pytest.mark.parametrize("kind", ["pilot", "demo", "real"])
def test_bots_are_never_people_in_a_study_of_people(simulate, store, kind):
    with store.write() as db:
        designs.retitle(db, studies.find(db, "bots").id, "Autumn", kind)
    code, _, err = simulate("--bots", "oracle", "--as", "real")
    assert code == 2
    assert f"a study of kind {kind}: bots there are test participants" in err
    assert people(store) == []
    assert simulate("--bots", "oracle")[0] == 0
    assert {person.is_test for person in people(store)} == {True}
    with store.read() as db:
        study = studies.find(db, "bots")
        assert payments.payments(db, study.id) == []
        assert seats.people(db, study.id) == 0
        assert seats.held(db, study.id) == []
        for wants_tests, units in ((False, 0), (True, EIGHT["per_player"])):
            scope = Scope(study.id, include_test=wants_tests, include_practice=False)
            rows = list(dump.rows(db, dump_figures.units(scope)))
            assert len({row.block_id for row in rows}) == units
        assert items.new_explanations(db, study.id) == []


def test_test_players_get_every_cell_and_the_command_says_how_often(simulate, store):
    code, out, _ = simulate("--bots", "oracle:4", "--as", "test", "--json")
    with store.read() as db:
        keys = [cell.key for cell in studies.find(db, "bots").spec.cells()]
    assert code == 0
    assert json.loads(out)["cells"] == dict.fromkeys(sorted(keys), 1)  # two each of eight cells
    _, out, _ = simulate("--bots", "oracle", "--as", "test")
    assert len([line for line in out.splitlines() if line.startswith("     1 played ")]) == 2


def test_test_players_count_nowhere_and_enter_a_closed_study(simulate, store):
    studies.set_state(store, "bots", "closed")
    code, out, err = simulate("--bots", "oracle", "--as", "test")
    assert (code, err) == (0, "")
    assert "1 of 1 players finished" in out
    assert "These are test players: they are not counted and not paid." in out
    assert {person.is_test for person in people(store)} == {True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bots", "wizard:3"), "wizard:3"),
        (("--bots", "oracle", "--url", "x"), "'x' is not an address"),
        (("--bots", "oracle", "--as", "real"), "is not taking new players"),
    ],
)
def test_bad_arguments_are_refused_with_two(simulate, store, arguments, message):
    studies.set_state(store, "bots", "closed")
    code, out, err = simulate(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert people(store) == []


def test_server_that_is_not_there_is_an_error_of_each_player(simulate):
    nobody = ("--url", "http://127.0.0.1:9", "--tries", "2")
    code, out, err = simulate("--bots", "oracle:2", "--json", *nobody)
    assert (code, json.loads(out)["errors"]) == (1, 2)
    assert "NoAnswerError" in err


def test_bots_are_read_with_their_numbers():
    assert read_bots("oracle:2, typist") == ("oracle", "oracle", "typist")
    assert len(read_bots(",".join(BOTS))) == len(BOTS)


@pytest.mark.parametrize(
    "text", ["", "oracle:", "oracle:-1", "oracle:0", "oracle:99999", "x", ":3"]
)
def test_bots_that_cannot_be_seated_are_refused(text):
    with pytest.raises(FieldError):
        read_bots(text)


def test_percentiles_lie_within_the_values():
    assert percentiles([]) == (None, None)
    assert percentiles([3.0]) == (3.0, 3.0)
    assert percentiles([float(n) for n in range(101)]) == (50.0, 95.0)
