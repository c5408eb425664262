"""Upgrading gives every study owners, and the server an administrator, on both databases."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import command

from app.store import migrate
from app.store.db import normal_url

NOW = datetime(2026, 11, 28, tzinfo=UTC)
ACCOUNTS = (
    {"id": 1, "name": "gone", "role": "researcher", "active": False},
    {"id": 2, "name": "ada", "role": "researcher", "active": True},
    {"id": 3, "name": "rater", "role": "annotator", "active": True},
    {"id": 4, "name": "bob", "role": "researcher", "active": True},
)
MADE_BY = {"own": "bob", "file": "command line", "orphan": "gone", "old": None}


def test_creators_become_owners_and_otherwise_everyone(empty_db_url):
    config = migrate.alembic_config(empty_db_url)
    command.upgrade(config, "20261201_pauses")
    engine = sa.create_engine(normal_url(empty_db_url), poolclass=sa.NullPool)
    with engine.begin() as db:
        tables = sa.MetaData()
        tables.reflect(db, only=("account", "study", "study_change"))
        for one in ACCOUNTS:
            db.execute(tables.tables["account"].insert().values({**one, "created_at": NOW}))
        for number, (slug, maker) in enumerate(MADE_BY.items(), start=1):
            study = {"id": number, "slug": slug, "title": slug, "kind": "pilot", "state": "open"}
            db.execute(tables.tables["study"].insert().values({**study, "created_at": NOW}))
            if maker:
                change = {"study_id": number, "event": "created", "version": 0, "revision": 1}
                values = {**change, "changes": "[]", "made_by": maker, "at": NOW}
                db.execute(tables.tables["study_change"].insert().values(values))
    command.upgrade(config, "20261202_members")
    with engine.begin() as db:
        rows = db.execute(
            sa.text(
                "SELECT slug, name, study_member.role FROM study_member "
                "JOIN study ON study.id = study_id JOIN account ON account.id = account_id "
                "ORDER BY slug, name"
            )
        ).all()
        admins = db.execute(sa.text("SELECT name FROM account WHERE is_admin")).scalars().all()
    owners = {slug: [name for one, name, role in rows if one == slug] for slug in MADE_BY}
    everybody = ["ada", "bob", "gone"]
    assert owners["own"] == ["bob"]
    assert owners["file"] == owners["old"] == everybody
    assert owners["orphan"] == everybody  # its creator can no longer log in
    assert {role for _, _, role in rows} == {"owner"}
    assert admins == ["ada"]
    command.downgrade(config, "20261201_pauses")
