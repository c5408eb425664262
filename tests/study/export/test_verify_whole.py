"""Verify as a whole: engine versions, scope, order, long and random play."""

import random
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.game import world
from app.game.practice import practice_variant
from app.game.tasks import TASK_NAMES
from app.game.variant import canonical_json, content_hash
from app.store.db import Store
from app.store.design import variants
from app.store.design.studies import design
from app.store.people import accounts
from app.store.play import episodes, turns
from app.store.play.answers import direct_answer
from app.store.play.episodes import block, episode
from app.store.play.turns import turn
from app.study.design.studies import NoStudyError
from app.study.export import verify
from app.study.people import manual_actions, withdrawal
from app.study.play import commands, digests
from app.study.play.commands import Extras
from app.study.tickets import new_ticket
from tests.study.story import NOON, Story


def first_of(store):
    return verify.verify(store).first_difference


def rewrite(story, token, position=0, **changes):
    """Change every turn of an episode and update the chain, as another engine would have."""
    here = story.episode(token, 0, position)
    tip = digests.first_link(here.id, here.variant_hash, here.variant_episode)
    for row in story.turns(token, 0, position):
        values = {**row._asdict(), **changes}
        tip = commands.chain(tip, values)
        story.change(turn, turn.c.id == row.id, **changes, digest=tip)
    if here.state != "open":
        story.change(episode, episode.c.id == here.id, digest=tip)


def make_old(story, token):
    """Assign a player's first world, with both of its episodes, to engine version 0."""
    with story.store.write() as db:
        here = story.table.library.variant(db, story.episode(token, 0, 0).variant_hash)
        old = replace(here, engine_version="0")
        name = content_hash(old)
        text = {"content": canonical_json(old), "certificate": "{}"}
        variants.add_missing(db, [{"hash": name, **text, "created_at": NOON}])
    before = story.episode(token, 0, 0)
    story.change(block, block.c.id == before.block_id, variant_hash=name)
    renamed = sa.func.replace(design.c.variants, before.variant_hash, name)
    story.change(design, design.c.id > 0, variants=renamed)
    for position in (0, 1):
        where = episode.c.id == story.episode(token, 0, position).id
        story.change(episode, where, variant_hash=name, engine_version="0")
        rewrite(story, token, position)
    story.begin_logs()


def test_words_of_another_engine_version_may_differ(story, token):
    rewrite(story, token, message="Andere Worte.")
    assert first_of(story.store).field == "message"
    make_old(story, token)
    assert verify.verify(story.store).ok


def test_states_of_another_engine_version_may_not_differ(story, token):
    make_old(story, token)
    assert verify.verify(story.store).ok
    rewrite(story, token, coins=999)
    assert first_of(story.store).field == "coins"


@pytest.mark.parametrize(("column", "value"), [("engine_version", "0"), ("engine_name", "other")])
def test_engine_of_an_episode_is_that_of_its_variant(story, token, column, value):
    story.change(episode, episode.c.id == story.episode(token, 0, 1).id, **{column: value})
    found = first_of(story.store)
    assert (found.field, found.stored, found.seq) == (column, value, None)


def test_only_the_study_asked_for_is_checked(story, token):
    other = Story(story.store, slug="other")
    other.enter()
    target = story.turns(token, 0, 0)[0]
    story.change(turn, turn.c.id == target.id, raw="go away")
    assert verify.verify(story.store, "other").ok
    assert verify.verify(story.store, "other").turns == 5
    assert not verify.verify(story.store, "story").ok


def test_first_difference_is_that_of_the_earliest_episode(story, token):
    for position in (1, 0):
        target = story.turns(token, 0, position)[0]
        story.change(turn, turn.c.id == target.id, taps=55)
    report = verify.verify(story.store)
    assert report.episodes_wrong == 2
    assert report.first_difference.episode.endswith("-w1-g1")


def test_unknown_study_is_refused(store):
    with pytest.raises(NoStudyError):
        verify.verify(store, "nothing")


def test_empty_database_is_sound(store):
    assert verify.verify(store) == verify.Report(
        0,
        0,
        ok=True,
        first_difference=None,
        episodes_wrong=0,
        explanations=0,
        explanations_wrong=0,
    )


def test_end_of_a_direct_answer_and_of_an_episode_carried_over_is_proved(store):
    story = Story(
        store, blocks=[{"task": "A-Over", "seeds": [1], "format": "direct"}], per_player=1
    )
    token = story.enter()
    item = story.solution(token, 0, 0)[1].removeprefix("buy ")
    story.state_directly(token, 0, 0, item=item)
    account = add_account(store)
    who = story.person(token).public_id
    story.explain(token, 0, 0)
    manual_actions.act(store, account, who, "unstick", "stuck", new_ticket(), story.now())
    assert verify.verify(store).ok
    for position in (0, 1):
        where = episode.c.id == story.episode(token, 0, position).id
        right = story.episode(token, 0, position).finished_at
        story.change(episode, where, finished_at=right + timedelta(milliseconds=1))
        assert first_of(store).field == "finished_at"
        story.change(episode, where, finished_at=right)
    assert verify.verify(store).ok


