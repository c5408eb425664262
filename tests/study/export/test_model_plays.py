"""Models' plays are in the tables of people's: no figure of people meets them."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store import erasure
from app.store.models import plays
from app.store.models.plays import model_episode
from app.store.people import signs
from app.store.play import checkup
from app.store.play.episodes import episode
from app.store.play.turns import turn
from app.study.design import studies
from app.study.design.library import Library
from app.study.export import anchors, files, signing, verify
from app.study.export.rows import STREAMS
from app.study.people import monitor, overview, removal
from tests.models.played import play
from tests.study.story import NOON, Story

CHECKED_BY_THE_DATABASE = {"player_kind", "kind", "state", "ended", "parse_status"}


def other(value, column):
    """Return another value of a column."""
    if isinstance(column.type, sa.Boolean):
        return not value
    if "UTC" in type(column.type).__name__:
        return NOON - timedelta(days=1)
    return f"x{value}"[: column.type.length] if isinstance(column.type, sa.String) else 77


@pytest.mark.parametrize("table", [episode, turn, model_episode], ids=lambda table: table.name)
def test_each_altered_column_of_a_models_row_is_found(store, tmp_path, table):
    story = Story(store, blocks=[{"task": "P-Comp", "seeds": [2]}], per_player=1)
    story.win(story.enter(), 0, 0)
    play(store, "story", explains="none")
    document = anchors.make(store, "story", signing.own_key(tmp_path / "key.pem"), NOON)
    key, *columns = table.columns
    missed = []
    for column in columns:
        if column.foreign_keys or column.name in CHECKED_BY_THE_DATABASE:
            continue
        with store.write() as db:
            query = sa.select(table).order_by(key.desc())  # the person's rows came first
            row = db.execute(query).first()
            own = sa.update(table).where(key == row[0])
            before = getattr(row, column.name)
            db.execute(own.values({column.name: other(before, column)}))
        if verify.verify(store, jobs=1, manifest=document).anchors_wrong != 1:
            missed.append(column.name)
        with store.write() as db:
            db.execute(own.values({column.name: before}))
    assert missed == []
    assert verify.verify(store, manifest=document).ok


def test_erasing_a_person_leaves_the_plays_of_models(store):
    story = Story(store, blocks=[{"task": "P-Comp", "seeds": [2]}], per_player=1)
    token = story.enter()
    story.win(token, 0, 0)
    play(store, "story", explains="none")
    with store.write() as db:
        mine = sa.select(sa.func.count()).select_from(turn)
        of_models = mine.where(plays.belongs(turn, 1))
        number, everything = db.execute(of_models).scalar_one(), db.execute(mine).scalar_one()
        assert 0 < number < everything
        erasure.erase(db, 1)
        assert db.execute(mine).scalar_one() == db.execute(of_models).scalar_one() == number


def seen_of_people(store, now=NOON):
    """Return everything that pages and files show of people."""
    apart = {"variant", "model_result", "model_run", "model_episode", "model_turn", "model_call"}
    tables = {
        name: b"".join(files.stream_csv(store, "story", name, "csv", include_test=True))
        for name in STREAMS
        if name not in {*apart, "item"}  # with what models explain, known apart by `kind`
    }
    with store.read() as db:
        study = studies.find(db, "story")
        shown = monitor.facts(db, Library(), monitor.Memory(), study, now)
        signs_ = signs.tempo(db, study.id, 10**9)
        people = [overview.people(db, study.id), checkup.silent(db, now), erasure.counts(db)]
        people.append(erasure.last_moment(db))
        data = removal.data_of(db, study.id)
        people.append({name: data[name] for name in data if not name.startswith("model_")})
    return tables, shown, signs_, people


def test_nothing_that_is_shown_of_people_changes_when_models_play(store):
    story = Story(store, blocks=[{"task": "P-Comp", "seeds": [2]}], per_player=1)
    story.win(story.enter(), 0, 0)
    story.lose(story.enter(), 0, 0)
    before = seen_of_people(store)
    play(store, "story", explains="none")
    play(store, "story", bot="enumerator", explains="none", label="other")
    assert seen_of_people(store) == before
