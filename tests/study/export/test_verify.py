"""A single changed byte anywhere in the log is found and named, on both databases."""

import json
import shutil
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.db import Store
from app.store.design import variants
from app.store.people import accounts
from app.store.play import participants
from app.store.play.episodes import episode
from app.store.play.turns import turn
from app.study.export import verify
from app.study.people import manual_actions
from app.study.play import digests, enrol
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket
from tests.study.story import NOON, ODD, Story

ENGINE_FIELDS = digests.TURN_FIELDS[:17]
ALTERED = {  # the replacement: a function of the column, or a value
    "seq": 99,
    "parse_status": "wrong_kind",
    "ok": sa.not_(turn.c.ok),
    "done": sa.not_(turn.c.done),
    "success": sa.not_(turn.c.success),
}
NUMBERS = ("attempt", "actions_used", "coins", "received_ms", "client_ms", "think_ms", "taps")


def first(store, slug=None):
    report = verify.verify(store, slug)
    assert not report.ok
    return report.first_difference


def altered(column):
    if column in ALTERED:
        return ALTERED[column]
    if column in NUMBERS:
        return turn.c[column] + 1
    if column == "digest":
        return "0" * 32
    return turn.c[column] + "x"


def test_sound_log_is_proved_and_counted(story, token):
    length = len(story.turns(token, 0, 0)) + len(story.turns(token, 0, 1))
    report = verify.verify(story.store)
    assert report.ok
    assert report.first_difference is None
    assert report.turns == length + len(story.turns(token, -1, 0))
    with story.store.read() as db:
        assert report.episodes == db.execute(sa.select(sa.func.count(episode.c.id))).scalar()


def test_lost_episode_and_rows_without_script_are_proved(story, token):
    story.lose(story.enter(), 0, 0)
    assert story.turns(token, 0, 0)[0].taps is not None
    assert verify.verify(story.store, "story").ok


@pytest.mark.long_on_postgres
def test_every_altered_column_of_a_turn_is_found_and_named(story, token):
    target, who = story.turns(token, 0, 0)[2], story.person(token).public_id
    for column in [*digests.TURN_FIELDS, "digest"]:
        story.change(turn, turn.c.id == target.id, **{column: altered(column)})
        found = first(story.store)
        assert (found.participant, found.episode, found.seq) == (who, f"{who}-w1-g1", 3)
        # not a command, whatever was typed: the engine alone could not notice the change
        by_engine = column in ENGINE_FIELDS and column != "raw"
        assert (column, found.field) == (column, column if by_engine else "digest")
        assert found.stored != found.expected
        story.change(turn, turn.c.id == target.id, **{column: getattr(target, column)})
    assert verify.verify(story.store).ok


def test_altered_command_is_found_by_what_it_would_have_done(story, token):
    target = story.turns(token, 0, 0)[len(ODD)]
    story.change(turn, turn.c.id == target.id, raw=target.raw + "x")
    assert first(story.store).field == "argument"


@pytest.mark.parametrize("column", ["client_ms", "think_ms", "taps"])
def test_value_put_where_there_was_none_is_found(story, column):
    token = story.enter()
    story.lose(token, 0, 0)
    target = story.turns(token, 0, 0)[4]
    story.change(turn, turn.c.id == target.id, **{column: 0})
    assert (first(story.store).seq, first(story.store).field) == (5, "digest")


def test_bytes_that_are_no_text_are_found(sqlite_template, tmp_path):
    """PostgreSQL refuses such bytes; SQLite stores anything."""
    path = tmp_path / "bytes.db"
    shutil.copyfile(sqlite_template, path)
    store = Store(f"sqlite:///{path}")
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, "look", "look")
    target = story.turns(token, 0, 0)[1]
    broken = sa.cast(sa.literal(b"go \xff"), sa.Text)
    for column in ("raw", "message", "did", "digest"):
        story.change(turn, turn.c.id == target.id, **{column: broken})
        assert first(store).field == column
        story.change(turn, turn.c.id == target.id, **{column: getattr(target, column)})
    assert verify.verify(store).ok
    store.dispose()


