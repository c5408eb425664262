"""Records of bonuses from before amounts were kept stay, on both databases, and keep none."""

import pytest
import sqlalchemy as sa
from alembic import command

from app.store import migrate
from app.store.db import Store
from app.store.people import manual_actions
from app.study.design import studies
from app.study.export import verify
from app.study.people import pay_words, payments
from tests.study.story import NOON, Story

BEFORE = "20261203_played_by"


@pytest.fixture
def store(empty_db_url, tmp_path):
    migrate.upgrade(empty_db_url)
    keys = {"id_key_path": tmp_path / "id.key", "signing_key_path": tmp_path / "s.pem"}
    store = Store(empty_db_url, **keys)
    yield store
    store.dispose()


def step(store, move, revision):
    store.dispose()
    config = migrate.alembic_config(str(store.url.render_as_string(hide_password=False)))
    move(config, revision)
    return config


def test_record_without_an_amount_is_kept_says_so_and_still_verifies(store):
    story = Story(store, payment={"hourly_cents": 3000})
    token = story.enter(platform="prolific", external_id="ann")
    story.win(token, 0, 0)
    step(store, command.downgrade, BEFORE)
    row = {"episode_id": None, "account_id": None, "action": payments.SENT, "reason": "file"}
    with store.write() as db:
        who = story.person(token).id
        manual_actions.log_action(db, {**row, "participant_id": who, "at": NOON})
    command.check(step(store, command.upgrade, "head"))
    with store.read() as db:
        assert db.scalar(sa.text("SELECT count(*) FROM sent_bonus")) == 0
        (one,) = payments.everyone(db, studies.find(db, "story").id)
    assert (one.sent.at, one.sent.cents, one.is_changed) == (NOON, None, False)
    assert pay_words.sent_words(one) == f"{NOON:%Y-%m-%d}, no amount recorded"
    assert verify.verify(store).ok
