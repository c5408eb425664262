"""Episodes and turns of models move into the tables of people's, and back, with their values."""

import pytest
import sqlalchemy as sa
from alembic import command

from app.store import migrate
from app.store.db import Store
from app.study.design import studies
from app.study.export import anchors, files, scope, signing, verify
from app.study.models import proof, runs
from app.study.people import removal
from tests.models.played import play
from tests.study.story import NOON, Story

BLOCKS = [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}]
BEFORE = "20261202_agent_keys"
MOVED = ("model_episode", "model_turn")
PLAYED = ("episode", "turn")


@pytest.fixture
def store(empty_db_url, tmp_path):
    """A study that a person and two models played."""
    migrate.upgrade(empty_db_url)
    keys = {"id_key_path": tmp_path / "id.key", "signing_key_path": tmp_path / "s.pem"}
    store = Store(empty_db_url, **keys)
    story = Story(store, blocks=BLOCKS, per_player=1)
    token = story.enter()
    story.win(token, 0, 0)
    play(store, "story", explains="none")
    play(store, "story", bot="enumerator", explains="none", label="other")
    yield store
    store.dispose()


def exported(store):
    """Return the files of every table that a migration could have changed."""
    tables = (*MOVED, "episode", "turn")
    return {name: b"".join(files.stream_csv(store, "story", name, "csv")) for name in tables}


def old_rows(store):
    """Return the rows of the models' own tables, without their numbers."""
    found = {}
    with store.read() as db:
        for name in MOVED:
            table = sa.Table(name, sa.MetaData(), autoload_with=db)
            kept = [one for one in table.columns if one.name not in {"id", "episode_id"}]
            found[name] = sorted(map(repr, db.execute(sa.select(*kept)).all()))
    return found


def step(store, move, revision):
    store.dispose()
    config = migrate.alembic_config(str(store.url.render_as_string(hide_password=False)))
    move(config, revision)
    return config


def test_plays_of_models_move_to_those_of_people_and_back_unchanged(store):
    before = exported(store)
    assert before["model_turn"].count(b"\n") > 20
    step(store, command.downgrade, BEFORE)
    apart = old_rows(store)
    assert {name: len(rows) for name, rows in apart.items()} == {
        name: before[name].count(b"\r\n") - 1 for name in MOVED
    }
    command.check(step(store, command.upgrade, "head"))
    assert exported(store) == before
    found = verify.verify(store)
    assert (found.ok, found.models) == (True, 6)
    with store.read() as db:
        study = studies.find(db, "story")
        made = [runs.find(db, study, number) for number in (1, 2)]
    assert all(proof.verify(store, run).ok for run in made)
    step(store, command.downgrade, BEFORE)
    assert old_rows(store) == apart


def test_study_that_was_exported_before_the_move_can_still_be_deleted(store):
    """The export is recorded with the numbers of rows as the version of that time counted them."""
    with store.read() as db:
        counted = removal.data_of(db, 1)
        number = {name: db.scalar(sa.text(f"SELECT count(*) FROM {name}")) for name in PLAYED}
    step(store, command.downgrade, BEFORE)
    with store.read() as db:
        tables = (*PLAYED, *MOVED)
        before = {name: db.scalar(sa.text(f"SELECT count(*) FROM {name}")) for name in tables}
    assert {name: counted[name] for name in tables} == before
    assert number["turn"] == before["turn"] + before["model_turn"]


def test_next_episode_after_the_move_has_a_number_of_its_own(store):
    step(store, command.downgrade, BEFORE)
    step(store, command.upgrade, "head")
    play(store, "story", explains="none", label="third")
    assert verify.verify(store).models == 9
    story_rows = exported(store)["model_episode"]
    assert story_rows.count(b"third") == story_rows.count(b"other")


def test_manifest_of_before_the_move_holds_and_says_what_it_no_longer_compares(store, tmp_path):
    key = signing.own_key(tmp_path / "key.pem")
    now = anchors.make(store, "story", key, NOON)
    moved = {"model_episode": {"1": ["0" * 16]}, "model_turn": {"1": ["0" * 16]}}
    kept = {name: rows for name, rows in now["rows"].items() if name not in {*moved, "turn"}}
    before = {**now, "format": anchors.EARLIER, "rows": {**kept, **moved}}
    found = verify.verify(store, manifest=before)
    assert (found.ok, scope.MOVED in found.not_checked) == (True, True)
    later = verify.verify(store, manifest=now)
    assert (later.ok, scope.MOVED in later.not_checked) == (True, False)
    assert later.anchors > found.anchors