def test_missing_turn_is_found_where_it_should_stand(story, token):
    target = story.turns(token, 0, 0)[2]
    with story.store.write() as db:
        db.execute(sa.delete(turn).where(turn.c.id == target.id))
    found = first(story.store)
    assert (found.seq, found.field, found.stored, found.expected) == (3, "seq", "4", "3")


def test_missing_last_turn_of_an_ended_episode_is_found(story, token):
    target = story.turns(token, 0, 0)[-1]
    with story.store.write() as db:
        db.execute(sa.delete(turn).where(turn.c.id == target.id))
    found = first(story.store)
    assert (found.seq, found.field, found.stored, found.expected) == (None, "state", "won", "open")


def test_turn_after_the_end_is_found(story, token):
    *_, last = story.turns(token, 0, 0)
    more = {**last._asdict(), "seq": last.seq + 1, "actions_used": last.seq + 1}
    del more["id"]
    with story.store.write() as db:
        db.execute(sa.insert(turn), more)
    found = first(story.store)
    assert (found.seq, found.field) == (last.seq + 1, "raw")
    assert "over" in found.expected


def test_turn_moved_to_another_episode_is_found(story, token):
    target, there = story.turns(token, 0, 1)[-1], story.episode(token, 1, 0)
    story.change(turn, turn.c.id == target.id, episode_id=there.id)
    assert first(story.store).episode.endswith("-w2-g1")


def test_log_copied_to_another_episode_is_found(story, token):
    """The chain starts with the episode itself, so one log cannot replace another."""
    other = story.enter()
    story.win(other, 0, 0)
    mine, theirs = story.episode(token, 0, 0), story.episode(other, 0, 0)
    mine_, theirs_ = (sa.update(turn).where(turn.c.episode_id == e.id) for e in (mine, theirs))
    with story.store.write() as db:
        db.execute(mine_.values(seq=turn.c.seq + 1000))
        db.execute(theirs_.values(episode_id=mine.id))
        db.execute(sa.delete(turn).where(turn.c.episode_id == mine.id, turn.c.seq > 1000))
    found = first(story.store)
    assert (found.episode[-6:], found.seq, found.field) == ("-w1-g1", 1, "digest")


ROW = {
    "state": "lost",
    "actions_used": 3,
    "attempts": 2,
    "digest": "0" * 32,
    "entity": "Nobody",
    "ref_length": 3,
    "n_tries": 9,
    "budget": 99,
    "variant_episode": 7,
}


def test_every_altered_column_of_an_episode_is_found_and_named(story, token):
    here = story.episode(token, 0, 0)
    for column, value in ROW.items():
        story.change(episode, episode.c.id == here.id, **{column: value})
        found = first(story.store)
        assert (found.seq, found.field, found.stored) == (None, column, value)
        story.change(episode, episode.c.id == here.id, **{column: getattr(here, column)})
    assert verify.verify(story.store).ok


def test_every_altered_column_of_an_episodes_place_is_found_and_named(story, token):
    """Its participant, block, order, code and end are proved from other rows."""
    here, other = story.episode(token, 0, 1), story.enter()
    enrol.decline(story.store, "story", Arrival("link", "gone"), new_ticket(), story.now())
    with story.store.read() as db:
        table = participants.participant
        refused = db.execute(sa.select(table.c.id).where(table.c.state == "no_consent")).scalar()
    altered_ones = {
        "participant_id": refused,
        "block_position": 7,
        "position": 5,
        "kind": "practice",
        "code_version": "0.0.0",
        "block_id": story.episode(other, 0, 0).block_id,
        "variant_hash": story.episode(token, 1, 0).variant_hash,
        "finished_at": NOON,  # it is open
    }
    for column, value in altered_ones.items():
        story.change(episode, episode.c.id == here.id, **{column: value})
        found = first(story.store)
        named = "participant_id" if column == "block_id" else column
        assert (found.seq, found.field) == (None, named)
        story.change(episode, episode.c.id == here.id, **{column: getattr(here, column)})
    story.change(episode, episode.c.id == here.id, block_id=story.episode(token, 1, 0).block_id)
    assert first(story.store).field == "block_id"
    story.change(episode, episode.c.id == here.id, block_id=here.block_id)
    assert verify.verify(story.store).ok


