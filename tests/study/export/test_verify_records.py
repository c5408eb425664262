"""`hjstudy verify` compares blocks, designs and people with each other."""

import json
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from app.store.design.studies import design, study
from app.store.play.answers import answer
from app.store.play.episodes import block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.design import freeze
from app.study.design.spec import check_study
from app.study.export import records, verify
from app.study.play import questions, steps
from app.study.tickets import new_ticket
from tests.study.desk import Desk
from tests.study.story import Story

pytestmark = pytest.mark.one_database

ASKED = {
    "before": [{"key": "age", "label": "Age", "kind": "number", "least": 18, "most": 99}],
    "after": [{"key": "end", "label": "And?", "kind": "text"}],
    "comment": False,
}


def finished(store):
    """A story with one person who finished, in one world with rule forms and questions."""
    story = Story(
        store,
        blocks=[{"task": "A-Over", "seeds": [1]}],
        per_player=1,
        questions=ASKED,
    )
    token = story.enter(answers={"age": "30"})
    for position in range(2):
        story.win(token, 0, position)
        story.explain(token, 0, position)
    given = {questions.field("end"): "nothing"}
    questions.submit(store, token, steps.AFTER, given, new_ticket(), story.now())
    assert story.person(token).state == "finished"
    return story


def compared(store):
    """Return what the comparison with designs finds by itself: the chained log finds more."""
    with store.read() as db:
        return {one.field for one in records.compare(db, None)[1]}


BLOCKS = {
    "cell": "A-Over/2/semantic/1",
    "task": "A-Cond",
    "seed": 2,
    "lexicon": "nonce",
    "coverage": "2/3",
    "format": "direct",
}


def test_block_that_is_not_as_design_and_variant_say_is_found(store):
    story = finished(store)
    right = verify.verify(store)
    assert (right.ok, right.records_wrong) == (True, 0)
    with store.read() as db:
        stored = db.execute(sa.select(block)).one()._asdict()
    for column, other in BLOCKS.items():
        story.change(block, block.c.id > 0, **{column: other})
        found = verify.verify(store)
        assert not found.ok, column
        assert found.first_difference.field == column
        assert compared(store) == {column}
        story.change(block, block.c.id > 0, **{column: stored[column]})
    assert verify.verify(store).ok


def test_block_with_another_variant_than_its_design_says_is_found(store):
    story = finished(store)
    with store.read() as db:
        mine = db.execute(sa.select(block.c.variant_hash)).scalar_one()
        known = sa.select(episode.c.variant_hash).where(episode.c.variant_hash != mine)
        practice = db.execute(known).scalars().first()
    story.change(block, block.c.id > 0, variant_hash=practice)
    assert not verify.verify(store).ok
    assert compared(store) == {"variant_hash"}


APART = {
    "slug": "apart",
    "title": "Apart",
    "per_player": 2,
    "between": "lexicon",
    "blocks": [
        {"task": "A-Over", "seeds": "1-2", "lexicon": words} for words in ("semantic", "nonce")
    ],
}


def test_person_whose_blocks_are_of_two_arms_is_found():
    spec = check_study(APART)
    design = records.Known(spec, {cell.key: cell for cell in spec.cells()}, {})
    person = SimpleNamespace(public_id="p_1", consent_hash=spec.consent_hash(), state="active")

    def problems(*lexica):
        common = {**dict.fromkeys(BLOCKS), "position": 0}
        blocks = [SimpleNamespace(**(common | {"lexicon": one})) for one in lexica]
        found = records.person_problems(person, design, {"block": blocks})
        return [one for one in found if one.field == "lexicon"]

    assert problems("semantic", "semantic") == []
    assert [one[3:] for one in problems("semantic", "nonce")] == [
        ("nonce, semantic", "the same in all blocks")
    ]


def test_design_that_does_not_fit_its_hash_is_found(store):
    story = finished(store)
    with store.read() as db:
        text = db.execute(sa.select(design.c.spec)).scalar_one()
    for changed in (text.replace("A-Over", "A-Cond"), text[:-2], "{}"):
        story.change(design, design.c.id > 0, spec=changed)
        found = verify.verify(store)
        assert (found.ok, found.first_difference.field) == (False, "spec"), changed[:20]
    story.change(design, design.c.id > 0, spec=text)
    story.change(design, design.c.id > 0, spec_hash="0" * 64)
    assert verify.verify(store).first_difference.field == "spec"


def other(value):
    """A value of the same shape that differs."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return {"final": "human", "nothing": "id", "id": "link"}.get(value, f"{value}x")
    if isinstance(value, list):
        return [*value, "x"]
    return {**value, "recruitment": "None."} if isinstance(value, dict) else 9


@pytest.mark.parametrize("place", [path for path in freeze.FREE if path != freeze.QUOTA])
def test_free_part_that_is_not_what_was_logged_is_found(store, place):
    story = Story(store, blocks=[{"task": "A-Over", "seeds": [1]}], per_player=1)
    with store.read() as db:
        text = db.execute(sa.select(design.c.spec)).scalar_one()
        assert records.compare(db, None)[1] == []
    document = json.loads(text)
    *sections, name = place.split(".")
    inner = document
    for section in sections:
        inner = inner[section]
    inner[name] = {**inner[name], "withdrawn": "W"} if place == "codes" else other(inner[name])
    story.change(design, design.c.id > 0, spec=json.dumps(document))
    with store.read() as db:
        assert [one.field for one in records.compare(db, None)[1]] == ["free part"]


@pytest.mark.parametrize(("kind", "passed_off"), [("bots", "real"), ("real", "bots")])
def test_study_of_bots_is_never_passed_off_as_one_of_people(store, kind, passed_off):
    story = Story(store, blocks=[{"task": "A-Over", "seeds": [1]}], per_player=1, kind=kind)
    assert verify.verify(store).ok
    story.change(study, study.c.id > 0, kind=passed_off)
    assert verify.verify(store).first_difference.field == "kind"


def test_free_part_that_was_published_again_is_right(store):
    desk = Desk(store).make()
    for changed in ({"options__main_rv": "judge"}, {"per_player": 1}, {"title": "Winter"}):
        desk.publish(**changed)
        with store.read() as db:
            assert records.compare(db, None)[1] == []


GONE = {
    "explanation": (explanation, explanation.c.after == 0),
    "answer": (answer, answer.c.phase == "after"),
    "block": (block, block.c.id > 0),
}


@pytest.mark.parametrize("table", GONE)
def test_finished_person_who_lacks_something_is_found(store, table):
    finished(store)
    rows, where = GONE[table]
    with store.write() as db:
        if table == "block":
            for other in (turn, explanation, episode):
                db.execute(sa.delete(other))
        assert db.execute(sa.delete(rows).where(where)).rowcount == 1
    found = verify.verify(store)
    assert not found.ok
    assert found.first_difference.field in {table, "blocks"}
    assert compared(store) == {"blocks" if table == "block" else table}


def test_consent_of_another_text_is_found(store):
    story = finished(store)
    story.change(participant, participant.c.id > 0, consent_hash="0" * 64)
    assert verify.verify(store).first_difference.field == "consent_hash"
    assert compared(store) == {"consent_hash"}


def test_report_says_what_is_checked_and_what_is_not(store):
    listed = verify.verify(store).to_dict()
    assert any("spec_hash" in line for line in listed["checked"])
    assert any("identity" in line for line in listed["not_checked"])
