"""Databases with data of earlier versions: upgraded, verified, exported, and one step back.

`python -m tests.migrations.old --dump tests/data/old` made the files with the code of that time;
`make upgrades` does the same for every revision.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command

from app.store import migrate
from app.store.db import Store, normal_url
from app.study.export import files, verify
from tests.study.story import NOON

OLD = sorted((Path(__file__).resolve().parents[1] / "data" / "old").glob("*.sql.gz"))


@pytest.fixture(params=OLD, ids=lambda path: path.name.partition(".")[0])
def old_url(request, empty_db_url, tmp_path):
    """Return the address of a database with the tables and rows of an earlier version."""
    text = gzip.decompress(request.param.read_bytes()).decode()
    with closing(sqlite3.connect(tmp_path / "old.db")) as raw:
        raw.executescript(text)
    revision = migrate.revision(f"sqlite:///{tmp_path / 'old.db'}")
    assert revision == request.param.name.removesuffix(".sql.gz")
    command.upgrade(migrate.alembic_config(empty_db_url), revision)
    copy_rows(f"sqlite:///{tmp_path / 'old.db'}", empty_db_url)
    return empty_db_url


def copy_rows(source, target):
    """Copy all rows of one database into the same tables of another.

    Logs of participants seal values as a database writes them: another database begins them anew.
    """
    reading, writing = (
        sa.create_engine(normal_url(url), poolclass=sa.NullPool) for url in (source, target)
    )
    known = sa.MetaData()
    known.reflect(reading)
    into = sa.MetaData()
    into.reflect(writing)
    left_out = {"alembic_version"}
    left_out |= {"person_event"} if reading.dialect.name != writing.dialect.name else set()
    with reading.connect() as old, writing.begin() as new:
        for table in known.sorted_tables:
            rows = [row._asdict() for row in old.execute(sa.select(table))]
            if rows and table.name not in left_out:
                new.execute(into.tables[table.name].insert(), rows)
                if "id" in rows[0] and writing.dialect.name == "postgresql":  # as if it had counted
                    last = max(row["id"] for row in rows)
                    number = sa.func.pg_get_serial_sequence(table.name, "id")
                    new.execute(sa.select(sa.func.setval(number, last)))


def counts(url, tables):
    engine = sa.create_engine(normal_url(url), poolclass=sa.NullPool)
    with engine.connect() as db:
        return {
            name: db.execute(sa.select(sa.func.count()).select_from(sa.table(name))).scalar()
            for name in tables
        }


KEPT = ("study", "design", "participant", "block", "episode", "turn", "explanation")


def kept(url):
    """Return the rows of each table; models' rows count where they are kept today."""
    found = counts(url, KEPT)
    engine = sa.create_engine(normal_url(url), poolclass=sa.NullPool)
    if "model_turn" in sa.inspect(engine).get_table_names():
        moved = counts(url, ("model_episode", "model_turn"))
        found["episode"] += moved["model_episode"]
        found["turn"] += moved["model_turn"]
    return found


def test_newest_old_database_holds_ratings_a_model_a_member_and_an_audit_log():
    text = gzip.decompress(OLD[-1].read_bytes()).decode()
    for name in (
        "rating",
        "model_episode",
        "model_turn",
        "model_call",
        "study_member",
        "audit_entry",
    ):
        assert f'INSERT INTO "{name}"' in text


@pytest.mark.long_on_postgres
def test_database_of_an_earlier_version_is_upgraded_verified_and_exported(old_url, tmp_path):
    before, people = kept(old_url), counts(old_url, ("turn",))
    assert people["turn"] > 10
    migrate.upgrade(old_url)
    assert kept(old_url) == before
    store = Store(old_url, id_key_path=tmp_path / "id.key", signing_key_path=tmp_path / "s.pem")
    try:
        found = verify.verify(store)
        assert (found.ok, found.turns) == (True, people["turn"]), found
        files.export(store, "old", tmp_path / "out", NOON)
    finally:
        store.dispose()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("old_url", OLD[-1:], indirect=True, ids=["newest"])
def test_last_step_goes_back_and_forth_with_data(old_url):
    migrate.upgrade(old_url)
    before = counts(old_url, KEPT)
    config = migrate.alembic_config(old_url)
    command.downgrade(config, "-1")
    assert migrate.revision(old_url) != migrate.head()
    command.upgrade(config, "head")
    command.check(config)
    assert counts(old_url, KEPT) == before