def test_end_of_an_episode_is_the_time_of_its_last_action(story, token):
    here = story.episode(token, 0, 0)
    assert here.finished_at.timestamp() * 1000 == story.turns(token, 0, 0)[-1].received_ms
    for value in (None, here.finished_at + timedelta(milliseconds=1)):
        story.change(episode, episode.c.id == here.id, finished_at=value)
        found = first(story.store)
        assert (found.seq, found.field) == (None, "finished_at")
        assert found.expected.startswith("2026-11-28T12:00:")


def test_practice_of_someone_who_plays_nothing_is_found(story, token):
    enrol.decline(story.store, "story", Arrival("link", "gone"), new_ticket(), story.now())
    with story.store.read() as db:
        table = participants.participant
        refused = db.execute(sa.select(table.c.id).where(table.c.state == "no_consent")).scalar()
    where = episode.c.id == story.episode(token, -1, 0).id
    story.change(episode, where, participant_id=refused)
    assert first(story.store).field == "participant_id"


def test_certificate_of_a_prior_that_still_knew_words_is_not_an_altered_one(story, token):
    table = variants.variant
    here = story.episode(token, 0, 0)
    with story.store.read() as db:
        stored = json.loads(variants.certificate(db, here.variant_hash))
    for prior, is_ok in ((0.5740740740740741, True), (0.5, False)):
        stored["floors"]["prior"] = prior
        text = json.dumps(stored, sort_keys=True, ensure_ascii=False)
        story.change(table, table.c.hash == here.variant_hash, certificate=text)
        assert verify.verify(story.store, "story").ok is is_ok


def test_altered_certificate_is_found_in_each_episode_of_its_variant(story, token):
    here, table = story.episode(token, 0, 0), variants.variant
    with story.store.read() as db:
        stored = variants.certificate(db, here.variant_hash)
    entry = '"contextual_bias": '
    assert entry in stored
    for text in (stored.replace(entry, entry + "1"), "{}", "no JSON", stored + " "):
        story.change(table, table.c.hash == here.variant_hash, certificate=text)
        report = verify.verify(story.store)
        assert report.episodes_wrong == 2
        assert (report.first_difference.field, report.first_difference.seq) == ("certificate", None)
        assert report.first_difference.stored != report.first_difference.expected
    story.change(table, table.c.hash == here.variant_hash, certificate=stored)
    assert verify.verify(story.store).ok


def test_ended_row_of_an_open_episode_is_found(story, token):
    here = story.episode(token, 0, 1)
    story.change(episode, episode.c.id == here.id, state="lost")
    found = first(story.store)
    assert (found.field, found.stored, found.expected) == ("state", "lost", "open")


def test_episode_that_was_carried_over_by_hand_is_sound(story, token):
    account = add_account(story.store)
    who = story.person(token).public_id
    manual_actions.act(story.store, account, who, "unstick", "stuck", new_ticket(), story.now())
    assert story.episode(token, 0, 1).state == "lost"
    assert verify.verify(story.store).ok


def add_account(store):
    with store.write() as db:
        return accounts.insert(db, "somebody", "researcher", NOON)


def test_one_altered_byte_of_a_variant_is_found_in_each_of_its_episodes(story, token):
    here = story.episode(token, 0, 0)
    table = variants.variant
    text = sa.func.replace(table.c.content, '"coins":1000', '"coins":1001')
    story.change(table, table.c.hash == here.variant_hash, content=text)
    report = verify.verify(story.store)
    assert report.episodes_wrong == 2
    assert (report.first_difference.field, report.first_difference.seq) == ("variant", None)
    assert report.first_difference.expected == here.variant_hash


def test_variant_put_under_the_name_of_another_is_found(story, token):
    mine, other = story.episode(token, 0, 0).variant_hash, story.episode(token, 1, 0).variant_hash
    table = variants.variant
    text = sa.select(table.c.content).where(table.c.hash == other).scalar_subquery()
    story.change(table, table.c.hash == mine, content=text)
    found = first(story.store)
    assert (found.field, found.expected) == ("variant", mine)
    assert other in found.stored
