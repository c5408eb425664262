"""After the deletion date, IDs are still recognised in texts, by their keyed hashes."""

import json
from datetime import timedelta

import pytest

from app.store.people.id_hashes import id_hash
from app.store.play.participants import identity, participant
from app.study import id_marks
from app.study.design.library import Library
from app.study.export import text_review
from app.study.people import identifiers
from app.study.play.commands import Extras
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import Story

ID = "maria.schmidt@uni.example"
TYPED = [
    "I am MARIA.SCHMIDT@UNI.EXAMPLE",
    "write to maria schmidt, at uni",
    "m a r i a - s c h m i d t",
    "call me Maria!",
    "xmariaschmidty",
]
KEPT = "the guardian's class decides, not the role"


@pytest.fixture
def story(store):
    """A person types their ID in many forms; every text is released, and their date has come."""
    story = Story(store, people={"identifiers_days": 1})
    token = story.enter(platform="link", external_id=ID)
    story.type(token, 0, 0, *TYPED, *story.solution(token, 0, 0))
    story.explain(token, 0, 0, inputs=KEPT, how=KEPT)
    story.lose(token, 0, 1)
    story.explain(token, 0, 1, inputs=TYPED[2], how=KEPT)
    with store.write() as db:
        db.execute(story_end(story, token))
    release_all(store)
    assert identifiers.sweep(store, Library(), story.now() + timedelta(days=2)) == 1
    return story


def story_end(story, token):
    values = {"state": "timed_out", "ended_at": story.now()}
    return participant.update().where(participant.c.token == token).values(values)


def test_a_deleted_id_is_found_in_every_spelling(story, tmp_path):
    with story.store.read() as db:
        assert db.execute(identity.select()).all() == []
    files = bundle(story.store, tmp_path / "shared", shareable=True)
    typed = [row["raw"] for row in table(files, "turn")]
    assert typed[: len(TYPED)] == [""] * len(TYPED)
    assert typed[len(TYPED)] != ""
    rows = table(files, "explanation")
    assert [row["text_reason"] for row in rows] == ["", "holds_an_id"]
    assert [row["inputs"] for row in rows] == [KEPT, ""]


def test_no_hash_says_what_was_hashed_and_the_key_is_not_in_the_database(story):
    with story.store.read() as db:
        stored = str(db.execute(id_hash.select()).all())
    assert stored != "[]"
    assert "maria" not in stored
    assert story.store.id_key_path.stat().st_mode & 0o077 == 0
    key = story.store.id_key_path.read_text().strip()
    assert key not in stored


def test_hash_cannot_be_computed_without_the_key():
    (piece, *_) = id_marks.pieces_of("5f3c9d2e1b0a")
    digests = {id_marks.hashed(key, piece).digest for key in (b"", b"1" * 32, b"2" * 32)}
    assert len(digests) == 3


def test_without_the_key_every_text_is_left_out(story, tmp_path):
    story.store.id_key_path.unlink()
    files = bundle(story.store, tmp_path / "shared", shareable=True)
    assert {row["text_reason"] for row in table(files, "explanation")} == {"id_key_missing"}
    assert {row["inputs"] for row in table(files, "explanation")} == {""}
    with story.store.read() as db:
        found = list(text_review.all_texts(text_review.of_study(db, "story")))
    assert {one.kept_back for one in found} == {"id_key_missing"}


def test_without_the_key_the_report_and_the_readme_say_so_and_count_no_classes(store, tmp_path):
    asked = [{"key": "age", "label": "How old are you?", "kind": "number"}]
    story = Story(
        store,
        people={"identifiers_days": 1, "process_data": True},
        questions={"before": asked, "comment": False},
    )
    token = story.enter({"age": "23"}, platform="link", external_id=ID)
    story.enter({"age": "61"}, platform="link", external_id=f"x{ID}")
    story.table.act(token, 0, 0, 1, "check_location", story.now(), Extras(None, 123_456, 0))
    with store.write() as db:
        db.execute(story_end(story, token))
    identifiers.sweep(store, Library(), story.now() + timedelta(days=2))
    store.id_key_path.unlink()
    files = bundle(store, tmp_path / "shared", shareable=True)
    answers = table(files, "answer")
    assert {(one["value"], one["text_reason"]) for one in answers} == {("", "id_key_missing")}
    report = json.loads(files["deidentification.json"])
    assert report["left_out"]["answer"] == {"id_key_missing": 2}
    assert (report["ids_found"], report["anonymity"]["attributes"]) == (0, [])
    emptied = {f"{one['table']}.{one['column']}": one["reason"] for one in report["emptied"]}
    assert emptied["turn.think_ms"] == emptied["timing.think_ms"] == "id_key_missing"
    for name in ("README.md", "deidentification.md"):
        assert "key of deleted IDs is missing" in files[name]
        assert "was not computed" in files[name]
        assert "classes" not in files[name]
