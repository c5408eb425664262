"""Exports as a whole: one snapshot, constant memory, refusals, the direct format."""

import shutil
import tracemalloc

import pytest
import sqlalchemy as sa

from app.store.db import Store
from app.store.export.dump import Scope
from app.store.play.turns import turn
from app.study.design import studies
from app.study.design.studies import NoStudyError
from app.study.export import files
from app.study.export.files import ExportError
from app.study.export.rows import count_of, rows_of
from app.study.export.source import Source
from tests.study.story import NOON, Story, rows


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture
def token(story):
    return story.varied()


def test_rows_stored_while_an_export_runs_are_not_in_it(story, token):
    with story.store.read() as db:
        study = studies.find(db, "story")
        source = Source(db, study, Scope(study.id, include_test=False, include_practice=False))
        people = rows_of(source, "participant")
        next(people)
        story.enter()
        assert list(people) == []
        assert count_of(source, "participant") == 1
        assert len(list(rows_of(source, "turn"))) == count_of(source, "turn")
    assert len(rows(story.store, "participant")) == 2


def test_direct_answers_stand_in_the_episode_table(store):
    story = Story(
        store, blocks=[{"task": "A-Over", "seeds": [1], "format": "direct"}], per_player=1
    )
    token = story.enter()
    item = story.solution(token, 0, 0)[1].removeprefix("buy ")
    story.state_directly(token, 0, 0, item=item.upper())
    found = rows(store, "episode")[0]
    assert (found["format"], found["stated_item"], found["success"]) == (
        "direct",
        item.upper(),
        "true",
    )
    assert (found["norm_eff"], found["actions_used"], found["replay_ok"]) == ("", "0", "true")


def test_unknown_study_and_format_are_refused_in_words(story, tmp_path):
    with pytest.raises(NoStudyError):
        list(files.stream_csv(story.store, "nothing", "turn", "csv"))
    with pytest.raises(ExportError, match="format: 'xml'"):
        files.export(story.store, "story", tmp_path, NOON, flavour="xml")


@pytest.mark.long
def test_memory_does_not_grow_with_the_rows(sqlite_template, tmp_path):
    path = tmp_path / "large.db"
    shutil.copyfile(sqlite_template, path)
    store = Store(f"sqlite:///{path}")
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, "look")
    small = peak(store)
    first = story.turns(token, 0, 0)[0]._asdict()
    del first["id"]
    with store.write() as db:
        db.execute(sa.insert(turn), [{**first, "seq": seq} for seq in range(2, 15_001)])
    assert len(rows(store, "turn")) == 15_000
    assert peak(store) < small + 8_000_000
    store.dispose()


def peak(store):
    """Return the maximum number of bytes an export holds in memory."""
    tracemalloc.start()
    try:
        for _ in files.stream_csv(store, "story", "turn", "csv"):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
