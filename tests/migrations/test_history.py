"""The history of the tables, on both databases."""

import ast
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory

from app.errors import StoreError
from app.store import migrate
from app.store.db import normal_url
from app.store.tables import metadata

VERSIONS = sorted((migrate.SCRIPTS / "versions").glob("*.py"))
LATER = """
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{before}"


def upgrade() -> None:
    op.create_table("half", sa.Column("id", sa.Integer(), primary_key=True))
    {then}
"""


def table_names(url: str) -> set[str]:
    engine = sa.create_engine(normal_url(url), poolclass=sa.NullPool)
    return set(sa.inspect(engine).get_table_names())


@pytest.mark.long_on_postgres
def test_history_is_one_line_that_fits_the_tables_and_goes_down_again(empty_db_url):
    config = migrate.alembic_config(empty_db_url)
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1
    migrate.upgrade(empty_db_url)
    command.check(config)  # raises if the models hold what the history does not
    command.downgrade(config, "base")
    assert table_names(empty_db_url) == {"alembic_version"}


def test_upgrade_of_an_empty_database_makes_every_table_and_names_the_head(empty_db_url):
    assert migrate.revision(empty_db_url) is None
    assert migrate.upgrade(empty_db_url) == migrate.head()
    assert migrate.revision(empty_db_url) == migrate.head()
    assert table_names(empty_db_url) == {*metadata.tables, "alembic_version"}


@pytest.mark.long
def test_upgrade_by_two_processes_at_once_ends_well_for_both(empty_db_url):
    call = "import sys; from app.store import migrate; print(migrate.upgrade(sys.argv[1]))"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", call, empty_db_url],
            cwd=migrate.SCRIPTS.parent,
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=60)[0].decode().strip() for process in processes]
    assert answers == [migrate.head()] * 2


def test_many_who_switch_a_new_file_to_wal_at_once_all_succeed(tmp_path):
    start = Barrier(4)

    def switch(path):
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            start.wait()
            migrate.use_wal(raw)
            raw.execute("BEGIN IMMEDIATE")
            raw.execute("CREATE TABLE IF NOT EXISTS made (x)")
            raw.execute("COMMIT")
            return raw.execute("PRAGMA journal_mode").fetchone()[0]

    with ThreadPoolExecutor(4) as pool:
        for at in range(60):
            path = tmp_path / f"{at}.db"
            assert list(pool.map(switch, [path] * 4)) == ["wal"] * 4


@pytest.mark.parametrize(
    "then", ["raise ZeroDivisionError", "op.execute('INSERT INTO nowhere VALUES (1)')"]
)
def test_upgrade_that_fails_half_way_changes_nothing(empty_db_url, tmp_path, then):
    migrate.upgrade(empty_db_url)
    scripts = tmp_path / "migrations"
    shutil.copytree(migrate.SCRIPTS, scripts)
    later = LATER.format(before=migrate.head(), then=then)
    (scripts / "versions" / "later.py").write_text(later)
    config = migrate.alembic_config(empty_db_url)
    config.set_main_option("script_location", str(scripts))
    with pytest.raises((ZeroDivisionError, sa.exc.DBAPIError)):
        command.upgrade(config, "head")
    assert migrate.revision(empty_db_url) == migrate.head()
    assert "half" not in table_names(empty_db_url)


@pytest.mark.parametrize("empty_db_url", ["sqlite"], indirect=True)
def test_upgrade_that_leaves_a_row_pointing_nowhere_changes_nothing(empty_db_url, tmp_path):
    """SQLite checks no references while a migration copies tables, so we check them afterwards."""
    migrate.upgrade(empty_db_url)
    scripts = tmp_path / "migrations"
    shutil.copytree(migrate.SCRIPTS, scripts)
    then = "op.execute(\"INSERT INTO login_link VALUES ('x', 99, '2026-01-01', NULL)\")"
    later = LATER.format(before=migrate.head(), then=then)
    (scripts / "versions" / "later.py").write_text(later)
    config = migrate.alembic_config(empty_db_url)
    config.set_main_option("script_location", str(scripts))
    with pytest.raises(RuntimeError, match="login_link"):
        command.upgrade(config, "head")
    assert "half" not in table_names(empty_db_url)


def test_rounds_and_ratings_of_before_have_an_unknown_wording(empty_db_url):
    config = migrate.alembic_config(empty_db_url)
    command.upgrade(config, "20261128_owed")
    engine = sa.create_engine(normal_url(empty_db_url), poolclass=sa.NullPool)
    known = sa.MetaData()
    known.reflect(engine)

    def add(db, table, **values):
        day = {
            one.name: datetime(2026, 11, 1, tzinfo=UTC)
            for one in known.tables[table].columns
            if one.name == "created_at"
        }
        made = db.execute(sa.insert(known.tables[table]).values(**day, **values))
        return made.inserted_primary_key[0]

    with engine.begin() as db:
        study = add(db, "study", slug="s", title="S", kind="pilot", state="open")
        add(
            db,
            "rating_round",
            study_id=study,
            number=1,
            title="R",
            state="open",
            mode="overall",
            rubric="r",
            rubric_version="1",
            rubric_hash="h",
            k=1,
            seed=1,
            repeat_percent=0,
            revision=1,
            made_by="a",
        )
    command.upgrade(config, "head")
    with engine.begin() as db:
        assert db.execute(sa.text("SELECT rule_version FROM rating_round")).all() == [("",)]
    command.downgrade(config, "20261128_owed")
    with engine.begin() as db:
        assert db.execute(sa.text("SELECT title FROM rating_round")).all() == [("R",)]


def test_upgrade_from_any_folder_makes_the_sqlite_file_and_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert migrate.upgrade("sqlite:///var/deep/x.db") == migrate.head()
    assert (tmp_path / "var" / "deep" / "x.db").is_file()


def test_revision_of_a_missing_sqlite_file_is_none_and_makes_no_file(tmp_path):
    assert migrate.revision(f"sqlite:///{tmp_path / 'x.db'}") is None
    assert list(tmp_path.iterdir()) == []


def test_upgrade_without_the_migrations_folder_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(migrate, "SCRIPTS", tmp_path / "migrations")
    with pytest.raises(StoreError, match="Install hjstudy again"):
        migrate.upgrade(f"sqlite:///{tmp_path / 'x.db'}")


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_version_imports_nothing_that_changes_with_the_app(path: Path):
    """Migrations must not depend on the current models."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported - set(sys.stdlib_module_names) <= {"alembic", "sqlalchemy"}


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_version_is_named_by_day_and_its_file_by_its_revision(path: Path):
    assert path.stem[:8].isdecimal()
    assert f'revision = "{path.stem}"' in path.read_text()