def test_someone_carried_over_who_leaves_with_their_data_is_sound(story, token):
    who = story.person(token).public_id
    account = add_account(story.store)
    manual_actions.act(story.store, account, who, "unstick", "stuck", new_ticket(), story.now())
    withdrawal.withdraw(story.store, token, new_ticket(), story.now())
    found = verify.verify(story.store)
    assert (found.ok, found.episodes, found.turns, found.explanations) == (True, 4, 0, 0)


def add_account(store):
    with store.write() as db:
        return accounts.insert(db, "somebody", "researcher", NOON)


def test_direct_answer_is_judged_again(store):
    story = Story(
        store, blocks=[{"task": "A-Over", "seeds": [1], "format": "direct"}], per_player=1
    )
    token = story.enter()
    item = story.solution(token, 0, 0)[1].removeprefix("buy ")
    story.state_directly(token, 0, 0, item=item)
    assert verify.verify(store).ok
    story.change(direct_answer, direct_answer.c.item == item, is_right=False)
    assert first_of(store).field == "is_right"


@pytest.fixture
def file_store(sqlite_template, tmp_path):
    path = tmp_path / "many.db"
    shutil.copyfile(sqlite_template, path)
    made = Store(f"sqlite:///{path}")
    yield made
    made.dispose()


def put(story, row, lines):
    """Store lines as an episode's log at once, as the server would."""
    with story.store.write() as db:
        here = story.table.library.world(db, row.variant_hash, row.variant_episode)
        tip = digests.first_link(row.id, row.variant_hash, row.variant_episode)
        state, rows = world.start(here), []
        for seq, line in enumerate(lines, start=1):
            if state.done:
                break
            typed, state, seen = world.play(here, state, line)
            values = commands.turn_values(row.id, seq, line, typed, state, seen, NOON, Extras())
            tip = values["digest"] = commands.chain(tip, values)
            rows.append(values)
        db.execute(turns.INSERT, rows)
        if state.done:
            ended = {"state": "won" if state.success else "lost", "digest": tip}
            counts = {"actions_used": state.actions_used, "attempts": state.attempts}
            episodes.close(db, row.id, {**ended, **counts, "finished_at": NOON})
    return len(rows)


def test_practice_until_the_coins_run_out_is_proved(file_store):
    """Results that name the coins are not reused for another number of coins."""
    story = Story(file_store)
    token = story.enter()
    with file_store.write() as db:
        row = story.episode(token, -1, 0)
        db.execute(turn.delete().where(turn.c.episode_id == row.id))
        episodes.close(db, row.id, {"state": "open", "digest": None, "finished_at": None})
        episodes.close(db, row.id, {"actions_used": None, "attempts": None})
    attempt = [
        *("go toy_shop", "check_inventory", "buy practice_sword", "check_inventory"),
        *("go wheat_field", "defeat Old Scarecrow"),
    ]
    assert practice_variant().coins // 5 == 200
    length = put(story, row, attempt * 205)
    report = verify.verify(file_store)
    assert (report.ok, report.turns) == (True, length)


def random_lines(rng, variant, number):
    """Lines that a player could type: right, wrong or misspelt, in any order."""
    names = [*variant.places, *(e.name for e in variant.entities), *(i.name for i in variant.items)]
    names += [a.name for a in variant.activities]
    verbs = ["go", "buy", "defeat", "perform", "drink", "get", "rescue", "GO", "take 5%"]
    solution = variant.episodes[0].solutions[0]
    for _ in range(number):
        kind = rng.random()
        if kind < 0.5:
            yield rng.choice(solution)
        elif kind < 0.9:
            yield f"{rng.choice(verbs)} {rng.choice(names)}"
        else:
            yield rng.choice(["check_inventory", "check location", "100 %d %s", "go", "buy it now"])


def test_wild_play_in_all_tasks_is_proved(file_store):
    blocks = [{"task": task, "seeds": [1]} for task in TASK_NAMES]
    story = Story(file_store, blocks=blocks, per_player=8)
    rng, length = random.Random(3), 0
    for _ in range(6):
        token = story.enter()
        length += 5
        with file_store.read() as db:
            rows = episodes.episodes_of(db, story.person(token).id)
            variants = {r.id: story.table.library.variant(db, r.variant_hash) for r in rows}
        for row in rows:
            if row.kind == "main":
                length += put(story, row, random_lines(rng, variants[row.id], 60))
    report = verify.verify(file_store)
    assert (report.first_difference, report.turns) == (None, length)
    assert length > 1500
