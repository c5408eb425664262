"""`hjstudy verify` finds what was changed in or beside the chained log of a participant."""

import json

import pytest
import sqlalchemy as sa

from app.store.people.manual_actions import hand_action
from app.store.play import events
from app.store.play.answers import answer
from app.store.play.episodes import episode
from app.store.play.events import person_event
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.export import chains, verify
from app.study.people import manual_actions, withdrawal
from app.study.tickets import new_ticket
from tests.study.export.test_verify_records import finished
from tests.study.export.test_verify_whole import add_account
from tests.study.story import NOON

PERSON = {
    "is_test": True,
    "excluded": "no",
    "tag": "linguist",
    "state": "timed_out",
    "seat": "released",
    "arrival": 7,
    "resume_count": 3,
    "longest_gap_s": 3,
    "end_reason": "x",
    "code": "x",
    "owed": "x",
    **dict.fromkeys(("consented_at", "instructions_at", "practice_at", "finished_at"), NOON),
    **dict.fromkeys(("ended_at", "erased_at", "extended_until", "created_at"), NOON),
}


def first(store):
    found = verify.verify(store)
    assert not found.ok
    return found.first_difference.field


@pytest.mark.long_on_postgres
def test_changed_column_of_a_participant_is_found(store):
    story = finished(store)
    assert verify.verify(store).ok
    with store.read() as db:
        stored = db.execute(sa.select(participant)).one()._asdict()
    for column, value in PERSON.items():
        story.change(participant, participant.c.id > 0, **{column: value})
        assert first(store) == column
        story.change(participant, participant.c.id > 0, **{column: stored[column]})
    assert verify.verify(store).ok


def test_change_before_a_later_action_is_found(store):
    """The next event seals the rows as they are then, but older events still tell."""
    story = finished(store)
    story.change(answer, answer.c.phase == "before", value="99")
    act(story, "note")
    assert first(store) == "answer"


@pytest.mark.parametrize(
    ("column", "value"), [("is_test", True), ("consent_hash", "0" * 64), ("arrival", 99)]
)
def test_agreement_that_was_changed_before_a_later_action_is_found(store, column, value):
    """The next event seals the participant's row as it is then."""
    story = finished(store)
    story.change(participant, participant.c.id > 0, **{column: value})
    act(story, "note")
    with store.read() as db:
        assert [one.field for one in chains.compare(db, None)[1]] == [column]


def act(story, action, **place):
    with story.store.read() as db:
        who = db.execute(sa.select(participant.c.public_id)).scalar_one()
        known = db.execute(sa.text("SELECT id FROM account")).scalar()
    account = known or add_account(story.store)
    manual_actions.act(story.store, account, who, action, "why", new_ticket(), story.now(), **place)


def test_manual_actions_are_in_the_log(store):
    story = finished(store)
    with store.read() as db:
        one = db.execute(sa.select(episode.c.id).where(episode.c.kind == "main")).scalars().first()
    for action, place in (
        ("exclude", {}),
        ("include", {}),
        ("void", {"episode_id": one}),
        ("exclude", {}),
    ):
        act(story, action, **place)
    assert verify.verify(store).ok
    story.change(episode, episode.c.id == one, voided_at=None)
    assert first(store) == "voided"


def test_erased_person_has_a_log_without_what_they_did(store):
    story = finished(store)
    with store.read() as db:
        token = db.execute(sa.select(participant.c.token)).scalar_one()
    withdrawal.withdraw(store, token, new_ticket(), story.now())
    assert verify.verify(store).ok
    with store.read() as db:
        query = sa.select(person_event.c.content).order_by(person_event.c.id)
        contents = db.execute(query).scalars().all()
    *before, last = contents
    assert set(before) == {""}
    assert json.loads(last)["rows"]["answer"][0] == 0


@pytest.mark.parametrize("what", ["content", "digest", "seq", "gone", "last gone"])
def test_changed_log_is_found(store, what):
    story = finished(store)
    row = person_event.c
    last = sa.select(sa.func.max(row.seq)).scalar_subquery()
    if what in {"gone", "last gone"}:
        where = row.seq == (2 if what == "gone" else last)
        with store.write() as db:
            assert db.execute(sa.delete(person_event).where(where)).rowcount == 1
    else:
        value = {"content": sa.func.replace(row.content, "age", "agf"), "digest": "0" * 64}
        value["content"] = row.content + " "
        story.change(person_event, row.seq == 2, **{what: value.get(what, 99)})
    first(store)


def test_turns_that_are_gone_from_an_episode_left_open_are_found(store):
    story = finished(store)
    token = story.enter(answers={"age": "30"})
    story.type(token, 0, 0, "look", "look", "look")
    with store.read() as db:
        who = story.person(token)
        account = db.execute(sa.text("SELECT id FROM account")).scalar()
    account = account or add_account(store)
    manual_actions.act(store, account, who.public_id, "end", "w", new_ticket(), story.now())
    assert verify.verify(store).ok
    open_one = story.episode(token, 0, 0).id
    with store.write() as db:
        db.execute(sa.delete(turn).where(turn.c.episode_id == open_one, turn.c.seq == 3))
    assert first(store) == "turn"


def test_log_of_people_who_are_older_than_it_begins_once(store):
    finished(store)
    with store.write() as db:
        db.execute(sa.delete(person_event))
    assert first(store) == "events"
    with store.write() as db:
        assert (events.adopt(db), events.adopt(db)) == (1, 0)
    assert verify.verify(store).ok


def test_columns_of_manual_actions_are_those_of_their_table():
    assert list(hand_action.columns.keys()) == list(events.HAND)


def test_command_appends_no_event(store):
    story = finished(store)
    token = story.enter(answers={"age": "30"})
    with store.read() as db:
        before = db.execute(sa.select(sa.func.count()).select_from(person_event)).scalar()
    story.win(token, 0, 0)
    with store.read() as db:
        after = db.execute(sa.select(sa.func.count()).select_from(person_event)).scalar()
    assert before == after
